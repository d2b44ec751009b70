package main_test

import (
	"fmt"
	"strings"
	"testing"

	"workflow-reviewer/internal/github/githubtest"
)

// plainCode passes the built-in checks and names no feature by its path.
const plainCode = "def total(prices):\n    return sum(prices)\n"

// TestPushes: a push is compared with what its branch was before, a new branch
// with the default branch, and a repository's first push with nothing.
func TestPushes(t *testing.T) {
	zero := strings.Repeat("0", 40)
	for name, c := range map[string]struct {
		branch  string
		prepare func(w *world) (before, after string)
		want    string // artifacts of the reviews
	}{
		"new branch": {"feature/login", func(w *world) (string, string) { return zero, w.head() }, "specs/proposed/login.md"},
		"second push": {"feature/login", func(w *world) (string, string) {
			before := w.head()
			return before, w.repo.Commit("feature/login", "More", githubtest.Text(map[string]string{"specs/todo/more.md": goodSpec}))
		}, "specs/todo/more.md"},
		"default branch": {"main", func(w *world) (string, string) {
			before := w.repo.Git("rev-parse", "main")
			return before, w.repo.Commit("main", "More", githubtest.Text(map[string]string{"specs/todo/more.md": goodSpec}))
		}, "specs/todo/more.md"},
		"first push of the repository": {"main", func(w *world) (string, string) {
			return zero, w.repo.Git("rev-parse", "main")
		}, "SCOPE.md ROADMAP.md"},
		"first push, of a feature branch": {"feature/login", func(w *world) (string, string) {
			head := w.head()
			w.repo.Git("symbolic-ref", "HEAD", "refs/heads/feature/login")
			w.repo.Git("update-ref", "-d", "refs/heads/main")
			return zero, head
		}, "SCOPE.md ROADMAP.md specs/proposed/login.md"},
		"forced push over a commit that is gone": {"feature/login", func(w *world) (string, string) {
			return strings.Repeat("d", 40), w.head()
		}, "specs/proposed/login.md"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := specWorld(t, nil)
			before, after := c.prepare(w)
			w.inputs["commit"] = "off"
			o := w.run(githubtest.Event{Name: "push", Branch: c.branch, Before: before, After: after})
			var got []string
			for _, r := range o.reviews() {
				got = append(got, r.Artifact)
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("reviewed %q, want %q (%d %s)\n%s", got, c.want, o.code, o.outputs["decision"], o.stdout)
			}
			if g := w.check(after, "workflow-reviewer"); g.Status != "completed" {
				t.Errorf("gate %+v", g)
			}
			if len(w.gh.Comments()) != 0 {
				t.Error("a push was commented on")
			}
		})
	}
}

// TestPushesWithoutBranch: neither a tag nor a deletion is reviewed.
func TestPushesWithoutBranch(t *testing.T) {
	w := specWorld(t, nil)
	o := w.run(githubtest.Event{Name: "push", Branch: "feature/login", Before: w.head(), After: strings.Repeat("0", 40)})
	o.ends(0, "NONE")
	if len(w.gh.Checks()) != 0 || !strings.Contains(o.outputs["summary"], "deleted") {
		t.Errorf("summary %q, checks %+v", o.outputs["summary"], w.gh.Checks())
	}
}

// TestDispatch: on the default branch nothing has changed, but what is named is
// reviewed whole.
func TestDispatch(t *testing.T) {
	dispatch := func(inputs map[string]string) githubtest.Event {
		return githubtest.Event{Name: "workflow_dispatch", Branch: "main", Inputs: inputs}
	}
	t.Run("nothing named", func(t *testing.T) {
		t.Parallel()
		w := specWorld(t, nil)
		w.run(dispatch(nil)).ends(0, "NONE")
	})
	t.Run("paths", func(t *testing.T) {
		t.Parallel()
		w := specWorld(t, nil)
		w.repo.Commit("main", "Specs", githubtest.Text(map[string]string{"specs/todo/login.md": goodSpec, "specs/todo/other.md": goodSpec}))
		w.inputs["commit"] = "off"
		o := w.run(dispatch(map[string]string{"paths": "specs/todo/login.md\n"}))
		o.ends(0, "APPROVED")
		if rs := o.reviews(); len(rs) != 1 || rs[0].Artifact != "specs/todo/login.md" {
			t.Errorf("reviews %+v", rs)
		}
	})
	t.Run("everything wrong at once", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, map[string]string{".workflow/config.json": `{"on_error":"ignore"}`},
			map[string]string{"specs/proposed/login.md": goodSpec}, nil)
		head := w.repo.Git("rev-parse", "main")
		w.inputs["effort"], w.inputs["comment"] = "--oops", "yes"
		o := w.run(dispatch(map[string]string{"types": "spec,speck"}))
		o.ends(2, "ERROR")
		for _, want := range []string{`"speck" is not one of vision, scope`, `"yes" is not one of true, false`, `"--oops"`, "on_error"} {
			if !strings.Contains(o.stdout+o.summary, want) {
				t.Errorf("%q is not reported:\n%s", want, o.stdout)
			}
		}
		if c := w.check(head, "workflow-reviewer"); c.Title != "Review did not run" || c.Conclusion != "failure" {
			t.Errorf("gate %+v", c)
		}
	})
}

// TestMisspeltReviewCommand: a slip in a comment is named, and takes no verdict
// back.
func TestMisspeltReviewCommand(t *testing.T) {
	w := specWorld(t, nil)
	w.run(w.pull("opened")).ends(0, "APPROVED")
	checks := len(w.gh.Checks())
	o := w.run(w.comment("octocat", "/review speck please"))
	o.ends(0, "NONE")
	if !strings.Contains(o.stdout, `"speck" is not one of vision, scope`) || len(w.gh.Checks()) != checks {
		t.Errorf("checks %+v\n%s", w.gh.Checks(), o.stdout)
	}
}

