package kernel

import "slices"

// conditionRewritten forgives what two plain assert statements (Python's) differ
// in if the new condition implies the old one:
//
//   - the message, as in assertions of the catalogue;
//   - a condition that gained terms, all of which must hold now;
//   - truth or "is not None" replaced by equality with a constant that is true,
//     or "is None"'s negation by isinstance;
//   - an order that excludes equality now.
func (c *comparer) conditionRewritten(a, b *Node) (used, same bool) {
	if !a.Is("assert_statement") || !b.Is("assert_statement") || a.Field != b.Field {
		return false, false
	}
	old, now := values(a), values(b)
	if len(old) < 2 || len(now) < 2 || old[0].Text != "assert" {
		return false, false
	}
	ok := c.attempt(func() bool {
		return c.harmlessMessage(old[2:], now[2:], a) && c.implies(now[1], old[1])
	})
	return ok, ok
}

// implies reports whether a condition of the head can't hold where the approved one does not.
func (c *comparer) implies(now, old *Node) bool {
	if c.equal(old, now) {
		return true
	}
	if c.mayFail(old) {
		return false
	}
	if now.Is("boolean_operator") && now.Child("operator").Source() == "and" {
		if c.implies(now.Child("left"), old) && pure(c.table, now.Child("right"), c.callsOf(old)) {
			c.forgive("a condition that has a further term to hold")
			return true
		}
		return false
	}
	if !c.stricter(now, old) {
		return false
	}
	c.forgive("a stricter condition")
	return true
}

func (c *reader) callsOf(n *Node) set {
	out := set{}
	n.calls(c.table, func(name string) { out[name] = true })
	return out
}

// equal compares two values wherever they stand.
func (c *comparer) equal(a, b *Node) bool {
	return c.attempt(func() bool { return c.sameValue(a, b) })
}

// comparison is "left operator right" with one operator.
func comparison(n *Node) (left *Node, op string, right *Node) {
	if !n.Is("comparison_operator") || len(n.Kids) < 3 {
		return nil, "", nil
	}
	for _, k := range n.Kids[1 : len(n.Kids)-1] {
		if k.Field != "operators" {
			return nil, "", nil
		}
		if op != "" {
			op += " "
		}
		op += k.Source()
	}
	return n.Kids[0], op, n.Kids[len(n.Kids)-1]
}

// stricter knows the pairs of conditions of which the first implies the second.
func (c *comparer) stricter(now, old *Node) bool {
	l, op, r := comparison(now)
	ol, oop, or := comparison(old)
	if l == nil {
		return false
	}
	truthy := op == "==" && trueConstant(r)
	switch {
	case ol == nil: // truth
		return truthy && c.equal(old, l)
	case oop == "is not" && or.Is("none"):
		return (op == "==" && constant(r)) && c.equal(ol, l)
	case oop == ">=" && op == ">", oop == "<=" && op == "<":
		return c.equal(ol, l) && c.equal(or, r)
	}
	return false
}

// constant is a literal that is not None.
func constant(n *Node) bool {
	return n.Is("integer", "float", "string", "true", "false") && len(n.Kids) == 0
}

// trueConstant is a literal that counts as true.
func trueConstant(n *Node) bool {
	switch {
	case n.Is("integer", "float"):
		v, ok := number(n)
		return ok && v.Sign() > 0
	case n.Is("string"):
		return len(n.Kids) == 0 && len(n.Text) > 2 && n.Text[0] == '"' && n.Text != `""`
	}
	return n.Is("true")
}

// pure reports whether a node only looks at values: it calls nothing but what is
// known to do no more, or what called names.
func pure(t *table, n *Node, called set) bool {
	ok := true
	n.Walk(func(k *Node) bool {
		if c, is := t.callOf(k); is {
			ok = ok && (pureCalls[c.name] || called[c.name])
		} else if name := k.tokenCall(); name != "" {
			ok = ok && (pureCalls[name] || called[name])
		}
		ok = ok && !slices.Contains([]string{"pair_pattern"}, k.Kind) && !doers[k.Kind]
		return ok
	})
	return ok
}
