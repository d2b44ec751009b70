package kernel

import (
	"cmp"
	"slices"
)

// sortImports sorts each run of adjacent imports, if they bind different names each and none is
// there for its effects.
func (b *builder) sortImports(kids []*Node) {
	for i := 0; i < len(kids); {
		seen := map[string]bool{}
		j := i
		for ; j < len(kids) && b.table.imports[kids[j].Kind]; j++ {
			im := b.importOf(kids[j])
			if im.star || len(im.binds) == 0 ||
				slices.ContainsFunc(im.binds, func(n string) bool { return seen[n] }) {
				break
			}
			for _, n := range im.binds {
				seen[n] = true
			}
		}
		slices.SortStableFunc(kids[i:j],
			func(x, y *Node) int { return cmp.Compare(x.Normalized(), y.Normalized()) })
		i = max(j, i+1)
	}
}

// Normalized is a node's text in its normal form, its leaves joined by spaces.
func (n *Node) Normalized() string {
	if n == nil {
		return ""
	}
	var out []byte
	n.Leaves(func(l *Node) bool {
		if len(out) > 0 {
			out = append(out, ' ')
		}
		out = append(out, l.Text...)
		return true
	})
	return string(out)
}

// Leaves calls visit for each leaf in the order of the source until it returns false.
func (n *Node) Leaves(visit func(*Node) bool) bool {
	if len(n.Kids) == 0 {
		return visit(n)
	}
	return !slices.ContainsFunc(n.Kids, func(k *Node) bool { return !k.Leaves(visit) })
}

// Walk calls visit for the node and all below it, outer ones first; what visit returns false for is
// not entered.
func (n *Node) Walk(visit func(*Node) bool) {
	if n == nil || !visit(n) {
		return
	}
	for _, k := range n.Kids {
		k.Walk(visit)
	}
}

// Find is the first node, this one or one below it, for which is holds; nil if there is none.
func (n *Node) Find(is func(*Node) bool) *Node {
	var found *Node
	n.Walk(func(k *Node) bool {
		if found == nil && is(k) {
			found = k
		}
		return found == nil
	})
	return found
}

// Any reports whether is holds for the node or one below it.
func (n *Node) Any(is func(*Node) bool) bool { return n.Find(is) != nil }

// Child is the first child in a field, nil if there is none.
func (n *Node) Child(field string) *Node {
	if n == nil {
		return nil
	}
	for _, k := range n.Kids {
		if k.Field == field {
			return k
		}
	}
	return nil
}

// Is reports whether the node is of one of the kinds.
func (n *Node) Is(kinds ...string) bool { return n != nil && slices.Contains(kinds, n.Kind) }

// leafText is the text of a leaf, "" of no node.
func (n *Node) leafText() string {
	if n == nil {
		return ""
	}
	return n.Text
}

// Ancestor is the nearest node around this one that is of one of the kinds.
func (n *Node) Ancestor(kinds set) *Node {
	at := n.Up
	for at != nil && !kinds[at.Kind] {
		at = at.Up
	}
	return at
}

// flattened are the imports in a declaration of several.
func (b *builder) flattened(n *Node) []*Node {
	var out []*Node
	n.Walk(func(k *Node) bool {
		if b.table.imports[k.Kind] && k != n {
			k.Field = ""
			out = append(out, k)
			return false
		}
		return true
	})
	if len(out) == 0 {
		return []*Node{n}
	}
	return out
}
