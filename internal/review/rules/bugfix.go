package rules

import (
	"regexp"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/workflow"
)

var (
	reproduction = regexp.MustCompile(`(?i)\brepro\w*|\bsteps?\b|\bwhen (?:i|you|we|the|a|an|calling|running)\b|\bto trigger\b|\bcall(?:s|ing)?\b|\binputs?\b|\bexample\b`)
	expectation  = regexp.MustCompile(`(?i)\bexpect\w*|\bactual\w*|\bshould\b|\binstead\b|\bobserved\b`)
	rootCause    = regexp.MustCompile(`(?i)\broot[ -]cause\b|\bcauses?\b|\bcaused\b|\bbecause\b|\bdue to\b|\banalysis\b|\breason\b|\bdiagnosis\b|\bwhy\b`)
)

func bugFixRules() []rule {
	types := only(workflow.BugFix)
	return []rule{
		{
			Rule: Rule{
				ID: "bug-fix/no-report", Types: types, Severity: workflow.High, Criterion: "Report",
				Title:       "There is no bug report",
				Explanation: "The first file of a bug fix is its report, a Markdown document of 15 words or more.",
			},
			pass: "there is a bug report",
			fix:  "Describe the bug in the report before fixing it.",
			run:  issues(noReport),
		},
		{
			Rule: Rule{
				ID: "bug-fix/no-reproduction", Types: types, Severity: workflow.Medium, Criterion: "Report",
				Title:       "The report does not say how to reproduce the bug",
				Explanation: "Steps, an input, or a failing call are what the regression test is made from.",
			},
			pass: "it says how to reproduce the bug",
			fix:  "Add a section \"Steps to reproduce\".",
			run:  lacks(reproduction),
		},
		{
			Rule: Rule{
				ID: "bug-fix/no-expectation", Types: types, Severity: workflow.Medium, Criterion: "Report",
				Title:       "The report does not say what should have happened",
				Explanation: "Expected and actual behaviour together are the bug.",
			},
			pass: "it says what was expected",
			fix:  "Add what was expected and what happened instead.",
			run:  lacks(expectation),
		},
		{
			Rule: Rule{
				ID: "bug-fix/no-root-cause", Types: types, Severity: workflow.Medium, Criterion: "Report",
				Title:       "The report names no root cause",
				Explanation: "A fix without a cause is a guess: the report must say why it happened.",
			},
			pass: "it names the cause",
			fix:  "Add a section \"Root cause\".",
			run:  lacks(rootCause),
		},
		{
			Rule: Rule{
				ID: "bug-fix/no-fix", Types: types, Severity: workflow.High, Criterion: "Fix",
				Title:       "Nothing is fixed",
				Explanation: "The change has no source file besides the report and tests.",
			},
			pass: "source files are changed",
			fix:  "Commit the fix with the report, or leave the report out of bugs/fixing/ until there is one.",
			run:  issues(noFix),
		},
		{
			Rule: Rule{
				ID: "bug-fix/no-sentinel-test", Types: types, Severity: workflow.High, Gate: true, Criterion: "Regression test",
				Title:       "No regression test accompanies the fix",
				Explanation: "The change must add lines to a test file: a test that fails without the fix and keeps the bug from coming back.",
			},
			pass: "a regression test is added",
			fix:  "Add a test that reproduces the bug and name it after the report.",
			run:  noSentinel,
		},
		{
			Rule: Rule{
				ID: "bug-fix/sentinel-asserts", Types: types, Severity: workflow.High, Criterion: "Regression test",
				Title:       "The regression test asserts nothing",
				Explanation: "What the new and changed tests demand is read from their code and listed in the review, so that a reader can hold it against the report. A test that demands nothing keeps no bug from coming back.",
			},
			pass: "the regression test asserts something",
			fix:  "Assert what the report says should have happened.",
			run:  sentinelAssertions,
		},
	}
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
