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
		if f.Status == change.Deleted || !runner.TakesFrameworksPlace(f.Path) {
			continue
		}
		isCopy := strings.Contains("/"+f.Path, "/node_modules/") ||
			strings.Contains("/"+f.Path, "/vendor/")
		if !isCopy && f.Status == change.Modified || isCopy && c.upgraded(f.Path) {
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
