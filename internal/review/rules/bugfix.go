package rules

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/integrity/testdiff"
	"workflow-reviewer/internal/workflow"
)

// noSentinel decides whatever a model says: a fix without a test that is new or
// changed is not approved.
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

// sentinelAssertions says what the new and changed tests demand, as far as
// their code tells.
func sentinelAssertions(s *subject) workflow.Check {
	var said []string
	var idle []workflow.Issue
	tests, unknown := 0, ""
	for _, f := range s.sentinels() {
		claims, known, err := testdiff.ClaimsOf(s.ctx, f.path, []byte(strings.Join(f.lines, "\n")))
		if err != nil {
			return workflow.Check{Outcome: workflow.Noted, Summary: "the run was cancelled"}
		}
		if !known {
			unknown = f.path
			continue
		}
		for _, c := range claims {
			if !f.touches(c.Line, c.End) {
				continue
			}
			tests++
			if len(c.Demands) == 0 {
				idle = append(idle, workflow.Issue{File: f.path, Line: c.Line, Title: "The regression test asserts nothing: " +
					cutLine(c.Test, 80)})
				continue
			}
			said = append(said, fmt.Sprintf("%s (%s:%d) asserts %s", cutLine(c.Test, 80), f.path, c.Line,
				listed(c.Demands, maxDemands, "assertion")))
		}
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
