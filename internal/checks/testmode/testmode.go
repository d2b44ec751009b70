// Package testmode finds product code that asks whether it is tested.
package testmode

import (
	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// Entry is the check.
var Entry = check.Entry{
	ID: "code/test-mode", Types: []workflow.Type{workflow.Implementation, workflow.BugFix},
	Severity: workflow.Warn, Category: workflow.Correctness,
	Title: "The code asks whether it is tested",
	Why: "Code that behaves differently under test is not what the tests test. Looked for are " +
		"variables that only test runners set, and modes such as TEST_MODE, on added lines " +
		"outside of tests.",
	Fix: "Hand in what differs, so that tests run the code that users run.",
	Run: find,
}

func find(s *check.Subject) check.Result {
	files := check.ReadBy("tricks", s.Code())
	var issues []workflow.Finding
	for _, f := range files {
		for _, m := range f.Matches("tricks") {
			for _, name := range []string{"test_env_detection", "test_mode"} {
				if n := m.Node(name); !n.IsZero() && f.Added(n.StartLine()) {
					issues = append(issues, workflow.Finding{
						File:  f.Path,
						Line:  n.StartLine(),
						Title: "The code asks whether it is tested: " + markdown.Line(n.Text(), 60),
					})
				}
			}
		}
	}
	return check.Lines(issues, files)
}
