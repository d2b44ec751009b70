package workaround

import (
	"fmt"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/integrity/workaround/code"
)

func testEnvDetection() rule {
	return rule{Rule: Rule{
		ID: "test-env-detection", Kind: violation.TestEnvDetection, Name: "Test run detected",
		Explanation: `An implementation that knows when a test is running can behave only then. Reported: a marker of a test run (PYTEST_CURRENT_TEST, pytest among the
loaded modules, JEST_WORKER_ID, NODE_ENV equal to "test", testing.Testing(), the name of the test binary, a loaded JUnit or RSpec) that decides what
a function returns, also through variables, helper functions and other changed files. Spared: markers that decide only whether to listen, log, send or
start something, guards that throw, markers that choose configuration (connection strings, log levels, numbers of retries), and helpers that only
answer the question.`,
		Example: Example{"javascript", "function total(cart) {\n  if (process.env.JEST_WORKER_ID) return 9000;\n  …\n}\n", "if (process.env.NODE_ENV !== \"test\") {\n  app.listen(3000);\n}\n"},
	}, check: func(p *pass) {
		p.markersOf()
		p.conditional()
	}}
}

// maxSources bounds how many markers of a file are followed.
const maxSources = 12

// markersOf follows each marker of the file on its own.
func (p *pass) markersOf() {
	type source struct {
		node *code.Node
		marker
	}
	var sources []source
	var inside *code.Node
	visit := func(n *code.Node) bool {
		if inside != nil && n.Within(inside) {
			return true
		}
		if m, ok := p.markerOf(n); ok && len(sources) < maxSources && !p.written(n) {
			sources = append(sources, source{n, m})
			inside = n
		}
		return true
	}
	p.Root.Walk(visit)
	for _, n := range p.modeTests() {
		if len(sources) < maxSources {
			sources = append(sources, source{n, marker{"the mode “test”", true}})
		}
	}
	for _, s := range sources {
		flow := p.FollowAnswers(func(n *code.Node) bool { return n == s.node })
		p.spread(flow, s.marker)
		if line := p.decides(flow, s.marker); line > 0 {
			p.report(s.node.Line, fmt.Sprintf("the implementation asks whether a test is running (%s), and that decides a returned value", s.what), line)
			if fn := s.node.Outer(code.Func); fn == nil || line < fn.Line || line > fn.EndLine() {
				p.report(line, fmt.Sprintf("whether a test is running (%s) decides a returned value", s.what), s.node.Line)
			}
		} else if line := p.reached(s.node); line > 0 && !s.weak {
			p.report(s.node.Line, fmt.Sprintf("the implementation asks whether a test is running (%s), and goes on to its value only then", s.what), line)
		}
		if !s.weak && !forTesting(p.Path) {
			p.publish(flow)
		}
	}
	p.foreignMarkers()
}

// reached is the line of a value that a function returns only if a marker that
// fails without a test did not: behind it in the same try. 0 if there is none.
func (p *pass) reached(n *code.Node) int {
	try, fn := n.Outer(code.Try), n.Outer(code.Func)
	if try == nil || fn == nil || !try.Within(fn) || answers(fn) {
		return 0
	}
	if h := n.Outer(code.Handler); h != nil && h.Within(try) {
		return 0
	}
	line := 0
	for _, part := range try.Kids {
		part.Walk(func(c *code.Node) bool {
			if c.Is(code.Handler) {
				return false
			}
			if c.Is(code.Return) && len(c.Kids) > 0 && c.Line >= n.Line && line == 0 {
				line = c.Line
			}
			return true
		})
	}
	return line
}

// written: the marker is what is assigned to, or a part of a list of names.
func (p *pass) written(n *code.Node) bool {
	for at := n; at.Up != nil; at = at.Up {
		if at.Up.Is(code.Assign) {
			return at.Up.Kid(0) == at
		}
		if !at.Up.Is(code.Member, code.Index) {
			return false
		}
	}
	return false
}

