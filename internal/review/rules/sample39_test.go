package rules_test

import (
	"testing"

	"workflow-reviewer/internal/workflow"
)

// TestExecWithNamespace: who gives code a namespace of its own runs it on purpose, which is
// told, and blocks only where a request brings the code.
func TestExecWithNamespace(t *testing.T) {
	for text, want := range map[string]workflow.Severity{
		"def run(code):\n    exec(code)\n":                                       workflow.High,
		"def run(code):\n    ns = {'a': 1}\n    exec(code, ns)\n":                workflow.Low,
		"def run(text):\n    return eval(text, {'__builtins__': {}})\n":          workflow.High,
		"def view(request):\n    ns = {}\n    exec(request.POST['code'], ns)\n":  workflow.High,
		"def view(request):\n    c = request.POST['c']\n    exec(c, {'a': 1})\n": workflow.High,
	} {
		got := found(t, input(workflow.Implementation, nil, one("src/run.py", text), "src/run.py"), "code/dynamic-code")
		if len(got) != 1 || got[0].Severity != want {
			t.Errorf("%q: %+v, want %s", text, got, want)
		}
	}
}

// TestSample39: what a thirty-ninth sample and its predecessors were right about.
func TestSample39(t *testing.T) {
	const py, delta = "src/a.py", "openspec/changes/x/specs/cart/spec.md"
	try := func(body string) string {
		return "def f(self):\n    try:\n        " + body + "\n    except Exception:\n        pass\n"
	}
	spec := "## ADDED Requirements\n\n### Requirement: Sum\nThe cart SHALL show its sum.\n\n"
	for name, c := range map[string]struct {
		rule, file, bad, good string
	}{
		"a callback that fails":     {"code/swallowed-error", py, try("self.save(row)"), try("self._on_progress(1)")},
		"a note of the usage":       {"code/swallowed-error", py, try("book_usage(row)"), try("log_usage(row)")},
		"a scenario beside its own": {"spec/requirement-without-scenario", delta, spec, spec + "### Scenario: One\n- **WHEN** a\n- **THEN** 3\n"},
	} {
		typ := workflow.Implementation
		if c.file == delta {
			typ = workflow.Spec
		}
		for text, want := range map[string]int{c.bad: 1, c.good: 0} {
			in := input(typ, nil, one(c.file, text), c.file)
			if in.Artifact.Layout = ""; c.file == delta {
				in.Artifact.Layout = "openspec"
			}
			if got := found(t, in, c.rule); len(got) != want {
				t.Errorf("%s: %+v, want %d", name, got, want)
			}
		}
	}
}
