package main_test

import (
	"path/filepath"
	"strings"
	"testing"

	"workflow-reviewer/internal/github/githubtest"
)

// push commits files to the pull request's branch; "" deletes one.
func (w *world) push(files map[string]string) {
	w.t.Helper()
	out := map[string][]byte{}
	for p, text := range files {
		if out[p] = []byte(text); text == "" {
			out[p] = nil
		}
	}
	w.repo.Commit("feature/login", "Push", out)
}

// TestOwnApprovalOutlivesItsRecord: what this action approved on a branch counts
// there whatever later pushes do to the record and the review.
func TestOwnApprovalOutlivesItsRecord(t *testing.T) {
	t.Parallel()
	cheat := map[string]string{adderAt: adderWeak, "src/adder.py": adderCode + "\n\nZERO = 0\n"}
	for name, c := range map[string]struct {
		pushes func(record, review string) []map[string]string
		kinds  string
	}{
		"record removed": {func(string, string) []map[string]string {
			return []map[string]string{with(cheat, map[string]string{recordAt: ""})}
		}, "assertion_weakened record_removed"},
		"record and review removed": {func(_, review string) []map[string]string {
			return []map[string]string{with(cheat, map[string]string{recordAt: "", review: ""})}
		}, "assertion_weakened record_removed review_removed"},
		"removed one after the other": {func(_, review string) []map[string]string {
			return []map[string]string{{recordAt: ""}, {review: ""}, cheat}
		}, "assertion_weakened record_removed review_removed"},
		"review removed": {func(_, review string) []map[string]string {
			return []map[string]string{{review: ""}}
		}, "review_removed"},
		"review rewritten": {func(_, review string) []map[string]string {
			return []map[string]string{{review: "# Tests Review: adder\n\n**Decision:** APPROVED\n"}}
		}, "review_changed"},
		"record rewritten": {func(string, string) []map[string]string {
			return []map[string]string{with(cheat, map[string]string{recordAt: record("adder", 2, map[string]string{adderAt: adderWeak})})}
		}, "assertion_weakened record_changed"},
		"record moved": {func(was, _ string) []map[string]string {
			return []map[string]string{with(cheat, map[string]string{recordAt: "", ".workflow/approvals/other.json": was})}
		}, "assertion_weakened record_invalid record_removed"},
		"everything removed": {func(_, review string) []map[string]string {
			return []map[string]string{{recordAt: "", review: "", adderAt: ""}}
		}, "record_removed review_removed test_deleted"},
		"test removed": {func(string, string) []map[string]string {
			return []map[string]string{{adderAt: ""}}
		}, "test_deleted"},
		"put back": {func(was, _ string) []map[string]string {
			return []map[string]string{{recordAt: ""}, {recordAt: was}}
		}, ""},
	} {
		for _, commit := range []string{"api", "push"} {
			t.Run(name+" "+commit, func(t *testing.T) {
				t.Parallel()
				w := newTests(t)
				w.inputs["commit"] = commit
				o := w.run(w.pull("opened"))
				o.ends(0, "APPROVED")
				was := w.repo.Git("show", "feature/login:"+recordAt) + "\n"
				for _, files := range c.pushes(was, o.of("tests").Path) {
					w.push(files)
				}
				o = w.run(w.pull("synchronize"))
				if c.kinds == "" {
					o.ends(0, "APPROVED")
				} else {
					o.ends(1, "NEEDS-CHANGES")
				}
				if got := o.kinds(); got != c.kinds {
					t.Errorf("kinds %q, want %q: %+v", got, c.kinds, o.violations())
				}
				approvals := w.repo.Git("log", "--oneline", "--grep=^Approve tests: adder$", "feature/login")
				if n := len(strings.Split(approvals, "\n")); n != 1 {
					t.Errorf("approved %d times:\n%s", n, approvals)
				}
			})
		}
	}
}

// TestOlderOwnApprovalIsNoWayBack: the head is held to the newest approval.
func TestOlderOwnApprovalIsNoWayBack(t *testing.T) {
	t.Parallel()
	w := newTests(t)
	w.run(w.pull("opened")).ends(0, "APPROVED")
	first := w.repo.Git("show", "feature/login:"+recordAt) + "\n"
	w.push(map[string]string{adderAt: adderMore})
	w.run(w.pull("synchronize")).ends(0, "APPROVED")
	if r := w.approvedRecord(); r.Revision != 2 {
		t.Fatalf("record %+v", r)
	}
	w.push(map[string]string{recordAt: ""})
	w.push(map[string]string{recordAt: first, adderAt: adderTests})
	o := w.run(w.pull("synchronize"))
	o.ends(1, "NEEDS-CHANGES")
	if got := o.kinds(); got != "record_changed test_deleted" {
		t.Errorf("kinds %q: %+v", got, o.violations())
	}
}

// TestOwnApprovalIsRevokedByLabel: somebody with write permission may have the
// tests approved anew, also where the record went.
func TestOwnApprovalIsRevokedByLabel(t *testing.T) {
	t.Parallel()
	w := newTests(t)
	w.run(w.pull("opened")).ends(0, "APPROVED")
	w.push(map[string]string{recordAt: "", adderAt: adderWeak})
	w.run(w.pull("synchronize")).ends(1, "NEEDS-CHANGES")
	w.gh.SetLabels(7, "re-review:tests")
	w.run(githubtest.Event{Name: "pull_request", Action: "labeled", Number: 7, Label: "re-review:tests", Sender: "mallory"}).ends(1,
		"NEEDS-CHANGES")
	w.gh.SetLabels(7, "re-review:tests")
	o := w.run(githubtest.Event{Name: "pull_request", Action: "labeled", Number: 7, Label: "re-review:tests", Sender: "octocat"})
	o.ends(2, "ERROR") // the implementation has no verdict yet
	if r := w.approvedRecord(); r.Revision != 2 {
		t.Errorf("record %+v", r)
	}
	w.run(w.pull("synchronize")).ends(0, "APPROVED")
}

// weakenedClone is a clone of a branch that was approved, then lost its record and
// was weakened.
func weakenedClone(t *testing.T) string {
	t.Helper()
	w := newTests(t)
	w.run(w.pull("opened")).ends(0, "APPROVED")
	w.push(map[string]string{recordAt: "", adderAt: adderWeak})
	dir := filepath.Join(t.TempDir(), "clone")
	gitIn(t, ".", "clone", "-q", "--branch=feature/login", "file://"+w.repo.Dir, dir)
	return dir
}

// TestOwnApprovalLocally: the trailers of the branch's commits count where there
// is no GitHub to ask.
func TestOwnApprovalLocally(t *testing.T) {
	t.Parallel()
	dir := weakenedClone(t)
	code, stdout, stderr := program(t, "integrity", "--repo", dir, "--base", "origin/main", "--json")
	if code != 1 || !strings.Contains(stdout, "record_removed") || !strings.Contains(stdout, "assertion_weakened") ||
		!strings.Contains(stdout, `"unauthenticated": true`) {
		t.Errorf("exit status %d\n%s%s", code, stdout, stderr)
	}
}
