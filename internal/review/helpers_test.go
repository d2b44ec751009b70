package review

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares text with a file below testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; run with -update to write it", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got)\n%s", file, diff)
	}
}

// turn is one scripted answer of a model.
type turn struct {
	text  string
	err   error
	reply Reply // text wins over reply.Text
	panic string
	hang  bool // until the context ends
}

// scripted is a model that answers each artifact by its script and counts what
// it was asked.
type scripted struct {
	mu      sync.Mutex
	scripts map[string][]turn // by Request.Name; "" answers all others
	asked   []Request
	active  int
	peak    int
	reached chan struct{} // if set, receives once a request hangs
}

func (*scripted) Name() string { return "codex 9.9.9" }

func (s *scripted) Review(ctx context.Context, req Request) (Reply, error) {
	t := s.next(req)
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.active--
	}()
	if t.hang {
		if s.reached != nil {
			s.reached <- struct{}{}
		}
		<-ctx.Done()
		return Reply{}, ctx.Err()
	}
	if t.panic != "" {
		panic(t.panic)
	}
	if t.text != "" {
		t.reply.Text = withStance(t.text, req)
	}
	return t.reply, t.err
}

// withStance is an answer with an entry for each requirement and question of the
// checks that the request asks about, unless it has some, and where its criteria are null a grade for each: all is well.
func withStance(text string, req Request) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &fields) != nil || fields["decision"] == nil || len(fields) < 5 {
		return text
	}
	if string(fields["criteria"]) == "null" {
		fields["criteria"] = json.RawMessage(passing(enumerated(req.Schema, "criteria")...))
	}
	if ids := enumerated(req.Schema, "requirements"); len(ids) > 0 && fields["requirements"] == nil {
		place := regexp.MustCompile(`(?s)## Artifact under review.*?\n### ([^\n]*\.py)\n`).FindStringSubmatch(req.Prompt)
		var list []string
		for _, id := range ids {
			list = append(list, fmt.Sprintf(`{"id":%q,"status":"met","file":%q,"line":1,"reason":"it does"}`, id, place[1]))
		}
		fields["requirements"] = json.RawMessage("[" + strings.Join(list, ",") + "]")
	}
	if ids := enumerated(req.Schema, "questions"); len(ids) > 0 && fields["questions"] == nil &&
		strings.Contains(string(req.Schema), "refuted") {
		var list []string
		for _, id := range ids {
			list = append(list, fmt.Sprintf(`{"id":%q,"answer":"refuted","reason":"it is meant"}`, id))
		}
		fields["questions"] = json.RawMessage("[" + strings.Join(list, ",") + "]")
	}
	out, _ := json.Marshal(fields)
	return string(out)
}

// passing are entries that grade criteria with PASS.
func passing(ids ...string) string {
	var list []string
	for _, id := range ids {
		list = append(list, fmt.Sprintf(`{"id":%q,"result":"PASS","finding":"clear","evidence":"line 1","impact":""}`, id))
	}
	return "[" + strings.Join(list, ",") + "]"
}

// enumerated are the ids that a request's schema lists for entries of a name.
func enumerated(schema []byte, name string) []string {
	var s struct {
		Properties map[string]struct {
			Items struct {
				Properties struct {
					ID struct {
						Enum []string `json:"enum"`
					} `json:"id"`
				} `json:"properties"`
			} `json:"items"`
		} `json:"properties"`
	}
	_ = json.Unmarshal(schema, &s) // of the wrong form: none
	return s.Properties[name].Items.Properties.ID.Enum
}

func (s *scripted) next(req Request) turn {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, req)
	s.active++
	s.peak = max(s.peak, s.active)
	for _, name := range []string{req.Name, ""} {
		if script := s.scripts[name]; len(script) > 0 {
			if len(script) > 1 {
				s.scripts[name] = script[1:]
			}
			return script[0]
		}
	}
	return turn{err: errors.New("the script has no turn for " + req.Name)}
}

func always(text string) *scripted {
	return &scripted{scripts: map[string][]turn{"": {{text: text}}}}
}

// answer is a valid answer with the given decision and issues.
func answer(decision string, issues ...string) string {
	list := ""
	for i, issue := range issues {
		if i > 0 {
			list += ","
		}
		list += issue
	}
	return fmt.Sprintf(`{"decision":%q,"summary":"It is so.","criteria":null,"issues":[%s],"previous_findings":[]}`, decision, list)
}

func issueJSON(severity, title string) string {
	return fmt.Sprintf(`{"severity":%q,"category":"Clarity","title":%q,"file":null,"line":null,"end_line":null,"description":"d",`+
		`"trigger":"","recommendation":"r","suggestion":null}`, severity, title)
}

// clock is a time that moves only when somebody sleeps.
type clock struct {
	mu    sync.Mutex
	now   time.Time
	slept []time.Duration
}

