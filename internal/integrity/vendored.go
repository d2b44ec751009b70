package integrity

import (
	"context"
	"path"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/lazyregexp"
)

// frameworks are packages by which tests judge, where a repository holds copies of them.
var frameworks = lazyregexp.New(`(?:^|/)vendor/(?:github\.com/(?:stretchr/testify|google/go-cmp|onsi/(?:ginkgo|gomega)|` +
	`frankban/quicktest|matryer/is)|gotest\.tools|go\.uber\.org/mock)/|` +
	`(?:^|/)node_modules/(?:\.bin|jest[\w-]*|@jest|expect|mocha|chai|vitest|@vitest|sinon|ava|tap|tape|jasmine[\w-]*|` +
	`(?:power-)?assert|should)/`)

// vendored finds copies of test frameworks that are changed by hand: the list of what is vendored, or the
// package's own manifest, says the same as before. A new version of one changes both.
func (c *checker) vendored(ctx context.Context) error {
	if len(c.records()) == 0 {
		return nil
	}
	for _, f := range c.Set.Files {
		if err := ctx.Err(); err != nil {
			return err
		}
		at := frameworks.FindStringIndex(f.Path)
		if at == nil || f.Status == change.Deleted || c.touchedManifest(f.Path, at[1]) {
			continue
		}
		before, after, err := c.versions(side{f.Path, f.OldBlob != "", true, f.OldPath})
		if err != nil {
			return err
		}
		c.violate(firstDifference(violation.HelperChanged, f.Path, before, after,
			"Test framework changed: the repository's copy of it is not the version that it says it is"))
		return nil // one says it all
	}
	return nil
}

// touchedManifest reports whether the change touches what says which version of
// a package the repository holds. end is where the package's folder ends in p.
func (c *checker) touchedManifest(p string, end int) bool {
	manifest := p[:end] + "package.json"
	if strings.HasPrefix(p, "vendor/") || strings.Contains(p[:end], "/vendor/") {
		manifest = path.Join(p[:strings.LastIndex("/"+p[:end], "/vendor/")], "vendor/modules.txt")
	}
	_, touched := c.touched[manifest]
	return touched
}
