package main_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
)

// twoSpecs is a pull request of two good specs, judged by the rules.
func twoSpecs(t *testing.T) *world {
	t.Helper()
	return newWorld(t, map[string]string{"ROADMAP.md": roadmap, ".workflow/config.json": config}, map[string]string{
		"specs/proposed/alpha.md": goodSpec, "specs/proposed/beta.md": strings.ReplaceAll(goodSpec, "Login", "Beta login"),
	}, nil)
}

// subjects are the commits that a run put on the branch, oldest first.
func (w *world) subjects(since string) []string {
	log := w.repo.Git("log", "--reverse", "--format=%s", since+"..refs/heads/feature/login")
	if log == "" {
		return nil
	}
	return strings.Split(log, "\n")
}

// commitCalls is a rule: the n-th commit (from 1) that is sent fails, as do all
// after it if for good.
func commitCalls(n int, forGood bool, f githubtest.Fault) func(githubtest.Call) *githubtest.Fault {
	seen := 0
	return func(c githubtest.Call) *githubtest.Fault {
		if c.Path != "/graphql" || !bytes.Contains(c.Body, []byte("createCommitOnBranch")) {
			return nil
		}
		if seen++; seen == n || forGood && seen > n {
			return &f
		}
		return nil
	}
}

// TestSecondCommitFails: what the first commit wrote is neither written twice
// nor taken for the whole, and no review is lost.
func TestSecondCommitFails(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault    githubtest.Fault
		forGood  bool
		code     int
		decision string
	}{
		"once":          {githubtest.GraphFault("UNPROCESSABLE", "something is odd"), false, 0, "APPROVED"},
		"for good":      {githubtest.GraphFault("UNPROCESSABLE", "something is odd"), true, 2, "ERROR"},
		"forbidden":     {githubtest.GraphFault("FORBIDDEN", "Repository rule violations found"), true, 2, "ERROR"},
		"forbidden 403": {githubtest.Forbidden(), true, 2, "ERROR"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := twoSpecs(t)
			head := w.head()
			w.gh.Fail(commitCalls(2, c.forGood, c.fault))
			o := w.run(w.pull("opened"))
			o.ends(c.code, c.decision)
			got := w.subjects(head)
			if n := len(got); n != len(slices.Compact(slices.Sorted(slices.Values(got)))) {
				t.Errorf("a commit was made twice: %v", got)
			}
			w.allClosed()
			if c.decision == "APPROVED" && !slices.Equal(got, []string{"Approve spec: alpha", "Approve spec: beta"}) {
				t.Errorf("commits %v", got)
			}
			for _, r := range o.reviews() {
				if !strings.Contains(o.saved(r.Path), "APPROVED") {
					t.Errorf("%s is not saved", r.Path)
				}
			}
			for _, at := range []string{head, w.head()} {
				if gate := w.check(at, "workflow-reviewer"); c.code != 0 && gate.Conclusion == "success" {
					t.Errorf("gate on %s: %s", at, gate.Conclusion)
				}
			}
		})
	}
}

// TestBranchIsDeletedMeanwhile: there is nowhere to commit to.
func TestBranchIsDeletedMeanwhile(t *testing.T) {
	t.Parallel()
	var w *world
	w = specWorld(t, func(codextest.Request) codextest.Response {
		w.repo.Git("update-ref", "-d", "refs/heads/feature/login")
		return answer("APPROVED")
	})
	head := w.head()
	o := w.run(w.pull("opened"))
	o.ends(2, "ERROR")
	w.allClosed()
	if c := w.check(head, "workflow-reviewer"); c.Conclusion == "success" || c.Title != "Reviews are done, but could not be saved" {
		t.Errorf("gate %s %q", c.Conclusion, c.Title)
	}
	if rs := o.reviews(); len(rs) != 1 || !strings.Contains(o.saved(rs[0].Path), "The model's summary.") {
		t.Errorf("the review is lost: %+v", rs)
	}
}

// TestCommitMessages holds subjects, bodies and trailers to their format.
func TestCommitMessages(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"ROADMAP.md": roadmap, ".workflow/config.json": config}, map[string]string{
		"specs/proposed/alpha.md": goodSpec, "specs/proposed/beta.md": "# Spec: Beta\n\nTODO\n",
		"specs/proposed/gamma.md": "# Spec: Gamma\n\nTODO\n",
	}, nil)
	head := w.head()
	o := w.run(w.pull("opened"))
	o.ends(1, "NEEDS-CHANGES")
	if got := w.subjects(head); !slices.Equal(got, []string{"Approve spec: alpha", "Review: 2 artifacts need changes"}) {
		t.Fatalf("subjects %q", got)
	}
	for rev, want := range map[string]int{"feature/login~1": 1, "feature/login": 2} {
		body := w.repo.Git("log", "-1", "--format=%b", rev)
		paths := 0
		for _, r := range o.reviews() {
			if strings.Contains(body, r.Path) {
				paths++
			}
		}
		if paths != want {
			t.Errorf("%d review files in the body of %s:\n%s", paths, rev, body)
		}
		trailers := w.repo.Git("log", "-1", "--format=%(trailers:only)", rev)
		if !strings.HasPrefix(trailers, "Reviewed-Head: "+head+"\nWorkflow-Reviewer: ") {
			t.Errorf("trailers of %s: %q", rev, trailers)
		}
		changed := w.repo.Git("show", "--format=", "--name-only", rev)
		for path := range strings.SplitSeq(changed, "\n") {
			if !strings.HasPrefix(path, "reviews/specs/") && !strings.HasPrefix(path, "specs/") {
				t.Errorf("%s writes %s", rev, path)
			}
		}
	}
}

