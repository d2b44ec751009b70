package workaround

import (
	"strings"

	"workflow-reviewer/internal/integrity/workaround/code"
	"workflow-reviewer/internal/syntax"
)

// sides are the two operands of an operator.
type sides struct {
	p     *pass
	fn    *code.Node
	left  string          // parameter of a static operator with two, "" if it is the receiver
	right map[string]bool // the other parameter, and variables made of it
	own   map[string]bool // variables made of the left side
	joint map[string]bool // variables that hold the outcome of a comparison
}

func (p *pass) sides(fn *code.Node) *sides {
	s := &sides{p: p, fn: fn, right: map[string]bool{}, own: map[string]bool{}, joint: map[string]bool{}}
	params := fn.Def.Params
	if len(params) > 1 {
		s.left = params[0]
		s.own[params[0]] = true
		params = params[1:]
	}
	for _, name := range params {
		s.right[name] = true
	}
	for i := 0; i < 3; i++ {
		fn.Walk(func(n *code.Node) bool {
			switch {
			case n.Is(code.Assign):
				s.bind(n.Kid(0), n.Kid(1))
			case n.Is(code.Binary) && n.Text == "is":
				s.pattern(n)
			}
			return true
		})
	}
	return s
}

// bind notes a variable that is made of one side.
func (s *sides) bind(target, value *code.Node) {
	for _, t := range code.Targets(target) {
		if !t.Is(code.Name) {
			continue
		}
		if s.compares(value) {
			s.joint[t.Text] = true
		}
		if s.mentions(value, true) {
			s.right[t.Text] = true
		}
		if s.mentions(value, false) {
			s.own[t.Text] = true
		}
	}
}

// pattern notes the variable of "other is T v" and "other instanceof T v".
func (s *sides) pattern(n *code.Node) {
	if !s.mentions(n.Kid(0), true) {
		return
	}
	if name := n.Src.Field("name"); n.Src.Is("instanceof_expression") && !name.IsZero() {
		s.right[name.Text()] = true
	}
	n.Kid(1).Walk(func(c *code.Node) bool {
		if c.Is(code.Name) && len(c.Text) > 0 && strings.ToLower(c.Text[:1]) == c.Text[:1] {
			s.right[c.Text] = true
		}
		return true
	})
}

// mentions reports whether a node uses one of the sides.
func (s *sides) mentions(n *code.Node, right bool) bool {
	return n.Any(func(c *code.Node) bool {
		if !c.Is(code.Name) || c.Up.Is(code.Pair) && c.Up.Text == "kw" && c.Up.Kid(0) == c {
			return false
		}
		if right {
			return s.right[c.Text]
		}
		if s.own[c.Text] || s.left == "" && (c.Text == "self" || c.Text == "super") {
			return true
		}
		return s.left == "" && s.implicit(c)
	})
}

// implicit reports whether a bare name may be a field of the receiver.
func (s *sides) implicit(c *code.Node) bool {
	if s.right[c.Text] || s.p.Imports[c.Text] != "" {
		return false
	}
	switch s.p.Lang {
	case syntax.Java, syntax.Ruby:
		return !isUpper(c.Text) && !typeQuestion(c.Text) && !(c.Up.Is(code.Assign) && c.Up.Kid(0) == c)
	case syntax.CSharp:
		return !c.Up.Is(code.Call) || c.Up.Kid(0) != c || len(s.p.Named(c.Text)) > 0
	default:
		return false
	}
}

func isUpper(s string) bool { return s != "" && strings.ToUpper(s[:1]) == s[:1] && s[0] != '_' }

