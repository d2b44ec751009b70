#!/bin/sh
# release-action.sh FILE IMAGE@DIGEST
# Turns an action's file, action.yml or slim/action.yml, into its release form: runs
# a prebuilt image instead of building the Dockerfile. Changes that one line and
# nothing else.
set -eu
cd "$(dirname "$0")/.."

file=${1:?usage: release-action.sh FILE IMAGE@DIGEST}
image=${2:?usage: release-action.sh FILE IMAGE@DIGEST}
printf '%s' "$image" | tr '\n' ' ' | grep -Eq '^[a-z0-9.-]+(:[0-9]+)?(/[a-z0-9._-]+)+@sha256:[0-9a-f]{64}$' || {
	echo "release-action: \"$image\" is no image named by digest, such as ghcr.io/owner/name@sha256:…" >&2
	exit 1
}
[ "$(grep -Ec '^  image: (\.\./)?Dockerfile$' "$file")" = 1 ] || {
	echo "release-action: $file does not have the line \"  image: Dockerfile\" once" >&2
	exit 1
}
sed -E "s|^  image: (\.\./)?Dockerfile\$|  image: docker://$image|" "$file" >"$file.new"
mv "$file.new" "$file"
