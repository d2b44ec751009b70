package main_test

import (
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
)

func TestApprovedSpecIsCommittedAndMoved(t *testing.T) {
	t.Parallel()
	w := specWorld(t, codextest.Always(answer("APPROVED").Using(1200, 80))).withCodex()
	reviewed := w.head()
	o := w.run(w.pull("opened"))
	o.ends(0, "APPROVED")

	rs := o.reviews()
	if len(rs) != 1 || rs[0].Type != "spec" || rs[0].Feature != "login" || rs[0].MovedTo != "specs/todo/login.md" || rs[0].Cached {
		t.Fatalf("reviews %+v", rs)
	}
	if !strings.HasPrefix(rs[0].Path, "reviews/specs/") || !strings.HasSuffix(rs[0].Path, "-login-APPROVED.md") {
		t.Errorf("path %q", rs[0].Path)
	}
	files := w.files()
	for _, path := range []string{rs[0].Path, "specs/todo/login.md"} {
		if !slices.Contains(files, path) {
			t.Errorf("%s is not on the branch: %v", path, files)
		}
	}
	if slices.Contains(files, "specs/proposed/login.md") {
		t.Error("the spec is still proposed")
	}
	log := w.repo.Git("log", "-1", "--format=%an|%s|%b", "refs/heads/feature/login")
	for _, want := range []string{"github-actions[bot]|Approve spec: login|", "Reviewed-Head: " + reviewed, "Workflow-Reviewer: "} {
		if !strings.Contains(log, want) {
			t.Errorf("commit %q lacks %q", log, want)
		}
	}
	w.allClosed()
	for _, head := range []string{reviewed, w.head()} {
		for _, name := range []string{"workflow-reviewer", "workflow-reviewer / spec: login"} {
			if c := w.check(head, name); c.Conclusion != "success" {
				t.Errorf("check %q on %s ended %s", name, head, c.Conclusion)
			}
		}
	}
	if cs := w.gh.Comments(); len(cs) != 1 || !strings.Contains(cs[0].Body, "<!-- workflow-reviewer -->") {
		t.Errorf("comments %+v", cs)
	}
	if o.outputs["tokens"] != `{"input":1200,"cached":0,"output":80,"reasoning":0}` {
		t.Errorf("tokens %s", o.outputs["tokens"])
	}
	if !strings.Contains(o.saved("report.html"), "login") || !strings.Contains(o.saved(rs[0].Path), "decision: APPROVED") {
		t.Error("the report is not saved")
	}
}

func TestUnchangedRunAsksNoModel(t *testing.T) {
	t.Parallel()
	w := specWorld(t, codextest.Always(answer("APPROVED"))).withCodex()
	w.run(w.pull("opened")).ends(0, "APPROVED")
	head, asked := w.head(), w.model.Count()

	o := w.run(w.pull("synchronize"))
	o.ends(0, "APPROVED")
	if n := w.model.Count(); n != asked {
		t.Errorf("%d more model requests", n-asked)
	}
	if rs := o.reviews(); len(rs) != 1 || !rs[0].Cached {
		t.Errorf("reviews %+v", rs)
	}
	if w.head() != head {
		t.Error("an unchanged run committed again")
	}

	w.run(w.pull("reopened")).ends(0, "APPROVED")
	if n := w.model.Count(); n != asked {
		t.Errorf("%d more model requests in the third run", n-asked)
	}
}

func TestNeedsChangesFailsTheCheck(t *testing.T) {
	w := specWorld(t, codextest.Always(answer("NEEDS-CHANGES", issue("High", "No lockout", "specs/proposed/login.md", 17))))
	reviewed := w.head()
	o := w.run(w.pull("opened"))
	o.ends(1, "NEEDS-CHANGES")
	w.allClosed()
	gate := w.check(reviewed, "workflow-reviewer")
	if gate.Conclusion != "failure" || gate.Title != "Needs changes" {
		t.Errorf("gate %+v", gate)
	}
	if len(gate.Annotations) != 0 {
		t.Errorf("a finding in the diff is also annotated: %+v", gate.Annotations)
	}
	if rc := w.gh.ReviewComments(); len(rc) != 1 || rc[0].Line != 17 {
		t.Errorf("inline comments %+v", rc)
	}
	if !slices.Contains(w.files(), "specs/proposed/login.md") {
		t.Error("a spec that needs changes was moved")
	}
	if log := w.repo.Git("log", "-1", "--format=%s", "refs/heads/feature/login"); log != "Review: 1 artifact needs changes" {
		t.Errorf("commit %q", log)
	}

	again := w.run(w.pull("synchronize"))
	again.ends(1, "NEEDS-CHANGES")
	if rc := w.gh.ReviewComments(); len(rc) != 1 {
		t.Errorf("the inline comment was posted %d times", len(rc))
	}
	if cs := w.gh.Comments(); len(cs) != 1 {
		t.Errorf("%d sticky comments", len(cs))
	}
}
