package workflow_test

import (
	"testing"

	"workflow-reviewer/internal/workflow"
)

func identified(issues ...workflow.Issue) []workflow.Issue {
	r := workflow.Result{
		Artifact: workflow.Artifact{Type: workflow.Implementation, Feature: "login", SpecPath: "specs/doing/login.md"}, Issues: issues,
	}
	r.Identify()
	return r.Issues
}

// TestIDsRestOnKindPlaceAndCode and on no wording, so that a better sentence voids nobody's decision.
func TestIDsRestOnKindPlaceAndCode(t *testing.T) {
	is := workflow.Issue{Rule: "code/debug-left", File: "a.py", Line: 3, Title: "print(x) is left", Subject: "print(x)"}
	with := func(change func(*workflow.Issue)) workflow.Issue {
		i := is
		change(&i)
		return i
	}
	reviewers := workflow.Issue{Category: workflow.Security, File: "a.py", Title: "Plain text", Subject: "if a == b:"}
	document := workflow.Issue{Category: workflow.Clarity, File: "specs/doing/login.md", Title: "Vague", Subject: "It works."}
	whole := workflow.Issue{Category: workflow.Security, File: "a.py", Title: "No tests of tokens"}
	for name, c := range map[string]struct {
		a, b workflow.Issue
		same bool
	}{
		"reworded": {is, with(func(i *workflow.Issue) { i.Title, i.Description, i.Recommendation = "Debug output", "d", "r" }), true},
		"moved":    {is, with(func(i *workflow.Issue) { i.Line = 30 }), true},
		"indented": {is, with(func(i *workflow.Issue) { i.Subject = "\tprint(x)" }), true},
		"other code": {
			is, with(func(i *workflow.Issue) { i.Subject = "print(y)" }), false,
		},
		"other file": {is, with(func(i *workflow.Issue) { i.File = "b.py" }), false},
		"other rule": {is, with(func(i *workflow.Issue) { i.Rule = "code/secret" }), false},
		"a reviewer's, reworded": {
			reviewers, workflow.Issue{Category: workflow.Security, File: "a.py", Title: "Timing leak", Subject: "if a == b:"}, true,
		},
		"a reviewer's, of another category": {
			reviewers, workflow.Issue{Category: workflow.Clarity, File: "a.py", Title: "Plain text", Subject: "if a == b:"}, false,
		},
		"a reviewer's, of a whole file, about something else": {
			whole, workflow.Issue{Category: workflow.Security, File: "a.py", Title: "No limit of tries"}, false,
		},
		"in the spec, wherever its lifecycle moved it": {
			document, workflow.Issue{Category: workflow.Clarity, File: "specs/doing/login.md", Title: "Unclear", Subject: "It works."}, true,
		},
	} {
		a, b := identified(c.a)[0].ID, identified(c.b)[0].ID
		if (a == b) != c.same || len(a) != 8 {
			t.Errorf("%s: %s and %s", name, a, b)
		}
	}
	if two := identified(is, is); two[0].ID == two[1].ID {
		t.Error("two findings of one code have one id")
	}
}

func TestViolationsAreKnownByWhatTheyShow(t *testing.T) {
	v := workflow.Violation{Type: "test_weakening", Kind: "assertion_weakened", File: "t.py", Line: 3, Evidence: "- a\n+ b"}
	w := v
	w.Line, w.Description = 9, "Said better"
	if v.Key() != w.Key() {
		t.Error("the wording counts")
	}
	if w.Evidence = "- a\n+ c"; v.Key() == w.Key() {
		t.Error("the code does not count")
	}
}
