package integrity

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// What nobody approved changes for many reasons: most changes that the check cannot
// prove harmless are no loss there. What the change itself shows to be one is told by a
// closed list, which 126 judged findings led to (docs/decisions.md, «What tests lost,
// where nobody approved them»); the rest is asked of a model, and keeps a new baseline
// from being recorded.

// shown reports whether a change shows by itself that tests of the merge base demand
// less or do not run, and that the code they are about is still there.
func (c *checker) shown(v workflow.Violation) bool {
	first, _, _ := strings.Cut(v.Evidence, "\n")
	line := strings.TrimSpace(strings.TrimLeft(first, "-+"))
	switch violation.Kind(v.Kind) {
	case violation.TestDeleted:
		return line != "" && !c.standsElsewhere(line) && !c.speaksOfGone(c.block(v))
	case violation.AssertionRemoved:
		return !asserting.MatchString(v.Evidence) && !c.speaksOfGone([]byte(first))
	case violation.AssertionWeakened:
		if strings.HasPrefix(v.Description, "A mark of ") {
			return expects.MatchString(first)
		}
		return sameSubject(v.Evidence) && !c.speaksOfGone([]byte(first))
	case violation.TestUncollected:
		return strings.HasPrefix(v.Description, "Test no longer runs: ")
	case violation.HelperWeakened:
		return strings.HasPrefix(v.Description, "Test assertion removed from ") || strings.HasPrefix(v.Description, "Fails in fewer cases")
	case violation.ParamsDropped:
		return !named.MatchString(line)
	case violation.EarlyReturn:
		return bareReturn.MatchString(line)
	case violation.ThresholdLowered:
		return digits.MatchString(first) && strings.Contains(v.Evidence, "\n+")
	case violation.ConfigNarrowed, violation.TestScriptNeutered, violation.CINeutered:
		return notRun.MatchString(v.Description) && !strings.HasSuffix(v.Description, "the file was deleted") || ignores.MatchString(v.Evidence)
	case violation.ConftestHook:
		return strings.HasPrefix(v.Description, "A hook of the runner was added: ")
	case violation.MockOfSUT:
		return false
	default:
		return true
	}
}

// settle moves what is told of a file that is gone to what is asked, if most of its
// tests are about something that is gone too.
func (c *checker) settle() {
	told, asked := map[string]int{}, map[string]int{}
	for _, v := range c.out.Weakened {
		told[v.File] += goneTest(v)
	}
	for _, v := range c.out.Suspected {
		asked[v.File] += goneTest(v)
	}
	var weakened []workflow.Violation
	for _, v := range c.out.Weakened {
		if now, err := stat(c.Set.HeadTree, v.File); err == nil && now.Path == "" && asked[v.File] > told[v.File] {
			c.notice(v)
			c.out.Suspected = append(c.out.Suspected, v)
			continue
		}
		weakened = append(weakened, v)
	}
	c.out.Weakened = weakened
}

func goneTest(v workflow.Violation) int {
	if v.Kind == string(violation.TestDeleted) && v.Line > 1 {
		return 1
	}
	return 0
}

// sameSubject reports whether the two lines of a weakened assertion are about the same:
// they share a name besides those of assertions, and the new one does not deny.
func sameSubject(evidence string) bool {
	old, now, changed := strings.Cut(evidence, "\n+")
	if !changed {
		return true
	}
	if denies.MatchString(now) && !exists.MatchString(now) && !denies.MatchString(old) {
		return false
	}
	words := map[string]bool{}
	for _, w := range word.FindAllString(old, -1) {
		words[w] = !asserts.MatchString(w)
	}
	return slices.ContainsFunc(word.FindAllString(now, -1), func(w string) bool { return words[w] })
}

var (
	asserts = lazyregexp.New(`^(?:(?i:assert|expect|should|must)\w*|to(?:[A-Z_]\w*)?|be|is|not|eq\w*|self|this|let|const|var|await|that)$`)
	denies  = lazyregexp.New(`(?i)\.not\b|\bnot\b|not_|notEqual|assertNot|\brefute|assertFalse|DoesNot`)
	// exists denies as well, and demands next to nothing.
	exists = lazyregexp.New(`(?i)not?[^\n]{0,8}(?:none|null|nil|undefined|nan)|refute_nil`)
	// asserting is a new line that may assert as well.
	asserting = lazyregexp.New(`(?im)^\+.*(?:assert|expect|should|verify|check|require|must)`)
	// expects is a mark that says which failure is expected.
	expects = lazyregexp.New(`should_panic|\bexpected\b|raises|ExpectedException`)
	// named is a field or variable, no row of a table.
	named = lazyregexp.New(`^["']?\w+["']?\s*[:=]`)
	// bareReturn leaves a test; one with a value leaves a function in it.
	bareReturn = lazyregexp.New(`^return;?$`)
	digits     = lazyregexp.New(`\d`)
	// notRun begins what is said of tests that a command, job or script left out.
	notRun = lazyregexp.New(`^(?:Tests no longer run|Tests left out|Test target removed|Test script removed|` +
		`Test failures are ignored: .*(?:its failure is ignored|was set to "true")|Tests run in a changed environment: excludes\.exclude was set|` +
		`Test collection changed: (?:\S+ is now given (?:-k|-skip|--?(?:ignore|deselect|skip|exclude|grep-?[iI]nvert)\b)|` +
		`\S*(?:[iI]gnorePatterns|testIgnore|\btest\.exclude|norecursedirs|excludedGroups|exclude_pattern|collect_ignore\w*)\b))`)
	// ignores is a new line that lets failures pass, or runs nothing.
	ignores = lazyregexp.New(`(?m)^\+.*(?:\|\|\s*(?:true\b|:|exit 0)|continue-on-error:\s*["']?true|allow_failure:\s*true|` +
		`continueOnError:\s*true|passWithNoTests|\bset \+e\b|if:\s*["']?(?:\$\{\{\s*)?false|--exit-zero|[sS]kip-?[tT]ests|` +
		`maven\.test\.(?:skip|failure)|ignoreFailures|--collect-only|--no-run\b|--list-?[tT]ests)`)
)