// TestWhyNothingIsReviewed: the summary says why, not that nothing was touched.
func TestWhyNothingIsReviewed(t *testing.T) {
	w := specWorld(t, nil)
	w.gh.AddPull(githubtest.PR{Number: 7, Head: "feature/login", Draft: true})
	o := w.run(w.pull("synchronize"))
	o.ends(0, "NONE")
	if s := o.outputs["summary"]; !strings.Contains(s, "draft") || strings.Contains(s, "touches no workflow artifact") {
		t.Errorf("summary %q", s)
	}
}

// TestLabelsAndVerdicts: what a label does depends on who set it, on what is
// recorded, and on whether the branch has moved.
func TestLabelsAndVerdicts(t *testing.T) {
	labeled := func(label, sender string) githubtest.Event {
		return githubtest.Event{Name: "pull_request", Action: "labeled", Number: 7, Label: label, Sender: sender}
	}
	t.Run("other label on a reviewed draft", func(t *testing.T) {
		t.Parallel()
		w := specWorld(t, nil)
		w.run(w.pull("opened")).ends(0, "APPROVED")
		w.gh.AddPull(githubtest.PR{Number: 7, Head: "feature/login", Draft: true})
		w.run(labeled("bug", "mallory")).ends(0, "APPROVED")
	})
	t.Run("other label on a draft never reviewed", func(t *testing.T) {
		t.Parallel()
		w := specWorld(t, nil)
		w.gh.AddPull(githubtest.PR{Number: 7, Head: "feature/login", Draft: true})
		w.run(labeled("bug", "mallory")).ends(0, "NONE")
		if len(w.gh.Checks()) != 0 {
			t.Errorf("checks %+v", w.gh.Checks())
		}
	})
	t.Run("other label after an error", func(t *testing.T) {
		t.Parallel()
		w := specWorld(t, nil)
		w.inputs["engine"] = "codex" // without a key
		w.run(w.pull("opened")).ends(2, "ERROR")
		w.inputs["engine"] = "rules"
		w.run(labeled("bug", "mallory")).ends(0, "APPROVED")
	})
	t.Run("other label with a wrong input", func(t *testing.T) {
		t.Parallel()
		w := specWorld(t, nil)
		w.run(w.pull("opened")).ends(0, "APPROVED")
		w.inputs["timeout"] = "soon"
		o := w.run(labeled("bug", "mallory"))
		o.ends(2, "ERROR")
		if !strings.Contains(o.stdout, `"soon"`) {
			t.Errorf("log %s", o.stdout)
		}
	})
	t.Run("new baseline after the head has moved", func(t *testing.T) {
		t.Parallel()
		w := specWorld(t, nil)
		w.run(w.pull("opened")).ends(0, "APPROVED")
		w.gh.SetLabels(7, "re-review:tests")
		cmd, o := w.command(labeled("re-review:tests", "octocat"))
		w.repo.Commit("feature/login", "Later",
			githubtest.Text(map[string]string{"tests/test_login.py": "def test_login():\n    assert True\n"}))
		out := w.wait(cmd, o, cmd.Run())
		if !strings.Contains(out.stdout, "the head has moved") {
			t.Errorf("log %s", out.stdout)
		}
		if got := w.gh.Labels(7); len(got) != 0 {
			t.Errorf("labels %q", got)
		}
	})
	t.Run("renamed label", func(t *testing.T) {
		t.Parallel()
		w := specWorld(t, nil)
		w.inputs["re-review-label"] = "look again"
		w.run(w.pull("opened")).ends(0, "APPROVED")
		w.gh.SetLabels(7, "look again", "keep")
		o := w.run(labeled("look again", "octocat"))
		o.ends(0, "APPROVED")
		if rs := o.reviews(); len(rs) != 1 || rs[0].Cached {
			t.Errorf("reviews %+v", rs)
		}
		if got := strings.Join(w.gh.Labels(7), ","); got != "keep" {
			t.Errorf("labels %q", got)
		}
	})
}

// TestMergeGroupKeepsFeatures: files that say nothing of their feature belong
// in the queue to the one that they had on the pull request.
func TestMergeGroupKeepsFeatures(t *testing.T) {
	for _, labels := range [][]string{nil, {"feature: checkout"}} {
		t.Run(fmt.Sprint(labels), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, map[string]string{"README.md": "x\n"}, map[string]string{"src/sums.py": plainCode}, nil)
			w.gh.AddPull(githubtest.PR{Number: 7, Head: "feature/login", Labels: labels})
			first := w.run(w.pull("opened"))
			base, tree := w.repo.Git("rev-parse", "main"), w.repo.Git("rev-parse", "feature/login^{tree}")
			group := w.repo.Git("commit-tree", tree, "-p", base, "-m", "Squashed (#7)")
			w.repo.Branch("gh-readonly-queue/main/pr-7-"+base, group)
			o := w.run(githubtest.Event{Name: "merge_group", Action: "checks_requested", Number: 7, Before: base, After: group})
			if o.code != first.code {
				t.Errorf("ended %d, on the pull request %d", o.code, first.code)
			}
			if a, b := first.reviews(), o.reviews(); len(a) != 1 || len(b) != 1 || a[0].Feature != b[0].Feature || !b[0].Cached {
				t.Errorf("reviews %+v, on the pull request %+v", b, a)
			}
		})
	}
}
