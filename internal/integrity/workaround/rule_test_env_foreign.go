package workaround

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/workaround/code"
	"workflow-reviewer/internal/syntax"
)

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
