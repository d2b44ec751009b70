#!/bin/sh
# install-npm.sh NAME
# Installs what scripts/NAME locks, a program of the tests, into .cache/NAME and
# prints its folder. Does nothing if it is there. Safe to run several times at
# once: the finished folder appears by a rename.
set -eu
cd "$(dirname "$0")/.."

name=$1
final=$PWD/.cache/$name/$(cat "scripts/$name"/* | cksum | cut -d ' ' -f 1)
if [ -d "$final" ]; then
	echo "$final"
	exit 0
fi
command -v npm >/dev/null 2>&1 || {
	echo "install-npm: npm is missing: install Node.js 20 or newer" >&2
	exit 1
}
mkdir -p "$(dirname "$final")"
work=$(mktemp -d "$(dirname "$final")/new.XXXXXX")
trap 'rm -rf "$work"' EXIT
cp "scripts/$name"/* "$work/"
(cd "$work" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >npm.log 2>&1) || {
	echo "install-npm: $name: $(tail -n 1 "$work/npm.log")" >&2
	exit 1
}
mv -T "$work" "$final" 2>/dev/null || [ -d "$final" ] || mv "$work" "$final"
echo "$final"
