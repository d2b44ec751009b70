package integrity

import (
	"context"
	"slices"

	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/kernel"
	"workflow-reviewer/internal/integrity/runner"
	"workflow-reviewer/internal/integrity/testdiff"
)

// surroundings is what the comparison of configuration may know: where approved
// tests stand now, and which names approved files contain.
func (c *checker) surroundings(ctx context.Context) runner.Surroundings {
	if c.around == nil {
		tests := map[string]string{}
		for p, f := range c.records() {
			if f.Role == approval.Test {
				tests[p] = c.standsAt(ctx, f)
			}
		}
		c.around = &runner.Surroundings{Tests: tests, Read: c.tree(), Unused: func(name string) bool {
			return len(c.texts) > 0 &&
				!slices.ContainsFunc(c.texts, func(s testdiff.Source) bool { return kernel.ContainsWord(s.Source, name) })
		}}
	}
	return *c.around
}

// standsAt is where an approved file stands in the head, "" if it is gone.
func (c *checker) standsAt(ctx context.Context, f approval.File) string {
	if _, touched := c.touched[f.Path]; !touched {
		return f.Path
	}
	for _, x := range c.Set.Files {
		if x.OldPath == f.Path && x.Path != f.Path {
			return x.Path
		}
	}
	if e, err := stat(c.Set.HeadTree, f.Path); err != nil || e.Path == "" {
		return c.movedTo(ctx, f)
	}
	return f.Path
}
