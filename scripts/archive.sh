#!/bin/sh
# Builds the program for this machine's platform, or for GOOS and GOARCH where a
# C compiler for them is named by CC, and packs it for a release:
#
#	archive.sh FOLDER [VERSION [COMMIT]]
#
# writes FOLDER/workflow-reviewer-VERSION-OS-ARCH.tar.gz and beside it the same
# name with .sha256. The parsers are C, so that macOS needs a macOS machine.
set -eu
cd "$(dirname "$0")/.."

folder=${1:?usage: archive.sh FOLDER [VERSION [COMMIT]]}
version=${2:-dev}
commit=${3:-}
repository=${GITHUB_REPOSITORY:-OWNER/workflow-reviewer} # that init names in workflows
os=${GOOS:-$(go env GOOS)}
arch=${GOARCH:-$(go env GOARCH)}
name=workflow-reviewer-$version-$os-$arch

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/$name/hooks"

case $os in
linux) GOOS=$os GOARCH=$arch scripts/build-static.sh "$work/$name/workflow-reviewer" "$version" "$commit" "$repository" ;;
*) CGO_ENABLED=1 GOOS=$os GOARCH=$arch go build -trimpath -buildvcs=false -tags nethttpomithttp2 \
	-ldflags "-s -w -buildid= -X main.version=$version -X main.commit=$commit -X main.repository=$repository" -o "$work/$name/workflow-reviewer" ./cmd/action ;;
esac
cp LICENSE THIRD_PARTY_NOTICES "$work/$name/"
cp examples/hooks/pre-push "$work/$name/hooks/"

(cd "$work" && tar -cf - "$name" | gzip -9n) >"$folder/$name.tar.gz"
cd "$folder"
if command -v sha256sum >/dev/null 2>&1; then
	sha256sum "$name.tar.gz"
else
	shasum -a 256 "$name.tar.gz"
fi >"$name.tar.gz.sha256"
cat "$name.tar.gz.sha256"
