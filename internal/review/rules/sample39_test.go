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
