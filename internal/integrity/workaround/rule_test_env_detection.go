package workaround

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/integrity/workaround/code"
	"workflow-reviewer/internal/syntax"
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

func flowGuard(flow *code.Flow, guards []code.Guard) *code.Node {
	for i := len(guards) - 1; i >= 0; i-- {
		if guards[i].Mentions(func(n *code.Node) bool { return flow.Is(n) }) {
			return guards[i].Node()
		}
	}
	return nil
}

// decides is the line where a marker decides a returned value, 0 if it does not.
func (p *pass) decides(flow *code.Flow, m marker) int {
	for _, fn := range p.Funcs {
		if m.weak && configuration(fn.Text) || configurationFile(p.Path) || predicate(flow, fn) {
			continue
		}
		for _, o := range code.Outcomes(fn) {
			if line := p.decided(flow, m, fn, o); line > 0 {
				return line
			}
		}
	}
	if m.weak || configurationFile(p.Path) {
		return 0
	}
	for _, a := range p.Assigns { // the function itself is chosen
		if a.Outer(code.Func) == nil && a.Kid(1).Is(code.Ternary) && flow.Has(a.Kid(1).Kid(0)) && p.isFunction(a.Kid(1).Kid(1)) && p.isFunction(a.Kid(1).Kid(2)) {
			return a.Line
		}
	}
	for _, fn := range p.Funcs {
		if fn.Text != "" && fn.Outer(code.Func) == nil && p.under(flow, fn.Up) && len(p.Named(fn.Text)) > 1 && !configuration(fn.Text) {
			return fn.Line
		}
	}
	return 0
}

func (p *pass) isFunction(n *code.Node) bool {
	return n.Is(code.Func) || n.Is(code.Name) && len(p.Named(n.Text)) > 0
}

// decided is the line where one outcome depends on the marker, 0 if it does not.
func (p *pass) decided(flow *code.Flow, m marker, fn *code.Node, o code.Outcome) int {
	if o.Raises || o.Value == nil || o.Value.Is(code.Literal) && o.Value.Value.Type == code.None && len(o.Rest) == 0 {
		return 0
	}
	if m.weak && (len(fn.Def.Params) == 0 && fn.Outer(code.Class) == nil || resource(o.Value)) {
		return 0
	}
	if fn.Text == "" && !returnsToCaller(fn) {
		return 0
	}
	if g := flowGuard(flow, o.Guards); g != nil && !silences(fn, o) {
		return g.Line
	}
	if !m.weak && mixes(flow, o.Value) {
		return o.Line
	}
	return 0
}

// returnsToCaller: the function without name is assigned or exported, so that
// its value is a result; a callback's is not known to be.
func returnsToCaller(fn *code.Node) bool {
	return fn.Up.Is(code.Assign, code.Pair) || fn.Up.Is(code.Return)
}

// silences: the outcome only stops a function that returns nothing of its own.
func silences(fn *code.Node, o code.Outcome) bool {
	if !o.Value.Is(code.Literal) || o.Value.Value.Type == code.String && o.Value.Value.Text != "" {
		return false
	}
	for _, w := range words(fn.Text) {
		switch w {
		case "log", "debug", "warn", "track", "report", "send", "notify", "enabled", "disabled", "should", "start", "listen", "skip", "init", "install", "register", "setup":
			return true
		}
	}
	return false
}

// resource reports whether a value is a configuration or something opened.
func resource(v *code.Node) bool {
	return v.Is(code.Dict) || v.Is(code.Func) || v.Is(code.Call) && v.Text == "new"
}

// predicate reports whether a function only answers whether a test is running.
func predicate(flow *code.Flow, fn *code.Node) bool {
	if answers(fn) && len(fn.Def.Params) == 0 {
		return true
	}
	for _, o := range code.Outcomes(fn) {
		if o.Raises {
			continue
		}
		if o.Value == nil || flowGuard(flow, o.Guards) != nil || !flow.Has(o.Value) || mixes(flow, o.Value) {
			return false
		}
	}
	return true
}

// mixes reports whether a value is computed of the marker and of something else
// that is neither a literal nor a part of the marker's own expression.
func mixes(flow *code.Flow, v *code.Node) bool {
	switch {
	case v.Is(code.Binary):
		l, r := v.Kid(0), v.Kid(1)
		if flow.Has(l) != flow.Has(r) {
			other := r
			if flow.Has(r) {
				other = l
			}
			if !other.Is(code.Literal) && (v.Text == "&&" || v.Text == "||" || v.Text == "+" || v.Text == "*" || v.Text == "-") {
				return true
			}
		}
		return mixes(flow, l) || mixes(flow, r)
	case v.Is(code.List):
		for _, k := range v.Kids {
			if mixes(flow, k) {
				return true
			}
		}
	case v.Is(code.Index):
		return flow.Has(v.Kid(1)) && !flow.Has(v.Kid(0))
	case v.Is(code.Unary):
		return mixes(flow, v.Kid(0))
	}
	return false
}

