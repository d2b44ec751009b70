package runner

import (
	"regexp"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/syntax"
)

// The words for statements of files that a runner loads by itself. They say
// what a statement looks like, once it is known to be no harmless one.

type sourceLook struct {
	match *regexp.Regexp // of its tokens
	kind  violation.Kind
	what  string
	// oneLine: what is longer may hold what shows it better.
	oneLine bool
}

var builtinMatcher = regexp.MustCompile(`\b(?:toBe|toEqual|toStrictEqual|toMatch|toThrow|toContain|toBeTruthy|toBeCloseTo|toMatchSnapshot|toHaveBeenCalled\w*|toBeNull|toBeDefined|toHaveLength|toMatchObject)\b`)

var sourceLooks = []sourceLook{
	{regexp.MustCompile(`^except\b.* : (?:pass|return|continue)`), violation.ConftestHook, "A hook catches failures of tests", false},
	{regexp.MustCompile(`^def load_tests\b`), violation.ConftestHook, "Tests are collected by a function of the project", false},
	{regexp.MustCompile(`\. retryTimes \(`), violation.RetriesAdded, "Failing tests are retried", false},
	{regexp.MustCompile(`^(?:jest|vi|vitest) \. (?:mock|doMock|setMock|unstable_mockModule|enableAutomock) \(`), violation.MockOfSUT, "A module is replaced for all tests", false},
	{regexp.MustCompile(`^collect_ignore|^pytestmark|^raise (?:[\w. ]*\b(?:SkipTest|Skipped|Exit|SystemExit)\b|[\w. ]*skip \. Exception)`), violation.ConftestHook, "Tests are left out of collection", false},
	{regexp.MustCompile(`^items\b|^del items|pytest_deselected|\badd_marker \(.*(?:skip|xfail)|pytest \. (?:skip|xfail|exit)\b|\bitem \. (?:obj|runtest) =|\bconfig \. (?:option|args)\b.* =[^=]|\. (?:outcome|exitstatus|wasxfail|longrepr|excinfo|testsfailed) =[^=]|force_result|force_exception|` +
		`addinivalue_line \( "(?:addopts|filterwarnings|norecursedirs)"|^return (?:[^NF]|None \w)`), violation.ConftestHook, "A hook steers collection or outcomes", false},
	{regexp.MustCompile(`^pytest_plugins`), violation.ConftestHook, "The test runner loads a further plugin", false},
	{regexp.MustCompile(`\b(?:os \. _exit|sys \. exit|os \. Exit|process \. (?:exit|abort|exitCode))\b|^atexit`), violation.ConftestHook, "The process ends without the result of the tests", true},
	{regexp.MustCompile(`monkeypatch \.|\bpatch\b|\bmocker \.|sys \. modules|^setattr \(|^[\w.]+ \. [\w. ]+ =[^=]|^\w+(?: \. \w+)+ =[^=]|\. spyOn \(|__dict__`), violation.ConftestHook, "Something is replaced for all tests", true},
	{regexp.MustCompile(`^(?:\( )?(?:global|globalThis|window|self)\b|^(?:Object|Reflect) \. |expect \. extend|overwriteMethod|\. (?:state|err|pending) =`), violation.ConftestHook, "The test framework is changed for all tests", false},
}

// describeSource says what an added statement looks like, at the lines that
// show it; at its first line if none does.
func describeSource(n syntax.Node) []finding {
	if n.Is("function_declaration") && n.Field("name").Is("identifier") {
		if out := goExits(n); len(out) > 0 {
			return out[:min(2, len(out))]
		}
	}
	var out []finding
	lines := map[int]bool{}
	n.Walk(func(s syntax.Node) bool {
		isLeaf := s.Is("expression_statement", "return_statement", "raise_statement", "delete_statement", "with_item", "call_expression", "assignment_expression", "except_clause", "function_definition")
		if key := s.Field("key").Text() + s.Field("name").Text(); s.Is("pair", "method_definition") && builtinMatcher.MatchString(key) && !lines[s.StartLine()] {
			lines[s.StartLine()] = true
			out = append(out, finding{violation.ConftestHook, 0, s.StartLine(), "An assertion of the framework is replaced: " + cut(s.Text())})
		}
		if !isLeaf || lines[s.StartLine()] {
			return true
		}
		text := strings.TrimSuffix(canon(s), " ;")
		if s.Is("function_definition") {
			text = "def " + s.Field("name").Text()
		}
		for _, l := range sourceLooks {
			if l.match.MatchString(text) && (!l.oneLine || s.StartLine() == s.EndLine()) {
				lines[s.StartLine()] = true
				out = append(out, finding{l.kind, 0, s.StartLine(), l.what + ": " + cut(s.Text())})
				break
			}
		}
		return true
	})
	if len(out) > 2 {
		out = out[:2]
	}
	if len(out) == 0 {
		kind, text := violation.AutoloadedFile, canon(n)
		if strings.Contains(text, "def load_tests") || strings.Contains(text, "def pytest_") && strings.Contains(text, "except") {
			kind = violation.ConftestHook
		}
		out = append(out, finding{kind, 0, n.StartLine(), "A file that the test runner loads may steer tests: " + cut(n.Text())})
	}
	return out
}
