package workaround

import (
	"workflow-reviewer/internal/integrity/workaround/code"
	"workflow-reviewer/internal/integrity/workaround/literal"
)

// equalities are the constants that the guards of an outcome compare with: each
// element is one way to fulfil all of them.
func (p *pass) equalities(guards []code.Guard) (ways [][]*code.Node, found bool) {
	var all []*code.Node
	var choice []*code.Node
	for _, g := range guards {
		switch {
		case g.Cond != nil && !g.Negated:
			eq, alternatives := equated(g.Cond)
			all = append(all, eq...)
			if len(alternatives) > 0 {
				choice = alternatives
			}
		case g.Cond != nil && g.Cond.Is(code.Binary) && g.Cond.Text == "!=":
			all = append(all, operandLiteral(g.Cond)...)
		case g.Subject != nil && len(g.Patterns) > 0:
			var patterns []*code.Node
			for _, pat := range g.Patterns {
				switch pat := literal.Bare(pat); {
				case pat.Is(code.Literal):
					patterns = append(patterns, pat)
				case pat.Is(code.List):
					for _, k := range pat.Kids {
						if k.Is(code.Literal) {
							all = append(all, k)
						}
					}
				}
			}
			if len(patterns) == 1 {
				all = append(all, patterns...)
			} else if len(patterns) > 1 {
				choice = patterns
			}
		case g.Subject == nil:
			for _, pat := range g.Patterns {
				eq, _ := equated(pat)
				all = append(all, eq...)
			}
		}
	}
	if len(choice) == 0 {
		if len(all) == 0 {
			return nil, false
		}
		return [][]*code.Node{all}, true
	}
	for _, c := range choice {
		ways = append(ways, append(all[:len(all):len(all)], c))
	}
	return ways, true
}

// equated are the literals that a condition demands, and those of which it
// demands one.
func equated(c *code.Node) (all, anyOf []*code.Node) {
	switch {
	case c.Is(code.Binary) && c.Text == "&&":
		a, x := equated(c.Kid(0))
		b, y := equated(c.Kid(1))
		return append(a, b...), append(x, y...)
	case c.Is(code.Binary) && c.Text == "||":
		a, x := equated(c.Kid(0))
		b, y := equated(c.Kid(1))
		return nil, append(append(append(a, b...), x...), y...)
	case c.Is(code.Binary) && c.Text == "==":
		return operandLiteral(c), nil
	case c.Is(code.Binary) && c.Text == "in" && c.Kid(1).Is(code.List):
		return nil, constantsOf(c.Kid(1))
	case c.Is(code.Call):
		return asked(c)
	}
	return nil, nil
}

// asked are the literals of "x".equals(y), [..].includes(x) and the like.
func asked(c *code.Node) (all, anyOf []*code.Node) {
	callee := c.Kid(0)
	if !callee.Is(code.Member) || len(c.Kids) < 2 {
		return nil, nil
	}
	o, a := literal.Bare(callee.Kid(0)), c.Kid(1)
	switch callee.Text {
	case "equals", "Equals", "eq", "eql?", "equalsIgnoreCase":
		if o.Is(code.Literal) {
			return []*code.Node{o}, nil
		}
		if a.Is(code.Literal) {
			return []*code.Node{a}, nil
		}
	case "includes", "contains", "Contains", "include?", "has", "indexOf":
		if o.Is(code.List) {
			return nil, constantsOf(o)
		}
	}
	return nil, nil
}

func constantsOf(list *code.Node) []*code.Node {
	var out []*code.Node
	for _, k := range list.Kids {
		if k.Is(code.Literal) {
			out = append(out, k)
		}
	}
	return out
}

// operandLiteral is the literal that something is compared with; a list that
// is compared counts by its elements.
func operandLiteral(c *code.Node) []*code.Node {
	l, r := literal.Bare(c.Kid(0)), literal.Bare(c.Kid(1))
	if l.Is(code.Literal) {
		l, r = r, l
	}
	switch {
	case l.Is(code.Literal):
		return nil
	case l.Is(code.Unary) && l.Text == "typeof":
		return nil
	case r.Is(code.Literal):
		return []*code.Node{r}
	case r.Is(code.List):
		return literal.Leaves(r)
	}
	return nil
}
