#!/bin/sh
# release-setup.sh VERSION URL SHA256SUMS
# Turns setup/action.yml into its release form: names the release, the folder of its
# archives, and the digest of each. Changes those lines and nothing else.
set -eu

version=${1:?usage: release-setup.sh VERSION URL SHA256SUMS}
url=${2:?usage: release-setup.sh VERSION URL SHA256SUMS}
sums=$(cd "$(dirname "$3")" && pwd)/$(basename "$3")
cd "$(dirname "$0")/.."
fail() {
	echo "release-setup: $*" >&2
	exit 1
}

is() { # VALUE PATTERN
	printf '%s' "$1" | tr '\n' ' ' | grep -Eqx "$2"
}

fill() { # NAME VALUE, of characters that mean nothing to YAML and sed
	[ "$(grep -c "^        $1: \"\"\$" setup/action.yml.new)" = 1 ] || fail "setup/action.yml does not have the line «$1: \"\"» once"
	sed "s|^        $1: \"\"\$|        $1: \"$2\"|" setup/action.yml.new >setup/action.yml.filled
	mv setup/action.yml.filled setup/action.yml.new
}

trap 'rm -f setup/action.yml.new setup/action.yml.filled' EXIT
is "$version" '[0-9]+\.[0-9]+\.[0-9]+' || fail "\"$version\" is no version such as 1.2.3"
is "$url" 'https?://[A-Za-z0-9._:/-]+' || fail "\"$url\" is no URL of a folder"
cp setup/action.yml setup/action.yml.new
fill VERSION "$version"
fill ARCHIVES "$url"
for platform in linux-amd64 linux-arm64 darwin-amd64 darwin-arm64; do
	digest=$(awk -v file="workflow-reviewer-$version-$platform.tar.gz" '$2 == file { print $1 }' "$sums")
	is "$digest" '[0-9a-f]{64}' || fail "SHA256SUMS has not one digest for $platform"
	fill "SHA256_$(echo "$platform" | tr 'a-z-' 'A-Z_')" "$digest"
done
mv setup/action.yml.new setup/action.yml