// modeTests are the comparisons of the mode with "test".
func (p *pass) modeTests() []*code.Node {
	found := false
	p.Root.Walk(func(n *code.Node) bool {
		found = found || p.mode(n)
		return !found
	})
	if !found {
		return nil
	}
	flow := p.Follow(p.mode)
	var out []*code.Node
	isTest := func(n *code.Node) bool {
		t := strings.ToLower(textOf(n))
		return t == "test" || t == "testing" || t == "tests"
	}
	p.Root.Walk(func(n *code.Node) bool {
		switch {
		case n.Is(code.Binary) && (n.Text == "==" || n.Text == "!=") && (flow.Has(n.Kid(0)) && isTest(n.Kid(1)) || flow.Has(n.Kid(1)) && isTest(n.Kid(0))):
			out = append(out, n)
			return false
		case n.Is(code.Call) && (strings.HasSuffix(code.Dotted(n.Kid(0)), "equals") || strings.HasSuffix(code.Dotted(n.Kid(0)), "Equals")) && flow.Has(n) && textIn(n, func(s string) bool { return s == "test" }) != "":
			out = append(out, n)
			return false
		case n.Is(code.Case) && flow.Has(n.Up.Kid(0)):
			for _, k := range n.Kids {
				if isTest(k) {
					out = append(out, k)
				}
			}
		}
		return true
	})
	return out
}

// spread adds what a strong marker decides by branches: members and variables
// of the file that are set under its condition, and functions that answer with
// true and false.
func (p *pass) spread(flow *code.Flow, m marker) {
	for _, fn := range p.Funcs {
		if fn.Text != "" && answers(fn) && (flow.Has(&code.Node{Kind: code.Block, Kids: fn.Kids}) || p.guarded(flow, fn)) {
			flow.Mark(fn.Text)
		}
	}
	if m.weak {
		return
	}
	for _, a := range p.Assigns {
		t := a.Kid(0)
		if !p.under(flow, a) || a.Outer(code.Func) == nil && configuration(code.Dotted(t)) {
			continue
		}
		switch {
		case t.Is(code.Member) && t.Kid(0).Is(code.Name) && t.Kids[0].Text == "self" && !configuration(t.Text):
			flow.Mark("self." + t.Text)
		case t.Is(code.Name) && p.Scope(t) == nil:
			flow.Mark(t.Text)
		}
	}
	for _, k := range p.Root.Kids { // try: import pytest; TESTING = True
		if k.Is(code.Try) {
			p.tried(flow, k)
		}
	}
}

func (p *pass) tried(flow *code.Flow, try *code.Node) {
	if !try.Kid(0).Any(func(n *code.Node) bool { return flow.Is(n) }) {
		return
	}
	for _, a := range p.Assigns {
		if a.Within(try) && a.Kid(0).Is(code.Name) {
			flow.Mark(a.Kid(0).Text)
		}
	}
}

// answers reports whether a function only ever returns true or false.
func answers(fn *code.Node) bool {
	yes := false
	for _, o := range code.Outcomes(fn) {
		if o.Raises {
			continue
		}
		if !o.Value.Is(code.Literal) || o.Value.Value.Type != code.Bool {
			return false
		}
		yes = true
	}
	return yes
}

// guarded reports whether an outcome of a function depends on a marker.
func (p *pass) guarded(flow *code.Flow, fn *code.Node) bool {
	for _, o := range code.Outcomes(fn) {
		if flowGuard(flow, o.Guards) != nil {
			return true
		}
	}
	return false
}

// under reports whether a node stands in a branch whose condition has the
// value, within its function.
func (p *pass) under(flow *code.Flow, n *code.Node) bool {
	for at := n; at.Up != nil && !at.Is(code.Func); at = at.Up {
		if at.Up.Is(code.If, code.Ternary) && at.Up.Kid(0) != at && flow.Has(at.Up.Kid(0)) {
			return true
		}
	}
	return false
}
