package testdiff

import (
	"cmp"
	"fmt"
	"slices"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/workflow"
)

// comparison is the state of one Compare.
type comparison struct {
	in   Input
	out  Result
	gone []*goneFrom     // approved units without a counterpart in their own file
	came []arrival       // units of the head without a counterpart in their own file
	seen map[finding]int // how often each finding was made
}

// finding is what makes two findings the same.
type finding struct {
	file, kind, side string
	line             int
}

// maxViolations bounds the findings in one file.
const maxViolations = 20

func (c *comparison) add(v workflow.Violation) {
	if c.seen == nil {
		c.seen = map[finding]int{}
	}
	k := finding{v.File, v.Kind, v.Side, v.Line}
	if c.seen[k]++; c.seen[k] == 1 {
		c.out.Violations = append(c.out.Violations, v)
	}
}

func (c *comparison) addAll(vs []workflow.Violation) {
	for _, v := range vs {
		c.add(v)
	}
}

func (c *comparison) harmless(path, why string, args ...any) {
	c.out.Harmless = append(c.out.Harmless, path+": "+fmt.Sprintf(why, args...))
}

func (c *comparison) result() Result {
	slices.SortStableFunc(c.out.Violations, func(a, b workflow.Violation) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(b.Side, a.Side))
	})
	c.out.Violations = capped(c.out.Violations)
	slices.Sort(c.out.Harmless)
	c.out.Harmless = slices.Compact(c.out.Harmless)
	slices.Sort(c.out.NotAnalysed)
	return c.out
}

// capped keeps the first findings of each file; the last one kept says how many
// there are besides.
func capped(sorted []workflow.Violation) []workflow.Violation {
	var out []workflow.Violation
	for i := 0; i < len(sorted); {
		j := i
		for j < len(sorted) && sorted[j].File == sorted[i].File {
			j++
		}
		keep := min(j-i, maxViolations)
		out = append(out, sorted[i:i+keep]...)
		if more := j - i - keep; more > 0 {
			out[len(out)-1].Description += fmt.Sprintf(" (%d more in this file)", more)
		}
		i = j
	}
	return out
}

// side is one version of a file.
type side struct {
	path  string
	file  testmodel.File
	lines testmodel.Lines // nil where only parts of the file are kept
	first string          // the first line, where lines is nil
}

func (s *side) at(line int, text string) violation.Place {
	switch {
	case text != "":
	case s.lines != nil:
		text = s.lines.At(line)
	case line == 1:
		text = s.first
	}
	return violation.Place{Path: s.path, Line: line, Text: text}
}
