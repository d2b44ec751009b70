package workaround

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/integrity/workaround/code"
	"workflow-reviewer/internal/integrity/workaround/literal"
	"workflow-reviewer/internal/syntax"
)

func stateRecording() rule {
	return rule{Rule: Rule{
		ID: "state-recording", Kind: violation.StateRecording, Name: "Answers counted off",
		Explanation: `Tests call in a known order, so an implementation can count the calls and answer from a script. Reported: a counter outside of the function,
stepped by each call, that chooses among constants (compared with a number, or an index into a list of constants), constants that are taken off a
list or iterator one by one, and conversions to a value that change what they return each time. Spared: numbers and ids that are handed out, caches by
argument, metrics, limits and circuit breakers, round robin over what the program is given, iterators and generators over their own data.`,
		Example: Example{"python", "_calls = 0\n\ndef nth_prime(n):\n    global _calls\n    _calls += 1\n    if _calls == 1:\n        return 2\n    return 13\n", "_sequence = itertools.count(1)\n\ndef next_number():\n    return f\"INV-{next(_sequence):06d}\"\n"},
	}, check: func(p *pass) {
		for _, c := range p.counters() {
			p.counted(c)
		}
		p.scripts()
		p.conversions()
		for _, fn := range p.Funcs {
			p.deaf(fn)
		}
	}}
}

// counter is a variable that a function steps each time it is called.
type counter struct {
	fn   *code.Node // that steps it
	step *code.Node
	name string // dotted, "" if only the step itself is the value
	// own: it belongs to an object, not to the whole program.
	own bool
}

func (p *pass) counters() []counter {
	var out []counter
	for _, a := range p.Assigns {
		fn := a.Outer(code.Func)
		if fn == nil || len(out) >= maxSources || a.Outer(code.Loop) != nil && a.Outer(code.Loop).Within(fn) || !steps(a) {
			continue
		}
		t := a.Kid(0)
		name := code.Dotted(t)
		if t.Is(code.Index) && name == "" {
			name = code.Dotted(t.Kid(0))
		}
		if name == "" || t.Is(code.Name) && p.Scope(t) == fn {
			continue
		}
		own := strings.HasPrefix(name, "self.") && !strings.HasPrefix(name, "self.__class__.") && !p.classLevel(strings.TrimPrefix(name, "self."))
		base := t
		for base.Is(code.Member, code.Index) {
			base = base.Kid(0)
		}
		if t.Is(code.Member) && base.Is(code.Name) && base.Text != "self" && p.Scope(base) != nil {
			own = true
		}
		if t.Is(code.Name) && p.lang(syntax.Java, syntax.CSharp) && p.Scope(t) == nil {
			own = !p.classLevel(name)
		}
		out = append(out, counter{fn, a, name, own})
	}
	for _, c := range p.Calls {
		if fn := c.Outer(code.Func); fn != nil && len(out) < maxSources && p.stepsAtomically(c) && !(c.Outer(code.Loop) != nil && c.Outer(code.Loop).Within(fn)) {
			out = append(out, counter{fn: fn, step: c, name: p.grown(c)})
		}
	}
	return out
}

// steps: x += 1, x = x + 1.
func steps(a *code.Node) bool {
	v := a.Kid(1)
	switch a.Text {
	case "+=", "-=":
		return v.Is(code.Literal) && v.Value.Type == code.Number
	case "=", ":=":
		return v.Is(code.Binary) && (v.Text == "+" || v.Text == "-") && v.Kid(1).Is(code.Literal) && code.Dotted(v.Kid(0)) != "" && code.Dotted(v.Kid(0)) == code.Dotted(a.Kid(0))
	}
	return false
}

// classLevel reports whether a name is a field that all objects share.
func (p *pass) classLevel(name string) bool {
	for _, a := range p.Assigned(name) {
		if a.Outer(code.Func) == nil && a.Outer(code.Class) != nil {
			if p.lang(syntax.Python) || a.Def != nil && a.Def.Has("static") {
				return true
			}
		}
	}
	return strings.HasPrefix(name, "@@")
}

// stepsAtomically: counter.fetch_add(1), history.append(x) on something of the
// whole program.
func (p *pass) stepsAtomically(c *code.Node) bool {
	switch code.Method(c) {
	case "fetch_add", "incrementAndGet", "getAndIncrement", "Increment", "AddInt32", "AddInt64", "AddUint32", "AddUint64", "addAndGet":
		return true
	case "append", "push", "add", "<<":
		return p.grown(c) != ""
	case "Add":
		return p.lang(syntax.Go) && c.Kid(1).Is(code.Literal) && len(c.Kids) == 2
	case "next":
		return false
	}
	return false
}

// grown is the list of the whole program that a call makes longer, "" if none.
func (p *pass) grown(c *code.Node) string {
	callee := c.Kid(0)
	if !callee.Is(code.Member) || !callee.Kid(0).Is(code.Name) || p.Scope(callee.Kid(0)) != nil || callee.Kid(0).Text == "self" {
		return ""
	}
	switch callee.Text {
	case "append", "push", "add":
		return callee.Kid(0).Text
	}
	return ""
}

