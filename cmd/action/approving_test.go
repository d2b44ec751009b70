package main_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/github/githubtest"
	"workflow-reviewer/internal/integrity/approval"
)

// approvedRecord is the record that the branch's head holds.
func (w *world) approvedRecord() approval.Record {
	w.t.Helper()
	text := w.repo.Git("show", "feature/login:"+recordAt) + "\n"
	r, err := approval.Parse([]byte(text))
	if err != nil {
		w.t.Fatalf("%v\n%s", err, text)
	}
	return r
}

// newTests is a pull request that brings an implementation and its tests.
func newTests(t *testing.T) *world {
	main := adderMain(false)
	delete(main, adderAt)
	main["tests/conftest.py"] = "import pytest\n\n\n@pytest.fixture\ndef one():\n    return 1\n"
	main["pytest.ini"] = "[pytest]\ntestpaths = tests\n"
	w := newWorld(t, main, map[string]string{"src/adder.py": adderCode, adderAt: adderTests}, nil)
	w.inputs["test-results"] = "all passing"
	return w
}

// TestApprovalIsRecorded: the commit that approves tests writes their record and
// names it; the next run takes it as the baseline, in its own branch.
func TestApprovalIsRecorded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		act   bool
		trust string
	}{
		"by API":  {false, "in a commit that GitHub signed for github-actions[bot]"},
		"by push": {true, "Unauthenticated: there is no GitHub to ask"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newTests(t)
			if c.act {
				w.vars["ACT"] = "true"
			}
			before := w.head()
			o := w.run(w.pull("opened"))
			o.ends(0, "APPROVED")
			r := w.approvedRecord()
			if r.Revision != 1 || r.Feature != "adder" || r.Head != before || r.Review != o.of("tests").Path {
				t.Errorf("record %+v", r)
			}
			if r.Tests == nil || r.Tests.Count == 0 {
				t.Errorf("the record does not say how many tests it approves: %+v", r.Tests)
			}
			var files []string
			for _, f := range r.Files {
				files = append(files, f.Path+" "+f.Role)
			}
			if want := []string{"pytest.ini config", "tests/conftest.py support", adderAt + " test"}; !slices.Equal(files, want) {
				t.Errorf("files %q, want %q", files, want)
			}
			blob := w.repo.Git("rev-parse", "feature/login:"+recordAt)
			commit := w.repo.Git("log", "-1", "--format=%s%n%b", "--grep=^Approve tests: adder$", "feature/login")
			if !strings.Contains(commit, "\nApproved-Tests: adder "+blob) || !strings.HasPrefix(commit, "Approve tests: adder\n") {
				t.Errorf("commit %s", commit)
			}
			if text := o.saved(o.of("tests").Path); !strings.Contains(text, "Approval record: blob `"+blob) {
				t.Errorf("the review does not name the record:\n%s", text)
			}
			written := w.repo.Git("diff", "--name-only", before, "feature/login")
			for path := range strings.SplitSeq(written, "\n") {
				if !strings.HasPrefix(path, "reviews/") && path != recordAt && !strings.HasPrefix(path, "specs/") {
					t.Errorf("%s was written", path)
				}
			}
			tip := w.head()
			o = w.run(w.pull("synchronize"))
			o.ends(0, "APPROVED")
			if w.head() != tip {
				t.Errorf("a record that is there was written again: %s", w.repo.Git("log", "--oneline", tip+"..feature/login"))
			}
			w.repo.Commit("feature/login", "Code", githubtest.Text(map[string]string{"src/adder.py": adderCode + "\n\nZERO = 0\n"}))
			o = w.run(w.pull("synchronize"))
			o.ends(0, "APPROVED")
			if text := o.saved(o.of("implementation").Path); !strings.Contains(text, "record on the branch") ||
				!strings.Contains(text, c.trust) {
				t.Errorf("the review does not say how the record is trusted (%s):\n%s", c.trust, text)
			}
			w.repo.Commit("feature/login", "Cheat", githubtest.Text(map[string]string{adderAt: adderWeak}))
			o = w.run(w.pull("synchronize"))
			o.ends(1, "NEEDS-CHANGES")
			if o.kinds() != "assertion_weakened" {
				t.Errorf("violations %+v", o.violations())
			}
		})
	}
}

// TestRecordIsRenewed: tests that are added to approved ones are reviewed, and
// their approval is the next revision.
func TestRecordIsRenewed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, adderMain(true), map[string]string{"src/adder.py": adderCode, adderAt: adderMore}, nil)
	w.inputs["test-results"] = "all passing"
	w.run(w.pull("opened")).ends(0, "APPROVED")
	if r := w.approvedRecord(); r.Revision != 2 || r.Files[0].Blob != changetest.Blob(adderMore) {
		t.Errorf("record %+v", r)
	}
}

