#!/bin/sh
# Installs the MCP client of the tests into .cache/mcp-client and prints its
# folder. Does nothing if it is there. Safe to run several times at once: the
# finished folder appears by a rename.
set -eu
cd "$(dirname "$0")/.."

final=$PWD/.cache/mcp-client/$(cat scripts/mcp-client/package-lock.json scripts/mcp-client/session.mjs | cksum | cut -d ' ' -f 1)
if [ -d "$final" ]; then
	echo "$final"
	exit 0
fi
command -v npm >/dev/null 2>&1 || {
	echo "install-mcp-client: npm is missing: install Node.js 20 or newer" >&2
	exit 1
}
mkdir -p "$(dirname "$final")"
work=$(mktemp -d "$(dirname "$final")/new.XXXXXX")
trap 'rm -rf "$work"' EXIT
cp scripts/mcp-client/* "$work/"
(cd "$work" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >npm.log 2>&1) || {
	echo "install-mcp-client: $(tail -n 1 "$work/npm.log")" >&2
	exit 1
}
mv -T "$work" "$final" 2>/dev/null || [ -d "$final" ] || mv "$work" "$final"
echo "$final"