// configuration reports whether a name speaks of what programs honestly choose
// by the mode that they run in.
func configuration(name string) bool {
	for _, w := range words(name) {
		switch w {
		case "config", "configuration", "conf", "settings", "setting", "options", "option", "opts", "url", "uri", "dsn", "env", "environment", "mode", "log", "logger", "logging", "logs",
			"level", "connect", "connection", "db", "database", "port", "host", "transport", "path", "dir", "directory", "file", "silent", "debug", "verbose", "mailer", "adapter",
			"driver", "backend", "store", "storage", "client", "cache", "secret", "rounds", "timeout", "delay", "retries", "retry", "enabled", "plugins", "presets", "babel", "webpack",
			"middleware", "limiter", "skip", "listen", "start", "server", "sentry", "telemetry", "analytics", "metrics", "interval", "concurrency", "workers", "sourcemap", "build", "bootstrap":
			return true
		}
	}
	return false
}

func configurationFile(file string) bool {
	base := file[strings.LastIndexByte(file, '/')+1:]
	if strings.Contains(base, ".config.") || strings.Contains(file, "settings/") || strings.Contains(file, "config/") {
		return true
	}
	switch strings.SplitN(base, ".", 2)[0] {
	case "settings", "config", "conf", "knexfile", "environment", "env", "babel", "webpack", "configuration":
		return true
	}
	return false
}

// publish makes the names of the file that carry a marker known to the others.
func (p *pass) publish(flow *code.Flow) {
	for _, name := range flow.Names() {
		if len(name) > 3 && !strings.Contains(name, ".") && (speaksOfTests(name) || len(name) > 6) && !p.known.second {
			p.known.markers[name] = p.Path
		}
	}
}

// foreignMarkers follows names that other changed files gave to a marker.
func (p *pass) foreignMarkers() {
	if !p.known.second || len(p.known.markers) == 0 {
		return
	}
	names := []string{}
	for name, from := range p.known.markers {
		if from != p.Path && p.brings(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		flow := p.FollowAnswers(func(n *code.Node) bool {
			return n.Is(code.Name) && last(p.FullName(n)) == name && p.Scope(n) == nil || n.Is(code.Member) && n.Text == name
		})
		m := marker{what: name + " of " + p.known.markers[name]}
		p.spread(flow, m)
		if line := p.decides(flow, m); line > 0 {
			p.report(line, "the implementation asks whether a test is running ("+m.what+"), and that decides a returned value")
		}
	}
}

// brings reports whether a name may come from another file.
func (p *pass) brings(name string) bool {
	if p.lang(syntax.Go, syntax.Java, syntax.CSharp, syntax.Ruby) {
		return len(p.Named(name)) == 0
	}
	for _, full := range p.Imports {
		if last(full) == name {
			return true
		}
	}
	return len(p.Imports)+len(p.Modules) > 0 && len(p.Named(name)) == 0 && !p.declares(name)
}

// conditional looks for Rust functions that are compiled in one way for tests
// and in another for everything else.
func (p *pass) conditional() {
	if !p.lang(syntax.Rust) {
		return
	}
	is := func(fn *code.Node, mark string) bool {
		for _, m := range fn.Def.Marks {
			if strings.ReplaceAll(m.Kid(0).Text, " ", "") == mark {
				return true
			}
		}
		return false
	}
	for _, fn := range p.Funcs {
		if fn.Text == "" || !is(fn, "cfg(test)") || clockName(fn.Text) {
			continue
		}
		for _, other := range p.Named(fn.Text) {
			if is(other, "cfg(not(test))") {
				p.report(fn.Def.Line, "the function “"+fn.Text+"” is another one when it is compiled for tests", other.Def.Line)
			}
		}
	}
}

// clockName: what tests honestly need to hold still.
func clockName(name string) bool {
	for _, w := range words(name) {
		switch w {
		case "now", "time", "clock", "sleep", "rand", "random", "seed", "instant", "spawn", "delay", "backoff", "timeout":
			return true
		}
	}
	return configuration(name)
}