// TestCopiedApprovalIsForged: the record of this action in a commit of somebody
// else is not the action's.
func TestCopiedApprovalIsForged(t *testing.T) {
	t.Parallel()
	w := newTests(t)
	base := w.head()
	w.run(w.pull("opened")).ends(0, "APPROVED")
	record := w.repo.Git("show", "feature/login:"+recordAt) + "\n"
	message := w.repo.Git("log", "-1", "--format=%B", "--grep=^Approve tests: adder$", "feature/login")
	w.repo.Branch("feature/login", base) // the same content, committed by hand
	w.repo.Git("update-ref", "refs/heads/feature/login", base)
	w.repo.Commit("feature/login", message, githubtest.Text(map[string]string{recordAt: record}))
	w.gh.AddPull(githubtest.PR{Number: 7, Title: "Login", Head: "feature/login"})
	o := w.run(w.pull("synchronize"))
	o.ends(1, "NEEDS-CHANGES")
	if o.kinds() != "record_forged" {
		t.Errorf("violations %+v", o.violations())
	}
}

// TestSquashKeepsTheApproval: a squash makes another commit of the record; the
// review that names it, and the check that was completed with that, vouch.
func TestSquashKeepsTheApproval(t *testing.T) {
	t.Parallel()
	w := newTests(t)
	w.run(w.pull("opened")).ends(0, "APPROVED")
	base, tree := w.repo.Git("rev-parse", "main"), w.repo.Git("rev-parse", "feature/login^{tree}")
	squash := w.repo.Git("commit-tree", tree, "-p", base, "-m", "Add (#7)")
	t.Run("merge group", func(*testing.T) {
		w.repo.Branch("gh-readonly-queue/main/pr-7-"+base, squash)
		o := w.run(githubtest.Event{Name: "merge_group", Action: "checks_requested", Number: 7, Before: base, After: squash})
		o.ends(0, "APPROVED")
	})
	t.Run("push", func(t *testing.T) {
		w.repo.Git("update-ref", "refs/heads/main", squash)
		o := w.run(githubtest.Event{Name: "push", Branch: "main", Before: base, After: squash})
		if vs := o.violations(); len(vs) != 0 || o.code != 0 {
			t.Errorf("ended %d with violations %+v\n%s", o.code, vs, o.stdout)
		}
	})
	t.Run("tampered in the queue", func(*testing.T) {
		w.repo.Branch("gh-readonly-queue/main/pr-8-"+base, squash)
		evil := w.repo.Commit("gh-readonly-queue/main/pr-8-"+base, "x", githubtest.Text(map[string]string{adderAt: adderWeak}))
		o := w.run(githubtest.Event{Name: "merge_group", Action: "checks_requested", Number: 7, Before: base, After: evil})
		o.ends(1, "NEEDS-CHANGES")
	})
}

// TestAllowedChanges: an RFC on the base, or the label of a writer, makes a
// change of approved tests a matter of the tests review.
func TestAllowedChanges(t *testing.T) {
	t.Parallel()
	labeled := func(sender string) githubtest.Event {
		return githubtest.Event{Name: "pull_request", Action: "labeled", Number: 7, Label: "re-review:tests", Sender: sender}
	}
	for name, c := range map[string]struct {
		rfc   string
		event githubtest.Event
		code  int
		says  string
	}{
		"RFC":               {"Change `tests/test_adder.py`.", githubtest.Event{}, 0, "it is allowed by rfcs/approved/7.md"},
		"RFC of a neighbor": {"Change tests/test_adder.py.bak and a/tests/test_adder.py", githubtest.Event{}, 1, "AUTOMATIC REJECTION"},
		"label of a writer": {"", labeled("octocat"), 0, "it is allowed by the label"},
		"label of a reader": {"", labeled("mallory"), 1, "AUTOMATIC REJECTION"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			main := adderMain(true)
			if c.rfc != "" {
				main["rfcs/approved/7.md"] = c.rfc
			}
			w := newWorld(t, main, map[string]string{adderAt: strings.Replace(adderTests, "add(-1, 1) == 0", "add(-1, 2) == 1", 1)}, nil)
			w.inputs["test-results"] = "all passing"
			w.gh.SetLabels(7, "re-review:tests")
			if c.event.Name == "" {
				c.event = w.pull("synchronize")
			}
			o := w.run(c.event)
			o.ends(c.code, map[int]string{0: "APPROVED", 1: "NEEDS-CHANGES"}[c.code])
			if text := o.saved(o.of("tests").Path); !strings.Contains(text, c.says) {
				t.Errorf("the review lacks %q:\n%s", c.says, text)
			}
			if c.code == 0 {
				if r := w.approvedRecord(); r.Revision != 2 {
					t.Errorf("record %+v", r)
				}
				w.run(w.pull("synchronize")).ends(0, "APPROVED")
			}
		})
	}
}

