package integrity

import (
	"errors"
	"io/fs"
	"path"

	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/runner"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/workflow"
)

// judge compares two versions of a file that decides how tests are run.
func (c *checker) judge(p string, before, after []byte) {
	if before == nil && path.Base(p) == "go.mod" && c.splitsModule(path.Dir(p)) {
		c.violate(firstDifference(violation.ConfigNarrowed, p, nil, after,
			"Approved tests are in another module now, and not run with the one above: "+
				path.Dir(p)))
		return
	}
	around := c.surroundings()
	file, listed := c.records()[p]
	around.Called = listed && file.Role == approval.Config
	r := runner.Compare(p, before, after, around)
	if c.Strict && before != nil && len(r.Violations) == 0 {
		r.Violations = []workflow.Finding{firstDifference(violation.ConfigChanged, p, before, after,
			"Approved configuration changed: the policy is strict")}
	}
	for _, v := range r.Violations {
		if !c.named(v) {
			c.violate(v)
		}
	}
	c.out.Harmless = append(c.out.Harmless, r.Harmless...)
	c.out.NotAnalysed = append(c.out.NotAnalysed, r.NotAnalysed...)
}

// tree is what the merge base has.
func (c *checker) tree() *runner.Tree {
	if c.base == nil {
		c.base = runner.NewTree(func(p string) []byte {
			old, err := content(c.Set.MergeBaseTree, p)
			if err != nil {
				return nil // its own comparison reports it
			}
			return old
		})
		c.base.Configs = func() (out []string) {
			for p, f := range c.records() {
				if f.Role == approval.Config {
					out = append(out, p)
				}
			}
			return out
		}
	}
	return c.base
}

// surroundings is what the comparison of configuration may know: the merge base, and which names
// approved files contain.
func (c *checker) surroundings() runner.Surroundings {
	if c.around == nil {
		c.around = &runner.Surroundings{Read: c.tree(), Unused: func(name string) bool {
			return len(c.texts.files) > 0 && !c.texts.mention(name, "")
		}}
	}
	return *c.around
}

// splitsModule reports whether a module of Go in a folder takes approved tests out of one above.
func (c *checker) splitsModule(dir string) bool {
	if !c.hasApproved() || !c.testsBelow(dir) {
		return false
	}
	for above := dir; above != "."; {
		above = path.Dir(above)
		_, err := c.Set.MergeBaseTree.Stat(path.Join(above, "go.mod"))
		if !errors.Is(err, fs.ErrNotExist) {
			return true // of what cannot be read as well
		}
	}
	return false
}
