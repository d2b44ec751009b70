package main_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
)

// features of the pull request that manyWorld makes.
var manyFeatures = []string{"login", "logout", "signup", "reset", "invite", "audit", "export"}

// manyWorld has a pull request with a spec for each of several features, and
// tests and code for the first. The scripted model refuses the spec of reset.
func manyWorld(t testing.TB) *world {
	t.Helper()
	pr := map[string]string{
		"login/login.py": "def login(email, password):\n    if not email:\n        raise ValueError(email)\n    return email\n",
		"login/test_login.py": "import pytest\nfrom login import login\n\n\ndef test_returns():\n    assert login('a', 'b') == 'a'\n\n\n" +
			"def test_empty():\n    with pytest.raises(ValueError):\n        login('', 'b')\n",
	}
	for i, f := range manyFeatures {
		pr["specs/proposed/"+f+".md"] = strings.ReplaceAll(goodSpec, "Login", strings.ToUpper(f[:1])+f[1:]) +
			strings.Repeat("\nMore is said of it.\n", 50*i)
	}
	return newWorld(t, map[string]string{
		"ROADMAP.md": roadmap, "SCOPE.md": "# Scope\n\n## In scope\n\nLogin.\n",
		".workflow/config.json": config,
	}, pr, manyAnswer)
}

func manyAnswer(r codextest.Request) codextest.Response {
	_, artifact, _ := strings.Cut(r.Prompt, "\n## Artifact under review\n")
	if strings.HasPrefix(artifact[strings.Index(artifact, "\n### ")+1:], "### specs/proposed/reset.md") {
		return answer("NEEDS-CHANGES", issue("Medium", "No expiry", "specs/proposed/reset.md", 17)).Using(900, 90)
	}
	return answer("APPROVED").Using(700, 70)
}

// matrix is the output of mode plan.
type matrix struct {
	Include []struct {
		Shard, Name string
		Reviews     int
	}
}

// mode runs one mode with the inputs that it needs and no others.
func (w *world) mode(mode string, ev githubtest.Event, inputs map[string]string) outcome {
	w.t.Helper()
	cmd, o := w.modeCommand(mode, ev, inputs)
	return w.wait(cmd, o, cmd.Run())
}

func (w *world) modeCommand(mode string, ev githubtest.Event, inputs map[string]string) (*exec.Cmd, *outcome) {
	w.t.Helper()
	all := w.inputs
	defer func() { w.inputs = all }()
	w.inputs = maps.Clone(all)
	w.inputs["mode"] = mode
	if mode != "review" {
		delete(w.inputs, "openai-api-key")
		delete(w.inputs, "responses-api-endpoint")
	}
	maps.Copy(w.inputs, inputs)
	return w.command(ev)
}

// plan runs mode plan and returns its shards.
func (w *world) plan(ev githubtest.Event, most int) (matrix, outcome) {
	w.t.Helper()
	w.inputs["max-shards"] = fmt.Sprint(most)
	o := w.mode("plan", ev, nil)
	if o.code != 0 {
		w.t.Fatalf("plan ended %d\n%s\n%s", o.code, o.stdout, o.stderr)
	}
	var m matrix
	if o.outputs["matrix"] != "" {
		if err := json.Unmarshal([]byte(o.outputs["matrix"]), &m); err != nil {
			w.t.Fatalf("matrix %q: %v", o.outputs["matrix"], err)
		}
	}
	return m, o
}

// shards runs all shards at once and puts their results where mode report finds
// them: one folder an artifact. Shards that are not to run are left out.
func (w *world) shards(ev githubtest.Event, m matrix, not ...string) {
	w.t.Helper()
	type running struct {
		shard string
		cmd   *exec.Cmd
		o     *outcome
	}
	var all []running
	for _, s := range m.Include {
		if strings.Contains(" "+strings.Join(not, " ")+" ", " "+s.Shard+" ") {
			continue
		}
		cmd, o := w.modeCommand("review", ev, map[string]string{"shard": s.Shard})
		if err := cmd.Start(); err != nil {
			w.t.Fatal(err)
		}
		all = append(all, running{s.Shard, cmd, o})
	}
	for _, r := range all {
		o := w.wait(r.cmd, r.o, r.cmd.Wait())
		if o.code != 0 {
			w.t.Fatalf("shard %s ended %d\n%s\n%s", r.shard, o.code, o.stdout, o.stderr)
		}
		w.deliver(r.shard, o.saved("results-"+r.shard+".json"))
	}
}

func (w *world) results() string { return filepath.Join(w.workspace, "results") }

// deliver puts a shard's file where an artifact is downloaded to.
func (w *world) deliver(shard, content string) {
	w.t.Helper()
	dir := filepath.Join(w.results(), "results-"+shard)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "results-"+shard+".json"), []byte(content), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) delivered(shard string) string {
	w.t.Helper()
	return read(w.t, filepath.Join(w.results(), "results-"+shard, "results-"+shard+".json"))
}

func (w *world) report(ev githubtest.Event) outcome {
	w.t.Helper()
	return w.mode("report", ev, map[string]string{"results": "results"})
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}