// TestTargetOfAMoveExists: nothing is overwritten, the review is kept.
func TestTargetOfAMoveExists(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{
		"ROADMAP.md": roadmap, ".workflow/config.json": config,
		"specs/todo/login.md": "# Spec: Login\n\nThe old one.\n",
	},
		map[string]string{"specs/proposed/login.md": goodSpec}, nil)
	o := w.run(w.pull("opened"))
	o.ends(0, "APPROVED")
	if got := w.repo.Git("show", "feature/login:specs/todo/login.md"); !strings.Contains(got, "The old one.") {
		t.Errorf("specs/todo/login.md was overwritten:\n%s", got)
	}
	if !slices.Contains(w.files(), o.reviews()[0].Path) || !strings.Contains(o.stdout, "exists already") {
		t.Errorf("files %v\n%s", w.files(), o.stdout)
	}
}

// TestWhatIsCommitted follows save_reviews, save_requests and commit_errors.
func TestWhatIsCommitted(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		config string
		answer codextest.Response
		code   int
		want   []string // prefixes of what the run adds
	}{
		"requests": {
			`{"auto_review":{"save_requests":true}}`, answer("APPROVED"), 0,
			[]string{"review-requests/specs/", "reviews/specs/"},
		},
		"no reviews, a move": {
			`{"auto_review":{"save_reviews":false,"default_auto_move":true}}`, answer("APPROVED"), 0,
			[]string{"specs/todo/login.md"},
		},
		"no reviews": {`{"auto_review":{"save_reviews":false}}`, answer("APPROVED"), 0, nil},
		"no reviews, needs changes": {
			`{"auto_review":{"save_reviews":false}}`,
			answer("NEEDS-CHANGES", issue("High", "x", "specs/proposed/login.md", 3)), 1, nil,
		},
		"errors": {
			`{"auto_review":{"commit_errors":true,"retry_delay_s":0.01}}`, codextest.Unauthorized(), 2,
			[]string{"reviews/specs/"},
		},
		"no errors": {`{"auto_review":{"retry_delay_s":0.01}}`, codextest.Unauthorized(), 2, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, map[string]string{"ROADMAP.md": roadmap, ".workflow/config.json": c.config},
				map[string]string{"specs/proposed/login.md": goodSpec}, codextest.Always(c.answer))
			head := w.head()
			o := w.run(w.pull("opened"))
			if o.code != c.code {
				t.Fatalf("exit status %d\n%s", o.code, o.stdout)
			}
			diff := w.repo.Git("diff", "--name-only", "--diff-filter=AR", "-M100%", head, "feature/login")
			var got []string
			if diff != "" {
				got = strings.Split(diff, "\n")
			}
			if len(got) != len(c.want) {
				t.Fatalf("added %v, want %v", got, c.want)
			}
			for i := range got {
				if !strings.HasPrefix(got[i], c.want[i]) {
					t.Errorf("added %v, want %v", got, c.want)
				}
			}
			for path := range strings.FieldsSeq(w.repo.Git("log", "--format=%b", head+"..feature/login")) {
				if strings.HasPrefix(path, "reviews/") && !slices.Contains(w.files(), path) {
					t.Errorf("the message names %s, which was not written", path)
				}
			}
			w.allClosed()
		})
	}
}

// TestPrefixOfSubjects: a branch that asks for other commit messages gets them, and the records count as ever.
func TestPrefixOfSubjects(t *testing.T) {
	t.Parallel()
	main := adderMain(false)
	delete(main, adderAt)
	main[".workflow/config.json"] = `{"commits":{"prefix":"chore(review):"},"approvals":{"by_rules":true}}`
	w := newWorld(t, main, map[string]string{adderAt: adderTests}, nil)
	head := w.head()
	w.run(w.pull("opened")).ends(0, "APPROVED")
	if got := w.subjects(head); !slices.Equal(got, []string{"chore(review): Approve tests: adder"}) {
		t.Errorf("commits %v", got)
	}
	o := w.run(w.pull("synchronize"))
	if o.ends(0, "APPROVED"); !o.reviews()[0].Cached {
		t.Error("the review is not used again")
	}
	w.repo.Commit("feature/login", "Weaken", map[string][]byte{adderAt: []byte(adderWeak)})
	w.run(w.pull("synchronize")).ends(1, "NEEDS-CHANGES")
}

// TestReportThatCannotBeSaved: nothing is committed that report-dir does not hold, and the advice is
// about the folder.
func TestReportThatCannotBeSaved(t *testing.T) {
	t.Parallel()
	w := specWorld(t, nil)
	head := w.head()
	cmd, o := w.command(w.pull("opened"))
	w.gh.Fail(func(githubtest.Call) *githubtest.Fault {
		made, _ := filepath.Glob(filepath.Join(o.temp, "workflow-reviewer-*", "events.jsonl"))
		for _, events := range made {
			dir := filepath.Dir(events)
			if err := errors.Join(os.RemoveAll(dir), os.WriteFile(dir, nil, 0o600)); err != nil {
				t.Error(err)
			}
		}
		return nil
	})
	out := w.wait(cmd, o, cmd.Run())
	out.ends(2, "ERROR")
	w.allClosed()
	if c := w.check(head, "workflow-reviewer"); c.Conclusion != "failure" || !strings.Contains(c.Summary, "temp folder has room") {
		t.Errorf("gate %s:\n%s", c.Title, c.Summary)
	}
	if w.head() != head {
		t.Error("something was committed")
	}
}
