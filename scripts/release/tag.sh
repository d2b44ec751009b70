#!/usr/bin/env bash
# tag.sh IMAGE@DIGEST SLIM-DIGEST VERSION SHA256SUMS
# Commits HEAD's files in their release form, on the branch releases/vMAJOR, and
# tags that commit vVERSION. Branch and tags move together or not at all. vMAJOR
# moves to the highest version of MAJOR alone. A second time changes nothing.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
image=$1 slim=${1%@*}@$2 version=$3 sums=$4
tag=v$version major=v${version%%.*}
branch=releases/$major
source=$(git rev-parse HEAD)
work=$(mktemp -d)
trap 'git worktree remove --force "$work/tree" >/dev/null 2>&1; rm -rf "$work"' EXIT

remote() { git ls-remote origin "$1" | cut -f1; }

commit() { # TREE PARENT… with the message on stdin
	local tree=$1 parents=()
	shift
	for p in "$@"; do parents+=(-p "$p"); done
	git commit-tree "$tree" "${parents[@]}"
}

# The release form: action.yml and slim/ run their images, setup/ takes the archives,
# and examples name the repository.
release_form() {
	git worktree add --quiet --detach "$work/tree" "$source"
	cd "$work/tree"
	scripts/release-action.sh action.yml "$image"
	scripts/release-action.sh slim/action.yml "$slim"
	scripts/release-setup.sh "$version" "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/releases/download/$tag" "$sums"
	git grep -lz OWNER/workflow-reviewer -- '*.md' examples |
		xargs -0 sed -i -e '/^.OWNER. below stands for /d' -e '/^.VERSION. stands for /d' -e "s|vVERSION|$tag|g" -e "s|workflow-reviewer-VERSION-|workflow-reviewer-$version-|g" -e "s|ghcr\.io/OWNER/workflow-reviewer|${image%@*}|g" -e "s|OWNER/workflow-reviewer|$GITHUB_REPOSITORY|g"
	git add --update
	git write-tree
}

# The same name, mail and dates give the same commit each time.
export GIT_AUTHOR_NAME='github-actions[bot]' GIT_AUTHOR_EMAIL='41898282+github-actions[bot]@users.noreply.github.com'
export GIT_COMMITTER_NAME=$GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL=$GIT_AUTHOR_EMAIL
GIT_AUTHOR_DATE=$(git log -1 --format=%cI "$source")
export GIT_AUTHOR_DATE GIT_COMMITTER_DATE=$GIT_AUTHOR_DATE

tree=$(release_form)
release=$(printf 'Release %s\n\nImage: %s\nWithout codex: %s\nSource: %s\n' "$tag" "$image" "$slim" "$source" | commit "$tree" "$source")
existing=$(remote "refs/tags/$tag")
if [[ $existing == "$release" ]]; then
	echo "$tag is there already, with this image, these archives and this source"
	exit 0
elif [[ -n $existing ]]; then
	echo "::error::$tag is there already and names another image, other archives or another source: release another version" >&2
	exit 1
fi

highest=$({ git ls-remote --refs origin "refs/tags/$major.*" | sed -n 's|.*refs/tags/v\([0-9]*\.[0-9]*\.[0-9]*\)$|\1|p'; echo "$version"; } | sort -V | tail -n 1)
tip=$(remote "refs/heads/$branch")
new=$release
if [[ -n $tip ]]; then
	git fetch --quiet --no-tags origin "refs/heads/$branch"
	[[ $highest == "$version" ]] || tree=$(git rev-parse "$tip:")
	new=$(echo "Add $tag to $branch" | commit "$tree" "$tip" "$release")
fi
push=("$new:refs/heads/$branch" "$release:refs/tags/$tag")
if [[ $highest == "$version" ]]; then
	push=("--force-with-lease=refs/tags/$major:$(remote "refs/tags/$major")" origin "${push[@]}" "$release:refs/tags/$major")
else
	echo "$major stays where it is, as $highest is newer than $version"
	push=(origin "${push[@]}")
fi
git push --quiet --atomic "${push[@]}"
