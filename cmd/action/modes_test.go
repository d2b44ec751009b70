package main_test

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
)

func (w *world) gate(ev githubtest.Event) outcome {
	w.t.Helper()
	return w.mode("gate", ev, nil)
}

// saysTheSame fails the test unless exit status, decision and gate check agree.
func (w *world) saysTheSame(o outcome, code int, decision string) {
	w.t.Helper()
	o.ends(code, decision)
	conclusion := "failure"
	if code == 0 {
		conclusion = "success"
	}
	if c := w.check(w.head(), "workflow-reviewer"); c.Conclusion != conclusion {
		w.t.Errorf("the check ended %s (%s), the run %d", c.Conclusion, c.Title, code)
	}
	w.allClosed()
}

func TestGateTakesRecordedVerdictsAlone(t *testing.T) {
	t.Parallel()
	verdict := "APPROVED"
	w := specWorld(t, func(codextest.Request) codextest.Response {
		if verdict != "APPROVED" {
			return answer(verdict, issue("High", "No lockout", "", 0))
		}
		return answer(verdict)
	})
	ev := w.pull("synchronize")
	before := w.head()
	w.saysTheSame(w.gate(ev), 2, "ERROR") // nobody has reviewed it
	if w.head() != before || len(w.gh.Comments()) != 0 || w.model.Count() != 0 {
		t.Error("the gate reviewed, committed or commented")
	}

	w.run(w.pull("opened")).ends(0, "APPROVED")
	asked, head := w.model.Count(), w.head()
	o := w.gate(ev)
	w.saysTheSame(o, 0, "APPROVED")
	if rs := o.reviews(); len(rs) != 1 || !rs[0].Cached || w.model.Count() != asked || w.head() != head {
		t.Errorf("reviews %+v", rs)
	}

	w.repo.Commit("feature/login", "Change it", githubtest.Text(map[string]string{"specs/todo/login.md": goodSpec + "\nMore.\n"}))
	w.saysTheSame(w.gate(ev), 2, "ERROR") // what is there now nobody has approved
	verdict = "NEEDS-CHANGES"
	w.run(ev).ends(1, "NEEDS-CHANGES")
	w.saysTheSame(w.gate(ev), 1, "NEEDS-CHANGES")
}

func TestGateInTheMergeQueue(t *testing.T) {
	w := specWorld(t, codextest.Always(answer("APPROVED")))
	w.run(w.pull("opened")).ends(0, "APPROVED")
	base, tree := w.repo.Git("rev-parse", "main"), w.repo.Git("rev-parse", "feature/login^{tree}")
	group := w.repo.Git("commit-tree", tree, "-p", base, "-m", "Squashed (#7)")
	w.repo.Branch("gh-readonly-queue/main/pr-7-"+base, group)
	ev := githubtest.Event{Name: "merge_group", Action: "checks_requested", Before: base, After: group}
	w.gate(ev).ends(0, "APPROVED")
	if c := w.check(group, "workflow-reviewer"); c.Conclusion != "success" {
		t.Errorf("check %+v", c)
	}

	worse := w.repo.Commit("gh-readonly-queue/main/pr-7-"+base, "x",
		githubtest.Text(map[string]string{"specs/todo/login.md": goodSpec + "\nMore.\n"}))
	ev.After = worse
	w.gate(ev).ends(2, "ERROR")
	if c := w.check(worse, "workflow-reviewer"); c.Conclusion != "failure" {
		t.Errorf("check %+v", c)
	}
}

// TestGateOnUnmeasuredCode: what was approved beside test results that the gate
// is not given stands as long as the checks of the head show it.
func TestGateOnUnmeasuredCode(t *testing.T) {
	t.Parallel()
	w := manyWorld(t)
	w.inputs["test-results"] = "all passing"
	w.run(w.pull("opened")).ends(1, "NEEDS-CHANGES")
	delete(w.inputs, "test-results")
	w.saysTheSame(w.gate(w.pull("synchronize")), 1, "NEEDS-CHANGES")
}

