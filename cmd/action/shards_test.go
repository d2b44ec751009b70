package main_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
)

func TestPlanFiveShardsReport(t *testing.T) {
	t.Parallel()
	w := manyWorld(t)
	ev, reviewed := w.pull("opened"), w.head()
	m, o := w.plan(ev, 5)
	if len(m.Include) != 5 {
		t.Fatalf("matrix %s", o.outputs["matrix"])
	}
	n := 0
	for i, s := range m.Include {
		if n += s.Reviews; s.Shard != fmt.Sprint(i+1) || s.Name == "" {
			t.Errorf("shard %+v", s)
		}
		if strings.Contains(s.Name, "tests login") != strings.Contains(s.Name, "implementation login") {
			t.Errorf("tests and implementation are apart: %s", o.outputs["matrix"])
		}
	}
	if n != 9 {
		t.Errorf("%d reviews in %s", n, o.outputs["matrix"])
	}
	gate := w.check(reviewed, "workflow-reviewer")
	if gate.Status != "in_progress" || gate.Title != "9 reviews in 5 shards" || !strings.Contains(gate.Summary, "/actions/runs/1") {
		t.Errorf("gate %+v", gate)
	}
	if len(w.gh.Checks()) != 1 || len(w.gh.Comments()) != 0 || w.model.Count() != 0 {
		t.Errorf("plan did more than open the gate: %v", w.gh.Checks())
	}

	before := len(w.gh.Requests())
	w.shards(ev, m)
	for _, r := range w.gh.Requests()[before:] {
		if r.Method != http.MethodGet && !strings.Contains(r.Path, "git-upload-pack") &&
			!strings.Contains(string(r.Body), `"query":"query`) {
			t.Errorf("a shard writes: %s %s", r.Method, r.Path)
		}
	}
	o = w.report(ev)
	o.ends(1, "NEEDS-CHANGES")
	if rs := o.reviews(); len(rs) != 9 {
		t.Errorf("%d reviews", len(rs))
	}
	w.allClosed()
	if gate := w.check(reviewed, "workflow-reviewer"); gate.Conclusion != "failure" || gate.Title != "Needs changes" {
		t.Errorf("gate %+v", gate)
	}
	for _, name := range []string{"spec: login", "tests: login", "implementation: login", "spec: export"} {
		if c := w.check(w.head(), "workflow-reviewer / "+name); c.Conclusion != "success" {
			t.Errorf("%s: %+v", name, c)
		}
	}
	if strings.Contains(strings.Join(w.files(), "\n"), "specs/proposed/login.md") {
		t.Error("the approved spec was not moved")
	}
}

// TestMatrixEndsAsAll: the same pull request through mode all and through plan,
// shards and report comes to the same.
func TestMatrixEndsAsAll(t *testing.T) {
	t.Parallel()
	one, many := manyWorld(t), manyWorld(t)
	all := one.run(one.pull("opened"))
	m, _ := many.plan(many.pull("opened"), 5)
	many.shards(many.pull("opened"), m)
	report := many.report(many.pull("opened"))
	if all.code != report.code || all.code != 1 {
		t.Errorf("exit status %d and %d", all.code, report.code)
	}
	for name := range all.outputs {
		if name == "report-dir" || name == "fix-context" {
			continue
		}
		if d := cmp.Diff(one.timeless(all.outputs[name]), many.timeless(report.outputs[name])); d != "" {
			t.Errorf("output %s (-all +matrix):\n%s", name, d)
		}
	}
	if d := cmp.Diff(one.timeless(all.summary), many.timeless(report.summary)); d != "" {
		t.Errorf("job summary (-all +matrix):\n%s", d)
	}
	if d := cmp.Diff(one.told(), many.told()); d != "" {
		t.Errorf("on GitHub (-all +matrix):\n%s", d)
	}
}

// told is all that a world's GitHub holds in the end, apart from times.
func (w *world) told() map[string]string {
	w.t.Helper()
	out := map[string]string{}
	for _, c := range w.gh.Checks() {
		key := w.timeless(fmt.Sprintf("check %s %s", c.HeadSHA, c.Name))
		if _, twice := out[key]; twice {
			w.t.Errorf("%s is there twice", key)
		}
		digest := "none"
		if c.ExternalID != "" {
			digest = strings.SplitN(c.ExternalID, ":", 2)[0]
		}
		out[key] = w.timeless(fmt.Sprintf("%s %s %s %s %v %s\n%s", c.Status, c.Conclusion, digest, c.Title,
			c.Annotations, c.Summary, c.Text))
	}
	for i, c := range w.gh.Comments() {
		out[fmt.Sprint("comment ", i)] = w.timeless(c.Body)
	}
	for i, c := range w.gh.ReviewComments() {
		out[fmt.Sprint("inline ", i)] = w.timeless(fmt.Sprintf("%s:%d %s", c.Path, c.Line, c.Body))
	}
	commits := strings.Split(w.repo.Git("log", "--reverse", "--format=%H", "main..refs/heads/feature/login"), "\n")
	for i, sha := range commits {
		out[fmt.Sprint("commit ", i)] = w.timeless(w.repo.Git("show", "-M", "--format=%an%n%B", sha))
	}
	return out
}

