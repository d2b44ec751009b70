package rules

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"workflow-reviewer/internal/change"
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
		promised = promised || f.tree != nil && looksLikeTest(path.Base(f.path)) && !helper.MatchString(f.path)
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

// asserting matches what may hold an assertion, generously: a false alarm
// costs more here than a miss.
var asserting = regexp.MustCompile(`(?i)assert|expect|should|verif|check|must|require|raises|warns|fail|panic|throw|ensure|valid|compar|match|snapshot|golden|approv|equal|contains|\bis_?(?:true|false|nil|none)\b|\.error|\.fatal|\bt\.\w+\(|\w+\((?:tb?|b|f|c),|\w+\((?:tb?|c)\)|\bget(?:all)?by|\bfind(?:all)?by|unwrap|\?;|\bdone\(|\.rejects|\.resolves|\bcy\.|reject|quick\.|proptest|given\b`)

func assertionless(s *subject) []workflow.Issue {
	var out []workflow.Issue
	all := true
	for _, c := range s.cases() {
		if asserting.MatchString(c.bodyText()) || c.attributed() {
			all = false
			continue
		}
		if c.touched() && !c.empty() && !skipped.anyMatch(c.text()) {
			out = append(out, c.issue(fmt.Sprintf("%q asserts nothing", c.name)))
		}
	}
	if all && len(out) > 0 {
		for i := range out {
			out[i].Severity = workflow.High
		}
	}
	return out
}

// bodyText is the test's body without comments and the content of strings.
func (c testCase) bodyText() string {
	from, to := c.node.StartLine(), min(c.node.EndLine(), len(c.file.code))
	if !c.body.IsZero() && c.body.StartLine() > from {
		from = c.body.StartLine()
	} else if to > from {
		from++ // the name says nothing
	}
	text := strings.Join(c.file.code[from-1:to], "\n")
	if from == c.node.StartLine() {
		return strings.Replace(text, c.name, "", 1)
	}
	return text
}

// attributed reports whether an attribute of the test holds the expectation.
func (c testCase) attributed() bool {
	for l := c.node.StartLine() - 1; l >= max(1, c.node.StartLine()-4); l-- {
		if strings.Contains(c.file.lines[l-1], "should_panic") || strings.Contains(c.file.lines[l-1], "ExpectedException") {
			return true
		}
	}
	return strings.Contains(c.node.Child("modifiers").Text(), "expected")
}

var tautology = regexp.MustCompile(`^\s*assert\s+(?:True|1|not False)\s*(?:,|$)|\bassertTrue\(\s*(?i:true)\s*[,)]|\bassertFalse\(\s*(?i:false)\s*[,)]|\bexpect\(\s*(true|false|1|0)\s*\)\s*\.(?:toBe|toEqual|toStrictEqual)\(\s*(true|false|1|0)\s*\)|\bexpect\(\s*true\s*\)\s*\.(?:toBeTruthy|to\.be\.true)|\bassert!\(\s*true\s*\)|\bassert\.(?:ok|True|isTrue|IsTrue)\(\s*(?:t,\s*)?true\s*[,)]|\bAssert\.(?:True|IsTrue|assertTrue)\(\s*true\s*[,)]`)

func tautologies(s *subject) []workflow.Issue {
	var out []workflow.Issue
	for _, f := range s.tests() {
		for i, line := range f.code {
			m := tautology.FindStringSubmatch(line)
			if m == nil || !f.added(i+1) || m[1] != m[2] {
				continue
			}
			out = append(out, workflow.Issue{File: f.path, Line: i + 1, Title: cutLine(line, 60) + " cannot fail"})
		}
	}
	return out
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

func uncovered(s *subject) workflow.Check {
	spec := s.doc(s.Artifact.SpecPath)
	if spec == nil {
		return workflow.Check{Outcome: workflow.Absent, Summary: "the feature's spec: not found"}
	}
	words := map[string]bool{}
	for _, f := range s.tests() {
		for _, line := range f.lines {
			for _, w := range wordAt.FindAllString(splitCamel(line), 200) {
				words[stem(strings.ToLower(w))] = true
			}
		}
	}
	var out []workflow.Issue
	for _, c := range spec.criteriaOf() {
		if telling, found := shared(c.text, words); telling >= 3 && 3*found < telling {
			out = append(out, workflow.Issue{
				File: s.Artifact.Path(), Title: "No test seems to cover: " + cutLine(phrase(c.text), 80),
				Description: fmt.Sprintf("%s:%d: %d of its %d telling words occur in the tests.", spec.path, c.line, found, telling),
			})
		}
	}
	return workflow.Check{Issues: out}
}

var camel = regexp.MustCompile(`([a-z0-9])([A-Z])`)

func splitCamel(s string) string {
	return strings.ReplaceAll(camel.ReplaceAllString(s, "$1 $2"), "_", " ")
}

// shared counts the words of a text that tell something, and those of them
// that others use too.
func shared(text string, words map[string]bool) (telling, found int) {
	seen := map[string]bool{}
	for _, w := range wordAt.FindAllString(splitCamel(text), 200) {
		w = stem(strings.ToLower(w))
		if len(w) < 4 || seen[w] {
			continue
		}
		seen[w] = true
		telling++
		if words[w] {
			found++
		}
	}
	return telling, found
}
