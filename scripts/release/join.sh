#!/usr/bin/env bash
# join.sh IMAGE VERSION
# Joins the images of both architectures, whose digests are in the files
# digest-amd64 and digest-arm64, to one of the version. Writes its digest and
# those of each architecture's manifest to GITHUB_OUTPUT, and what is in each to
# sbom.ARCH.spdx.json.
set -euo pipefail
shopt -s inherit_errexit
image=$1 version=$2

docker buildx imagetools create --tag "$image:$version" "$image@$(<digest-amd64)" "$image@$(<digest-arm64)"
digest=$(docker buildx imagetools inspect "$image:$version" --format '{{.Manifest.Digest}}')
index=$(docker buildx imagetools inspect --raw "$image@$digest")
contents=$(docker buildx imagetools inspect "$image@$digest" --format '{{json .SBOM}}')
for arch in amd64 arm64; do
	manifest=$(jq -er --arg arch "$arch" '[.manifests[] | select(.platform.os == "linux" and .platform.architecture == $arch) | .digest] |
		if length == 1 then .[0] else error("\(length) manifests for \($arch)") end' <<<"$index")
	jq -e --arg platform "linux/$arch" '.[$platform].SPDX' <<<"$contents" >"sbom.$arch.spdx.json"
	echo "$arch=$manifest" >>"$GITHUB_OUTPUT"
done
echo "digest=$digest" >>"$GITHUB_OUTPUT"