func newClock() *clock { return &clock{now: time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	c.slept = append(c.slept, d)
	return ctx.Err()
}

// sample is a small project with everything that reviews look at.
func sample() map[string]string {
	return map[string]string{
		"VISION.md":              "# Vision\n\nTravellers split costs without quarrel.\n",
		"SCOPE.md":               "# Scope\n\n## In\n\n- login\n",
		"ROADMAP.md":             "# Roadmap\n\n## Feature 1: Login\n\nUsers log in.\n\n## Feature 2: Export\n\nUsers export.\n",
		"specs/doing/login.md":   "# Login\n\n## Acceptance criteria\n\n- A wrong password is refused.\n",
		"src/login.py":           "def login(name, password):\n    return check(name, password)\n",
		"tests/test_login.py":    "def test_wrong_password():\n    assert not login('a', 'b')\n",
		"bugs/fixing/BUG-7.md":   "# BUG-7\n\nAn empty name is accepted.\n",
		"src/stub.py":            "def export():\n    raise NotImplementedError\n",
		"CLAUDE.md":              "Use tabs.\n",
		"specs/proposed/new.md":  newSpec,
		"tests/test_bug_7.py":    "def test_empty_name():\n    assert not login('', 'b')\n",
		"docs/unrelated/note.md": "nothing\n",
	}
}

// newSpec has no High finding of a check.
const newSpec = "# New\n\nTravellers see what they owe each other, in one list, so that nobody has to ask. The list shows one line for " +
	"each pair of people, with the sum and the currency of the debt.\n\n" +
	"## Acceptance criteria\n\n1. A debt of 0 is not listed.\n2. An unknown currency is refused with the error `unknown currency`.\n"

// setOf is a change that adds everything of the sample that is not in before.
func setOf(before, after map[string]string) change.Set {
	base := map[string]string{}
	for p, c := range before {
		base[p] = c
	}
	return changetest.Set(base, base, after)
}

// artifact makes an artifact of files in a head.
func artifact(head map[string]string, typ workflow.Type, feature string, paths ...string) workflow.Artifact {
	a := workflow.Artifact{Type: typ, Feature: feature}
	for _, p := range paths {
		a.Files = append(a.Files, workflow.File{Path: p, Blob: changetest.Blob(head[p])})
	}
	return a
}

func implementation(head map[string]string) workflow.Artifact {
	a := artifact(head, workflow.Implementation, "login", "src/login.py")
	a.SpecPath, a.Tests = "specs/doing/login.md", []string{"tests/test_login.py"}
	return a
}

func testsOf(head map[string]string) workflow.Artifact {
	a := artifact(head, workflow.Tests, "login", "tests/test_login.py")
	a.SpecPath = "specs/doing/login.md"
	return a
}

func specOf(head map[string]string) workflow.Artifact {
	a := artifact(head, workflow.Spec, "new", "specs/proposed/new.md")
	a.SpecPath = "specs/proposed/new.md"
	return a
}

func codexOptions() Options {
	return Options{
		Engine: EngineCodex, EngineName: "codex 9.9.9", Model: "m", Effort: "high",
		ContextFiles: []string{"CLAUDE.md", "AGENTS.md"},
		MaxParallel:  4, Timeout: 300 * time.Second, RetryDelay: 5 * time.Second, MaxIterations: 3,
	}
}

// plan plans the artifacts on a sample in which everything is new.
func plan(t *testing.T, o Options, in Input) []Job {
	t.Helper()
	jobs, err := Plan(t.Context(), in, o)
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

func inputOf(head map[string]string, artifacts ...workflow.Artifact) Input {
	builtin, _ := layout.BuiltinSet()
	return Input{
		Canonical: builtin.Canonical,
		Set:       setOf(map[string]string{"CLAUDE.md": head["CLAUDE.md"]}, head), Artifacts: artifacts,
		Vouched: func(context.Context, record.Record) (bool, string, error) { return true, "", nil },
	}
}

func runOptions(c *clock) RunOptions { return RunOptions{Now: c.Now, Sleep: c.Sleep} }

// recordOf is what a later run reads of a result.
func recordOf(t *testing.T, r workflow.Result) record.Record {
	t.Helper()
	rec, err := record.Parse(record.Path(r), record.Render(r))
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// one runs the only job of a plan.
func one(t *testing.T, jobs []Job, model Reviewer, c *clock) workflow.Result {
	t.Helper()
	if len(jobs) != 1 {
		t.Fatalf("%d jobs, want 1", len(jobs))
	}
	return Run(t.Context(), jobs, model, runOptions(c))[0]
}

const reviewed = "specs/proposed/new.md"

// placed is an issue of an answer on a line; 0 is the whole file.
func placed(severity, category, title, description string, n int) string {
	at := "null"
	if n > 0 {
		at = fmt.Sprint(n)
	}
	return fmt.Sprintf(`{"severity":%q,"category":%q,"title":%q,"file":%q,"line":%s,"end_line":null,"description":%q,`+
		`"trigger":"","recommendation":"r","suggestion":null}`,
		severity, category, title, reviewed, at, description)
}

// shownBy is a finding with what shows it.
func shownBy(trigger, finding string) string {
	return strings.Replace(finding, `"trigger":""`, fmt.Sprintf(`"trigger":%q`, trigger), 1)
}

// said is an answer that also says what became of "First".
func said(text string, resolved bool) string {
	return strings.Replace(text, `"previous_findings":[]`,
		fmt.Sprintf(`"previous_findings":[{"title":"First","resolved":%t,"note":"n"}]`, resolved), 1)
}

// withBlobs has a repository's runs read what it ever held.
func (r *repository) withBlobs() {
	held := map[string]string{}
	r.change = func(in *Input) {
		for _, text := range r.head {
			held[changetest.Blob(text)] = text
		}
		in.Blob = func(_ context.Context, _, blob string) ([]byte, error) {
			if text, ok := held[blob]; ok {
				return []byte(text), nil
			}
			return nil, errors.New("no such blob")
		}
	}
}

// specIDs are the built-in criteria of specs.
var specIDs = []string{"testability", "completeness", "clarity", "alignment", "interface-contracts", "feasibility"}
