package testdiff

import (
	"context"

	"workflow-reviewer/internal/integrity/kernel"
	"workflow-reviewer/internal/integrity/violation"
)

// focused finds new test files that keep approved tests from running by
// focusing their own.
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
