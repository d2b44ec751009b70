package testdiff

import (
	"bytes"
	"context"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/integrity/violation"
)

// pair compares one approved file with its counterpart.
func (c *comparison) pair(_ context.Context, p Pair) {
	if bytes.Equal(p.Before, p.After) {
		return
	}
	was, is := testmodel.LinesOf(p.Before), testmodel.LinesOf(p.After)
	c.out.Violations = append(c.out.Violations, violation.Changed(violation.FileChanged,
		violation.Place{Path: p.Path, Line: 1, Text: was.At(1)}, violation.Place{Path: p.Path, Line: 1, Text: is.At(1)},
		"Approved test file changed"))
}
