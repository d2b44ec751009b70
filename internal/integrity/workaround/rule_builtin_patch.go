package workaround

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/integrity/workaround/code"
	"workflow-reviewer/internal/syntax"
)

func builtinPatch() rule {
	return rule{Rule: Rule{
		ID: "builtin-patch", Kind: violation.BuiltinPatch, Name: "Built-ins replaced",
		Explanation: `Replacing the clock, chance, equality, assert or a method of a built-in type changes what the tests see and compare, in the
whole process. Reported: assignments to functions of built-in objects and standard modules (Date.now, Array.prototype.sort, time.time, builtins.len),
core classes of Ruby reopened to redefine comparison or time, macros named like the standard assertions, libraries that patch or freeze clocks.
Spared: polyfills and compatibility shims that ask whether the function is there, new methods under new names, putting the original back,
clocks handed in as parameters, console, output streams and hooks such as sys.excepthook that exist to be set.`,
		Example: Example{"typescript", "Date.now = () => ++tick;\n", "if (!Array.prototype.at) {\n  Array.prototype.at = function (i) { … };\n}\n"},
	}, check: func(p *pass) {
		for _, a := range p.Assigns {
			p.patchedByAssignment(a)
		}
		for _, c := range p.Calls {
			p.patchedByCall(c)
		}
		for _, c := range p.Classes {
			p.reopened(c)
		}
		p.macros()
	}}
}

func (p *pass) patchedByAssignment(a *code.Node) {
	target, value := a.Kid(0), a.Kid(1)
	if a.Declares || a.Text != "=" || a.Def != nil {
		return
	}
	name := p.FullName(target)
	if target.Is(code.Index) && name == "" {
		name = p.FullName(target.Kid(0))
	}
	what := p.builtin(target, name)
	if what == "" || !p.replaces(value) || p.restores(name, value) || p.shim(a, name) {
		return
	}
	p.report(a.Line, what+" is replaced for the whole process")
}

// builtin names the built-in thing that a target is, "" if it is none.
func (p *pass) builtin(target *code.Node, name string) string {
	switch {
	case name == "":
		return ""
	case p.script():
		return p.jsBuiltin(target, name)
	case p.lang(syntax.Python):
		if pythonFunction(name) && target.Is(code.Member, code.Index) && p.isImported(target) {
			return "“" + name + "”"
		}
		if module, ok := strings.CutPrefix(name, "sys.modules."); ok && (module == "time" || module == "datetime" || module == "random" || module == "builtins" || module == "math") {
			return "the module “" + module + "”"
		}
	case p.lang(syntax.Go):
		if name == "rand.Reader" {
			return "the source of random numbers"
		}
	}
	return ""
}

func (p *pass) jsBuiltin(target *code.Node, name string) string {
	bare := name
	for _, prefix := range []string{"globalThis.", "global.", "window.", "self."} {
		bare = strings.TrimPrefix(bare, prefix)
	}
	root := target
	for root.Is(code.Member, code.Index) {
		root = root.Kid(0)
	}
	if root.Is(code.Name) && p.Scope(root) != nil && p.Imports[root.Text] == "" {
		return ""
	}
	object, member, dotted := cutLast(bare)
	if target.Is(code.Index) && strings.HasSuffix(bare, ".prototype") && strings.HasPrefix(code.Dotted(target.Kid(1)), "Symbol.") {
		object, member = bare, "["+code.Dotted(target.Kid(1))+"]"
	}
	switch {
	case !dotted && jsGlobal(bare) && p.Scope(target) == nil && (bare != name || target.Is(code.Name) && !p.declares(bare)):
		return "the global “" + bare + "”"
	case !dotted:
		return ""
	case object == "assert" || object == "assert/strict" || object == "assert.strict":
		return "an assertion of the standard library, “" + bare + "”,"
	case p.declares(strings.SplitN(bare, ".", 2)[0]):
		return ""
	}
	if proto, ok := strings.CutSuffix(object, ".prototype"); ok {
		if slices.Contains(jsMembers(proto), member) || strings.HasPrefix(member, "[Symbol.") && len(jsMembers(proto)) > 0 {
			return "the method “" + object + "." + member + "”"
		}
		return ""
	}
	if slices.Contains(jsStatics(object), member) {
		return "“" + bare + "”"
	}
	return ""
}

// declares reports whether the file has its own variable, class or import of
// the name.
func (p *pass) declares(name string) bool {
	if _, ok := p.Imports[name]; ok {
		return true
	}
	for _, a := range p.Assigns {
		if t := a.Kid(0); a.Declares && a.Outer(code.Func) == nil && t.Is(code.Name) && t.Text == name {
			return true
		}
	}
	for _, c := range p.Classes {
		if c.Text == name {
			return true
		}
	}
	return len(p.Named(name)) > 0
}

// replaces reports whether a value can stand for a function: no constant.
func (p *pass) replaces(v *code.Node) bool {
	switch {
	case v == nil, v.Is(code.Literal, code.Template, code.List):
		return false
	default:
		return !(v.Is(code.Call) && v.Text != "new" && last(p.Callee(v)) == "wrap")
	}
}

// restores reports whether a value is what the name was before: a variable that
// was assigned the name.
func (p *pass) restores(name string, v *code.Node) bool {
	if !v.Is(code.Name, code.Member) {
		return false
	}
	for _, a := range p.Assigns {
		if code.Dotted(a.Kid(0)) == code.Dotted(v) && p.FullName(a.Kid(1)) == name {
			return true
		}
	}
	return false
}

// shim reports whether a patch is made only where something is missing.
func (p *pass) shim(n *code.Node, name string) bool {
	member := last(name)
	asks := func(c *code.Node) bool {
		return c.Is(code.Member) && c.Text == member || isText(c, member) || c.Is(code.Name) && c.Text == member ||
			strings.HasSuffix(code.Dotted(c), "version_info") || code.Dotted(c) == "sys.platform"
	}
	for at := n; at.Up != nil; at = at.Up {
		switch up := at.Up; {
		case up.Is(code.If, code.Ternary) && at != up.Kid(0) && up.Kid(0).Any(asks):
			return true
		case up.Is(code.Binary) && at == up.Kid(1) && up.Kid(0).Any(asks):
			return true
		case at.Is(code.Handler) && (strings.Contains(at.Text, "AttributeError") || strings.Contains(at.Text, "ImportError")):
			return true
		case up.Is(code.Try) && at == up.Kid(0) && p.lang(syntax.Python) && len(up.Kids) > 1 && strings.Contains(up.Kids[1].Text, "ImportError") && n.Kid(1).Is(code.Name):
			return true
		}
	}
	v := n.Kid(1)
	return v.Is(code.Binary) && (v.Text == "||" || v.Text == "??") && p.FullName(v.Kid(0)) == name
}
