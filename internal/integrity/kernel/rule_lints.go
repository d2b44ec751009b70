package kernel

import (
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/syntax"
)

// lintsRewritten forgives what two attributes of a crate differ in if these are lints of Clippy: the compiler
// runs none of them, so that what a test does is the same. It holds where Cargo compiles a file by itself, in
// src and directly in tests; elsewhere a linter's own tests may stand.
func (c *comparer) lintsRewritten(a, b *Node) (used, same bool) {
	old, ok := c.lintsOf(a, c.opt.OldPath)
	now, too := c.lintsOf(b, c.opt.NewPath)
	if !ok || !too || !slices.Equal(old, now) {
		return false, false
	}
	c.forgive("lints that the compiler does not run")
	return true, true
}

// lintsOnly forgives an attribute that came or went and holds nothing else.
func (c *comparer) lintsOnly(n *Node, file string) bool {
	rest, ok := c.lintsOf(n, file)
	if ok && len(rest) == 0 {
		c.forgive("lints that the compiler does not run")
	}
	return ok && len(rest) == 0
}

// lintsOf are the level and the lints of an attribute like #![allow(…)] without
// those of Clippy, none if that leaves no lint.
func (c *comparer) lintsOf(n *Node, file string) (rest []string, ok bool) {
	compiled := path.Base(path.Dir(file)) == "tests" || slices.Contains(strings.Split(path.Dir(file), "/"), "src")
	if c.table.lang != syntax.Rust || !n.Is("inner_attribute_item") || n.Up == nil || n.Up.Up != nil || !compiled {
		return nil, false
	}
	level, lints, found := strings.Cut(strings.TrimPrefix(n.joined(), "#![")+"\x00", "(")
	lints, ended := strings.CutSuffix(lints, ")]\x00")
	if !found || !ended || strings.ContainsAny(lints, `"()`) || !slices.Contains([]string{"allow", "expect", "warn", "deny"}, level) {
		return nil, false
	}
	for _, l := range strings.Split(lints, ",") {
		if !strings.HasPrefix(l, "clippy::") {
			rest = append(rest, l)
		}
	}
	if len(rest) > 0 {
		rest = append(rest, level)
	}
	return rest, true
}