var (
	commitID = regexp.MustCompile(`\b[0-9a-f]{40}\b`)
	varying  = regexp.MustCompile(`\b\d{8}T\d{6}\b|\d{4}-\d\d-\d\dT[\d:.]+Z|\b\d+(\.\d+)? (ms|s)\b|127\.0\.0\.1:\d+|duration_ms: ` +
		`\d+|took \d+\S*|` +
		// names of commits and of files that hold a time
		`index [0-9a-f]{7,40}\.\.[0-9a-f]{7,40}|committed in [0-9a-f]{7}|Approved-Tests: login [0-9a-f]{40}|Approval record: blob ` +
		`.[0-9a-f]{40}|"approval":"[0-9a-f]{40}`)
)

// timeless is a text without what differs between two runs of the same.
func (w *world) timeless(text string) string {
	names := map[string]string{}
	for i, sha := range strings.Split(w.repo.Git("log", "--reverse", "--format=%H", "refs/heads/feature/login"), "\n") {
		names[sha] = fmt.Sprint("commit-", i)
	}
	text = commitID.ReplaceAllStringFunc(text, func(sha string) string {
		if n, ok := names[sha]; ok {
			return n
		}
		return sha
	})
	return varying.ReplaceAllString(text, "…")
}

// TestFailedShardRunsAgain: a shard that was killed makes its reviews errors and
// leaves the others' verdicts, which are committed. «Re-run failed jobs» then
// takes what the others said, and writes nothing twice.
func TestFailedShardRunsAgain(t *testing.T) {
	t.Parallel()
	w := manyWorld(t)
	ev, reviewed := w.pull("opened"), w.head()
	w.vars["GITHUB_EVENT_PATH"] = w.gh.Env(ev)["GITHUB_EVENT_PATH"] // GitHub keeps it for all tries
	m, _ := w.plan(ev, 5)
	w.shards(ev, m, "2")
	cmd, _ := w.modeCommand("review", ev, map[string]string{"shard": "2"})
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	o := w.report(ev)
	o.ends(2, "ERROR")
	w.allClosed()
	if gate := w.check(reviewed, "workflow-reviewer"); gate.Conclusion != "failure" || gate.Title != "Review did not run" {
		t.Errorf("gate %+v", gate)
	}
	committed := w.repo.Git("rev-list", "--count", "main..refs/heads/feature/login")

	w.vars["GITHUB_RUN_ATTEMPT"] = "2"
	cmd, again := w.modeCommand("review", ev, map[string]string{"shard": "2"})
	second := w.wait(cmd, again, cmd.Run())
	if second.code != 0 {
		t.Fatalf("the second try ended %d\n%s", second.code, second.stdout)
	}
	w.deliver("2", second.saved("results-2.json"))
	asked := w.model.Count()
	o = w.report(ev)
	o.ends(1, "NEEDS-CHANGES") // of the spec of reset
	if w.model.Count() != asked {
		t.Error("report asked a model")
	}
	w.allClosed()
	if after := w.repo.Git("rev-list", "--count", "main..refs/heads/feature/login"); after == committed {
		t.Error("the second report committed nothing")
	}
	seen := map[string]string{}
	for _, f := range w.files() {
		if !strings.HasPrefix(f, "reviews/") {
			continue
		}
		folder, name := filepath.Split(f)
		what := folder + name[len("20260131T120000-"):]
		if seen[what] != "" {
			t.Errorf("%s and %s are the same review", seen[what], f)
		}
		seen[what] = f
	}
	if len(seen) != 9 {
		t.Errorf("%d reviews are on the branch: %v", len(seen), seen)
	}
}

// TestResultOfALaterAttemptCounts: where both tries of a shard were downloaded,
// the later one does.
func TestResultOfALaterAttemptCounts(t *testing.T) {
	t.Parallel()
	w := specWorld(t, codextest.Always(answer("APPROVED")))
	ev := w.pull("opened")
	m, _ := w.plan(ev, 5)
	w.shards(ev, m)
	later := strings.Replace(w.delivered("1"), `"attempt": 1`, `"attempt": 2`, 1)
	if err := os.WriteFile(filepath.Join(w.results(), "results-1.json"), []byte(later), 0o644); err != nil {
		t.Fatal(err)
	}
	w.report(ev).ends(0, "APPROVED")
}

// TestInterruptedShard: a shard that is cancelled says so, and is no verdict.
func TestInterruptedShard(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 100)
	w := specWorld(t, func(codextest.Request) codextest.Response {
		asked <- struct{}{}
		return codextest.Hang()
	})
	ev := w.pull("opened")
	w.plan(ev, 5)
	cmd, o := w.modeCommand("review", ev, map[string]string{"shard": "1"})
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-asked
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if end := w.wait(cmd, o, cmd.Wait()); end.code != 2 {
		t.Errorf("an interrupted shard ended %d", end.code)
	}
	w.report(ev).ends(2, "ERROR")
	w.allClosed()
}

// TestReportAgainAfterTheBaseMoved: a failed report is run again when the base has moved on. What the
// shards reviewed stands, as nothing that it rests on differs.
func TestReportAgainAfterTheBaseMoved(t *testing.T) {
	t.Parallel()
	w := specWorld(t, codextest.Always(answer("APPROVED")))
	ev := w.pull("opened")
	ev.Before = w.repo.Git("rev-parse", "main")
	m, _ := w.plan(ev, 5)
	w.shards(ev, m)
	w.repo.Commit("main", "Tell more", githubtest.Text(map[string]string{"README.md": "# More\n"}))
	w.vars["GITHUB_RUN_ATTEMPT"] = "2"
	w.report(ev).ends(0, "APPROVED")
}
