package review

import (
	"testing"

	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/workflow"
)

func TestDigestIsNotAmbiguous(t *testing.T) {
	sum := func(texts ...string) string {
		d := newDigester()
		d.add(texts...)
		return d.sum()
	}
	if sum("ab", "c") == sum("a", "bc") || sum("a") == sum("a", "") {
		t.Error("two sequences have one digest")
	}
}

func TestDigestFollowsADocumentThroughItsLife(t *testing.T) {
	builtin, _ := layout.BuiltinSet()
	at := func(state string) string {
		p := "specs/" + state + "/x.md"
		a := workflow.Artifact{Type: workflow.Implementation, Feature: "x", SpecPath: p}
		return contextDigest(builtin.Canonical, "fixed", parts{
			artifact: a,
			related:  []document{{heading: p + " (the feature's spec)", path: p, body: "text"}},
			checks:   []workflow.Check{{ID: "spec/here", Summary: "in " + p, Issues: []workflow.Issue{{File: p, Line: 3, Description: p}}}},
		})
	}
	if at("doing") != at("done") {
		t.Error("a move changes the digest")
	}
	other := contextDigest(builtin.Canonical, "fixed", parts{artifact: workflow.Artifact{SpecPath: "specs/doing/x.md"}})
	if other == at("doing") {
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
		if got := sameFiles(builtin.Canonical, c.a, c.b); got != c.want {
			t.Errorf("%s: %t, want %t", c.name, got, c.want)
		}
	}
}
