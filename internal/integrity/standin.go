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
// copy of the framework in the repository that changed. A project that is the framework itself may
// change it.
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
		developed := !isCopy && f.Status == change.Modified
		if f.Status == change.Deleted || developed || !runner.TakesFrameworksPlace(f.Path) {
			continue
		}
		before, after, err := c.versions(side{f.Path, f.OldBlob != "", true, f.OldPath})
		if err != nil {
			return err
		}
		text := "A new source takes the place of a test framework"
		if isCopy {
			text = "Test framework changed: the repository's copy of it is another one"
		}
		c.violate(firstDifference(violation.HelperChanged, f.Path, before, after, text))
		return nil // one says it all
	}
	return nil
}

// results finds what make takes for the result of running tests, so that it runs none.
func (c *checker) results(context.Context) error {
	read := func(p string) []byte {
		data, _ := content(c.Set.HeadTree, p) // of what cannot be read its comparison tells
		return data
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
			c.violate(violation.Added(
				violation.ConfigNarrowed, violation.Place{Path: f.Path, Line: 1, Text: at},
				"Tests run no more: make takes "+at+" for the result of a goal of that name",
			))
			return nil
		}
	}
	return nil
}
