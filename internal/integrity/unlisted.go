package integrity

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/glob"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/runner"
	"workflow-reviewer/internal/integrity/testdiff"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// unlisted judges files that no record lists and that decide all the same which tests run and
// whether their failure counts: new ones that a runner loads by itself, configuration, CI steps.
func (c *checker) unlisted(ctx context.Context) error {
	if !c.hasApproved() && !(c.MergeBase && c.Enforce) {
		return nil
	}
	for _, f := range c.Set.Files {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, side := range sides(f) {
			if c.taken[side.path] || !c.steers(side.path) {
				continue
			}
			before, after, err := c.versions(side)
			if err != nil {
				return err
			}
			unseen := side.now && after == nil // as behind a Git LFS pointer
			if unseen {
				c.hidden(side.path)
			}
			if before == nil && after == nil {
				continue
			}
			runs := func(content []byte) bool {
				return runner.RunsTests(side.path, content, c.tree())
			}
			if runner.IsWorkflow(side.path) && !runs(before) && !runs(after) {
				continue
			}
			if runner.ByBytes(side.path) && before != nil && !unseen {
				continue // no record holds it
			}
			if runner.Autoloaded(side.path) && !runner.IsConfig(side.path) && !unseen {
				c.setup(ctx, side.path, before, after)
				continue
			}
			c.judge(side.path, before, after)
		}
	}
	return nil
}

// setup judges a file that a runner loads by itself and that no record lists, as if all that it
// holds had been added to an approved one: the tests review is asked about it, and what acts on
// others is a violation.
func (c *checker) setup(ctx context.Context, p string, before, after []byte) {
	if !c.hasApproved() {
		return
	}
	what := "a file that the test runner loads by itself"
	if after == nil {
		what += ", and that is gone"
	}
	c.gains = append(c.gains, testdiff.Gain{Place: violation.Place{Path: p, Line: 1}, What: what})
	if after == nil {
		return
	}
	for _, g := range testdiff.Acting(ctx, p, before, after) {
		c.violate(
			violation.Added(
				violation.ActsOnOthers,
				g.Place,
				"A file that the test runner loads by itself acts on others: "+
					g.What+" "+g.Acts,
			),
		)
	}
}

// acting notes what test files that no record lists do to others, as if all that they hold had been
// added to an approved one: both run in one process. Each folder's tests in Go have their own.
func (c *checker) acting(ctx context.Context) error {
	if !c.hasApproved() {
		return nil
	}
	for _, f := range c.Set.Files {
		if f.Status == change.Deleted || c.taken[f.Path] || c.Role(f.Path) < detect.Helper ||
			strings.HasSuffix(f.Path, "_test.go") || c.steers(f.Path) {
			continue
		}
		before, after, err := c.versions(side{f.Path, f.OldBlob != "", true, f.OldPath})
		if err != nil {
			return err
		}
		c.gains = append(c.gains, testdiff.Acting(ctx, f.Path, before, after)...)
	}
	return ctx.Err()
}

// side is one path of a change with what stands there before and after it.
type side struct {
	path     string
	old, now bool
	from     string // where the old side stands, "" for path
}

// sides are the paths of a change: two of a move.
func sides(f change.File) []side {
	switch f.Status {
	case change.Added:
		return []side{{f.Path, false, true, ""}}
	case change.Deleted:
		return []side{{f.Path, true, false, ""}}
	case change.Renamed:
		return []side{{f.OldPath, true, false, ""}, {f.Path, false, true, ""}}
	default:
		return []side{{f.Path, true, true, ""}}
	}
}

// ofPackage is what task runners read in a package of its own.
var ofPackage = lazyregexp.New(
	`^(?:(?:nx|turbo|lerna|rush|deno|angular|wsproj)\.jsonc?|moon\.yml)$`,
)

// steers reports whether a file may decide how approved tests are run.
func (c *checker) steers(p string) bool {
	switch {
	case path.Dir(p) != "." && ofPackage.MatchString(path.Base(p)):
		return c.testsBelow(path.Dir(p))
	case runner.IsWorkflow(p) || runner.IsConfig(p):
		return true
	case !runner.Autoloaded(p):
		return false
	case path.Base(p) == "conftest.py":
		return c.testsBelow(path.Dir(p))
	case strings.HasSuffix(p, "_test.go"):
		return c.hasTests(func(dir string) bool { return dir == path.Dir(p) })
	default:
		return true
	}
}

// testsBelow reports whether there are approved tests in a folder or below it.
func (c *checker) testsBelow(folder string) bool {
	return c.hasTests(func(dir string) bool { return within(dir, folder) })
}

// hasTests reports whether there are approved tests in such a folder.
func (c *checker) hasTests(is func(dir string) bool) bool {
	if !c.hasApproved() {
		return true // which tests there are is not asked where nothing is approved
	}
	for _, b := range c.Baselines {
		for _, f := range b.Files {
			if f.Role == approval.Test && is(path.Dir(f.Path)) {
				return true
			}
		}
	}
	return false
}

// within reports whether dir is folder or below it.
func within(dir, folder string) bool {
	return folder == "." || dir == folder || strings.HasPrefix(dir, folder+"/")
}

// versions reads both sides of a path, nil for what is not there or no file.
func (c *checker) versions(s side) (before, after []byte, err error) {
	if s.old {
		before, err = content(c.Set.MergeBaseTree, cmp.Or(s.from, s.path))
	}
	if s.now && err == nil {
		after, err = content(c.Set.HeadTree, s.path)
	}
	return before, after, err
}

// hidden reports a file of the head that steers tests by what nobody can read here, if it is one.
func (c *checker) hidden(p string) {
	_, err := c.Set.HeadTree.ReadFile(p)
	if !errors.Is(err, change.ErrLFSPointer) {
		return
	}
	c.out.NotAnalysed = append(c.out.NotAnalysed, p+": "+change.ErrLFSPointer.Error())
	c.violate(
		violation.Added(
			violation.FileChanged,
			violation.Place{Path: p, Line: 1, Text: "a Git LFS pointer"},
			"File that decides how tests run was replaced: "+p+" is a Git LFS pointer, so nobody can read what it says",
		),
	)
}

// content reads a file, nil if there is none that can be read whole.
func content(tree change.Tree, p string) ([]byte, error) {
	e, err := stat(tree, p)
	if err != nil || e.Path == "" {
		return nil, err
	}
	data, err := tree.ReadFile(p)
	switch {
	case unreadable(err):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read %q: %w", p, err)
	}
	return append([]byte{}, data...), nil
}

// protected finds every difference in files that the config protects by name.
func (c *checker) protected(ctx context.Context) error {
	for _, f := range c.Set.Files {
		for _, s := range sides(f) {
			if c.blamed(s.path) || !glob.NamesAny(c.Protect, s.path) {
				continue
			}
			before, after, err := c.versions(s)
			if err != nil {
				return err
			}
			c.violate(firstDifference(violation.FileChanged, s.path, before, after,
				"Protected file changed: the config's integrity.protect names "+s.path))
		}
	}
	return ctx.Err()
}

// blamed reports whether a violation was found in a file.
func (c *checker) blamed(p string) bool {
	return slices.ContainsFunc(c.found, func(v workflow.Finding) bool { return v.File == p })
}
