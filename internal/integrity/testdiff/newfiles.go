package testdiff

import (
	"context"

	"workflow-reviewer/internal/integrity/kernel"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/workflow"
)

// Reaches finds what a test file that nobody approved does to approved ones. before is what stood in its place,
// nil for a new file: what it did already does not count. A file that cannot be read has no findings here.
func Reaches(ctx context.Context, s Source, before []byte, used func(name string) bool) []workflow.Violation {
	if IsData(s.Path) != "" {
		return nil
	}
	tree, why := parse(ctx, s.Path, s.Source)
	if why != "" {
		return nil
	}
	had := map[string]bool{}
	if old, why := parse(ctx, s.Path, before); before != nil && why == "" {
		for _, r := range kernel.Read(old).Reaches(s.Path, used) {
			had[r.What] = true
		}
	}
	var out []workflow.Violation
	for _, r := range kernel.Read(tree).Reaches(s.Path, used) {
		if !had[r.What] {
			at := linesOf(s.Source).place(s.Path, r.Node.Line)
			out = append(out, violation.Added(violation.TestModified, at, "A test file that was not approved "+r.What))
		}
	}
	return out
}

// focused finds new test files that keep approved tests from running by focusing their own.
func (c *comparison) focused(ctx context.Context) {
	for _, s := range c.in.Candidates {
		if IsData(s.Path) != "" {
			continue
		}
		tree, why := parse(ctx, s.Path, s.Source)
		if why != "" {
			continue
		}
		t := kernel.Read(tree)
		t.Root.Walk(func(n *kernel.Node) bool {
			if callee := t.Callee(n); callee != "" && n.Is("call", "call_expression") && kernel.Focuses(t.Lang, callee) {
				at := linesOf(s.Source).place(s.Path, n.Line)
				c.add(violation.Added(violation.TestFocused, at, "Test focused in a new file, so that approved ones may not run: "+callee))
			}
			return true
		})
	}
}