func (p *pass) counted(c counter) {
	grown := c.step.Is(code.Call) && c.name != ""
	flow := p.Follow(func(n *code.Node) bool {
		switch {
		case n == c.step && !grown:
			return true
		case grown:
			return n.Is(code.Call) && code.Method(n) == "len" && code.Dotted(n.Kid(1)) == c.name ||
				n.Is(code.Member) && (n.Text == "length" || n.Text == "size" || n.Text == "Count") && code.Dotted(n.Kid(0)) == c.name
		}
		return n.Is(code.Name, code.Member, code.Index) && c.name != "" && code.Dotted(n) == c.name || n.Is(code.Index) && c.step.Kid(0).Is(code.Index) && code.Dotted(n.Kid(0)) == c.name && code.Dotted(n) == ""
	})
	if p.scripted(c, flow) {
		return
	}
	p.chosen(c, flow)
}

// scripted: the counter is an index into a list of constants.
func (p *pass) scripted(c counter, flow *code.Flow) bool {
	for _, o := range code.Outcomes(c.fn) {
		v := o.Value
		if v.Is(code.Call) && v.Kid(0).Is(code.Member) && v.Kid(0).Text == "get" && len(v.Kids) >= 2 && flow.Has(v.Kid(1)) {
			v = &code.Node{Kind: code.Index, Kids: []*code.Node{v.Kid(0).Kid(0), v.Kid(1)}, Line: v.Line}
		}
		v = literal.Bare(v)
		if !v.Is(code.Index) || !flow.Has(v.Kid(1)) {
			continue
		}
		answers := p.constants(v.Kid(0))
		if len(answers) < 2 || (cycles(v.Kid(1)) || c.own && !v.Kid(0).Is(code.List)) && !p.inTests(answers) {
			continue
		}
		p.report(o.Line, "each call is answered with the next of a list of constants", c.step.Line)
		if c.step.Line != o.Line {
			p.report(c.step.Line, "the calls are counted, and the count chooses among constants", o.Line)
		}
		return true
	}
	return false
}

// chosen: the counter is compared with numbers, and constants are returned.
func (p *pass) chosen(c counter, flow *code.Flow) {
	numbers := map[string]bool{}
	var lines []int
	telling := false
	for _, o := range code.Outcomes(c.fn) {
		if o.Raises || literal.Of(o.Value) == "" {
			continue
		}
		for _, g := range o.Guards {
			number, at := comparedWith(flow, g)
			if number == "" || number == "0" && g.Cond != nil && !c.step.Is(code.Call) {
				continue
			}
			numbers[number] = true
			lines = append(lines, at)
			if k := literal.Of(o.Value); !strings.HasPrefix(string(k), "b:") && k != "n:0" && k != "s:" && k != "n:-1" {
				telling = true
			}
		}
	}
	enough := telling && len(numbers) >= 1 && !c.own || len(numbers) >= 2 && (!c.own || telling)
	if !enough {
		return
	}
	slices.Sort(lines)
	p.report(lines[0], fmt.Sprintf("the number of the call (“%s”) decides which constant is returned", counterName(c)), c.step.Line)
	p.report(c.step.Line, fmt.Sprintf("the calls are counted (“%s”), and the count decides which constant is returned", counterName(c)), lines...)
}

func counterName(c counter) string {
	if c.name != "" {
		return c.name
	}
	return "counter"
}

// comparedWith is the number that a guard demands of the flow's value, by
// equality or as a remainder.
func comparedWith(flow *code.Flow, g code.Guard) (number string, line int) {
	if g.Subject != nil && flow.Has(g.Subject) {
		for _, pat := range g.Patterns {
			if pat.Is(code.Literal) && pat.Value.Type == code.Number {
				return pat.Value.Text, pat.Line
			}
		}
		return "", 0
	}
	g.Cond.Any(func(n *code.Node) bool {
		if n.Is(code.Binary) && n.Text == "==" {
			for i, k := range n.Kids {
				if k.Is(code.Literal) && k.Value.Type == code.Number && flow.Has(n.Kids[1-i]) {
					number, line = k.Value.Text, n.Line
				}
			}
		}
		return number != ""
	})
	return number, line
}

// deaf reports a function that picks one of the constants that tests expect
// without looking at its arguments: by whatever is counted, in memory or not.
func (p *pass) deaf(fn *code.Node) {
	params := fn.Def.Params
	if len(params) == 0 || fn.Text == "" || slices.ContainsFunc(fn.Kids, func(k *code.Node) bool {
		return k.Any(func(n *code.Node) bool { return n.Is(code.Name) && slices.Contains(params, n.Text) })
	}) {
		return
	}
	for _, o := range code.Outcomes(fn) {
		v := literal.Bare(o.Value)
		if o.Raises || !v.Is(code.Index) || v.Kid(1).Is(code.Literal) {
			continue
		}
		answers := p.constants(v.Kid(0))
		if len(answers) < 2 || slices.ContainsFunc(answers, func(a *code.Node) bool { return !p.known.tests.Has(literal.Of(a)) }) {
			continue
		}
		p.report(o.Line, "each call is answered with another of the constants that approved tests expect, whatever the arguments are")
	}
}
