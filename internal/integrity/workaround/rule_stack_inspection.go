package workaround

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/code"
	"workflow-reviewer/internal/integrity/workaround/literal"
)

// stackInspection looks for what docs/integrity-rules.md says under stack-inspection. A function that
// looks up the call stack can see the test that calls it, even the value that the test expects.
func stackInspection(p *pass) {
	sources := 0
	p.Root.Walk(func(n *code.Node) bool {
		if sources == maxSources || !p.isStack(n) {
			return true
		}
		sources++
		p.stackFrom(n)
		return false
	})
}

// stacks are what takes hold of the call stack, in all languages.
var stacks = whole("stack")

func (p *pass) isStack(n *code.Node) bool {
	switch {
	case n.Is(code.Call):
		return stacks.MatchString(p.Callee(n)) && !(p.script() && code.Method(n) == "getStackTrace")
	case n.Is(code.Member) && n.Text == "stack" && p.script():
		o := n.Kid(0)
		return o.Is(code.Call) || o.Is(code.Name) && p.madeForStack(o)
	default:
		return n.Is(code.Member, code.Name) && stacks.MatchString(p.FullName(n)) && p.Scope(n) == nil && !n.Up.Is(code.Pair)
	}
}

// madeForStack: the variable holds an error that was made here, or an object whose stack was captured.
func (p *pass) madeForStack(n *code.Node) bool {
	return slices.ContainsFunc(p.Assigned(n.Text), func(a *code.Node) bool {
		v := a.Kid(1)
		return v.Is(code.Call) && v.Text == "new" && strings.HasSuffix(code.Dotted(v.Kid(0)), "Error")
	}) || slices.ContainsFunc(p.Calls, func(c *code.Node) bool {
		return code.Dotted(c.Kid(0)) == "Error.captureStackTrace" && c.Kid(1).Is(code.Name) && c.Kid(1).Text == n.Text
	})
}

// stackFrom reports a stack that is searched for tests and decides an outcome.
func (p *pass) stackFrom(source *code.Node) {
	flow := p.Follow(func(n *code.Node) bool { return n == source })
	why, at := "", 0
	p.Root.Walk(func(n *code.Node) bool {
		asks := n.Is(code.Binary) && n.Text != "&&" && n.Text != "||" || n.Is(code.Call, code.Index)
		if t := textIn(n, testWord); why == "" && asks && t != "" && !strings.ContainsAny(t, " \n\t") && flow.Has(n) {
			why, at = t, n.Line
		} else if t := callersVariable(n); why == "" && t != "" && flow.Has(n) {
			why, at = t, n.Line
		}
		return why == ""
	})
	if why == "" {
		return
	}
	for _, fn := range p.Funcs {
		if line := decides(flow, fn); line > 0 {
			p.report(source.Line, "the implementation inspects its caller (“"+why+"”), and that decides a returned value", at, line)
			return
		}
	}
}

// callersVariable is the name of a variable that is looked up in a frame.
func callersVariable(n *code.Node) string {
	frame, name := n.Kid(0), literal.Text(n.Kid(1))
	if n.Is(code.Call) && code.Method(n) == "get" {
		frame = frame.Kid(0)
	}
	if !frame.Is(code.Member) || frame.Text != "f_locals" {
		return ""
	}
	return name
}