// TestPlanOfABreach: the breach is no business of plan's; report closes the gate.
func TestPlanOfABreach(t *testing.T) {
	t.Parallel()
	w := manyWorld(t)
	w.run(w.pull("opened"))
	w.repo.Commit("feature/login", "Weaken it",
		githubtest.Text(map[string]string{"login/test_login.py": "def test_nothing():\n    assert True\n"}))
	ev, asked := w.pull("synchronize"), w.model.Count()
	m, o := w.plan(ev, 5)
	if o.outputs["decision"] == "APPROVED" {
		t.Errorf("plan says %q", o.outputs["decision"])
	}
	if gate := w.check(w.head(), "workflow-reviewer"); gate.Status != "in_progress" {
		t.Errorf("gate %+v", gate)
	}
	w.shards(ev, m)
	head := w.head()
	o = w.report(ev)
	o.ends(1, "NEEDS-CHANGES")
	if gate := w.check(head, "workflow-reviewer"); gate.Title != "Test integrity breach" || gate.Conclusion != "failure" {
		t.Errorf("gate %+v", gate)
	}
	w.saysTheSame(w.gate(ev), 1, "NEEDS-CHANGES")
	_ = asked
}

// TestNothingForAModel: where all is recorded the matrix is empty, and report
// says what stands.
func TestNothingForAModel(t *testing.T) {
	t.Parallel()
	w := specWorld(t, codextest.Always(answer("APPROVED")))
	w.run(w.pull("opened")).ends(0, "APPROVED")
	ev, asked := w.pull("synchronize"), w.model.Count()
	m, o := w.plan(ev, 5)
	if len(m.Include) != 0 || o.outputs["matrix"] != "" {
		t.Errorf("matrix %q", o.outputs["matrix"])
	}
	if o := w.mode("review", ev, map[string]string{"shard": "1"}); o.code != 2 {
		t.Errorf("a shard that the plan has not ended %d", o.code)
	}
	w.saysTheSame(w.report(ev), 0, "APPROVED")
	if w.model.Count() != asked {
		t.Error("a model was asked")
	}
	w.plan(ev, 5)
	w.saysTheSame(w.report(ev), 0, "APPROVED")
}

// TestDraftsInEveryMode: what is not reviewed has no check run.
func TestDraftsInEveryMode(t *testing.T) {
	w := specWorld(t, codextest.Always(answer("APPROVED")))
	w.gh.AddPull(githubtest.PR{Number: 7, Title: "Login", Head: "feature/login", Draft: true})
	ev := w.pull("opened")
	for _, mode := range []string{"plan", "review", "report", "gate"} {
		o := w.mode(mode, ev, map[string]string{"shard": "1", "results": "results"})
		if o.ends(0, "NONE"); o.outputs["matrix"] != "" {
			t.Errorf("%s: matrix %q", mode, o.outputs["matrix"])
		}
	}
	if cs := w.gh.Checks(); len(cs) != 0 {
		t.Errorf("checks %v", cs)
	}
}

// TestLabelAcrossTheMatrix: the label that asks for a fresh review stays until
// report has told the verdict.
func TestLabelAcrossTheMatrix(t *testing.T) {
	t.Parallel()
	w := specWorld(t, codextest.Always(answer("APPROVED")))
	w.run(w.pull("opened")).ends(0, "APPROVED")
	w.gh.SetLabels(7, "re-review")
	ev := w.pull("labeled")
	ev.Label = "re-review"
	m, _ := w.plan(ev, 5)
	if len(m.Include) != 1 {
		t.Fatalf("shards %v", m)
	}
	w.shards(ev, m)
	if ls := w.gh.Labels(7); len(ls) != 1 {
		t.Errorf("labels %v before the report", ls)
	}
	w.report(ev).ends(0, "APPROVED")
	if ls := w.gh.Labels(7); len(ls) != 0 {
		t.Errorf("labels %v after the report", ls)
	}
	w.allClosed()
}

// TestForeignLabelAcrossTheMatrix: any other label ends in every mode with what
// is recorded for the head.
func TestForeignLabelAcrossTheMatrix(t *testing.T) {
	w := specWorld(t, codextest.Always(answer("APPROVED")))
	w.run(w.pull("opened")).ends(0, "APPROVED")
	n := len(w.gh.Checks())
	ev := w.pull("labeled")
	ev.Label = "documentation"
	if m, _ := w.plan(ev, 5); len(m.Include) != 0 {
		t.Errorf("shards %v", m)
	}
	w.report(ev).ends(0, "APPROVED")
	if got := len(w.gh.Checks()); got != n {
		t.Errorf("%d check runs, %d before", got, n)
	}
}

