package integrity

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// A test that says something else now, or has others in its place, is no shown loss:
// whether it demands less is for somebody who reads it.

// onlyLost reports whether the test that a violation of the merge base's side is in
// has no new line: what it lost has nothing in its place.
func (c *checker) onlyLost(v workflow.Violation) bool {
	m := losesFrom.FindStringSubmatch(v.Description)
	found := m != nil
	was, err := content(c.Set.MergeBaseTree, v.File)
	now, err2 := content(c.Set.HeadTree, v.File)
	if !found || err != nil || err2 != nil {
		return !found
	}
	start := lastWith(was, m[1], v.Line)
	head := lastWith(now, m[1], -1)
	if start == 0 || head == 0 {
		return false
	}
	before := block(was, start)
	old := map[string]bool{}
	for l := range bytes.Lines(before) {
		old[string(bytes.TrimSpace(l))] = true
	}
	for l := range bytes.Lines(block(now, head)) {
		text := bytes.TrimSpace(l)
		if !old[string(text)] && !idle.Match(text) && !bytes.Contains(before, text) {
			return false
		}
	}
	return true
}

// lastWith is the last line up to a line, or of all, that holds a name, and 0 without.
func lastWith(src []byte, text string, upTo int) (line int) {
	n := 0
	for l := range bytes.Lines(src) {
		n++
		if _, after, found := bytes.Cut(l, []byte(text)); found && !wordBegins.Match(after) {
			line = n
		}
		if n == upTo {
			break
		}
	}
	return line
}

// skipsOther reports whether the test that a new mark or call skips stands in the merge base's file: one that is
// skipped from the start, or was before, is no loss, nor one that runs on other platforms, or where a package is there.
func (c *checker) skipsOther(v workflow.Violation) bool {
	old, evidence, changed := strings.Cut("\n"+v.Evidence, "\n+")
	if changed && skips.MatchString(old) {
		return false
	}
	const near = 6 // lines that a mark with its reason takes
	was, err := content(c.Set.MergeBaseTree, v.File)
	now, err2 := content(c.Set.HeadTree, v.File)
	if err != nil || err2 != nil {
		return true // told where it is compared
	}
	const telling = 20 // characters: such a line is seldom there twice
	text := []byte(strings.TrimSpace(evidence))
	still := bytes.Count(now, text) // none where the evidence was cut, or has several lines
	if len(text) >= telling && still > 0 && bytes.Count(was, text) >= still ||
		strings.Contains(evidence, "ExpectedException") && throws.Match(was) || skipsPath.MatchString(evidence) {
		return false // it was there, says in another form what is thrown, or is about what is measured
	}
	lines := bytes.Split(now, []byte("\n"))
	if platform.Match(bytes.Join(lines[max(0, min(v.Line, len(lines))-2):min(v.Line, len(lines))], nil)) ||
		guarded.Match(bytes.Join(lines[max(0, min(v.Line, len(lines))-2):min(v.Line+1, len(lines))], []byte("\n"))) {
		return false
	}
	grown := len(titled.FindAll(now, -1)) > len(titled.FindAll(was, -1)) // or it is one with another title
	at := max(0, min(v.Line, len(lines))-1)
	below := skipCall.Match(bytes.Join(lines[at:min(at+2, len(lines))], nil))
	for skip := lines[at]; ; at-- { // of the test that it stands in
		outer := !below || indent(lines[at]) < indent(skip)
		if m := titled.FindStringSubmatch(string(lines[at])); m != nil && grown && outer {
			return bytes.Contains(was, []byte(m[1]))
		}
		if m := declares.FindStringSubmatch(string(lines[at])); m != nil && below {
			return bytes.Contains(was, []byte(m[1]+"("))
		}
		if at == 0 || !below {
			break
		}
	}
	for _, l := range lines[min(v.Line, len(lines)):min(v.Line+near, len(lines))] {
		if namesTest.Match(l) {
			return bytes.Contains(was, bytes.TrimSpace(l))
		}
	}
	return true
}

