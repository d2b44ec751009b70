package workaround

import (
	"slices"

	"workflow-reviewer/internal/integrity/workaround/code"
	"workflow-reviewer/internal/integrity/workaround/literal"
)

func cycles(n *code.Node) bool {
	return n.Any(func(c *code.Node) bool { return c.Is(code.Binary) && c.Text == "%" })
}

// constants are the elements of a list or values of a dictionary of constants,
// or of the variable that holds one.
func (p *pass) constants(n *code.Node) []*code.Node {
	n = literal.Bare(n)
	if n.Is(code.Name, code.Member) {
		as := p.Assigned(n.Text)
		if len(as) != 1 {
			return nil
		}
		n = literal.Bare(as[0].Kid(1))
	}
	for n.Is(code.Call) && len(n.Kids) == 2 && (n.Kids[1].Is(code.List, code.Dict) || n.Text == "new" && n.Kids[1].Is(code.Call)) {
		n = n.Kids[1]
	}
	if !n.Is(code.List, code.Dict) && !(n.Is(code.Call) && (code.Method(n) == "of" || code.Method(n) == "asList" || n.Text == "!")) {
		return nil
	}
	kids := n.Kids
	if n.Is(code.Call) {
		kids = n.Args()
	}
	var out []*code.Node
	for _, k := range kids {
		if k.Is(code.Pair) {
			k = k.Kid(1)
		}
		if literal.Of(k) == "" {
			return nil
		}
		out = append(out, k)
	}
	return out
}

// inTests reports whether most of the constants, and two that say something,
// stand in the approved tests.
func (p *pass) inTests(answers []*code.Node) bool {
	in, telling := 0, 0
	for _, a := range answers {
		if k := literal.Of(a); p.known.tests.Has(k) {
			in++
			if literal.Tells(k) {
				telling++
			}
		}
	}
	return telling >= 2 && in*2 >= len(answers)
}

// scripts looks for constants that are taken off a list or iterator of the
// whole program, call by call.
func (p *pass) scripts() {
	for _, c := range p.Calls {
		fn := c.Outer(code.Func)
		if fn == nil {
			continue
		}
		answers, consumes := p.consumed(c)
		if !consumes || len(answers) < 2 || !p.returnedAsIs(c) {
			continue
		}
		p.report(c.Line, "each call is answered with the next of a list of constants", answers[0].Line)
		p.report(answers[0].Line, "a list of constants is handed out call by call", c.Line)
	}
}

// consumed are the constants of which a call takes the next.
func (p *pass) consumed(c *code.Node) (answers []*code.Node, ok bool) {
	callee := c.Kid(0)
	switch {
	case callee.Is(code.Name) && callee.Text == "next" && c.Kid(1).Is(code.Name):
		return p.iterated(c.Kid(1))
	case callee.Is(code.Member) && callee.Kid(0).Is(code.Name, code.Member):
		o := callee.Kid(0)
		if o.Is(code.Name) && p.Scope(o) != nil && p.Scope(o) == c.Outer(code.Func) || o.Is(code.Member) && o.Kid(0).Is(code.Name) && o.Kids[0].Text == "self" && !p.classLevel(o.Text) {
			return nil, false
		}
		switch callee.Text {
		case "pop", "popleft", "shift", "remove", "poll", "removeFirst", "Dequeue", "pop_front", "next", "Pop":
			if callee.Text == "remove" && !isText(c.Kid(1), "") && !(c.Kid(1).Is(code.Literal) && c.Kid(1).Value.Type == code.Number) {
				return nil, false
			}
			if callee.Text == "next" {
				return p.iterated(o)
			}
			return p.constants(o), true
		}
	}
	return nil, false
}

// iterated are the constants behind an iterator of the whole program.
func (p *pass) iterated(name *code.Node) (answers []*code.Node, ok bool) {
	as := p.Assigned(name.Text)
	if len(as) != 1 || as[0].Outer(code.Func) != nil && as[0].Outer(code.Func) == name.Outer(code.Func) {
		return nil, false
	}
	v := as[0].Kid(1)
	if !v.Is(code.Call) {
		return nil, false
	}
	switch last(p.Callee(v)) {
	case "iter", "values", "iterator", "each", "into_iter", "Symbol.iterator":
		arg := v.Kid(1)
		if arg == nil {
			arg = v.Kid(0).Kid(0)
		}
		return p.constants(arg), true
	case "cycle":
		arg := v.Kid(1)
		if arg == nil {
			arg = v.Kid(0).Kid(0)
		}
		answers = p.constants(arg)
		return answers, p.inTests(answers)
	}
	if made := p.Named(code.Dotted(v.Kid(0))); len(made) == 1 { // a generator of constants
		made[0].Walk(func(n *code.Node) bool {
			if n.Is(code.Other) && n.Src.Is("yield", "yield_expression") && len(n.Kids) == 1 && literal.Of(n.Kids[0]) != "" {
				answers = append(answers, n.Kids[0])
			}
			return true
		})
		return answers, len(answers) > 1
	}
	return nil, false
}

// conversions looks for conversions to a value that step a counter.
func (p *pass) conversions() {
	for _, fn := range p.Funcs {
		if step := p.steppingConversion(fn); step != nil {
			p.report(step.Line, "the value of the object is another one each time it is asked for")
		}
	}
}

// steppingConversion is the step of a counter by which a conversion or
// comparison changes what it answers, nil if there is none.
func (p *pass) steppingConversion(fn *code.Node) *code.Node {
	switch fn.Text {
	case "valueOf", "Symbol.toPrimitive", "__eq__", "__bool__", "__hash__", "equals", "Equals", "==":
	default:
		return nil
	}
	for _, a := range p.Assigns {
		t := a.Kid(0)
		if a.Outer(code.Func) != fn || !steps(a) || a.Outer(code.Loop) != nil && a.Outer(code.Loop).Within(fn) || t.Is(code.Name) && p.Scope(t) == fn {
			continue
		}
		uses := func(n *code.Node) bool {
			return n == a || n.Is(code.Name, code.Member) && code.Dotted(n) == code.Dotted(t)
		}
		for _, o := range code.Outcomes(fn) {
			decides := slices.ContainsFunc(o.Guards, func(g code.Guard) bool { return g.Mentions(uses) })
			if o.Value.Any(uses) || decides {
				return a
			}
		}
	}
	return nil
}