// TestCommentAcrossTheMatrix: the comment is answered once, and by report.
func TestCommentAcrossTheMatrix(t *testing.T) {
	t.Parallel()
	w := specWorld(t, codextest.Always(answer("APPROVED")))
	w.run(w.pull("opened")).ends(0, "APPROVED")
	id := w.gh.AddComment(7, "octocat", "/review spec")
	ev := githubtest.Event{Name: "issue_comment", Action: "created", Number: 7, Sender: "octocat", Comment: id}
	m, _ := w.plan(ev, 5)
	if len(m.Include) != 1 {
		t.Fatalf("shards %v", m)
	}
	w.shards(ev, m)
	if r := w.gh.Reactions(); len(r) != 0 {
		t.Errorf("reactions %v before the report", r)
	}
	w.report(ev).ends(0, "APPROVED")
	if r := w.gh.Reactions(); len(r) != 1 {
		t.Errorf("reactions %v", r)
	}
	w.allClosed()
}

// TestPlanNeedsOnlyChecks: all that plan writes are check runs, and what is wrong
// ends the check.
func TestPlanNeedsOnlyChecks(t *testing.T) {
	w := manyWorld(t)
	w.plan(w.pull("opened"), 5)
	for _, r := range w.gh.Requests() {
		if r.Method != http.MethodGet && !strings.Contains(r.Path, "/check-runs") && !strings.Contains(r.Path, "git-upload-pack") &&
			!strings.Contains(string(r.Body), `"query":"query`) {
			t.Errorf("plan writes %s %s", r.Method, r.Path)
		}
	}
	w = specWorld(t, codextest.Always(answer("APPROVED")))
	w.inputs["max-shards"] = "0"
	o := w.mode("plan", w.pull("opened"), nil)
	o.ends(2, "ERROR")
	if c := w.check(w.head(), "workflow-reviewer"); c.Conclusion != "failure" || c.Title != "Review did not run" {
		t.Errorf("check %+v", c)
	}
	w.allClosed()
}

// TestOtherInputsInReport: results of a plan that was made otherwise are none.
func TestOtherInputsInReport(t *testing.T) {
	w := specWorld(t, codextest.Always(answer("APPROVED")))
	ev := w.pull("opened")
	m, _ := w.plan(ev, 5)
	w.shards(ev, m)
	w.inputs["model"] = "gpt-5-codex"
	o := w.report(ev)
	o.ends(2, "ERROR")
	if !strings.Contains(o.summary, "is of another plan") {
		t.Errorf("summary %s", o.summary)
	}
	if strings.Contains(strings.Join(w.files(), "\n"), "specs/todo/login.md") {
		t.Error("the spec was moved")
	}
}

// TestKeyOfAShardIsNowhere: what a shard hands over holds no secret.
func TestKeyOfAShardIsNowhere(t *testing.T) {
	w := specWorld(t, codextest.Always(codextest.Review(map[string]any{
		"decision": "APPROVED", "summary": "The key is " + canaryKey + ".", "previous_findings": []any{}, "issues": []any{},
		"criteria": []map[string]any{{"name": "Testability", "result": "PASS", "finding": "f", "evidence": "e", "impact": "i"}},
	})))
	ev := w.pull("opened")
	m, _ := w.plan(ev, 5)
	w.shards(ev, m)
	if file := w.delivered("1"); strings.Contains(file, canaryKey) || strings.Contains(file, canaryToken) ||
		!strings.Contains(file, "[redacted: known-secret]") {
		t.Errorf("the shard hands over %s", file)
	}
	w.report(ev).ends(0, "APPROVED")
}

// TestRateLimitOfOneShard: a provider's limit that one shard meets is no failure
// of another.
func TestRateLimitOfOneShard(t *testing.T) {
	t.Parallel()
	w := manyWorld(t)
	w.model = codextest.New(t, func(r codextest.Request) codextest.Response {
		if strings.Contains(r.Prompt, "# Spec: Audit") {
			return codextest.RateLimited("9999")
		}
		return manyAnswer(r)
	})
	w.inputs["responses-api-endpoint"] = w.model.Endpoint()
	ev := w.pull("opened")
	m, _ := w.plan(ev, 5)
	w.shards(ev, m)
	o := w.report(ev)
	o.ends(2, "ERROR")
	for _, r := range o.reviews() {
		if want := r.Feature == "audit"; (r.Decision == "ERROR") != want {
			t.Errorf("%s %s: %s", r.Type, r.Feature, r.Decision)
		}
	}
}

