#!/usr/bin/env bash
# Replays real commits of the projects in
# internal/checks/precisiontest/testdata/projects.txt through the built-in
# checks, and prints how often each check spoke, and how often at most in one
# commit. Every finding is kept in
# .cache/precision/hits.tsv.
#
#   scripts/precision.sh [owner/name…]      COMMITS=20 SKIP=0 SAMPLE=judge PRECISION_REPOS=folder
#
# SAMPLE=tune takes commits whose name begins with 0 to 7, the others are for judging.
# PRECISION_REPOS is a folder of repositories, bare or not: owner/name, owner/name.git
# or owner+name. What it lacks is cloned from GitHub.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$PWD/.cache/precision
data=internal/checks/precisiontest/testdata
mkdir -p "$work/git"
: >"$work/commits.txt"
first='[89a-f]'
[[ ${SAMPLE:-judge} != tune ]] || first='[0-7]'

find_repository() { # name
	local given=${PRECISION_REPOS:-$work/git} dir
	for dir in "$given/$1" "$given/$1.git" "$given/${1/\//+}" "$given/${1/\//+}/repo"; do
		! git -C "$dir" rev-parse --git-dir >/dev/null 2>&1 || { echo "$dir"; return; }
	done
	[[ -d $work/git/$1 ]] || git clone -q --bare --filter=blob:none "https://github.com/$1" "$work/git/$1" >&2
	echo "$work/git/$1"
}

for name in "${@:-}"; do [[ -n $name ]] || continue; echo "$name"; done >"$work/projects.txt"
[[ -s $work/projects.txt ]] || grep -v '^#' "$data/projects.txt" >"$work/projects.txt"
while read -r name _; do
	repo=$(find_repository "$name")
	# commits of the newest 3,000 with one parent, in the order of their names' tails
	git -C "$repo" rev-list --no-merges --min-parents=1 --max-count=3000 HEAD | sed -n "/^$first/p" | sed 's/.*\(.\{12\}\)$/\1 &/' | sort |
		tail -n "+$((${SKIP:-0} + 1))" | sed -n "1,${COMMITS:-20}p" | while read -r _ head; do
			echo "$name $repo $(git -C "$repo" rev-parse "$head^") $head"
		done >>"$work/commits.txt"
done <"$work/projects.txt"

"${GO:-go}" test -count=1 -timeout 2h -run '^TestPrecision$' ./internal/checks/precisiontest \
	-args -commits "$work/commits.txt" -hits "$work/hits.tsv"

echo "$(wc -l <"$work/hits.tsv") findings in $(wc -l <"$work/commits.txt") commits"
printf '%6s %6s  %s\n' hits most check
awk -F'\t' '{ hits[$1]++; n = ++run[$1, $4]; if (n > most[$1]) most[$1] = n }
	END { for (c in hits) printf "%6d %6d  %s\n", hits[c], most[c], c }' "$work/hits.tsv" | sort -k1,1nr -k3
