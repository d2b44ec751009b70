package kernel

import (
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/syntax"
)

// module reports whether a text names the module of an import relative to the file, in languages in which the
// path of a file is what it is imported by: in a file that moved it must lead to the same place.
func (c *comparer) module(n *Node) bool {
	if !n.Is("string") || path.Dir(c.opt.OldPath) == path.Dir(c.opt.NewPath) ||
		c.table.lang != syntax.JavaScript && c.table.lang != syntax.TypeScript && c.table.lang != syntax.TSX &&
			c.table.lang != syntax.Ruby {
		return false
	}
	if n.Field == "source" {
		return true
	}
	if n.Up == nil || !n.Up.Is("arguments", "argument_list") {
		return false
	}
	call, ok := c.table.callOf(n.Up.Up)
	return ok && slices.Contains([]string{"require", "import", "require_relative", "jest.mock", "vi.mock", "require.resolve"},
		c.table.calleeOf(call))
}

// resolved is where a relative module is from the root of the repository; other names stay.
func (c *comparer) resolved(n *Node, file string) string {
	text := strings.Trim(n.Text, `'"`)
	if c.table.lang == syntax.Ruby || strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../") {
		return "/" + path.Join(path.Dir(file), text)
	}
	return text
}

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
