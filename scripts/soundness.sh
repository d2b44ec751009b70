#!/usr/bin/env bash
# Measures the soundness of the test-integrity check: edits the tests of the
# projects in testdata/soundness/projects.txt and fails on each edit that is
# called clean and was not judged harmless (testdata/soundness/adjudicated.txt).
# Tables and survivors are kept in .cache/soundness/report.txt.
#
#   scripts/soundness.sh        EDITS=1500 SEED=1 SOUNDNESS_REPOS="folder owner/name=repository …"
#
# RESULTS=testdata/soundness/results.md keeps the tables that are published.
# Projects are cloned at their commits, unless SOUNDNESS_REPOS has them: a folder
# of repositories owner/name, or single ones; bare ones are fine. A project that
# the list does not name is taken at HEAD, with all files that look like tests.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$PWD/.cache/soundness
any='(^|/)(tests?|specs?|__tests__)/.*\.(py|[cm]?[jt]sx?|java|rb|rs|cs)$|_test\.go$|_(test|spec)\.[a-z]+$|[.](test|spec)\.[cm]?[jt]sx?$'
rm -rf "$work/src" "$work/report.txt"
mkdir -p "$work/src" "$work/git"

declare -A given
for entry in ${SOUNDNESS_REPOS:-}; do
	if [[ $entry == *=* ]]; then
		given[${entry%%=*}]=${entry#*=}
	else
		for repo in "$entry"/*/*; do given[${repo#"$entry"/}]=$repo; done
	fi
done

extract() { # name repository commit pattern
	mkdir -p "$work/src/$1"
	git -C "$2" ls-tree -r --name-only "$3" | grep -E "$4" |
		xargs -d '\n' git -C "$2" archive --format=tar "$3" -- | tar -x -C "$work/src/$1"
}

while read -r name commit pattern _; do
	[[ -n $name && $name != \#* ]] || continue
	repo=${given[$name]:-}
	unset "given[$name]"
	if [[ -z $repo ]]; then
		repo=$work/git/$name
		git -C "$repo" rev-parse -q --verify "$commit^{commit}" >/dev/null 2>&1 || {
			git init -q --bare "$repo"
			git -C "$repo" fetch -q --depth 1 "https://github.com/$name" "$commit"
		}
	fi
	extract "$name" "$repo" "$commit" "$pattern"
done <testdata/soundness/projects.txt
for name in "${!given[@]}"; do extract "$name" "${given[$name]}" HEAD "$any"; done

"${GO:-go}" test -v -count=1 -timeout 3h -run '^TestSoundness$' ./internal/integrity/soundnesstest \
	-args -projects "$work/src" -edits "${EDITS:-1500}" -seed "${SEED:-1}" -report "$work/report.txt" -results "${RESULTS:+$PWD/$RESULTS}" >"$work/output.txt" &&
	status=0 || status=$?
[[ -s $work/report.txt ]] || cat "$work/output.txt"
[[ ! -s $work/report.txt ]] || cat "$work/report.txt"
exit $status