// TestLabelBringsAFirstBaseline: tests that nobody is known to have approved are
// reviewed by request, though the change leaves them alone.
func TestLabelBringsAFirstBaseline(t *testing.T) {
	t.Parallel()
	w := newWorld(t, adderMain(false), map[string]string{"src/adder.py": adderCode}, nil)
	w.inputs["test-results"] = "all passing"
	w.run(w.pull("opened")).ends(2, "ERROR")
	w.gh.SetLabels(7, "re-review:tests")
	o := w.run(githubtest.Event{Name: "pull_request", Action: "labeled", Number: 7, Label: "re-review:tests", Sender: "octocat"})
	if r := o.of("tests"); r.Decision != "APPROVED" || r.Artifact != adderAt {
		t.Errorf("review %+v\n%s", r, o.stdout)
	}
	if r := w.approvedRecord(); r.Revision != 1 {
		t.Errorf("record %+v", r)
	}
	w.run(w.pull("synchronize")).ends(0, "APPROVED")
}

// TestBaselineOlderThanRecords: approvals from before there were records count,
// from a checkout of depth 1 too.
func TestBaselineOlderThanRecords(t *testing.T) {
	t.Parallel()
	review := "# Tests Review: adder\n\n**Decision:** APPROVED\n"
	for name, c := range map[string]struct {
		message string
		files   map[string]string
		trust   string
	}{
		"review": {
			"Add a review",
			map[string]string{"reviews/tests/2025-10-31T18-27-44-adder-APPROVED.md": review},
			"the review reviews/tests/2025-10-31T18-27-44-adder-APPROVED.md",
		},
		"subject": {"Approve tests: adder", map[string]string{"README.md": "x\n"}, "the commit's subject"},
	} {
		for _, tamper := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " ", tamper), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, adderMain(false), map[string]string{"NOTES": "x\n"}, nil)
				w.repo.Commit("main", c.message, githubtest.Text(c.files))
				for i := range 3 {
					w.repo.Commit("main", fmt.Sprintf("More\n\nApprove tests: adder %d", i),
						githubtest.Text(map[string]string{"docs/notes.txt": fmt.Sprint(i)}))
				}
				w.repo.Git("update-ref", "refs/heads/feature/login", "main")
				pr := map[string]string{"src/adder.py": adderCode}
				if tamper {
					pr[adderAt] = adderWeak
				}
				w.repo.Commit("feature/login", "Work", githubtest.Text(pr))
				w.gh.AddPull(githubtest.PR{Number: 7, Title: "Login", Head: "feature/login"})
				w.removeWorkspace()
				w.clone("--depth=1", "--branch=feature/login")
				w.inputs["test-results"] = "all passing"
				o := w.run(w.pull("opened"))
				if tamper {
					o.ends(1, "NEEDS-CHANGES")
				} else {
					o.ends(0, "APPROVED")
				}
				if text := o.saved(o.of("implementation").Path); !strings.Contains(text, c.trust) {
					t.Errorf("the review lacks %q:\n%s", c.trust, text)
				}
			})
		}
	}
}

// TestReportHoldsTheIntegrity: programs find it in report.json.
func TestReportHoldsTheIntegrity(t *testing.T) {
	t.Parallel()
	w := newWorld(t, adderMain(true), map[string]string{"src/adder.py": adderCode}, nil)
	w.inputs["test-results"] = "all passing"
	o := w.run(w.pull("opened"))
	o.ends(0, "APPROVED")
	var rep struct {
		Reviews []struct {
			Type      string
			Integrity struct {
				Verdict  string
				Compared []string
			}
		}
	}
	if err := json.Unmarshal([]byte(o.saved("report.json")), &rep); err != nil {
		t.Fatal(err)
	}
	if len(rep.Reviews) != 1 || rep.Reviews[0].Integrity.Verdict != "clean" || len(rep.Reviews[0].Integrity.Compared) == 0 {
		t.Errorf("%+v", rep)
	}
}
