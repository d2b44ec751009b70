package rules

import (
	"fmt"
	"path"
	"regexp"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

func testRules() []rule {
	types := only(workflow.Tests)
	return []rule{
		{
			Rule: Rule{
				ID: "tests/none", Types: types, Severity: workflow.High, Criterion: "Assertions",
				Title:       "No test was found in the files under review",
				Explanation: "New files whose names promise tests must hold one that their runner collects. Languages that are not parsed are not judged.",
			},
			pass: "there are tests",
			fix:  "Add tests, or name them as the runner expects.",
			run:  issues(noTests),
		},
		{
			Rule: Rule{
				ID: "tests/empty", Types: types, Severity: workflow.High, Criterion: "Assertions",
				Title:       "A test does nothing",
				Explanation: "A test without a statement passes whatever the code does.",
			},
			pass: "every test does something",
			fix:  "Write the test, or take it away.",
			run:  issues(emptyTests),
		},
		{
			Rule: Rule{
				ID: "tests/no-assertion", Types: types, Severity: workflow.Medium, Criterion: "Assertions",
				Title:       "A test asserts nothing",
				Explanation: "Nothing in the test looks like an assertion, an expectation, or a call of a helper that could hold one: it fails only if the code crashes. High if that goes for every test under review.",
			},
			pass: "every test asserts something",
			fix:  "Assert the outcome; if not crashing is the outcome, say so with the framework's means.",
			run:  issues(assertionless),
		},
		{
			Rule: Rule{
				ID: "tests/tautology", Types: types, Severity: workflow.High, Criterion: "Assertions",
				Title:       "An assertion cannot fail",
				Explanation: "It compares a constant with itself: assert True, expect(true).toBe(true).",
			},
			pass: "no assertion is always true",
			fix:  "Assert something that the code under test produced.",
			run:  issues(tautologies),
		},
		{
			Rule: Rule{
				ID: "tests/shadowed", Types: types, Severity: workflow.High, Criterion: "Collection",
				Title:       "A test is replaced by a later one of the same name",
				Explanation: "In Python and Ruby a second function of the same name in the same class or file silently replaces the first, which never runs.",
			},
			pass: "no test hides another",
			fix:  "Give the two tests different names.",
			run:  issues(shadowed),
		},
		{
			Rule: Rule{
				ID: "tests/focused", Types: types, Severity: workflow.High, Criterion: "Collection",
				Title:       "A focused test switches the others off",
				Explanation: "it.only, fdescribe, fit and the like make the runner ignore every other test.",
			},
			pass: "no test is focused",
			fix:  "Take the focus away.",
			run:  issues(linesOf((*subject).tests, "A focused test switches the others off", focused)),
		},
		{
			Rule: Rule{
				ID: "tests/skipped", Types: types, Severity: workflow.Medium, Criterion: "Collection",
				Title:       "A test is skipped",
				Explanation: "A skipped test proves nothing. Skips under a condition, by platform for example, are left alone where the framework tells them apart.",
			},
			pass: "no test is skipped",
			fix:  "Let it run, or delete it and say in the spec what is not tested.",
			run:  issues(linesOf((*subject).tests, "A test is skipped", skipped)),
		},
		{
			Rule: Rule{
				ID: "tests/sleep", Types: types, Severity: workflow.Low, Criterion: "Reliability",
				Title:       "A test sleeps",
				Explanation: "A test that waits for a fixed time is slow, and fails on a slower machine.",
			},
			pass: "no test sleeps",
			fix:  "Wait for the event itself, or inject a clock.",
			run:  issues(linesOf((*subject).tests, "A test sleeps", sleeping)),
		},
		{
			Rule: Rule{
				ID: "tests/spec-criteria-uncovered", Types: types, Severity: workflow.Low, Criterion: "Spec",
				Title:       "No test seems to cover a criterion",
				Explanation: "Fewer than a third of the telling words of an acceptance criterion of the spec occur in the feature's tests. A hint, no proof: words may differ. Without a spec there is nothing to compare with.",
			},
			pass: "the words of every criterion occur in the tests",
			fix:  "Add a test for it, or name the test after the criterion it covers.",
			run:  uncovered,
		},
	}
}

func (s *subject) cases() []testCase {
	var out []testCase
	for _, f := range s.tests() {
		out = append(out, f.cases()...)
	}
	return out
}

func noTests(s *subject) []workflow.Issue {
	promised := false
	for _, f := range s.tests() {
		if old, changed := s.changed[f.path]; changed && old.Status != change.Added {
			return nil
		}
		promised = promised || f.tree != nil && conventions.IsTestName(path.Base(f.path)) && !helper.MatchString(f.path)
	}
	if !promised || len(s.cases()) > 0 || s.customTests() {
		return nil
	}
	return []workflow.Issue{{File: s.Artifact.Path()}}
}

// helper matches what is named like a test but serves others.
var helper = regexp.MustCompile(`(?i)help|util|fixture|setup|conftest|support|common|main_test|export_test|example|mock|fake`)

// custom matches the ways of frameworks whose tests are no functions of a
// known shape.
var custom = regexp.MustCompile(`\b(?:describe|context|suite|Scenario|Given|It|Describe|test_that|fc\.assert|bench|Deno\.test|t\.Run|quick\.Check|given|should)\b|\bextends\s+\w*(?:Spec|Suite|TestCase)\b|\bunittest\b|\bdoctest\b|\bhypothesis\b|^func (?:Example|Benchmark|TestMain)`)

func (s *subject) customTests() bool {
	for _, f := range s.tests() {
		for _, line := range f.code {
			if custom.MatchString(line) {
				return true
			}
		}
	}
	return false
}

func emptyTests(s *subject) []workflow.Issue {
	var out []workflow.Issue
	for _, c := range s.cases() {
		if c.touched() && c.empty() && !skipped.anyMatch(c.text()) {
			out = append(out, c.issue(fmt.Sprintf("%q does nothing", c.name)))
		}
	}
	return out
}

func (c testCase) issue(title string) workflow.Issue {
	return workflow.Issue{File: c.file.path, Line: c.node.StartLine(), EndLine: c.node.EndLine(), Title: title}
}

// empty reports whether the body holds no statement but pass, an ellipsis or
// a docstring.
func (c testCase) empty() bool {
	if c.body.IsZero() {
		return false
	}
	if !c.body.Is("block", "statement_block", "do_block", "body_statement", "constructor_body") {
		return false // an expression
	}
	for _, n := range c.body.Named() {
		if n.Is("block_body", "body_statement", "statement_list") && len(n.Named()) == 0 {
			continue
		}
		if n.Is("pass_statement", "string", "block_parameters") || n.Is("expression_statement") && n.FirstChild().Is("string", "ellipsis") {
			continue
		}
		return false
	}
	return true
}

func shadowed(s *subject) []workflow.Issue {
	type key struct {
		file  string
		scope int
		name  string
	}
	first := map[key]testCase{}
	var out []workflow.Issue
	for _, c := range s.cases() {
		if !c.file.is(syntax.Python, syntax.Ruby) || !c.node.Is("function_definition", "method") || c.node.Up("if_statement", "try_statement").IsNamed() {
			continue
		}
		k := key{c.file.path, c.scope, c.name}
		if earlier, ok := first[k]; ok && (c.touched() || earlier.touched()) {
			i := earlier.issue(fmt.Sprintf("%s never runs: line %d defines it again", cutLine(c.name, 60), c.node.StartLine()))
			out = append(out, i)
		}
		first[k] = c
	}
	return out
}
