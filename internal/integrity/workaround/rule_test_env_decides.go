package workaround

import (
	"strings"

	"workflow-reviewer/internal/integrity/workaround/code"
)

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
