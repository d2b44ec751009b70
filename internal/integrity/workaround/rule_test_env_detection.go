package workaround

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/code"
	"workflow-reviewer/internal/syntax"
)

// testEnvDetection looks for what docs/integrity-rules.md says under test-env-detection. An
// implementation that knows when a test is running can behave only then.
func testEnvDetection(p *pass) {
	sources := 0
	p.Root.Walk(func(n *code.Node) bool {
		what := p.marker(n)
		if what == "" || sources == maxSources {
			return true
		}
		sources++
		p.marked(n, what)
		return false
	})
	p.conditional()
}

// maxSources bounds how many markers of a file are followed.
const maxSources = 12

var (
	// runnerVariable are environment variables and properties that test runners alone set.
	runnerVariable = whole("runner-variable")
	// runnerGlobal are names that only a test runner defines.
	runnerGlobal = whole("runner-global")
	// loaded are what a program asks for its modules, arguments and own name.
	loaded = within("loaded")
	// runnerName are what runners and their modules are called there.
	runnerName = within("runner-name")
)

// marker tells what a node knows of a running test, "" if nothing.
func (p *pass) marker(n *code.Node) string {
	switch {
	case n.Is(code.Literal) && n.Value.Type == code.String && runnerVariable.MatchString(n.Value.Text) && !n.Up.Is(code.Import):
		return n.Value.Text
	case n.Is(code.Member, code.Name) && runnerVariable.MatchString(n.Text) && p.Scope(n) == nil && n.Text == strings.ToUpper(n.Text):
		return n.Text
	case n.Is(code.Unary) && runnerGlobal.MatchString(n.Text+" "+code.Dotted(n.Kid(0))) && !p.declares(n.Kid(0).Text),
		n.Is(code.Member) && p.script() && runnerGlobal.MatchString(code.Dotted(n)),
		n.Is(code.Call) && runnerGlobal.MatchString(code.Dotted(n)+code.Dotted(n.Kid(1))):
		return "what the test runner defines"
	case n.Is(code.Call) && p.lang(syntax.Go) && strings.HasPrefix(p.Callee(n), "testing."):
		return p.Callee(n) + "()"
	case n.Is(code.Call) && n.Text == "!" && p.Callee(n) == "cfg" && n.Mentions("test"):
		return "cfg!(test)"
	case n.Is(code.Call, code.Index) || n.Is(code.Binary) && n.Text != "&&" && n.Text != "||":
		if t := textIn(n, runnerName); t != "" && !n.Any(func(c *code.Node) bool { return c.Is(code.Func) && len(c.Kids) > 1 }) &&
			n.Any(func(c *code.Node) bool { return loaded.MatchString(p.FullName(c)) }) {
			return "“" + t + "” among what is loaded or run"
		}
	}
	return ""
}

// marked reports a marker that decides what a function with arguments returns.
func (p *pass) marked(marker *code.Node, what string) {
	flow := p.FollowAnswers(func(n *code.Node) bool { return n == marker })
	for _, fn := range p.Funcs { // helpers that answer yes or no in branches
		for _, o := range code.Outcomes(fn) {
			answers := o.Value.Is(code.Literal) && o.Value.Value.Type == code.Bool && len(fn.Def.Params) == 0
			if fn.Text != "" && answers && (guardOf(flow, o.Guards) != nil || marker.Within(fn)) {
				flow.Mark(fn.Text)
			}
		}
	}
	for _, fn := range p.Funcs {
		if len(fn.Def.Params) == 0 && fn.Outer(code.Class) == nil || fn.Text == "" && !fn.Up.Is(code.Assign, code.Pair, code.Return) {
			continue
		}
		for _, o := range code.Outcomes(fn) {
			g := guardOf(flow, o.Guards)
			if g == nil || o.Raises || o.Value == nil || o.Value.Is(code.Literal) && o.Value.Value.Type == code.None {
				continue
			}
			p.report(marker.Line, "the implementation asks whether a test is running ("+what+"), and that decides a returned value", g.Line)
			if !marker.Within(fn) {
				p.report(g.Line, "whether a test is running ("+what+") decides a returned value", marker.Line)
			}
			return
		}
	}
}

// conditional looks for Rust functions with arguments that are compiled in one
// way for tests and in another for everything else.
func (p *pass) conditional() {
	is := func(fn *code.Node, mark string) bool {
		return slices.ContainsFunc(fn.Def.Marks, func(m *code.Node) bool { return strings.ReplaceAll(m.Kid(0).Text, " ", "") == mark })
	}
	for _, fn := range p.Funcs {
		for _, other := range p.Named(fn.Text) {
			if p.lang(syntax.Rust) && is(fn, "cfg(test)") && is(other, "cfg(not(test))") && len(fn.Def.Params) > 0 {
				p.report(fn.Def.Line, "the function “"+fn.Text+"” is another one when it is compiled for tests", other.Def.Line)
			}
		}
	}
}
