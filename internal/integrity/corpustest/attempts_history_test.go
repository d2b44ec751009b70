package corpustest_test

import (
	"os"
	"path/filepath"
	"strings"
)

func historyAttempts() []attempt {
	const aim = "the history"
	const trees = "trees are compared, not commits: what counts is the head's content against the base's record"
	const names = "features are found by tests and paths on both sides; what a record lists is compared whatever the change says it is " +
		"about"
	const brought = "the change brings these tests for review: the weakening is a warning and a question there, and no " +
		"record is written while it is open"
	weak := work().over(files{pyAt: pyWeak})
	merge := func(change files, parents ...string) func(*forge) {
		return func(f *forge) {
			f.commit("feature/adder", "Work", work())
			f.commit("main", "Elsewhere", files{"README.md": "x\n"})
			f.commit("other", "Other", files{"NOTES": "x\n"}, "main")
			f.commit("feature/adder", "Merge", change, append([]string{"feature/adder"}, parents...)...)
		}
	}
	return []attempt{
		{
			aim: aim, tried: "an evil merge: weakened in the merge commit alone", by: merge(weak, "main"), verdict: "breach",
			kinds: []string{"assertion_weakened"}, holds: trees,
		},
		{
			aim: aim, tried: "an octopus merge", by: merge(weak, "main", "other"), verdict: "breach", kinds: []string{"assertion_weakened"},
			holds: trees,
		},
		{
			aim: aim, tried: "the base merged, and its record lost on the way", by: merge(weak.over(files{".workflow": gone}), "main"),
			verdict: "breach", kinds: []string{"assertion_weakened", "record_removed"}, holds: trees,
		},
		{
			aim: aim, tried: "the base's stricter tests merged with «ours», which keeps the old", by: func(f *forge) {
				f.commit("main", "Approve tests: adder", files{
					pyAt: pyTest + "\n\ndef test_zero():\n    assert add(0, 0) == 0\n",
					recordPath: approve("adder", 2, python().over(files{pyAt: pyTest +
						"\n\ndef test_zero():\n    assert add(0, 0) == 0\n"})),
				})
				f.commit("feature/adder", "Merge main", work(), "feature/adder", "main")
			}, verdict: "breach", kinds: []string{"record_changed", "test_deleted"}, holds: trees,
		},
		{aim: aim, tried: "a branch without common history", by: func(f *forge) {
			f.commit("island", "Begin", python().over(weak))
			f.git("update-ref", "refs/heads/feature/adder", "island")
		}, verdict: "breach", kinds: []string{"assertion_weakened"}, holds: trees},
		{
			aim: aim, tried: "a replace ref that shows the approved test in place of the weakened", by: func(f *forge) {
				f.commit("feature/adder", "Work", weak)
				f.git("replace", f.git("rev-parse", "feature/adder:"+pyAt), f.git("rev-parse", "main:"+pyAt))
			}, verdict: "breach", kinds: []string{"assertion_weakened"}, holds: "replace refs and grafts are not read",
		},
		{
			aim: aim, tried: "a commit with a second tree, the base's, behind its committer", by: func(f *forge) {
				f.commit("feature/adder", "Work", weak)
				head, message, _ := strings.Cut(f.git("cat-file", "commit", "feature/adder"), "\n\n")
				name := filepath.Join(f.t.TempDir(), "commit")
				text := head + "\ntree " + f.git("rev-parse", "main^{tree}") + "\n\n" + message
				if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
					f.t.Fatal(err)
				}
				f.git("update-ref", "refs/heads/feature/adder", f.git("hash-object", "-t", "commit", "-w", name))
			}, verdict: "breach", kinds: []string{"assertion_weakened"}, holds: "headers count where git looks for them",
		},
		{
			aim: aim, tried: "weakened and restored", by: func(f *forge) {
				f.commit("feature/adder", "Weaken", weak)
				f.commit("feature/adder", "Restore", files{pyAt: pyTest})
			}, verdict: "clean", holds: "the head is what is merged",
		},
		{
			aim: aim, tried: "the spec moved out of `specs/doing/`, tests not on record", bare: true,
			does: weak.over(files{spec: gone, "specs/done/adder.md": python()[spec]}), verdict: "no-baseline", holds: brought,
		},
		{
			aim: aim, tried: "the spec deleted, tests not on record", bare: true, does: weak.over(files{spec: gone}),
			verdict: "no-baseline",
			holds:   brought,
		},
		{
			aim: aim, tried: "spec and tests renamed to another feature's",
			does:    work().over(files{spec: gone, "specs/doing/sums.md": python()[spec], pyAt: gone, "tests/test_sums.py": pyWeak}),
			verdict: "breach", kinds: []string{"test_deleted"}, holds: names,
		},
		{
			aim: aim, tried: "a branch that is named after another feature, with a record of its own",
			in: python().over(files{"specs/doing/login.md": "# Login\n"}), by: func(f *forge) {
				f.commit("feature/login", "Work", files{pyAt: pyWeak, "src/login.py": "def login():\n    return 1\n"}, "main")
				f.git("update-ref", "refs/heads/feature/adder", "feature/login")
			}, verdict: "breach", kinds: []string{"assertion_weakened"}, holds: names,
		},
		{
			aim: aim, tried: "a helper that approved tests share, changed under a feature without record",
			in:      python().over(files{"specs/doing/login.md": "# Login\n", "tests/test_login.py": "from tests.helpers import close\n"}),
			does:    files{"src/login.py": "def login():\n    return 1\n", "tests/helpers.py": "def close(a, b):\n    pass\n"},
			verdict: "breach", kinds: []string{"helper_weakened"}, holds: names,
		},
	}
}