// block is what the merge base has from a violation's line on that is indented deeper,
// as the body of a test is.
func (c *checker) block(v workflow.Violation) []byte {
	src, err := content(c.Set.MergeBaseTree, v.File)
	if err != nil {
		return nil // told where it is compared
	}
	lines := bytes.SplitAfter(src, []byte("\n"))
	if v.Line < 1 || v.Line > len(lines) {
		return nil
	}
	if v.Line == 1 { // of the whole file
		return src
	}
	indent := func(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t")) }
	end := v.Line
	for end < len(lines) && (len(bytes.TrimSpace(lines[end])) == 0 || indent(lines[end]) > indent(lines[v.Line-1])) {
		end++
	}
	return bytes.Join(lines[v.Line-1:end], nil)
}

// differing are the files that the change touches, as the head has them.
func (c *checker) differing() (out [][]byte) {
	for _, f := range c.Set.Files {
		if src, err := content(c.Set.HeadTree, f.Path); err == nil && !f.Binary {
			out = append(out, src)
		}
	}
	return out
}

// standsElsewhere reports whether a line stands in a file of the head that the change
// touches: the test moved, or stands in something else now.
func (c *checker) standsElsewhere(line string) bool {
	if c.headLines == nil {
		c.headLines = map[string]bool{}
		for _, src := range c.differing() {
			for l := range bytes.Lines(src) {
				c.headLines[string(bytes.TrimSpace(l))] = true
			}
		}
	}
	return c.headLines[line]
}

// speaksOfGone reports whether a text names something that the change takes away: a
// file of the implementation, or what was declared in one and stands in no file of the
// head that the change touches.
func (c *checker) speaksOfGone(text []byte) bool {
	if c.gone == nil {
		c.gone = c.takenAway()
	}
	for _, w := range word.FindAll(text, -1) {
		if c.gone[string(w)] {
			return true
		}
	}
	return false
}

func (c *checker) takenAway() map[string]bool {
	out := map[string]bool{}
	for _, f := range c.Set.Files {
		p := cmp.Or(f.OldPath, f.Path)
		if f.Binary || f.Status == change.Added || c.Role(p) >= detect.Helper || conventions.Language(p) == "" {
			continue
		}
		if f.Status == change.Deleted {
			if stem := strings.TrimSuffix(path.Base(p), path.Ext(p)); len(stem) > 3 {
				out[stem] = true
			}
		}
		src, err := content(c.Set.MergeBaseTree, p)
		if err != nil {
			continue // told where it is compared
		}
		for _, m := range declared.FindAllSubmatch(src, -1) {
			for _, name := range m[1:] {
				if len(name) > 3 && !controls[string(name)] {
					out[string(name)] = true
				}
			}
		}
	}
	for _, src := range c.differing() {
		for _, w := range word.FindAll(src, -1) {
			delete(out, string(w))
		}
	}
	return out
}

// controls are words that stand where the name of a method would.
var controls = map[string]bool{"while": true, "switch": true, "catch": true, "foreach": true, "synchronized": true, "return": true}

var (
	word = lazyregexp.New(`[\p{L}_$][\p{L}\p{N}_$]*`)
	// declared are names that code declares: by a keyword, or as the method of a class.
	declared = lazyregexp.New(`(?m)\b(?:def|func|fn|function|class|struct|enum|interface|trait|module|type|const|let|var|record)\s+` +
		`(?:\([^)\n]*\)\s*)?(?:self\.)?([\p{L}_$][\p{L}\p{N}_$]*)|` +
		`^[ \t]+(?:(?:public|private|protected|static|async|override|final|virtual|[\w<>\[\],.?]+)[ \t]+)*([\p{L}_$][\p{L}\p{N}_$]*)` +
		`[ \t]*\([^;\n]*\)[^;\n]*\{[ \t]*$`)
)
