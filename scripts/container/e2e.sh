#!/usr/bin/env bash
# e2e.sh [go test flags]
# Builds the action's image once and runs the tests of internal/e2e on it: as
# the runner of GitHub Actions starts it, and under act. Whatever it made in
# Docker besides base images is removed at the end, also after a failure or ^C.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
here=$root/scripts/container
dir=$root/.cache/e2e
cd "$root"

label=workflow-reviewer-e2e
image=workflow-reviewer-e2e:run
# What act calls the image of "uses: ./", of "uses: OWNER/workflow-reviewer@v1" and of the one without codex.
local_tag=act-dockeraction:latest
release_tag=act-owner-workflow-reviewer-v1-dockeraction:latest
slim_tag=act-owner-workflow-reviewer-slim-v1-slim-dockeraction:latest
stages=$(sed -n 's/^FROM .* AS \([a-z]*\)$/\1/p' Dockerfile)

acts() {
	docker ps -a --filter name=^act- --format 'container {{.Names}}'
	docker volume ls --filter name=^act- --format 'volume {{.Name}}'
	docker network ls --filter name=^act- --format 'network {{.Name}}'
}

sudo=()
((EUID == 0)) || sudo=(sudo)

cleanup() {
	set +e
	trap '' INT TERM
	"${sudo[@]}" rm -rf "$TMPDIR"
	docker info >/dev/null 2>&1 || return
	docker ps -aq --filter "label=$label" | xargs -r docker rm -f -v >/dev/null
	acts | sort | comm -13 "$dir/before" - | sort | while read -r kind name; do # containers, networks, volumes
		docker "$kind" rm -f "$name" >/dev/null 2>&1 || docker "$kind" rm "$name" >/dev/null
	done
	for tag in "$local_tag" "$release_tag" "$slim_tag"; do
		docker rmi "$tag" >/dev/null 2>&1
		docker tag "saved-$tag" "$tag" 2>/dev/null && docker rmi "saved-$tag" >/dev/null
	done
	docker rmi "$image" >/dev/null 2>&1
	for stage in $stages; do docker rmi "workflow-reviewer-e2e:$stage" >/dev/null 2>&1; done
	if [[ -s $dir/dockerd.pid ]]; then # started by setup.sh
		"${sudo[@]}" kill "$(cat "$dir/dockerd.pid")"
		"${sudo[@]}" rm "$dir/dockerd.pid"
	fi
}

# The classic builder is act's. It forgets nothing of a stage that has a name,
# so that all of it can be removed again.
build() {
	local start=$SECONDS target bases
	bases=$(scripts/image.sh bases)
	for target in $stages ''; do
		# shellcheck disable=SC2086 # flags
		DOCKER_BUILDKIT=0 docker build --network host --label "$label" $bases ${target:+--target "$target"} \
			-t "workflow-reviewer-e2e:${target:-run}" . >"$dir/build.log" 2>&1 || {
			tail -n 30 "$dir/build.log" >&2
			echo "e2e: the image could not be built" >&2
			return 1
		}
	done
	echo "e2e: the image took $((SECONDS - start)) s"
}

mkdir -p "$dir"
exec 9>"$dir/lock"
flock 9 # two runs at once would take each other's images away
: >"$dir/before"
TMPDIR=$(mktemp -d /tmp/e2e.XXXXXX) # sockets need short paths
export TMPDIR
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
"$here/setup.sh" "$dir" 9>&-
acts | sort >"$dir/before"
build
for tag in "$local_tag" "$release_tag" "$slim_tag"; do
	docker tag "$tag" "saved-$tag" 2>/dev/null || true
	docker tag "$image" "$tag"
done
docker tag workflow-reviewer-e2e:slim "$slim_tag"
export E2E_IMAGE=$image E2E_LABEL=$label E2E_ACT=$dir/bin/act E2E_BASE=golang:1.26-bookworm
CGO_ENABLED=0 go test -tags e2e -count=1 -timeout 15m ./internal/e2e "$@" 9>&-
