#!/bin/sh
# Puts the program on the PATH of the steps that follow: from the release's archive
# for this runner, checked against its digest, or, where action.yml names no
# release, built from the sources beside this folder.
set -eu

fail() {
	echo "::error title=workflow-reviewer cannot be set up::$*" >&2
	exit 1
}

case ${RUNNER_OS:-$(uname -s)}-${RUNNER_ARCH:-$(uname -m)} in
Linux-X64 | Linux-x86_64) platform=linux-amd64 digest=$SHA256_LINUX_AMD64 ;;
Linux-ARM64 | Linux-aarch64) platform=linux-arm64 digest=$SHA256_LINUX_ARM64 ;;
macOS-X64 | Darwin-x86_64) platform=darwin-amd64 digest=$SHA256_DARWIN_AMD64 ;;
macOS-ARM64 | Darwin-arm64) platform=darwin-arm64 digest=$SHA256_DARWIN_ARM64 ;;
*) fail "there is no program for ${RUNNER_OS:-$(uname -s)} on ${RUNNER_ARCH:-$(uname -m)}: use a runner with Linux or macOS on amd64 or arm64" ;;
esac

build() {
	command -v go >/dev/null 2>&1 ||
		fail "this is no released version, and there is no Go to build it with: name a release, or run actions/setup-go before"
	CGO_ENABLED=1 go build -C "$GITHUB_ACTION_PATH/.." -trimpath -buildvcs=false -o "$bin/workflow-reviewer" ./cmd/action
}

download() { # URL FILE
	if command -v curl >/dev/null 2>&1; then
		curl --fail --silent --show-error --location --retry 3 --max-time 300 --output "$2" "$1"
	else
		wget -q -O "$2" "$1"
	fi || fail "$1 could not be downloaded: let the runner reach it, or name a mirror by the input \"archives\""
}

sha256() { # FILE
	if command -v sha256sum >/dev/null 2>&1; then
		sha256sum "$1"
	else
		shasum -a 256 "$1"
	fi
}

unpack() {
	name=workflow-reviewer-$VERSION-$platform
	download "${MIRROR:-$ARCHIVES}/$name.tar.gz" "$work/archive"
	got=$(sha256 "$work/archive")
	[ "${got%% *}" = "$digest" ] || fail "$name.tar.gz from ${MIRROR:-$ARCHIVES} is not what was released: its SHA-256 is ${got%% *}, not $digest"
	tar -xzf "$work/archive" -C "$work"
	cp "$work/$name/workflow-reviewer" "$bin/"
}

bin=$(mktemp -d "$RUNNER_TEMP/workflow-reviewer-bin-XXXXXX")
work=$(mktemp -d "$RUNNER_TEMP/workflow-reviewer-setup-XXXXXX")
trap 'rm -rf "$work"' EXIT
if [ -n "$VERSION" ]; then unpack; else build; fi
"$bin/workflow-reviewer" version
echo "$bin" >>"$GITHUB_PATH"
