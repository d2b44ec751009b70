package workaround

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/code"
	"workflow-reviewer/internal/integrity/workaround/literal"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// processExit looks for what docs/integrity-rules.md says under process-exit. A file that ends the
// process with status 0 when it is loaded, or in a hook that runs at the end, makes every test run
// green: no test runs, or none of the failures counts.
func processExit(p *pass) {
	if p.isNewProgram() {
		return
	}
	script := strings.HasPrefix(p.lines.At(1), "#!")
	p.Root.Walk(func(n *code.Node) bool {
		atWill := n.Outer(code.If, code.Ternary, code.Handler) != nil || script && n.Outer(code.Func) == nil
		if atWill || !p.isSuccessExit(n) || AsProgram(p.File, n) {
			return true
		}
		switch p.runs(n, map[*code.Node]bool{}) {
		case atLoad:
			p.report(n.Line, "the process ends with status 0 as soon as the file is loaded")
		case atEnd:
			p.report(n.Line, "a hook ends the process with status 0, whatever the tests found")
		}
		return true
	})
}

// Of a script: that it gives something to others, and that it says something to people.
var exports, says = lazyregexp.New(`(?m)^\s*export\b|\bexports\b`), lazyregexp.New(`\bconsole\.\w+\(`)

// isNewProgram reports whether a script is new, says something and gives nothing to others,
// and is named neither in an import of the tests nor in another file of the change.
func (p *pass) isNewProgram() bool {
	stem := literal.Stem(p.Path)
	name := lazyregexp.New(`\b` + lazyregexp.Quote(stem) + `\b`)
	return p.changed.Before == nil && p.script() && stem != "index" && !p.Tests.Imports[stem] && !exports.Match(p.changed.After) &&
		says.Match(p.changed.After) &&
		!slices.ContainsFunc(p.Files, func(c Changed) bool { return c.Path != p.Path && name.Match(c.After) })
}

// exits are what ends the process, in all languages.
var exits, exitSuccess = whole("exit"), within("exit-success")

// isSuccessExit reports whether a node ends the process with status 0.
func (p *pass) isSuccessExit(n *code.Node) bool {
	switch {
	case n.Is(code.Raise):
		return p.lang(syntax.Python) && n.Kid(0).Is(code.Name) && n.Kids[0].Text == "SystemExit"
	case !n.Is(code.Call) || !exits.MatchString(p.Callee(n)) || p.Callee(n) == "SystemExit" && !n.Up.Is(code.Raise):
		return false
	case len(n.Args()) == 0: // what the language says
		return p.script() || p.lang(syntax.Python, syntax.Ruby)
	}
	a := n.Args()[0]
	if a.Is(code.Name) {
		as := p.Assigned(a.Text)
		if len(as) != 1 {
			return false
		}
		a = as[0].Kid(1)
	}
	return a.Is(code.Literal) && (a.Value.IsZero() || a.Value.True()) || exitSuccess.MatchString(code.Dotted(a))
}

// moment says when code runs.
type moment uint8

const (
	onCall moment = iota // when someone calls it
	atLoad               // when the file is loaded
	atEnd                // when the process ends, in a hook
)

// runs says when a node runs, as far as the file tells. visited are the functions that were looked at.
func (p *pass) runs(n *code.Node, visited map[*code.Node]bool) moment {
	fn := n
	if !n.Is(code.Func) {
		fn = n.Outer(code.Func)
	}
	switch {
	case fn == nil && !p.lang(syntax.Python, syntax.Ruby) && !p.script():
		return onCall // a declaration
	case fn == nil:
		return atLoad
	case visited[fn]:
		return onCall
	}
	visited[fn] = true
	called := fn.Up.Is(code.Call) && fn.Up.Kids[0] == fn || fn.Up.Is(code.Member) && fn.Up.Up.Is(code.Call)
	switch {
	case p.AtExit(fn):
		return atEnd
	case called && fn.Outer(code.Func) != nil:
		return p.runs(fn.Outer(code.Func), visited)
	case called, p.initialises(fn):
		return atLoad
	case fn.Text == "":
		return onCall
	}
	when := onCall
	for _, c := range p.Calls {
		if callee := c.Kid(0); callee.Is(code.Name) && callee.Text == fn.Text && !c.Within(fn) && c.Outer(code.If, code.Ternary) == nil {
			when = max(when, p.runs(c, visited))
		}
	}
	return when
}

// initialises reports whether the language calls a function by itself when the file is loaded.
func (p *pass) initialises(fn *code.Node) bool {
	marked := slices.ContainsFunc(fn.Def.Marks, func(m *code.Node) bool {
		name := strings.TrimSuffix(last(strings.ReplaceAll(code.Dotted(m), "::", ".")), "()")
		return name == "ModuleInitializer" || name == "ctor"
	})
	return marked || p.lang(syntax.Go) && fn.Text == "init" && fn.Up == p.Root || fn.Src.Is("static_initializer", "class_static_block") ||
		fn.Src.Is("constructor_declaration") && p.lang(syntax.CSharp) && fn.Def.Has("static")
}
