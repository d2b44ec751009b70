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
