package integrity

import (
	"regexp"

	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/runner"
)

// identifier matches what may be a name in any language.
var identifier = regexp.MustCompile(`[\p{L}_][\p{L}\p{N}_]*`)

// surroundings is what the comparison of configuration may know: where approved
// tests stand now, and which names approved files contain.
func (c *checker) surroundings() runner.Surroundings {
	if c.around != nil {
		return *c.around
	}
	used, tests := map[string]bool{}, map[string]string{}
	for _, b := range c.Baselines {
		for _, f := range b.Files {
			if f.Role == approval.Test {
				tests[f.Path] = c.standsAt(f)
			}
			text, err := content(c.Set.MergeBaseTree, f.Path)
			if err != nil || f.Role != approval.Test && f.Role != approval.Support {
				continue // its own comparison reports it
			}
			for _, name := range identifier.FindAll(text, -1) {
				used[string(name)] = true
			}
		}
	}
	c.around = &runner.Surroundings{Tests: tests, Unused: func(name string) bool { return len(used) > 0 && !used[name] }}
	return *c.around
}

// standsAt is where an approved file stands in the head, "" if it is gone.
func (c *checker) standsAt(f approval.File) string {
	if _, touched := c.touched[f.Path]; !touched {
		return f.Path
	}
	for _, x := range c.Set.Files {
		if x.OldPath == f.Path && x.Path != f.Path {
			return x.Path
		}
	}
	if e, err := stat(c.Set.HeadTree, f.Path); err != nil || e.Path == "" {
		return c.movedTo(f)
	}
	return f.Path
}
