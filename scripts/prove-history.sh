#!/usr/bin/env bash
# Replays commits of the projects in internal/prove/replaytest/testdata/projects.txt: what the tests of the commit before
# say of a commit's code by themselves, prove must say too. Prints a line a commit, and the sums.
#
#   scripts/prove-history.sh [owner/name]      COMMITS=20 REPLAY_REPOS=folder
#
# REPLAY_REPOS is a folder of repositories owner+name; what it lacks is cloned from GitHub. It needs what runs the
# projects' tests: .ci/run installs it, besides the Debian packages ruby-minitest-reporters,
# ruby-minitest-global-expectations, ruby-webrick, librust-serde-dev, libcommons-io-java and junit5.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$PWD/.cache/replay
mkdir -p "$work"
rm -f "$work/table.tsv"
sed -n 's/^project //p' internal/prove/replaytest/testdata/projects.txt | while read -r name; do
	[[ -z ${1:-} || $1 == "$name" ]] || continue
	dir=${name/\//+}
	from=https://github.com/$name
	[[ -z ${REPLAY_REPOS:-} || ! -d $REPLAY_REPOS/$dir ]] || from=$REPLAY_REPOS/$dir
	[[ -d $work/$dir ]] || git clone -q "$from" "$work/$dir"
done
status=0
"${GO:-go}" test -count=1 -timeout 6h -run '^TestReplay$' ./internal/prove/replaytest \
	-args -clones "$work" -project "${1:-}" -commits "${COMMITS:-20}" -table "$work/table.tsv" >"$work/output.txt" || status=$?
[[ -s $work/table.tsv ]] || cat "$work/output.txt"
[[ ! -s $work/table.tsv ]] || {
	cat "$work/table.tsv"
	awk -F'\t' '{ n[$1]++; tests[$1] += $3 == "true"; alone[$1 " " $4]++; same[$1] += $4 == $5; without[$1] += $6 == "breach"; with[$1] += $7 == "breach" }
		END { for (p in n) printf "%s: %d commits, %d touch tests; by themselves %d pass, %d fail, %d undecided; prove says the same of %d; breaches: %d without evidence, %d with it\n",
			p, n[p], tests[p], alone[p " passes"], alone[p " fails"], alone[p " undecided"], same[p], without[p], with[p] }' "$work/table.tsv" | sort
}
exit $status
