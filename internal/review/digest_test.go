//go:build !race

package review

import (
	"testing"

	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/review/history"
	"workflow-reviewer/internal/review/prompt"
	"workflow-reviewer/internal/workflow"
)

func TestDigestIsNotAmbiguous(t *testing.T) {
	if digest("ab", "c") == digest("a", "bc") || digest("a") == digest("a", "") {
		t.Error("two sequences have one digest")
	}
}

func TestDigestFollowsADocumentThroughItsLife(t *testing.T) {
	builtin, _ := layout.BuiltinSet()
	at := func(state string) string {
		p := "specs/" + state + "/x.md"
		a := workflow.Artifact{Type: workflow.Implementation, Feature: "x", SpecPath: p}
		return contextDigest(builtin.Canonical, grounds{
			fixed: "fixed",
			shown: prompt.Parts{
				Artifact: a,
				Related:  []prompt.Document{{Heading: p + " (the feature's spec)", Path: p, Body: "text"}},
			},
			checks: []workflow.Check{{ID: "spec/here", Summary: "in " + p, Issues: []workflow.Finding{{File: p, Line: 3, Text: p}}}},
		})
	}
	if at("doing") != at("done") {
		t.Error("a move changes the digest")
	}
	shown := prompt.Parts{Artifact: workflow.Artifact{SpecPath: "specs/doing/x.md"}}
	if contextDigest(builtin.Canonical, grounds{fixed: "fixed", shown: shown}) == at("doing") {
		t.Error("the documents do not count")
	}
}

func TestSameFiles(t *testing.T) {
	builtin, _ := layout.BuiltinSet()
	f := func(p, b string) workflow.File { return workflow.File{Path: p, Blob: b} }
	for _, c := range []struct {
		name string
		a, b []workflow.File
		want bool
	}{
		{"equal", []workflow.File{f("a", "1"), f("b", "2")}, []workflow.File{f("b", "2"), f("a", "1")}, true},
		{"moved", []workflow.File{f("specs/todo/a.md", "1")}, []workflow.File{f("specs/done/a.md", "1")}, true},
		{"other content", []workflow.File{f("a", "1")}, []workflow.File{f("a", "2")}, false},
		{"other name", []workflow.File{f("a", "1")}, []workflow.File{f("b", "1")}, false},
		{"one more", []workflow.File{f("a", "1")}, []workflow.File{f("a", "1"), f("b", "1")}, false},
		{"one twice", []workflow.File{f("a", "1"), f("b", "1")}, []workflow.File{f("a", "1"), f("a", "1")}, false},
		{"no blob", []workflow.File{f("a", "")}, []workflow.File{f("a", "")}, false},
		{"nothing", nil, nil, false},
	} {
		if got := history.SameFiles(builtin.Canonical, c.a, c.b); got != c.want {
			t.Errorf("%s: %t, want %t", c.name, got, c.want)
		}
	}
}

// groundsIn are grounds whose every sentence is marked, on code and figures that are given.
func groundsIn(words, code string, percent float64) grounds {
	g := grounds{fixed: "fixed", checks: []workflow.Check{
		{
			ID: "code/debug-left", Outcome: workflow.Failed, Summary: words,
			Issues: []workflow.Finding{{
				Kind: "code/debug-left", Level: workflow.Block, File: "a.py", Line: 3, Subject: code, Title: words,
				Text: words, Fix: words,
			}},
		},
		{ID: "tests/coverage", Outcome: workflow.Failed, Gate: true, Summary: words, Figures: map[string]float64{"line": percent}},
	}}
	g.result = workflow.Result{Checks: g.checks, Integrity: &workflow.Integrity{
		Verdict: "clean", Compared: []string{words},
		Findings: []workflow.Finding{{
			Kind: "marks", File: "a.py", Text: words, Evidence: "+ " + code, Reason: words,
		}},
		Questions: []workflow.Finding{{Key: "0123abcd", Kind: "echo", File: "a.py", Text: words}},
	}}
	g.result.Questions = checkQuestions(g.result)
	g.result.Requirements = []workflow.Requirement{{ID: "AC-1", Text: "It adds.", Spec: "specs/todo/x.md:4", Changed: words}}
	return g
}

func TestDigestRestsOnCodeAndNotOnWords(t *testing.T) {
	same := func(s string) string { return s }
	digest := func(words, code string, percent float64) string {
		return contextDigest(same, groundsIn(words, code, percent))
	}
	is := digest("Debug output is left", "print(x)", 80)
	if digest("Somebody left a print", "print(x)", 80) != is {
		t.Error("a better sentence voids records")
	}
	if digest("Debug output is left", "print(y)", 80) == is || digest("Debug output is left", "print(x)", 79) == is {
		t.Error("other code or another figure does not count")
	}
}
