package integrity

import (
	"context"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/kernel"
	"workflow-reviewer/internal/integrity/runner"
	"workflow-reviewer/internal/integrity/testdiff"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/workflow"
)

// judge compares two versions of a file that decides how tests are run. A new
// one is compared with what a runner reads no longer because of it.
func (c *checker) judge(ctx context.Context, p string, before, after []byte) {
	var r runner.Result
	around := c.surroundings(ctx)
	file, listed := c.records()[p]
	around.Approved = listed && file.Role != approval.Config && !c.blamed(p) // of a file that was found to differ, more is said
	around.Called = listed && file.Role == approval.Config
	if before == nil && runner.IsConfig(p) {
		r = runner.CompareNew(ctx, p, after, c.tree())
	} else {
		r = runner.Compare(ctx, p, before, after, around)
	}
	if c.Strict && before != nil && len(r.Violations) == 0 {
		r.Violations = []workflow.Violation{firstDifference(violation.ConfigChanged, p, before, after,
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
	}
	return c.base
}

// configuration judges an approved configuration file that differs. One that
// goes on under another name of the same kind is compared with that.
func (c *checker) configuration(ctx context.Context, e *entry, after []byte) error {
	if e.head.Path != "" || c.Strict {
		c.judge(ctx, e.path, e.before, after)
		return nil
	}
	to := c.successor(e.path)
	if to == "" {
		c.judge(ctx, e.path, e.before, nil)
		return nil
	}
	now, err := content(c.Set.HeadTree, to)
	if err != nil {
		return err
	}
	c.taken[to], e.now = true, to
	c.judge(ctx, to, e.before, now)
	return nil
}

// successor is the new file that takes the place of a configuration or CI file that is gone, "" if there is none.
func (c *checker) successor(p string) string {
	for _, f := range c.Set.Files {
		if f.Status == change.Renamed && f.OldPath == p && isSuccessor(p, f.Path) {
			return f.Path
		}
	}
	for _, f := range c.Set.Files {
		if (f.Status == change.Added || f.Status == change.Renamed) && !c.taken[f.Path] && !runner.IsWorkflow(p) && isSuccessor(p, f.Path) {
			return f.Path
		}
	}
	return ""
}

// isSuccessor reports whether two files are of one kind: CI pipelines in one
// folder, or configuration of one name but for its format.
func isSuccessor(was, is string) bool {
	if path.Dir(was) != path.Dir(is) {
		return false
	}
	if runner.IsWorkflow(was) {
		return runner.IsWorkflow(is)
	}
	stem := func(p string) string { return strings.TrimSuffix(path.Base(p), path.Ext(p)) }
	return runner.IsConfig(was) && runner.IsConfig(is) && stem(was) == stem(is)
}

// surroundings is what the comparison of configuration may know: where approved
// tests stand now, and which names approved files contain.
func (c *checker) surroundings(ctx context.Context) runner.Surroundings {
	if c.around == nil {
		tests := map[string]string{}
		for p, f := range c.records() {
			if f.Role == approval.Test {
				tests[p] = c.standsAt(ctx, f)
			}
		}
		c.around = &runner.Surroundings{Tests: tests, Read: c.tree(), Unused: func(name string) bool {
			return len(c.texts) > 0 &&
				!slices.ContainsFunc(c.texts, func(s testdiff.Source) bool { return kernel.ContainsWord(s.Source, name) })
		}}
	}
	return *c.around
}

// standsAt is where an approved file stands in the head, "" if it is gone.
func (c *checker) standsAt(ctx context.Context, f approval.File) string {
	if _, touched := c.touched[f.Path]; !touched {
		return f.Path
	}
	for _, x := range c.Set.Files {
		if x.OldPath == f.Path && x.Path != f.Path {
			return x.Path
		}
	}
	if e, err := stat(c.Set.HeadTree, f.Path); err != nil || e.Path == "" {
		return c.movedTo(ctx, f)
	}
	return f.Path
}
