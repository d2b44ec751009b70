#!/usr/bin/env bash
# join.sh IMAGE VERSION
# Joins the images of both architectures, whose digests are in the files
# digest-amd64 and digest-arm64, to one of the version, and those without codex to
# one of VERSION-slim. Writes both digests and those of each architecture's manifest
# to GITHUB_OUTPUT, and what is in each to sbom.ARCH.spdx.json.
set -euo pipefail
shopt -s inherit_errexit
image=$1 version=$2

join() { # TAG LINE: of the files; prints the digest
	docker buildx imagetools create --tag "$image:$1" "$image@$(sed -n "$2p" digest-amd64)" "$image@$(sed -n "$2p" digest-arm64)" >&2
	docker buildx imagetools inspect "$image:$1" --format '{{.Manifest.Digest}}'
}

digest=$(join "$version" 1)
slim=$(join "$version-slim" 2)
index=$(docker buildx imagetools inspect --raw "$image@$digest")
contents=$(docker buildx imagetools inspect "$image@$digest" --format '{{json .SBOM}}')
for arch in amd64 arm64; do
	manifest=$(jq -er --arg arch "$arch" '[.manifests[] | select(.platform.os == "linux" and .platform.architecture == $arch) | .digest] |
		if length == 1 then .[0] else error("\(length) manifests for \($arch)") end' <<<"$index")
	jq -e --arg platform "linux/$arch" '.[$platform].SPDX' <<<"$contents" >"sbom.$arch.spdx.json"
	echo "$arch=$manifest" >>"$GITHUB_OUTPUT"
done
printf 'digest=%s\nslim=%s\n' "$digest" "$slim" >>"$GITHUB_OUTPUT"
