#!/bin/sh
# release-action.sh IMAGE@DIGEST
# Turns action.yml into its release form: runs a prebuilt image instead of
# building the Dockerfile. Changes that one line and nothing else.
set -eu
cd "$(dirname "$0")/.."

image=${1:?usage: release-action.sh IMAGE@DIGEST}
printf '%s' "$image" | tr '\n' ' ' | grep -Eq '^[a-z0-9.-]+(:[0-9]+)?(/[a-z0-9._-]+)+@sha256:[0-9a-f]{64}$' || {
	echo "release-action: \"$image\" is no image named by digest, such as ghcr.io/owner/name@sha256:…" >&2
	exit 1
}
[ "$(grep -c '^  image: Dockerfile$' action.yml)" = 1 ] || {
	echo 'release-action: action.yml does not have the line "  image: Dockerfile" once' >&2
	exit 1
}
sed "s|^  image: Dockerfile\$|  image: docker://$image|" action.yml >action.yml.new
mv action.yml.new action.yml
