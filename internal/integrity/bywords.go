package integrity

import (
	"bytes"
	"strings"

	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// plainly is a change that only is not known to be harmless as what it is by its words: a
// test that is skipped, or an assertion that has nothing in its place.
func (c *checker) plainly(v workflow.Violation) workflow.Violation {
	if v.Type != violation.Modification || c.Role(v.File) != detect.Test {
		return v
	}
	if violation.Kind(v.Kind) == violation.FileChanged { // of which only the first change is told
		v = c.byLines(v)
	}
	old, now, _ := strings.Cut("\n"+v.Evidence, "\n+")
	switch {
	case skipIdiom.MatchString(now) && !skips.MatchString(old):
		v.Kind, v.Type, v.Description = string(violation.TestSkipped), violation.Weakening, "Test skipped: "+v.Description
	case strings.HasPrefix(v.Description, "Line removed from ") && assertion.MatchString(strings.TrimLeft(old, "\n- ")):
		v.Kind, v.Type = string(violation.AssertionRemoved), violation.Weakening
	}
	return v
}

// byLines is a change of a file that could not be compared by its structure, told at the first new line that
// skips a test, or where no line that asserts is new at the first of those that are gone.
func (c *checker) byLines(v workflow.Violation) workflow.Violation {
	was, err := content(c.Set.MergeBaseTree, v.File)
	now, err2 := content(c.Set.HeadTree, v.File)
	if err != nil || err2 != nil {
		return v // told where it is compared
	}
	if n, text := newLine(was, now, skipIdiom); n > 0 {
		v.Line, v.Side, v.Evidence = n, violation.After, "+ "+text
	} else if n, text = newLine(now, was, assertion); n > 0 {
		if more, _ := newLine(was, now, assertion); more == 0 {
			v.Line, v.Side, v.Evidence, v.Description = n, violation.Before, "- "+text, "Line removed from tests"
		}
	}
	return v
}

// newLine is the first line of a text that matches and that another text does not have, 0 without.
func newLine(was, now []byte, pattern *lazyregexp.Regexp) (line int, text string) {
	old := map[string]bool{}
	for l := range bytes.Lines(was) {
		old[string(bytes.TrimSpace(l))] = true
	}
	for l := range bytes.Lines(now) {
		line++
		if text := bytes.TrimSpace(l); len(text) < maxEvidence && pattern.Match(text) && !old[string(text)] {
			return line, string(text)
		}
	}
	return 0, ""
}

// maxEvidence is the longest line that is looked at, in bytes.
const maxEvidence = 500

var (
	// skipIdiom is how tests are skipped where the catalogue does not know the runner, or the language is not parsed.
	skipIdiom = lazyregexp.New(`\b(?:test|it|describe|suite|context|Deno|QUnit|tap)\b[\w.]*\.(?:skip|fixme|todo|ignore|skipIf|runIf)\b|` +
		`\b(?:test|it|describe|context|specify|suite)\b.*[{,]\s*(?:skip|todo|ignore|pending):\s*(?:true\b|["'\x60])|` +
		`^\W*[+}]\s*,\s*skip:\s*(?:true|["'])|\bpytestmark\b.*\bskip|@(?:Ignore|Disabled)\b|\bmarkTest(?:Skipped|Incomplete)\(|` +
		`\)->(?:skip|todo)\(|\bXCTSkip|@(?:module|describe)?tag :?skip\b|\bGTEST_SKIP\(|\bTEST\w*\([^)]*\bDISABLED_\w`)
	// assertion is a line that fails a test by itself, whatever its library.
	assertion = lazyregexp.New(`(?:^|[^\w])(?:assert|Assert|expect|Expect|should|Should|verify|Verify)(?:[A-Z_]\w*|s|Type\w*)?!?\s*[.({]|` +
		`^\W*(?:await\s+)?(?:assert|expect|is_expected|verify|check)(?:[A-Z_]\w*)?!?[\s.(]|` +
		`\brequire\.[A-Z]\w*\(|\b(?:raise_for_status|EnsureSuccessStatusCode|Received|andExpect|statusCode|assert_\w+!?)\(`)
)
