#!/usr/bin/env bash
# Measures the test-integrity check on honest work: runs it over the last N
# commits of a repository that are no merges, each against its first parent, whose
# tests are taken as approved. OUT keeps the JSON of each run, and all.tsv with a
# line for each commit:
#
#   commit  test-files-touched  verdict  status  milliseconds  not-analysed  tests-alarms  workaround-alarms
#
# Runs that OUT holds already are not repeated. Commits that raise an alarm and the sums are printed.
#
#   scripts/evaluate-history.sh REPO [N] [OUT]      REV=<commit> JOBS=2 PROGRAM=bin/workflow-reviewer
set -euo pipefail
repo=$(realpath "${1:?usage: evaluate-history.sh REPO [N] [OUT]}")
n=${2:-200}
out=${3:-$(mktemp -d)}
program=$(realpath "${PROGRAM:-$(dirname "$0")/../bin/workflow-reviewer}")
mkdir -p "$out"
export repo out program

# What a commit touches counts as a test by its name alone.
export tests='(^|/)(tests?|specs?|__tests__|testing|testdata|fixtures)/|(^|/)(test_[^/]*|conftest)\.py$|[._-](test|spec)\.[^/]*$|Tests?\.(java|cs)$|\.Tests?/'

examine() {
	commit=$1 parent=$2
	json=$out/$commit.json line=$out/$commit.tsv
	[[ ! -s $line ]] || return 0
	status=0
	start=${EPOCHREALTIME/./}
	"$program" integrity --repo "$repo" --approved "$parent" --head "$commit" --json >"$json" 2>"$out/$commit.err" || status=$?
	took=$(((${EPOCHREALTIME/./} - start) / 1000))
	touched=$(git -C "$repo" diff-tree --no-renames --name-only -r "$parent" "$commit" | grep -cE "$tests") || true
	jq -r --arg commit "$commit" --arg touched "$touched" --arg status "$status" --arg took "$took" '
		def kinds(f): [.violations[] | select(f) | "\(.kind) \(.file):\(.line)"] | unique | join("; ");
		[$commit[:12], $touched, .verdict, $status, $took, (.not_analysed | length),
		 kinds(.type != "workaround"), kinds(.type == "workaround")] | @tsv' "$json" >"$line" ||
		printf '%s\t%s\tnone\t%s\t%s\t0\t\t\n' "${commit:0:12}" "$touched" "$status" "$took" >"$line"
}
export -f examine

git -C "$repo" rev-list --no-merges -n "$n" "${REV:-HEAD}" >"$out/commits"
while read -r commit; do
	parent=$(git -C "$repo" rev-parse -q --verify "$commit^1") && echo "$commit $parent"
done <"$out/commits" | xargs -r -P "${JOBS:-2}" -n 2 bash -c 'examine "$@"' examine

while read -r commit; do cat "$out/$commit.tsv" 2>/dev/null || true; done <"$out/commits" >"$out/all.tsv"
awk -F'\t' '$7 != "" || $8 != "" || $4 > 1' "$out/all.tsv"
sort -n -k5,5 -t$'\t' "$out/all.tsv" | awk -F'\t' '
	{ n++; tests += $2 > 0; diff += $7 != ""; tricks += $8 != ""; failed += $4 > 1; blind += $6 > 0; ms[n] = $5 }
	END { printf "commits %d, touching tests %d, flagged by the comparison %d, by workaround rules %d, not everything analysed %d, not verified %d, median %d ms, 95th percentile %d ms\n",
		n, tests, diff, tricks, blind, failed, ms[int((n + 1) / 2)], ms[int(n * 0.95 + 0.5)] }'
echo "kept in $out" >&2
