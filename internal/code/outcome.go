package code

import (
	"slices"
)

// Guard is a condition under which something runs. For a case of a Switch, Subject is what is compared with
// Patterns, or nil if the patterns are conditions of their own.
type Guard struct {
	Cond     *Node // nil for a case
	Negated  bool  // it runs if Cond is false
	Subject  *Node
	Patterns []*Node // none: the default
}

// Node is where the guard stands.
func (g Guard) Node() *Node {
	switch {
	case g.Cond != nil:
		return g.Cond
	case len(g.Patterns) > 0:
		return g.Patterns[0]
	default:
		return g.Subject
	}
}

// Mentions reports whether anything that the guard asks fulfils test.
func (g Guard) Mentions(test func(*Node) bool) bool {
	return g.Cond.Any(test) || g.Subject.Any(test) || slices.ContainsFunc(g.Patterns, func(p *Node) bool { return p.Any(test) })
}

// Outcome is one way in which a function ends.
type Outcome struct {
	Value  *Node   // nil if it returns nothing
	Raises bool    // Value is the exception
	Guards []Guard // outer ones first
	Line   int
}

// maxOutcomes bounds what is listed of one function.
const maxOutcomes = 2000

// Outcomes lists how a function can end, in the order of the source. A conditional value is split into its branches; a
// local variable that is returned is replaced by what it was assigned, under the guards of the assignment.
func Outcomes(fn *Node) []Outcome {
	o := &outcomes{fn: fn}
	o.block(fn.Kids, nil)
	return o.list
}

type outcomes struct {
	fn   *Node
	list []Outcome
}

func with(guards []Guard, g Guard) []Guard {
	return append(guards[:len(guards):len(guards)], g)
}

func (o *outcomes) block(ns []*Node, guards []Guard) {
	for _, n := range ns {
		o.statement(n, guards)
	}
}

func (o *outcomes) statement(n *Node, guards []Guard) {
	if n == nil || len(o.list) > maxOutcomes {
		return
	}
	switch n.Kind {
	case Return:
		if len(n.Kids) == 0 {
			o.list = append(o.list, Outcome{Guards: guards, Line: n.Line})
			return
		}
		o.value(n.Kids[0], guards, true)
	case Raise:
		o.list = append(o.list, Outcome{Value: n.Kid(0), Raises: true, Guards: guards, Line: n.Line})
	case If, Switch:
		o.split(n, guards, o.statement)
	case Loop:
		head := n.Kid(0)
		inner := guards
		if !head.Is(Assign) {
			inner = with(guards, Guard{Cond: head})
		}
		o.block(n.Kids[1:], inner)
	case Block, Try, Handler:
		o.block(n.Kids, guards)
	case Call:
		if slices.Contains([]string{"panic", "raise", "fail", "abort"}, Dotted(n.Kid(0))) {
			o.list = append(o.list, Outcome{Value: n.Kid(1), Raises: true, Guards: guards, Line: n.Line})
		}
	case Binary: // Ruby, Perl: x or raise
		if n.Text == "||" && n.Kid(1).Is(Raise, Return) {
			o.statement(n.Kids[1], with(guards, Guard{Cond: n.Kids[0], Negated: true}))
		}
	}
}

// split visits the branches of an If, Ternary or Switch.
func (o *outcomes) split(n *Node, guards []Guard, visit func(*Node, []Guard)) {
	switch n.Kind {
	case If, Ternary:
		visit(n.Kid(1), with(guards, Guard{Cond: n.Kid(0)}))
		if e := n.Kid(2); e != nil {
			visit(e, with(guards, Guard{Cond: n.Kid(0), Negated: true}))
		}
	case Switch:
		subject := n.Kid(0)
		if subject.Is(Other) && len(subject.Kids) == 0 {
			subject = nil
		}
		for _, c := range n.Kids[1:] {
			last := len(c.Kids) - 1
			visit(c.Kids[last], with(guards, Guard{Subject: subject, Patterns: c.Kids[:last]}))
		}
	}
}

// value lists the branches of a value.
func (o *outcomes) value(n *Node, guards []Guard, follow bool) {
	if len(o.list) > maxOutcomes {
		return
	}
	switch {
	case n.Is(Ternary), n.Is(If), n.Is(Switch):
		o.split(n, guards, func(m *Node, g []Guard) { o.branch(m, g, follow) })
		return
	case n.Is(Name) && follow && ScopeOf(n, n.Text) == o.fn && o.assigned(n, guards):
		return
	}
	o.list = append(o.list, Outcome{Value: n, Guards: guards, Line: n.Line})
}

// branch lists a branch that is a value, or a block that ends in one.
func (o *outcomes) branch(m *Node, guards []Guard, follow bool) {
	if m.Is(Block) {
		if len(m.Kids) == 0 {
			return
		}
		last := m.Kids[len(m.Kids)-1]
		if last.Is(Return, Raise, Loop, Try) {
			o.block(m.Kids, guards)
			return
		}
		o.block(m.Kids[:len(m.Kids)-1], guards)
		m = last
	}
	if m.Is(Return, Raise) {
		o.statement(m, guards)
		return
	}
	o.value(m, guards, follow)
}

// assigned lists what a local variable was assigned; false if that is unknown.
func (o *outcomes) assigned(name *Node, guards []Guard) bool {
	known := false
	var visit func(n *Node, g []Guard)
	visit = func(n *Node, g []Guard) {
		switch {
		case n == nil || len(o.list) > maxOutcomes:
		case n.Is(Assign):
			if v := assignedTo(n, name.Text); v != nil && !v.Is(Other) && !(v.Is(Name) && v.Text == name.Text) {
				known = true
				o.value(v, g, false)
			}
		case n.Is(If, Switch):
			o.split(n, g, visit)
		case n.Is(Loop, Block, Try, Handler):
			for _, k := range n.Kids {
				visit(k, g)
			}
		}
	}
	for _, p := range o.fn.Def.Params {
		known = known || p == name.Text
	}
	if known {
		o.list = append(o.list, Outcome{Value: name, Guards: guards, Line: name.Line})
	}
	for _, k := range o.fn.Kids {
		visit(k, guards)
	}
	return known
}

// assignedTo is what an assignment assigns to a name, nil if nothing.
func assignedTo(n *Node, name string) *Node {
	target, value := n.Kid(0), n.Kid(1)
	if n.Text == "for" {
		return nil
	}
	if target.Is(Name) && target.Text == name {
		return value
	}
	if target.Is(List) && value.Is(List) && len(target.Kids) == len(value.Kids) {
		for i, t := range target.Kids {
			if t.Is(Name) && t.Text == name {
				return value.Kids[i]
			}
		}
	}
	return nil
}