// compares reports whether a value compares the two sides, or hands both, or
// the other to code of its own, over.
func (s *sides) compares(v *code.Node) bool {
	return v.Any(func(n *code.Node) bool {
		switch {
		case n.Is(code.Name):
			return s.joint[n.Text]
		case n.Is(code.Binary):
			switch n.Text {
			case "&&":
				return s.absent(n, true) && s.absent(n, false)
			case "||", "is":
				return false
			}
			return !s.ofTypes(n) && s.mentions(n, true) && s.mentions(n, false)
		case n.Is(code.Call):
			if typeQuestion(code.Dotted(n.Kid(0))) {
				return len(n.Kids) > 2 && n.Kids[2].Is(code.Member) && n.Kids[2].Text != "__class__" && s.mentions(n.Kids[2], false)
			}
			if name := code.Method(n); name == "ReferenceEquals" {
				return true
			}
			return s.mentions(n, true) && (s.mentions(n, false) || s.handsOver(n))
		case n.Is(code.Switch), n.Is(code.List) && s.mentions(n, true) && s.mentions(n, false), n.Is(code.Index) && s.mentions(n, true) && s.mentions(n, false):
			return true
		case n.Is(code.Other) && s.mentions(n, true) && s.mentions(n, false):
			return true
		}
		return false
	})
}

// absent: a part of a conjunction asks whether something of one side is nil.
func (s *sides) absent(n *code.Node, right bool) bool {
	if n.Is(code.Binary) && n.Text == "&&" {
		return s.absent(n.Kid(0), right) || s.absent(n.Kid(1), right)
	}
	nothing := n.Kid(1).Is(code.Literal) && n.Kid(1).Value.Type == code.None || n.Kid(1).Is(code.List) && len(n.Kid(1).Kids) == 0
	return n.Is(code.Binary) && (n.Text == "==" || n.Text == "is") && nothing && s.mentions(n.Kid(0), right)
}

// handsOver: the other side is an argument of a function that is not known to
// only ask for its type.
func (s *sides) handsOver(call *code.Node) bool {
	for _, a := range call.Args() {
		if s.mentions(a, true) {
			name := code.Dotted(call.Kid(0))
			return !isConversion(name)
		}
	}
	return false
}

// guarded reports whether a comparison of the two sides led to a path.
func (s *sides) guarded(guards []code.Guard) bool {
	for _, g := range guards {
		if g.Cond != nil && s.compares(g.Cond) || g.Subject != nil && s.compares(g.Subject) || g.Subject != nil && s.mentions(g.Subject, true) && s.mentions(g.Subject, false) {
			return true
		}
		for _, pat := range g.Patterns {
			if s.compares(pat) {
				return true
			}
		}
	}
	return false
}

// earlier reports whether the function compares the two sides anywhere besides
// in a check of identity: a loop that ends in true, differences that return
// false first.
func (s *sides) earlier(fn *code.Node) bool {
	found := false
	fn.Walk(func(n *code.Node) bool {
		switch {
		case n.Is(code.If), n.Is(code.Ternary):
			found = found || s.compares(n.Kid(0)) && !s.identity(n.Kid(0))
		case n.Is(code.Loop):
			found = found || n.Any(func(c *code.Node) bool { return c.Is(code.Binary) && s.compares(c) })
		case n.Is(code.Switch):
			found = found || s.mentions(n.Kid(0), true) && s.mentions(n.Kid(0), false)
		case n.Is(code.Case):
			for _, k := range n.Kids[:len(n.Kids)-1] {
				found = found || s.compares(k)
			}
		case n.Is(code.Call) && n.Up.Is(code.Func, code.Block):
			found = found || s.compares(n)
		}
		return !found
	})
	return found
}

// identity: this == other, which is true of the same object only.
func (s *sides) identity(n *code.Node) bool {
	if n.Is(code.Unary) {
		return s.identity(n.Kid(0))
	}
	if !n.Is(code.Binary) || n.Text != "==" && n.Text != "!=" {
		return n.Is(code.Call) && code.Method(n) == "ReferenceEquals"
	}
	return n.Kid(0).Is(code.Name) && n.Kid(1).Is(code.Name)
}