func TestReportWithoutAFolder(t *testing.T) {
	w := specWorld(t, codextest.Always(answer("APPROVED")))
	o := w.report(w.pull("opened"))
	o.ends(2, "ERROR")
	if !strings.Contains(o.summary, "no such file") {
		t.Errorf("summary %s", o.summary)
	}
	elsewhere := t.TempDir()
	if err := os.Symlink(elsewhere, w.results()); err != nil {
		t.Fatal(err)
	}
	if o := w.report(w.pull("opened")); o.code != 2 || !strings.Contains(o.summary, "is no folder") {
		t.Errorf("a link to a folder: %d %s", o.code, o.summary)
	}
}

// TestPushWhileTheShardsReview: report follows the branch where all that is under
// review stayed as it is. Else it commits nothing, and leaves the new head to that
// head's own run.
func TestPushWhileTheShardsReview(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files    map[string]string
		code     int
		decision string
	}{
		"something else":       {map[string]string{"notes.txt": "x\n"}, 0, "APPROVED"},
		"what is under review": {map[string]string{"specs/proposed/login.md": goodSpec + "\nMore.\n"}, 2, "ERROR"},
		"something to review":  {map[string]string{"specs/proposed/more.md": goodSpec}, 2, "ERROR"},
	} {
		t.Run(name, func(t *testing.T) {
			w := specWorld(t, codextest.Always(answer("APPROVED")))
			ev, reviewed := w.pull("opened"), w.head()
			w.vars["GITHUB_EVENT_PATH"] = w.gh.Env(ev)["GITHUB_EVENT_PATH"]
			m, _ := w.plan(ev, 5)
			w.shards(ev, m)
			moved := w.repo.Commit("feature/login", "Push", githubtest.Text(c.files))
			w.report(ev).ends(c.code, c.decision)
			w.allClosed()
			if (w.head() == moved) != (c.code == 2) {
				t.Errorf("the branch is at %s", w.head())
			}
			if gate := w.check(reviewed, "workflow-reviewer"); gate.Conclusion == "success" {
				t.Errorf("the gate of what was left is %+v", gate)
			}
			for _, k := range w.gh.Checks() {
				if c.code == 2 && k.HeadSHA == moved {
					t.Errorf("%s tells of a head that was not reviewed", k.Name)
				}
			}
			if n := len(w.gh.Comments()); n != 1-c.code/2 {
				t.Errorf("%d comments", n)
			}
		})
	}
}

// TestReportOfACancelledRun: the comment is left to the run that took its place.
func TestReportOfACancelledRun(t *testing.T) {
	w := specWorld(t, codextest.Always(answer("APPROVED")))
	ev := w.pull("opened")
	w.vars["GITHUB_EVENT_PATH"] = w.gh.Env(ev)["GITHUB_EVENT_PATH"]
	w.plan(ev, 5)
	w.repo.Commit("feature/login", "Push", githubtest.Text(map[string]string{"specs/proposed/login.md": goodSpec + "\nMore.\n"}))
	w.report(ev).ends(2, "ERROR")
	w.allClosed()
	if n := len(w.gh.Comments()); n != 0 {
		t.Errorf("%d comments", n)
	}
}

// TestDecisionsAcrossTheMatrix: where a comment only decides, plan has no shards
// and touches nothing; report takes the decision, and the gate counts it.
func TestDecisionsAcrossTheMatrix(t *testing.T) {
	t.Parallel()
	w, _ := refusedWorld(t)
	ev := w.comment("octocat", "/override spec:login the hole is closed by the gateway")
	n := len(w.gh.Checks())
	if m, _ := w.plan(ev, 5); len(m.Include) != 0 || len(w.gh.Checks()) != n {
		t.Errorf("shards %v, checks %v", m, w.gh.Checks()[n:])
	}
	w.saysTheSame(w.gate(w.pull("synchronize")), 1, "NEEDS-CHANGES")
	w.report(ev).ends(0, "APPROVED")
	if r := w.gh.Reactions(); len(r) == 0 {
		t.Error("the comment has no reaction")
	}
	w.saysTheSame(w.gate(w.pull("synchronize")), 0, "APPROVED")
}
