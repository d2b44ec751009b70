package rules

import (
	"fmt"
	"regexp"
	"strings"

	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

// asserting matches what may hold an assertion, generously: a false alarm
// costs more here than a miss.
var asserting = regexp.MustCompile(`(?i)assert|expect|should|verif|check|must|require|raises|warns|fail|panic|throw|ensure|valid|compar|match|snapshot|golden|approv|equal|contains|\bis_?(?:true|false|nil|none)\b|\.error|\.fatal|\bt\.\w+\(|\w+\((?:tb?|b|f|c),|\w+\((?:tb?|c)\)|\bget(?:all)?by|\bfind(?:all)?by|unwrap|\?;|\bdone\(|\.rejects|\.resolves|\bcy\.|reject|receive|musthavehappened|quick\.|proptest|given\b`)

func assertionless(s *subject) []workflow.Issue {
	var out []workflow.Issue
	all := true
	helpers := s.assertingHelpers()
	for _, c := range s.cases() {
		if text := c.bodyText(); asserting.MatchString(text) || mentions(text, helpers) || c.attributed() {
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

// assertingHelpers are the names of the functions in the files under review
// that may hold an assertion, or call one that may.
func (s *subject) assertingHelpers() map[string]bool {
	names := map[string]bool{}
	for range 3 { // helpers that call helpers
		before := len(names)
		for _, f := range s.pick(func(string) bool { return true }) {
			f.addAsserting(names)
		}
		if len(names) == before {
			break
		}
	}
	return names
}

func (f *source) addAsserting(names map[string]bool) {
	if f.tree == nil {
		return
	}
	for _, fn := range syntax.Functions(f.tree) {
		if fn.Name == "" || names[fn.Name] || fn.EndLine <= fn.StartLine {
			continue
		}
		body := strings.Join(f.code[min(fn.StartLine, len(f.code)):min(fn.EndLine, len(f.code))], "\n")
		if asserting.MatchString(body) || mentions(body, names) {
			names[fn.Name] = true
		}
	}
}

var wordOfCode = regexp.MustCompile(`[A-Za-z_]\w*`)

// mentions reports whether a text has one of the names as a word.
func mentions(text string, names map[string]bool) bool {
	for _, word := range wordOfCode.FindAllString(text, -1) {
		if names[word] {
			return true
		}
	}
	return false
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
