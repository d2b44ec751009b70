package kernel

import (
	"slices"

	"workflow-reviewer/internal/syntax"
)

// reordered pairs tests that only changed places within their class, in languages whose runners do not run
// tests in the order of the source: Java (JUnit orders them by itself) and C# (xUnit and NUnit do).
func (c *comparer) reordered(steps []step) []step {
	if c.table.lang != syntax.Java && c.table.lang != syntax.CSharp || ContainsWord(c.old.Source, "UnitTesting") {
		return steps // MSTest goes by the source
	}
	for i, s := range steps {
		if s.new != nil || s.old == nil || !c.table.definition[s.old.Kind] || !c.isTest(s.old) {
			continue
		}
		j := slices.IndexFunc(steps, func(t step) bool { return t.old == nil && t.new != nil && t.new.hash == s.old.hash })
		if j >= 0 {
			steps[i].new, steps[j].new = steps[j].new, nil
			c.forgive("tests in another order, where runners have one of their own")
		}
	}
	return slices.DeleteFunc(steps, func(s step) bool { return s.old == nil && s.new == nil })
}
