#!/usr/bin/env bash
# build.sh IMAGE VERSION ARCH
# Builds the image of one architecture, tries and measures it, and only then
# pushes it, by its digest, which is left in the file digest-ARCH. What is pushed
# comes from the builder's cache, with statements about it that cannot be loaded.
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

try() {
	docker run --rm --network none "$1" version
	docker run --rm --network none --read-only --tmpfs /tmp "$1" demo
	scripts/image.sh size "$1"
}

docker buildx inspect release >/dev/null 2>&1 ||
	docker buildx create --name release --driver docker-container --driver-opt "image=$buildkit"
build --no-cache --provenance=false --sbom=false --load --tag "workflow-reviewer:$arch"
try "workflow-reviewer:$arch"
build --provenance=mode=max "--sbom=generator=$sbom" --metadata-file metadata.json \
	--output "type=image,name=$image,push-by-digest=true,name-canonical=true,push=true,rewrite-timestamp=true"
digest=$(jq -er '."containerimage.digest"' metadata.json)
docker pull --quiet "$image@$digest"
try "$image@$digest"
echo "$digest" >"digest-$arch"
