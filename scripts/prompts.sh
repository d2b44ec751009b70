#!/usr/bin/env bash
# Reviews the changes of internal/review/prompttest/testdata/changes.txt with a model that
# approves everything, and prints what each prompt shows, why, and what it leaves out. A
# changed line or a used symbol that is not in the prompt fails.
#
#   scripts/prompts.sh      PROMPT_REPOS=folder PROMPTS=folder
#
# PROMPT_REPOS is a folder of repositories, bare or not: owner/name or owner+name. What it
# lacks is cloned from GitHub. PROMPTS keeps the whole prompts.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$PWD/.cache/prompts
mkdir -p "$work"
: >"$work/changes.txt"

find_repository() { # name
	local dir
	for dir in "${PROMPT_REPOS:-$work}"/{"$1","${1/\//+}","${1/\//+}/repo"}; do
		! git -C "$dir" rev-parse --git-dir >/dev/null 2>&1 || { echo "$dir"; return; }
	done
	git clone -q --bare "https://github.com/$1" "$work/$1" >&2
	echo "$work/$1"
}

grep -v '^#' internal/review/prompttest/testdata/changes.txt | while read -r name head _; do
	repo=$(find_repository "$name")
	echo "$name $repo $(git -C "$repo" rev-parse "$head^1") $head" >>"$work/changes.txt"
done
"${GO:-go}" test -count=1 -v -timeout 30m -run '^TestChanges$' ./internal/review/prompttest \
	-args -changes "$work/changes.txt" -prompts "${PROMPTS:-}" |
	grep -v '^ *\(---\|===\) *\(RUN\|PASS\|NAME\)'
