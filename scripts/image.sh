#!/bin/sh
# Builds the image, or says what the one that is there comes to.
#
#	image.sh build TAG [docker build flags]
#	image.sh size TAG [TARGET]
#	image.sh bases
#
# "size" prints the image's size, and fails if more than 25 MB of it is not
# codex's own binaries; only the target slim has none. "bases" prints the flags with which
# this machine can build: none where the pinned bases can be had; otherwise
# local images of the same name and tag stand in, and a line on stderr says so.
set -eu
cd "$(dirname "$0")/.."

bases() {
	sed -n 's/^ARG \([A-Z]*_IMAGE\)=\(.*\)@\(.*\)$/\1 \2 \3/p' Dockerfile | while read -r name tag digest; do
		docker image inspect "$tag@$digest" >/dev/null 2>&1 || docker pull -q "$tag@$digest" >/dev/null 2>&1 || {
			echo "image: $tag@$digest cannot be had here; building on the local $tag" >&2
			echo "--build-arg $name=$tag"
		}
	done
}

size() {
	container=$(docker create "$1")
	docker export "$container" | tar -tvf - | awk -v target="${2:-whole}" '
		$1 ~ /^-/ { image += $3 }
		$1 ~ /^-/ && $6 ~ /^usr\/local\/bin\/codex/ { codex += $3 }
		END {
			if (!codex != (target == "slim")) { print "image: codex is", codex ? "in it" : "not in it"; exit 1 }
			printf "image %.1f MB, of it codex %.1f MB, the rest %.1f MB (at most 25)\n", image / 1e6, codex / 1e6, (image - codex) / 1e6
			exit image - codex > 25e6
		}' && status=0 || status=1
	docker rm "$container" >/dev/null
	return $status
}

command=$1
case $command in
build)
	tag=$2
	shift 2
	# shellcheck disable=SC2046 # flags
	docker build $(bases) -t "$tag" "$@" .
	size "$tag"
	;;
size) size "$2" "${3:-whole}" ;;
bases) bases ;;
*) echo "image: unknown command $command" >&2; exit 2 ;;
esac
