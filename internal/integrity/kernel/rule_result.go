package kernel

// resultKept forgives that the result of a call, which was dropped, is kept
// under a fresh local name: the call is the same.
func (c *comparer) resultKept(a, b *Node) (used, same bool) {
	if b.Is("as_pattern") && len(b.Kids) == 3 && a.Is("call") && a.Field == b.Field {
		alias := firstName(b.Kids[2])
		ok := !ContainsWord(c.old.Source, alias) && c.attempt(func() bool { return c.sameValue(a, b.Kids[0]) })
		if ok {
			c.forgive("the result of a call kept under a fresh name")
		}
		return ok, ok
	}
	if !a.Is("expression_statement") || len(a.Kids) == 0 {
		return false, false
	}
	if _, ok := c.table.callOf(a.Kids[0]); !ok {
		return false, false
	}
	name, value := kept(b)
	if name == nil || value == nil || name.bound == nil || ContainsWord(c.old.Source, name.Text) {
		return false, false
	}
	ok := c.attempt(func() bool { return c.sameValue(a.Kids[0], value) })
	if ok {
		c.forgive("the result of a call kept under a fresh name")
	}
	return ok, ok
}

// kept is the name and the value of a statement that only gives a value a name.
func kept(n *Node) (name, value *Node) {
	for n.Is("expression_statement", "local_declaration_statement", "local_variable_declaration", "lexical_declaration",
		"variable_declaration", "assignment", "variable_declarator") {
		var next *Node
		for _, k := range n.Kids {
			if k.Text == "using" || k.Text == "await" {
				return nil, nil // does more with it
			}
			if k.Is("assignment", "variable_declaration", "variable_declarator") {
				if next != nil {
					return nil, nil
				}
				next = k
			}
		}
		if next != nil {
			n = next
			continue
		}
		name = n.Child("left")
		if name == nil {
			name = n.Child("name")
		}
		if name == nil || len(name.Kids) > 0 || len(n.Kids) < 3 {
			return nil, nil
		}
		return name, n.Kids[len(n.Kids)-1]
	}
	return nil, nil
}
