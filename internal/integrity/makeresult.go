package integrity

import (
	"context"
	"path"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/integrity/runner"
	"workflow-reviewer/internal/integrity/violation"
)

// makeResults finds what make takes for the result of running tests, so that it runs none; where
// there is evidence also by the Makefile of the merge base, which it was made with.
func (c *checker) makeResults(context.Context) error {
	trees := []change.Tree{c.Set.HeadTree}
	if len(c.Evidence) > 0 {
		trees = append(trees, c.Set.MergeBaseTree)
	}
	for _, tree := range trees {
		if err := c.makeResultsBy(tree); err != nil || c.result != "" {
			return err
		}
	}
	return nil
}

// makeResultsBy finds what is new and a result for the Makefiles of a tree.
func (c *checker) makeResultsBy(tree change.Tree) error {
	texts := map[string][]byte{}
	read := func(p string) []byte {
		if _, ok := texts[p]; !ok {
			texts[p], _ = content(tree, p) // of what cannot be read its comparison tells
		}
		return texts[p]
	}
	for _, f := range c.Set.Files {
		if !c.hasApproved() || f.Status != change.Added && f.Status != change.Renamed {
			continue
		}
		for at := f.Path; at != "."; at = path.Dir(at) {
			if !runner.Hides(at, read) {
				continue
			}
			old, err := c.Set.MergeBaseTree.List(at)
			if err != nil {
				return err
			}
			if len(old) > 0 {
				break // so it was before
			}
			c.result = f.Path
			c.violate(violation.Added(
				violation.ConfigNarrowed, violation.Place{Path: f.Path, Line: 1, Text: at},
				"Tests run no more: make takes "+at+" for the result of a goal of that name that "+
					"is not .PHONY",
			))
			return nil
		}
	}
	return nil
}
