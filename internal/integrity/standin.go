package integrity

import (
	"context"
	"path"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/integrity/runner"
	"workflow-reviewer/internal/integrity/violation"
)

// standIns finds what is loaded in the place of a test framework: a source that is new there, or a
// copy of the framework in the repository that changed while what lists its version did not. A
// project that is the framework itself may change it.
func (c *checker) standIns(ctx context.Context) error {
	if len(c.records()) == 0 {
		return nil
	}
	for _, f := range c.Set.Files {
		if err := ctx.Err(); err != nil {
			return err
		}
		isCopy := strings.Contains("/"+f.Path, "/node_modules/") ||
			strings.Contains("/"+f.Path, "/vendor/")
		passes := !isCopy && f.Status == change.Modified || isCopy && c.upgraded(f.Path)
		if f.Status == change.Deleted || passes || !runner.TakesFrameworksPlace(f.Path) {
			continue
		}
		before, after, err := c.versions(side{f.Path, f.OldBlob != "", true, f.OldPath})
		if err != nil {
			return err
		}
		text := "A new source takes the place of a test framework"
		if isCopy {
			text = "Test framework changed: the repository's copy of it is another one, of the same " +
				"version"
		}
		c.violate(firstDifference(violation.HelperChanged, f.Path, before, after, text))
		return nil // one says it all
	}
	return nil
}

// upgraded reports whether the lists of versions beside a folder of copies changed as well. Another
// version is a question like all that nobody reads.
func (c *checker) upgraded(p string) bool {
	root, _, _ := strings.Cut("/"+p, "/node_modules/")
	root, _, _ = strings.Cut(root, "/vendor/")
	root = path.Clean("." + root)
	for at := range c.touched {
		if path.Dir(at) == root && runner.IsLock(at) ||
			at == path.Join(root, "vendor/modules.txt") {
			return true
		}
	}
	return false
}

// results finds what make takes for the result of running tests, so that it runs none; where there
// is evidence also by the Makefile of the merge base, which it was made with.
func (c *checker) results(context.Context) error {
	trees := []change.Tree{c.Set.HeadTree}
	if len(c.Evidence) > 0 {
		trees = append(trees, c.Set.MergeBaseTree)
	}
	for _, tree := range trees {
		if err := c.resultsBy(tree); err != nil || c.result != "" {
			return err
		}
	}
	return nil
}

// resultsBy finds what is new and a result for the Makefiles of a tree.
func (c *checker) resultsBy(tree change.Tree) error {
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
