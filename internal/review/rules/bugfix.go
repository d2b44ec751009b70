package rules

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/integrity/kernel"
	"workflow-reviewer/internal/workflow"
)

// noSentinel decides whatever a model says: a fix without a test that is new or changed is not approved.
func noSentinel(s *subject) workflow.Check {
	for _, f := range s.sentinels() {
		for l, code := range f.code {
			if f.added(l+1) && strings.TrimSpace(code) != "" {
				return workflow.Check{Gate: true}
			}
		}
	}
	return workflow.Check{Gate: true, Issues: []workflow.Issue{{File: s.Artifact.Path()}}}
}

// sentinels are the test files that the change itself adds or changes.
func (s *subject) sentinels() []*source {
	return slices.DeleteFunc(slices.Clone(s.tests()), func(f *source) bool {
		_, changed := s.changed[f.path]
		return !changed
	})
}

// Bounds of what is said of the regression tests.
const (
	maxSentinels = 5
	maxDemands   = 5
)

// demandsOf are the assertions of a test, in its words.
func demandsOf(t *kernel.Tree, test *kernel.Node) (out []string) {
	test.Walk(func(n *kernel.Node) bool {
		if n == test || !t.InBlock(n) {
			return true
		}
		a, ok := t.AssertionOf(n)
		if ok {
			out = append(out, strings.TrimPrefix(strings.Join(strings.Fields(t.Text(a.Node)), " "), "assert "))
		}
		return !ok
	})
	return out
}

// sentinelAssertions says what the new and changed tests demand, as far as their code tells.
func sentinelAssertions(s *subject) workflow.Check {
	var said []string
	var idle []workflow.Issue
	tests, unknown := 0, ""
	for _, f := range s.sentinels() {
		t := f.canonical()
		if t == nil || f.tree.HasError() {
			unknown = f.path
			continue
		}
		t.Root.Walk(func(n *kernel.Node) bool {
			u, _ := t.Unit(n)
			if u.Role != kernel.Test {
				return true
			}
			if !f.touches(n.Line, n.End) {
				return false
			}
			tests++
			if demands := demandsOf(t, n); len(demands) > 0 {
				said = append(said, fmt.Sprintf("%s (%s:%d) asserts %s", cutLine(u.Name, 80), f.path, n.Line,
					listed(demands, maxDemands, "assertion")))
			} else {
				idle = append(idle, workflow.Issue{File: f.path, Line: n.Line, Title: "The regression test asserts nothing: " +
					cutLine(u.Name, 80)})
			}
			return false
		})
	}
	switch {
	case tests > 0 && len(said) == 0:
		return workflow.Check{Issues: idle}
	case tests > 0:
		return workflow.Check{Outcome: workflow.Passed, Summary: listed(said, maxSentinels, "test")}
	case unknown != "":
		return workflow.Check{Outcome: workflow.Noted, Summary: "what the regression test asserts cannot be told: " + unknown +
			" is in no language that is modelled, or cannot be parsed"}
	default:
		return workflow.Check{Outcome: workflow.Absent, Summary: "no new or changed test was found"}
	}
}

// listed joins the first items and counts the rest.
func listed(items []string, most int, what string) string {
	if n := len(items) - most; n > 0 {
		return fmt.Sprintf("%s; and %s more", strings.Join(items[:most], "; "), workflow.Count(n, what))
	}
	return strings.Join(items, "; ")
}

func noReport(s *subject) []workflow.Issue {
	if d := s.main(); d != nil && d.words() >= 15 {
		return nil
	}
	return []workflow.Issue{{File: s.Artifact.Path()}}
}

func noFix(s *subject) []workflow.Issue {
	for _, f := range s.Artifact.Files {
		if !isReport(f.Path) && !s.isTest(f.Path) {
			return nil
		}
	}
	for _, f := range s.Set.Files {
		if f.Status == change.Deleted && !isReport(f.Path) && !s.isTest(f.Path) {
			return nil // the fix takes code away
		}
	}
	return []workflow.Issue{{File: s.Artifact.Path()}}
}
