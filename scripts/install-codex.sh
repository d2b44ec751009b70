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

installed() {
	[ -x "$binary" ] && [ "$(cat "$final/version" 2>/dev/null)" = "$version" ]
}

if installed; then
	echo "$binary"
	exit 0
fi

command -v npm >/dev/null 2>&1 ||
	fail "npm is missing: install Node.js 20 or newer, then run this again to get @openai/codex@$version"

mkdir -p "$cache"
work=$(mktemp -d "$cache/codex.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

npm install --prefix "$work" --no-save --no-audit --no-fund --ignore-scripts --loglevel=error \
	"@openai/codex@$version" >"$work/npm.log" 2>&1 ||
	fail "npm could not install @openai/codex@$version: $(tail -n 1 "$work/npm.log")"

# One platform's package holds the native files; which one, npm has decided.
native=$(find "$work/node_modules/@openai" -type f -name codex -path '*/vendor/*/bin/codex' 2>/dev/null | head -n 1)
[ -n "$native" ] || fail "@openai/codex@$version has no native binary for this platform"

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
