package workflow_test

import (
	"testing"

	"workflow-reviewer/internal/workflow"
)

func identified(issues ...workflow.Finding) []workflow.Finding {
	r := workflow.Result{
		Artifact: workflow.Artifact{Type: workflow.Implementation, Feature: "login", SpecPath: "specs/doing/login.md"}, Issues: issues,
	}
	r.Identify()
	return r.Issues
}

// TestIDsRestOnKindPlaceAndCode and on no wording, so that a better sentence voids nobody's decision.
func TestIDsRestOnKindPlaceAndCode(t *testing.T) {
	is := workflow.Finding{Kind: "code/debug-left", File: "a.py", Line: 3, Title: "print(x) is left", Subject: "print(x)"}
	with := func(change func(*workflow.Finding)) workflow.Finding {
		i := is
		change(&i)
		return i
	}
	reviewers := workflow.Finding{Category: workflow.Security, File: "a.py", Title: "Plain text", Subject: "if a == b:"}
	document := workflow.Finding{Category: workflow.Clarity, File: "specs/doing/login.md", Title: "Vague", Subject: "It works."}
	whole := workflow.Finding{Category: workflow.Security, File: "a.py", Title: "No tests of tokens"}
	for name, c := range map[string]struct {
		a, b workflow.Finding
		same bool
	}{
		"reworded": {is, with(func(i *workflow.Finding) { i.Title, i.Text, i.Fix = "Debug output", "d", "r" }), true},
		"moved":    {is, with(func(i *workflow.Finding) { i.Line = 30 }), true},
		"indented": {is, with(func(i *workflow.Finding) { i.Subject = "\tprint(x)" }), true},
		"other code": {
			is, with(func(i *workflow.Finding) { i.Subject = "print(y)" }), false,
		},
		"other file": {is, with(func(i *workflow.Finding) { i.File = "b.py" }), false},
		"other rule": {is, with(func(i *workflow.Finding) { i.Kind = "code/secret" }), false},
		"a reviewer's, reworded": {
			reviewers, workflow.Finding{Category: workflow.Security, File: "a.py", Title: "Timing leak", Subject: "if a == b:"}, true,
		},
		"a reviewer's, of another category": {
			reviewers, workflow.Finding{Category: workflow.Clarity, File: "a.py", Title: "Plain text", Subject: "if a == b:"}, false,
		},
		"a reviewer's, of a whole file, about something else": {
			whole, workflow.Finding{Category: workflow.Security, File: "a.py", Title: "No limit of tries"}, false,
		},
		"in the spec, wherever its lifecycle moved it": {
			document, workflow.Finding{Category: workflow.Clarity, File: "specs/doing/login.md", Title: "Unclear", Subject: "It works."}, true,
		},
	} {
		a, b := identified(c.a)[0].Key, identified(c.b)[0].Key
		if (a == b) != c.same || len(a) != 8 {
			t.Errorf("%s: %s and %s", name, a, b)
		}
	}
	if two := identified(is, is); two[0].Key == two[1].Key {
		t.Error("two findings of one code have one id")
	}
}

func TestViolationsAreKnownByWhatTheyShow(t *testing.T) {
	v := workflow.Finding{Category: "test_weakening", Kind: "assertion_weakened", File: "t.py", Line: 3, Evidence: "- a\n+ b"}
	w := v
	w.Line, w.Text = 9, "Said better"
	if v.Identity() != w.Identity() {
		t.Error("the wording counts")
	}
	if w.Evidence = "- a\n+ c"; v.Identity() == w.Identity() {
		t.Error("the code does not count")
	}
}

// TestAnEarlierFindingIsKnownByItsID whatever it is called now; of earlier versions the title is all there is.
func TestAnEarlierFindingIsKnownByItsID(t *testing.T) {
	for name, c := range map[string]struct {
		p    workflow.Previous
		f    workflow.Finding
		want bool
	}{
		"its id":           {workflow.Previous{ID: "1936cea3", Title: "A"}, workflow.Finding{Key: "1936cea3", Title: "B"}, true},
		"its title":        {workflow.Previous{Title: "It leaks."}, workflow.Finding{Key: "1936cea3", Title: "it leaks"}, true},
		"neither":          {workflow.Previous{ID: "2936cea3", Title: "A"}, workflow.Finding{Key: "1936cea3", Title: "B"}, false},
		"no id on no side": {workflow.Previous{Title: "A"}, workflow.Finding{Title: "B"}, false},
	} {
		if got := c.p.IsAbout(c.f); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
