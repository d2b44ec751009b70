package testdiff

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/workflow"
)

// finding is what makes two findings the same.
type finding struct {
	file, kind, side string
	line             int
}

// maxViolations bounds the findings in one file.
const maxViolations = 20

// add adds a violation, of one place and kind the first.
func (c *comparison) add(v workflow.Finding) {
	if c.seen == nil {
		c.seen = map[finding]bool{}
	}
	k := finding{v.File, v.Kind, v.Side, v.Line}
	if !c.seen[k] {
		c.seen[k] = true
		c.out.Violations = append(c.out.Violations, v)
	}
}

// result is what was found, sorted and capped.
func (c *comparison) result() Result {
	slices.SortStableFunc(c.out.Violations, func(a, b workflow.Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(b.Side, a.Side))
	})
	c.out.Violations = capped(c.out.Violations)
	slices.Sort(c.out.Harmless)
	c.out.Harmless = slices.Compact(c.out.Harmless)
	slices.Sort(c.out.NotAnalysed)
	return c.out
}

// capped keeps the first findings of each file; the last one kept says how many there are besides.
func capped(sorted []workflow.Finding) []workflow.Finding {
	var out []workflow.Finding
	for i := 0; i < len(sorted); {
		j := i
		for j < len(sorted) && sorted[j].File == sorted[i].File {
			j++
		}
		keep := min(j-i, maxViolations)
		out = append(out, sorted[i:i+keep]...)
		if more := j - i - keep; more > 0 {
			out[len(out)-1].Text += fmt.Sprintf(" (%d more in this file)", more)
		}
		i = j
	}
	return out
}

// lines are the lines of a source.
type lines [][]byte

func linesOf(src []byte) lines { return bytes.Split(src, []byte("\n")) }

// at is the text of a line, counted from 1; "" if there is none.
func (l lines) at(n int) string {
	if n < 1 || n > len(l) {
		return ""
	}
	return string(bytes.TrimSpace(l[n-1]))
}

// indented is the text of a line with a dot for each byte before it.
func (l lines) indented(n int) string {
	if n < 1 || n > len(l) {
		return ""
	}
	text := bytes.TrimLeft(l[n-1], " \t")
	return string(bytes.Repeat([]byte("."), len(l[n-1])-len(text))) + string(bytes.TrimRight(text, " \t\r"))
}

func (l lines) place(path string, n int) violation.Place {
	return violation.Place{Path: path, Line: n, Text: l.at(n)}
}