// indent is how far a line is indented, in bytes.
func indent(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t")) }

// replacedTests reports whether the change adds at least as many tests as it deletes in
// a file, or in new ones of its folder and below.
func (c *checker) replacedTests(file string) bool {
	if known, ok := c.replaced[file]; ok {
		return known
	}
	folder, n := file[:strings.LastIndexByte(file, '/')+1], 0
	for _, f := range c.Set.Files {
		same := cmp.Or(f.OldPath, f.Path) == file
		if src, err := content(c.Set.MergeBaseTree, file); err == nil && same {
			n -= len(declaresTest.FindAll(src, -1))
		}
		added := f.Status == change.Added && strings.HasPrefix(f.Path, folder) && c.Role(f.Path) == detect.Test
		if src, err := content(c.Set.HeadTree, f.Path); err == nil && (same || added) {
			n += len(declaresTest.FindAll(src, -1))
		}
	}
	if c.replaced == nil {
		c.replaced = map[string]bool{}
	}
	c.replaced[file] = n >= 0
	return n >= 0
}

// ignoresTest reports whether a list of paths that a runner ignores, if that is what a
// violation is about, has one of a test of the merge base.
func (c *checker) ignoresTest(v workflow.Violation) bool {
	if !strings.Contains(v.Description, "gnorePatterns") {
		return true
	}
	all, err := c.Set.MergeBaseTree.List("")
	_, now, changed := strings.Cut("\n"+v.Evidence, "\n+")
	return err == nil && changed && slices.ContainsFunc(literals.FindAllString(now, -1), func(l string) bool {
		part := strings.Trim(strings.TrimPrefix(strings.Trim(l, `"'`+"`"), "<rootDir>"), "/*^$\\")
		return slices.ContainsFunc(all, func(e change.Entry) bool {
			return c.Role(e.Path) == detect.Test && strings.Contains(e.Path, part)
		})
	})
}

// otherScript reports whether a file of the head has a new line that runs tests.
func (c *checker) otherScript(file string) bool {
	was, err := content(c.Set.MergeBaseTree, file)
	now, err2 := content(c.Set.HeadTree, file)
	if err != nil || err2 != nil {
		return false
	}
	for l := range bytes.Lines(now) {
		if runsTests.Match(l) && !bytes.Contains(was, bytes.TrimSpace(l)) {
			return true
		}
	}
	return false
}

var (
	losesFrom  = lazyregexp.New(` from (?:test|helper|fixture) (.+)$`)
	wordBegins = lazyregexp.New(`^\w`)
	// idle does nothing in a test, or only prints.
	idle = lazyregexp.New(`^(?:$|#|//|/?\*|pass$|[\])};,]+$|if \(?(?:False|false|0)\b|` +
		`(?:t\.Log|fmt\.Print|print|console\.log|puts |System\.out))`)
	// mayAssert is what a test that fails by itself has.
	mayAssert = lazyregexp.New(`(?i)assert|expect|should|must|verify|check|require|raise|panic|\bt\.(?:Error|Fatal|Fail)`)
	// declaresTest is a line that begins a test.
	declaresTest = lazyregexp.New(`(?m)^[ \t]*(?:(?:async )?def test|func Test\w|` +
		`(?:it|test|specify|example|scenario)(?:\.\w+)*(?:\([^()\n]*\))?[ (]+["'\x60]|(?:it|test)\.each\b|` +
		`@(?:Parameterized)?Test\b|\{?name:\s*["'\x60]|#\[(?:\w+::)?test|\[(?:Fact|Theory|Test|TestCase|TestMethod)\b)`)
	// namesTest is a line of a test's name: its declaration, or a title alone.
	namesTest = lazyregexp.New(`^\s*(?:["'\x60]|(?:\w+ )*(?:def|func|fn|fun|void|Task)\s)`)
	// titled is a line with a test's title and the beginning of its function.
	titled   = lazyregexp.New(`["'\x60]([^"'\x60]+)["'\x60]\s*,\s*(?:async\b|func(?:tion)?\b|\(|\w+\s*=>)`)
	declares = lazyregexp.New(`^\s*(?:\w+ )*(?:def|func)\s+(?:\([^)]*\)\s*)?(\w+)`)
	skipCall = lazyregexp.New(`\b(?:pytest\.skip|\w\.Skip\w*|self\.skipTest)\(`)
	platform = lazyregexp.New(`(?i)\bGOOS\b|\bsys\.(?:platform|version_info)|python_implementation|process\.platform|` +
		`\bos\.name\b|platform\.system|` +
		`\bPHP_(?:VERSION|OS)|extension_loaded|win32|is_?windows|DisabledOnOs|EnabledOnOs|target_os|find_spec|importorskip|` +
		`\b_?ha(?:s|ve)_|which\(|installed|` +
		`\b(?:un)?available|\bConnectionError|cfg_attr\(|\bis None:|\bskip\(!\w+(?: \|\| !\w+)*,\s*["'\x60]`)
	// guarded is how mocha leaves out what the platform has not.
	guarded   = lazyregexp.New(`(?m)^\s*if \([^\n]*[A-Za-z]{5}[^\n]*\{\n\s*this\.skip\(`) // by what has a name
	throws    = lazyregexp.New(`\bThrows?(?:Exactly|Exception)?(?:Async)?\s*[<(]`)
	skipsPath = lazyregexp.New(`^\s*skip ["'][\w.-]+/[\w./*-]*["']$`)
	skips     = lazyregexp.New(`(?i)skip|ignore|disabled|xfail|pending`)
	runsTests = lazyregexp.New(`\b(?:[\w-]+:)*test\b`)
)
