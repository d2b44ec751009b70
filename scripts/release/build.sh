#!/usr/bin/env bash
# build.sh IMAGE VERSION ARCH
# Builds the images of one architecture, tries and measures them, and only then
# pushes them, by their digests, which are left in the file digest-ARCH: the whole
# one's, then that of the one without codex. What is pushed comes from the builder's
# cache, with statements about it that cannot be loaded. Layers are packed with zstd,
# which Docker reads from 23.0 on: a quarter less to pull, unpacked in a fifth.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
image=$1 version=$2 arch=$3

# What builds and what lists the contents, by digest. "docker buildx imagetools
# inspect" says the newest.
buildkit=moby/buildkit:v0.33.1@sha256:cec9f139f45e93c5c69c60f8b07cfad9f43f4ef6b6a6cd917527fea5ff2e3dea
sbom=docker/buildkit-syft-scanner:1.12.0@sha256:ae4f3b554449e7e25548e7d8ccc029d17357348e30c6e3df01b92bc93654d6a9

SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

build() {
	docker buildx build . --builder release --platform "linux/$arch" --build-arg VERSION="$version" \
		--build-arg COMMIT="$GITHUB_SHA" --build-arg SOURCE="$GITHUB_SERVER_URL/$GITHUB_REPOSITORY" "$@"
}

try() { # IMAGE TARGET
	docker run --rm --network none "$1" version
	docker run --rm --network none --read-only --tmpfs /tmp "$1" demo
	scripts/image.sh size "$1" "$2"
}

push() { # TARGET: prints the digest
	build --target "$1" --provenance=mode=max "--sbom=generator=$sbom" --metadata-file metadata.json --output \
		"type=image,name=$image,push-by-digest=true,name-canonical=true,push=true,rewrite-timestamp=true,oci-mediatypes=true,compression=zstd,compression-level=19,force-compression=true" >&2
	digest=$(jq -er '."containerimage.digest"' metadata.json)
	docker pull --quiet "$image@$digest" >&2
	try "$image@$digest" "$1" >&2
	echo "$digest"
}

docker buildx inspect release >/dev/null 2>&1 ||
	docker buildx create --name release --driver docker-container --driver-opt "image=$buildkit"
build --no-cache --target whole --provenance=false --sbom=false --load --tag "workflow-reviewer:whole-$arch"
build --target slim --provenance=false --sbom=false --load --tag "workflow-reviewer:slim-$arch"
for target in whole slim; do
	try "workflow-reviewer:$target-$arch" "$target"
done
{
	push whole
	push slim
} >"digest-$arch.new"
mv "digest-$arch.new" "digest-$arch"
