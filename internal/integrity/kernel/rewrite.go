package kernel

// rewritten tries the rules that forgive a difference between two nodes that stand for each other. The first
// result says whether a rule was used; the second what it found then.
func (c *comparer) rewritten(a, b *Node) (used, same bool) {
	if a.hash == b.hash {
		return false, false
	}
	type rule = func(a, b *Node) (bool, bool)
	for _, rule := range []rule{
		c.assertionRewritten, c.conditionRewritten, c.definitionRewritten, c.suiteRewritten, c.rowsAdded, c.resultKept, c.lintsRewritten,
	} {
		if used, same := rule(a, b); used {
			return true, same
		}
	}
	return false, false
}

// gone decides on an old statement without a counterpart.
func (c *comparer) gone(n *Node) bool {
	if c.skipRemoved(n) || c.importUnused(n) || c.lintsOnly(n, c.opt.OldPath) {
		return true
	}
	return c.differ(n, nil)
}

// added decides on a new statement without a counterpart; last says that no approved statement follows it in its block.
func (c *comparer) added(n *Node, last bool) bool {
	if c.opt.Additions && (c.importAdded(n) || c.assertionAdded(n, last) || c.inertAdded(n) || c.unreachedAdded(n) ||
		c.subtestAdded(n, last) || c.memberAdded(n) || c.lintsOnly(n, c.opt.NewPath)) {
		return true
	}
	return c.differ(nil, n)
}
