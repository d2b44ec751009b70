package testdiff

import (
	"bytes"
	"context"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/integrity/violation"
)

// focusWord reports whether a source may focus a test, as far as its bytes
// tell.
func focusWord(src []byte) bool {
	for _, w := range []string{".only", "fit(", "fit \"", "fit '", "fdescribe", "fcontext", "focus"} {
		if bytes.Contains(src, []byte(w)) {
			return true
		}
	}
	return false
}

// focused finds new test files that keep approved tests from running by
// focusing their own.
func (c *comparison) focused(ctx context.Context) {
	for _, s := range c.in.Candidates {
		if !focusWord(s.Source) || IsData(s.Path) != "" {
			continue
		}
		m, why := model(ctx, s.Path, s.Source)
		if why != "" {
			continue
		}
		for _, u := range m.file.Units {
			for _, mark := range u.Marks {
				if mark.Effect == testmodel.Focuses {
					c.add(violation.Added(violation.TestFocused, m.at(mark.Line, mark.Text), "Test focused in a new file, so that approved ones may not run: "+mark.Text))
				}
			}
		}
	}
}
