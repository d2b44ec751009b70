package integrity

import (
	"bytes"
	"cmp"
	"path"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// What a test is about may go with it, or the test may stand elsewhere: both are told by
// words and lines, and decide only whether somebody is warned of tests that nobody approved.

// blockOf is what the merge base has at a violation's line, and the whole file at the first.
func (c *checker) blockOf(v workflow.Violation) []byte {
	src, err := content(c.Set.MergeBaseTree, v.File)
	if err != nil || v.Line == 1 {
		return src // an error is told where it is compared
	}
	return block(src, v.Line)
}

// block is a line of a text and what is indented deeper below it, as the body of a test is.
func block(src []byte, line int) []byte {
	lines := bytes.SplitAfter(src, []byte("\n"))
	if line < 1 || line > len(lines) {
		return nil
	}
	end := line
	indent := func(l []byte) int { return len(l) - len(bytes.TrimLeft(l, " \t")) }
	inside := func(l []byte) bool {
		text := bytes.TrimSpace(l)
		return len(text) == 0 || indent(l) > indent(lines[line-1]) || end == line && string(text) == "{"
	}
	for end < len(lines) && inside(lines[end]) {
		end++
	}
	return bytes.Join(lines[line-1:end], nil)
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
	// declared are names that code declares for others: by a keyword, or as the method of a class.
	declared = lazyregexp.New(`(?m)(?:\b(?:def|func|fn|function|class|struct|enum|interface|trait|module|type|record)|` +
		`^(?:export\s+)?(?:const|let|var))\s+` +
		`(?:\([^)\n]*\)\s*)?(?:self\.)?([\p{L}_$][\p{L}\p{N}_$]*)|` +
		`^[ \t]+(?:(?:public|private|protected|static|async|override|final|virtual|[\w<>\[\],.?]+)[ \t]+)*([\p{L}_$][\p{L}\p{N}_$]*)` +
		`[ \t]*\([^;\n]*\)[^;\n]*\{[ \t]*$`)
)