func TestPlanFiveShardsReport(t *testing.T) {
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

// TestHostileResults: whatever becomes of a shard's file, its reviews are errors,
// those of other shards are not, and nothing is green.
func TestHostileResults(t *testing.T) {
	w := manyWorld(t)
	ev := w.pull("opened")
	w.inputs["commit"] = "off" // every report begins on the same head
	m, _ := w.plan(ev, 5)
	w.shards(ev, m)
	files := map[string]string{}
	for _, s := range m.Include {
		files[s.Shard] = w.delivered(s.Shard)
	}
	first, second := files["1"], files["2"]
	if !strings.Contains(first, `"decision": "APPROVED"`) {
		t.Fatalf("shard 1 approves nothing: %s", first)
	}
	refused := 0
	for i, s := range m.Include {
		if strings.Contains(w.delivered(s.Shard), `"decision": "NEEDS-CHANGES"`) {
			refused = i + 1
		}
	}
	put := func(shard, content string) func() { return func() { w.deliver(shard, content) } }
	for name, c := range map[string]struct {
		change func()
		errors []string // shards
		says   string
	}{
		"missing":   {func() { remove(t, filepath.Join(w.results(), "results-1")) }, []string{"1"}, "results-1.json is missing"},
		"corrupt":   {put("1", first[:len(first)/2]), []string{"1"}, "does not fit its schema"},
		"empty":     {put("1", ""), []string{"1"}, "does not fit its schema"},
		"too large": {put("1", first+strings.Repeat(" ", 16<<20)), []string{"1"}, "larger than 16 MiB"},
		"swapped":   {func() { w.deliver("1", second); w.deliver("2", first) }, []string{"1", "2"}, "holds the results of shard"},
		"forged decision": {
			put(fmt.Sprint(refused), strings.ReplaceAll(w.delivered(fmt.Sprint(refused)), `"decision": "NEEDS-CHANGES"`,
				`"decision": "APPROVED"`)),
			nil, "says APPROVED and comes to NEEDS-CHANGES",
		},
		"forged approval beside a High issue": {put(fmt.Sprint(refused), strings.NewReplacer(
			`"decision": "NEEDS-CHANGES"`, `"decision": "APPROVED"`, `\"decision\":\"NEEDS-CHANGES\"`, `\"decision\":\"APPROVED\"`,
			`\"severity\":\"Medium\"`, `\"severity\":\"High\"`,
		).Replace(w.delivered(fmt.Sprint(refused)))), nil, "says APPROVED and comes to NEEDS-CHANGES"},
		"other head": {put("1", strings.Replace(first, w.head(), strings.Repeat("a", 40), 1)), []string{"1"}, "is of another head"},
		"other plan": {
			put("1", regexp.MustCompile(`"plan": "sha256:.`).ReplaceAllString(first, `"plan": "sha256:x`)),
			[]string{"1"},
			"does not fit its schema",
		},
		"other plan 2": {
			put("1", regexp.MustCompile(`"plan": "sha256:....`).ReplaceAllString(first, `"plan": "sha256:0000`)),
			[]string{"1"},
			"is of another plan",
		},
		"other files": {
			put("1", regexp.MustCompile(`"blob": "....`).ReplaceAllString(first, `"blob": "0000`)),
			[]string{"1"},
			"is of other files",
		},
		"doubled": {func() {
			if err := os.WriteFile(filepath.Join(w.results(), "results-1.json"), []byte(first), 0o644); err != nil {
				t.Fatal(err)
			}
		}, []string{"1"}, "is there more than once"},
		"link": {func() {
			file := filepath.Join(w.results(), "results-1", "results-1.json")
			elsewhere := filepath.Join(t.TempDir(), "true.json")
			if err := errors.Join(os.Rename(file, elsewhere), os.Symlink(elsewhere, file)); err != nil {
				t.Fatal(err)
			}
		}, []string{"1"}, "is not a regular file"},
	} {
		t.Run(name, func(t *testing.T) {
			w.t = t
			remove(t, w.results())
			for shard, content := range files {
				w.deliver(shard, content)
			}
			c.change()
			o := w.report(ev)
			o.ends(2, "ERROR")
			if !strings.Contains(o.outputs["reviews"]+o.saved("report.json"), c.says) {
				t.Errorf("nothing says %q: %s", c.says, o.summary)
			}
			wrong := 0
			for _, s := range m.Include {
				if slices.Contains(c.errors, s.Shard) {
					wrong += s.Reviews
				}
			}
			got := 0
			for _, r := range o.reviews() {
				if r.Decision == "ERROR" {
					got++
				}
			}
			if c.errors != nil && got != wrong || c.errors == nil && got != 1 {
				t.Errorf("%d reviews are errors, of the shards %v", got, c.errors)
			}
			for _, check := range w.gh.Checks() {
				if check.Name == "workflow-reviewer" && check.Conclusion == "success" {
					t.Error("the gate is green")
				}
			}
		})
	}
}

// TestFailedShardRunsAgain: a shard that was killed makes its reviews errors and
// leaves the others' verdicts, which are committed. «Re-run failed jobs» then
// takes what the others said, and writes nothing twice.
func TestFailedShardRunsAgain(t *testing.T) {
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
