package runner

import (
	"fmt"
	"strconv"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
)

// maxFindings bounds the violations of one file.
const maxFindings = 20

// comparison gathers what is found between two versions of a file.
type comparison struct {
	path          string
	before, after []string // lines
	result        Result
	seen          map[string]bool
	more          int // violations beyond maxFindings
}

func newComparison(path string, before, after []byte) *comparison {
	return &comparison{path: path, before: lines(before), after: lines(after), seen: map[string]bool{}}
}

// finding is a violation that is not yet built. A line of 0 is none.
type finding struct {
	kind    violation.Kind
	was, is int
	text    string
}

// report adds a violation: of two lines a change, of one an addition or a
// removal. What was reported for the same line before is left out.
func (c *comparison) report(f finding) {
	was, is := c.place(c.before, f.was), c.place(c.after, f.is)
	key := fmt.Sprintf("%s %d %d", f.kind, max(f.is, 0), f.was)
	if f.is > 0 {
		key = fmt.Sprintf("%s %d", f.kind, f.is)
	}
	if c.seen[key] {
		return
	}
	c.seen[key] = true
	if len(c.result.Violations) >= maxFindings {
		c.more++
		return
	}
	v := violation.Changed(f.kind, was, is, f.text)
	switch {
	case f.is == 0:
		v = violation.Removed(f.kind, was, f.text)
	case f.was == 0 || was.Text == is.Text:
		v = violation.Added(f.kind, is, f.text)
	}
	c.result.Violations = append(c.result.Violations, v)
}

func (c *comparison) place(side []string, line int) violation.Place {
	p := violation.Place{Path: c.path, Line: line}
	if line >= 1 && line <= len(side) {
		p.Text = side[line-1]
	}
	return p
}

// harmless says why a difference does not matter.
func (c *comparison) harmless(format string, args ...any) {
	if len(c.result.Harmless) < maxFindings {
		c.result.Harmless = append(c.result.Harmless, c.path+": "+fmt.Sprintf(format, args...))
	}
}

// unread applies the byte rule: the file differs and cannot be understood.
func (c *comparison) unread(err error) {
	c.result.NotAnalysed = append(c.result.NotAnalysed, c.path+": "+err.Error())
	line := c.firstDifference()
	c.report(finding{
		violation.FileChanged, min(line, len(c.before)), min(line, len(c.after)),
		"Test configuration changed in a file that cannot be analysed: " + err.Error(),
	})
}

// firstDifference is the first line in which the versions differ.
func (c *comparison) firstDifference() int {
	i := 0
	for i < len(c.before) && i < len(c.after) && c.before[i] == c.after[i] {
		i++
	}
	return i + 1
}

// finish returns the result, saying how much was left out.
func (c *comparison) finish() Result {
	if n := len(c.result.Violations); n > 0 && c.more > 0 {
		c.result.Violations[n-1].Description += fmt.Sprintf(" (and %d more in this file)", c.more)
	}
	return c.result
}

// quoted lists texts for a sentence.
func quoted(texts []string) string {
	const most = 3
	var out []string
	for i, t := range texts {
		if i == most {
			out = append(out, fmt.Sprintf("%d more", len(texts)-most))
			break
		}
		out = append(out, strconv.Quote(cut(t)))
	}
	if len(out) == 0 {
		return "nothing"
	}
	return strings.Join(out, ", ")
}

func cut(s string) string {
	const most = 80
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
