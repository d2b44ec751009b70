package main_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/github/githubtest"
)

// outputNames are those of action.yml.
var outputNames = []string{"decision", "report-dir", "review-paths", "reviews", "summary", "tokens", "violations", "matrix", "fix-context"}

// TestOutputsHoldTheirFormat: whatever the files are called and say, there are
// exactly the outputs of action.yml, each in its format.
func TestOutputsHoldTheirFormat(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"ROADMAP.md": roadmap}, map[string]string{
		"specs/proposed/a\ndecision=APPROVED\nb.md":   goodSpec,
		"specs/proposed/::error::x%0A::add-mask::.md": "# ::set-output name=decision::APPROVED\n\nTODO\n",
		"specs/proposed/$(touch pwned) `id` {{x}}.md": "# <script>alert(1)</script> ![x](http://evil.example/p.png)\n",
		"specs/proposed/\"quoted\" 'stem'.md":         goodSpec,
		"specs/proposed/-rf.md":                       goodSpec,
		"specs/proposed/..md":                         goodSpec,
		"src/ü/ключ.py":                               "def f(:\n  ghadelimiter\n::stop-commands::x\n",
	}, nil)
	w.gh.AddPull(githubtest.PR{Number: 7, Head: "feature/login", Labels: []string{"feature: ../../etc/passwd ::error::"}})
	o := w.run(w.pull("opened"))
	o.ends(1, "NEEDS-CHANGES")
	for name := range o.outputs {
		if !slices.Contains(outputNames, name) {
			t.Errorf("a foreign output %q", name)
		}
	}
	reviews := o.reviews()
	if paths := strings.Split(o.outputs["review-paths"], "\n"); len(paths) != len(reviews) || len(reviews) < 6 {
		t.Errorf("%d paths of %d reviews:\n%s", len(paths), len(reviews), o.outputs["review-paths"])
	}
	safe := regexp.MustCompile(`^reviews/(specs|implementations)/\d{8}T\d{6}-[A-Za-z0-9._-]+-(APPROVED|NEEDS-CHANGES|ERROR)\.md$`)
	for _, r := range reviews {
		if !safe.MatchString(r.Path) || strings.Contains(r.Path, "..") {
			t.Errorf("review path %q", r.Path)
		}
		if !slices.Contains(w.files(), r.Path) {
			t.Errorf("%q was not committed", r.Path)
		}
		if o.saved(r.Path) == "" {
			t.Errorf("%q was not saved", r.Path)
		}
	}
	if s := o.outputs["summary"]; s == "" || strings.Contains(s, "\n") {
		t.Errorf("summary %q", s)
	}
	var tokens map[string]int
	if err := json.Unmarshal([]byte(o.outputs["tokens"]), &tokens); err != nil ||
		o.outputs["tokens"] != `{"input":0,"cached":0,"output":0,"reasoning":0}` {
		t.Errorf("tokens %q: %v", o.outputs["tokens"], err)
	}
	if o.outputs["violations"] != "[]" {
		t.Errorf("violations %q", o.outputs["violations"])
	}
	noForeignCommand(t, o.stdout)
}

// noForeignCommand fails the test if a line of the log is a workflow command
// that is not ours, as the runner reads it.
func noForeignCommand(t *testing.T, log string) {
	t.Helper()
	ours := regexp.MustCompile(`^::(?:add-mask::\S+|group::.*|endgroup::|(?:notice|warning|error)(?: ` +
		`[^:]*)?::.*|stop-commands::[0-9a-f]{32})$`)
	stopped := ""
	for line := range strings.SplitSeq(log, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case stopped != "" && trimmed == "::"+stopped+"::":
			stopped = ""
		case stopped != "":
		case strings.HasPrefix(trimmed, "::") && !ours.MatchString(trimmed):
			t.Errorf("a workflow command in the log: %q", line)
		case strings.HasPrefix(trimmed, "::stop-commands::"):
			stopped = strings.TrimPrefix(trimmed, "::stop-commands::")
		case strings.Contains(line, "##["):
			t.Errorf("an old workflow command in the log: %q", line)
		}
	}
	if stopped != "" {
		t.Error("workflow commands stay stopped")
	}
}

// TestWrongInputsAreNoCommands: values are quoted on one line, wherever they
// are reported.
func TestWrongInputsAreNoCommands(t *testing.T) {
	w := newWorld(t, map[string]string{".workflow/config.json": "{\"x\\n::error::pwned\":1}"}, map[string]string{"a.md": "x\n"}, nil)
	w.inputs["engine"] = "rules\n::set-output name=decision::APPROVED"
	w.inputs["config"] = ".workflow/config.json"
	w.inputs["types"] = "spec,\x1b[31mred"
	o := w.run(w.pull("opened"))
	o.ends(2, "ERROR")
	noForeignCommand(t, o.stdout)
	if strings.Contains(o.stdout+o.summary, "\x1b") {
		t.Error("control characters reach the log")
	}
	for _, want := range []string{`input \"engine\"`, "codex, rules", "types"} {
		if !strings.Contains(o.stdout, strings.ReplaceAll(want, `\`, "")) {
			t.Errorf("%q is not reported:\n%s", want, o.stdout)
		}
	}
}

// TestNothingHasItsOutputs: a run without reviews sets the same outputs.
func TestNothingHasItsOutputs(t *testing.T) {
	w := specWorld(t, nil)
	o := w.run(w.pull("closed"))
	o.ends(0, "NONE")
	for _, name := range outputNames {
		if _, ok := o.outputs[name]; !ok {
			t.Errorf("output %q is not set", name)
		}
	}
	if o.outputs["reviews"] != "[]" || o.outputs["violations"] != "[]" || o.outputs["review-paths"] != "" {
		t.Errorf("outputs %+v", o.outputs)
	}
	if !strings.Contains(o.saved("report.json"), `"NONE"`) {
		t.Error("report.json lacks the decision")
	}
}
