#!/bin/sh
# Installs the codex that this program was built to drive into .cache/codex
# and prints the path of its native binary. Does nothing if it is there.
# Safe to run several times at once: the finished folder appears by a rename.
set -eu

version=0.169.0
root=$(cd "$(dirname "$0")/.." && pwd)
cache=$root/.cache
final=$cache/codex
binary=$final/bin/codex

fail() {
	echo "install-codex: $*" >&2
	exit 1
}

# Each platform's package with the digest of its archive, as the registry has it
# (npm view @openai/codex@VERSION-PLATFORM dist.integrity).
case $(uname -s)-$(uname -m) in
Linux-x86_64)
	platform=linux-x64
	integrity=sha512-o05NyAOCDygSPRo1yinzxvkRSdmsZyBD9E7mbpmjRanSfM8lypqWtQgEo4XfNkwhuCR2aFu8mlGOsQGFXVbVww==
	;;
Linux-aarch64)
	platform=linux-arm64
	integrity=sha512-NZ/DaQUpcQmxmqee7Z9uC1rzw3GhSbooawcaTe1LN5Yk+WlinUKGdTXJgClRT/9ogQEEM9TWxYzvxPfj5G/xFg==
	;;
Darwin-x86_64)
	platform=darwin-x64
	integrity=sha512-K1FKSsSLl9v3z5TeagBQXyQRDBIGB5Jncy5dxsRxwT3aaTqN3AI8VrCfoxBxKMOOU9O2QX1vg7WkBwNVth/s9A==
	;;
Darwin-arm64)
	platform=darwin-arm64
	integrity=sha512-5WsWFBbVP78D+6FvNo1MMVxLPZdmcoQlqVJFrF4qx/TmvneLnMQKtLyXkUo54XOTDfoYKpNouTJ/F7gTVA8FnQ==
	;;
*) fail "no codex is known for $(uname -s) on $(uname -m)" ;;
esac
package=@openai/codex@$version-$platform

installed() {
	[ -x "$binary" ] && [ "$(cat "$final/version" 2>/dev/null)" = "$version" ]
}

if installed; then
	echo "$binary"
	exit 0
fi

command -v npm >/dev/null 2>&1 ||
	fail "npm is missing: install Node.js 20 or newer, then run this again to get $package"

mkdir -p "$cache"
work=$(mktemp -d "$cache/codex.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

(cd "$work" && npm pack "$package" --ignore-scripts --loglevel=error >npm.log 2>&1) ||
	fail "npm could not download $package: $(tail -n 1 "$work/npm.log")"
archive=$(find "$work" -name '*.tgz' | head -n 1)
[ -n "$archive" ] || fail "npm downloaded no archive of $package"
digest=sha512-$(node -e 'const f = require("fs"), h = require("crypto").createHash("sha512"); h.update(f.readFileSync(process.argv[1])); console.log(h.digest("base64"))' "$archive")
[ "$digest" = "$integrity" ] || fail "$package is not what it was when it was chosen: $digest"

tar -xzf "$archive" -C "$work"
native=$(find "$work/package" -type f -name codex -path '*/vendor/*/bin/codex' 2>/dev/null | head -n 1)
[ -n "$native" ] || fail "$package has no native binary"

mkdir -p "$work/done/bin"
mv "$(dirname "$native")"/* "$work/done/bin/"
"$work/done/bin/codex" --version >/dev/null 2>&1 || fail "the installed codex does not run on this platform"
echo "$version" >"$work/done/version"

# A folder of another version makes way. Of two that race, one wins and the
# other finds it installed; node renames as the system call does, while mv
# would put the folder inside the winner's.
if [ -e "$final" ] && ! installed; then
	mv "$final" "$work/old" 2>/dev/null || true
fi
node -e 'require("fs").renameSync(process.argv[1], process.argv[2])' "$work/done" "$final" 2>/dev/null || true
installed || fail "$final could not be put in place"
echo "$binary"
