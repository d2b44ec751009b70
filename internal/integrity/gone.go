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
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/textdiff"
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

// demandedStill reports whether the change adds a line to tests, or most of what a test's
// text names in literals: it is asked for elsewhere, or in another form.
func (c *checker) demandedStill(text []byte, line string) bool {
	if c.newLiterals == nil {
		c.newLiterals = map[string]bool{}
		for _, f := range c.Set.Files {
			was, err := content(c.Set.MergeBaseTree, cmp.Or(f.OldPath, f.Path))
			now, err2 := content(c.Set.HeadTree, f.Path)
			if err != nil || err2 != nil || f.Binary || c.Role(f.Path) < detect.Helper {
				continue // an error is told where it is compared
			}
			lines := bytes.Split(now, []byte("\n"))
			for l := range textdiff.AddedLines(textdiff.Hunks(was, now, 0)) {
				c.newLiterals[string(bytes.TrimSpace(lines[l-1]))] = true
				for _, m := range literals.FindAll(lines[l-1], -1) {
					c.newLiterals[string(m)] = true
				}
			}
		}
	}
	const least = 8 // characters: a few digits stand anywhere
	there, all := 0, 0
	for _, m := range literals.FindAll(text, -1) {
		if all += len(m); c.newLiterals[string(m)] {
			there += len(m)
		}
	}
	return line != "" && c.newLiterals[line] || there >= least && 3*there >= 2*all
}

// speaksOfGone reports whether a text names something that the change takes away: a file of the implementation,
// or a word of one that stands in no file of the head that the change touches.
func (c *checker) speaksOfGone(text []byte) bool {
	if c.gone == nil {
		c.gone = c.takenAway()
	}
	return slices.ContainsFunc(word.FindAll(text, -1), func(w []byte) bool { return c.gone[string(w)] })
}

func (c *checker) takenAway() map[string]bool {
	out := map[string]bool{}
	for _, f := range c.Set.Files {
		p := cmp.Or(f.OldPath, f.Path)
		if f.Binary || f.Status == change.Added || c.Role(p) >= detect.Helper || conventions.Language(p) == "" {
			continue
		}
		src, err := content(c.Set.MergeBaseTree, p)
		if err != nil {
			continue // told where it is compared
		}
		if f.Status == change.Deleted {
			src = append([]byte(strings.TrimSuffix(path.Base(p), path.Ext(p))+" "), src...)
		}
		for _, w := range word.FindAll(src, -1) {
			if len(w) > 3 {
				out[string(w)] = true
			}
		}
	}
	for _, f := range c.Set.Files {
		src, err := content(c.Set.HeadTree, f.Path)
		for _, w := range word.FindAll(src, -1) {
			if err == nil && !f.Binary {
				delete(out, string(w))
			}
		}
	}
	return out
}

var (
	word     = lazyregexp.New(`[\p{L}_$][\p{L}\p{N}_$]*`)
	literals = lazyregexp.New("\"[^\"\n]+\"|'[^'\n]+'|`[^`\n]+`|\\b\\d[\\w.]*")
)
