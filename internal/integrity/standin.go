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
// copy of the framework that changed by hand, as the list of what is vendored, or the package's own
// manifest, says the same as before.
func (c *checker) standIns(ctx context.Context) error {
	if len(c.records()) == 0 {
		return nil
	}
	for _, f := range c.Set.Files {
		if err := ctx.Err(); err != nil {
			return err
		}
		manifest := manifestOf(f.Path)
		_, touched := c.touched[manifest]
		developed := manifest == "" && f.Status == change.Modified // the project is the framework
		if f.Status == change.Deleted || touched || developed ||
			!runner.TakesFrameworksPlace(f.Path) {
			continue
		}
		before, after, err := c.versions(side{f.Path, f.OldBlob != "", true, f.OldPath})
		if err != nil {
			return err
		}
		text := "A new source takes the place of a test framework"
		if manifest != "" {
			text = "Test framework changed: the repository's copy of it is not the version that it says it is"
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

// manifestOf is the file that says which version of a package the repository has a copy of, "" for
// no copy.
func manifestOf(p string) string {
	if i := strings.LastIndex("/"+p, "/node_modules/"); i >= 0 {
		parts := strings.SplitN(p[i+len("node_modules/"):], "/", 3)
		name := parts[0]
		if strings.HasPrefix(name, "@") && len(parts) > 1 {
			name += "/" + parts[1]
		}
		return p[:i] + "node_modules/" + name + "/package.json"
	}
	if i := strings.LastIndex("/"+p, "/vendor/"); i >= 0 && path.Ext(p) == ".go" {
		return p[:i] + "vendor/modules.txt"
	}
	return ""
}
