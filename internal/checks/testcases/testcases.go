// Package testcases finds tests that demand nothing, or never run.
package testcases

import (
	"fmt"
	"slices"

	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/syntax/query"
	"workflow-reviewer/internal/workflow"
)

var ofTests = []workflow.Type{workflow.Tests, workflow.BugFix}

// Entries are the checks.
var Entries = []check.Entry{
	{
		ID: "tests/empty", Types: ofTests, Severity: workflow.Block, Category: workflow.Testing,
		Title: "A test does nothing",
		Why: "A test without a statement passes whatever the code does. Tests that are skipped " +
			"are left alone.",
		Fix: "Write the test, or take it away.",
		Run: func(s *check.Subject) check.Result { return each(s, "tests", empty) },
	},
	{
		ID: "tests/tautology", Types: ofTests, Severity: workflow.Block, Category: workflow.Testing,
		Title: "A test asserts only what cannot fail",
		Why: "It compares constants, and holds: assert True, expect(1).toBe(1). Told where the " +
			"test has no other assertion; one in a branch or a callback says that it was " +
			"reached, and is left alone.",
		Fix: "Assert something that the code under test produced.",
		Run: func(s *check.Subject) check.Result { return each(s, "tautology", tautology) },
	},
	{
		ID: "tests/shadowed", Types: ofTests, Severity: workflow.Block, Category: workflow.Testing,
		Title: "A test is replaced by a later one of the same name",
		Why: "In Python and Ruby a second function of the same name in the same class or file " +
			"replaces the first, which never runs.",
		Fix: "Give the two tests different names.",
		Run: func(s *check.Subject) check.Result { return each(s, "tests", shadowed) },
	},
	{
		ID: "tests/focused", Types: ofTests, Severity: workflow.Block, Category: workflow.Testing,
		Title: "A focused test switches the others off",
		Why:   "it.only, fdescribe, fit and the like make the runner ignore every other test.",
		Fix:   "Take the focus away.",
		Run:   func(s *check.Subject) check.Result { return each(s, "focus", focused) },
	},
}

type finder func(*check.Source) []workflow.Finding

// each looks into the files of tests that have a query for a subject.
func each(s *check.Subject, subject string, find finder) check.Result {
	files := check.ReadBy(subject, s.TestFiles())
	if len(files) == 0 {
		return check.NotLooked("no tests in a language that it reads")
	}
	var issues []workflow.Finding
	tests := 0
	for _, f := range files {
		tests += len(f.Matches("tests"))
		issues = append(issues, find(f)...)
	}
	looked := workflow.Count(tests, "test") + " of " + workflow.Count(len(files), "file")
	return check.Result{Issues: issues, Looked: looked}
}

func at(f *check.Source, n syntax.Node, title string) workflow.Finding {
	return workflow.Finding{File: f.Path, Line: n.StartLine(), EndLine: n.EndLine(), Title: title}
}

func named(m query.Match) string {
	return markdown.Line(m.Node("name").Text(), 60)
}

func empty(f *check.Source) (issues []workflow.Finding) {
	skips := f.Matches("skips")
	for _, m := range f.Matches("tests") {
		test := m.Node("test")
		isSkip := func(s query.Match) bool { return within(s.Node("skip"), test) }
		isEmpty := statements(m.Node("body")) == 0
		if isEmpty && f.Touches(test) && !slices.ContainsFunc(skips, isSkip) {
			issues = append(issues, at(f, test, named(m)+" does nothing"))
		}
	}
	return issues
}

// statements counts what a body does: neither pass nor a doc string is a statement.
func statements(body syntax.Node) (n int) {
	for _, c := range body.Named() {
		only := c.FirstChild()
		isDoc := c.Is("expression_statement") && only.Is("string", "ellipsis")
		if !c.Is("pass_statement", "string") && !(isDoc && only.NextSibling().IsZero()) {
			n++
		}
	}
	return n
}

func tautology(f *check.Source) (issues []workflow.Finding) {
	tests := f.Matches("tests")
	asserted := f.Matches("assertions")
	for _, m := range f.Matches("tautology") {
		n := m.Node("assertion")
		if !f.Touches(n) {
			continue
		}
		for _, t := range tests {
			if body := t.Node("body"); directly(n, body) && lone(n, body, asserted) {
				issues = append(issues, at(f, n, markdown.Line(n.Text(), 60)+" cannot fail"))
				break
			}
		}
	}
	return issues
}

func within(n, in syntax.Node) bool {
	return !in.IsZero() && in.StartByte() <= n.StartByte() && n.EndByte() <= in.EndByte()
}

// directly reports whether a node is a statement of a body by itself, not of a branch or callback
// in it.
func directly(n, body syntax.Node) bool {
	p := n.Parent()
	for len(p.Named()) == 1 && p != body {
		p = p.Parent()
	}
	// A list of statements may stand between a body and its statements.
	return p == body || len(body.Named()) == 1 && p.Parent() == body && !body.IsZero()
}

// lone reports whether nothing else in a body asserts.
func lone(n, body syntax.Node, asserted []query.Match) bool {
	for _, m := range asserted {
		if o := m.Node("assertion"); within(o, body) && !within(o, n) && !within(n, o) {
			return false
		}
	}
	return true
}

func shadowed(f *check.Source) (issues []workflow.Finding) {
	type key struct {
		block syntax.Node // that holds the test
		name  string
	}
	first := map[key]syntax.Node{}
	for _, m := range f.Matches("tests") {
		test, name := m.Node("test"), m.Node("unique")
		if name.IsZero() {
			continue
		}
		block := test.Parent()
		if block.Is("decorated_definition") {
			block = block.Parent()
		}
		k := key{block, name.Text()}
		earlier, ok := first[k]
		if ok && earlier.Text() != test.Text() && (f.Touches(earlier) || f.Touches(test)) {
			title := fmt.Sprintf("%s never runs: line %d defines it again",
				named(m), test.StartLine())
			issues = append(issues, at(f, earlier, title))
		}
		first[k] = test
	}
	return issues
}

func focused(f *check.Source) (issues []workflow.Finding) {
	for _, m := range f.Matches("focus") {
		n := m.Node("focus")
		if f.Added(n.StartLine()) {
			issues = append(issues, workflow.Finding{File: f.Path, Line: n.StartLine()})
		}
	}
	return issues
}
