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

func (p *pass) patchedByCall(c *code.Node) {
	callee, args := p.Callee(c), c.Args()
	switch {
	case p.lang(syntax.Python) && callee == "setattr" && len(args) == 3:
		name := p.FullName(args[0]) + "." + textOf(args[1])
		if pythonFunction(name) && !p.restores(name, args[2]) && !p.shim(c, name) {
			p.report(c.Line, "“"+name+"” is replaced for the whole process")
		}
	case p.lang(syntax.Python) && (callee == "forbiddenfruit.curse" || callee == "forbiddenfruit.patchable_builtin"):
		p.report(c.Line, "a built-in type of Python is patched")
	case p.lang(syntax.Python) && (callee == "freezegun.freeze_time" || callee == "time_machine.travel"):
		p.report(c.Line, "the implementation stops the clock for the whole process")
	case p.lang(syntax.Go) && (strings.HasPrefix(callee, "monkey.Patch") || strings.HasPrefix(callee, "gomonkey.Apply")):
		p.report(c.Line, "a function is patched in the running program")
	case p.script() && len(args) >= 2:
		p.jsPatchedByCall(c, callee, args)
	case p.lang(syntax.Ruby) && !strings.Contains(p.Path, "core_ext"):
		p.rubyPatchedByCall(c)
	}
}

func (p *pass) jsPatchedByCall(c *code.Node, callee string, args []*code.Node) {
	object := p.FullName(args[0])
	switch callee {
	case "Object.defineProperty", "Reflect.defineProperty", "Reflect.set":
		name := object + "." + textOf(args[1])
		if textOf(args[1]) != "" {
			if what := p.jsBuiltin(args[0], name); what != "" && !p.shim(c, name) {
				p.report(c.Line, what+" is replaced for the whole process")
			}
		}
	case "Object.assign", "Object.defineProperties":
		for _, pair := range args[1].Kids {
			key := pair.Text
			if pair.Is(code.Pair) {
				key = pair.Kid(0).Text
			}
			if what := p.jsBuiltin(args[0], object+"."+key); what != "" && !p.shim(c, key) {
				p.report(pair.Line, what+" is replaced for the whole process")
			}
		}
	}
}

func (p *pass) rubyPatchedByCall(c *code.Node) {
	object, method, _ := cutLast(p.Callee(c))
	core, _ := strings.CutSuffix(object, ".singleton_class")
	if !rubyCore(core) || len(c.Args()) == 0 {
		return
	}
	switch method {
	case "define_method", "define_singleton_method", "send", "public_send", "undef_method", "remove_method", "alias_method":
		name := textOf(c.Kid(1))
		if method == "send" || method == "public_send" {
			name = textOf(c.Kid(2))
		}
		if rubyMethod(name) {
			p.report(c.Line, "“"+core+"” gets another “"+name+"”")
		}
	case "prepend":
		if m := p.module(c.Kid(1).Text); m != nil {
			p.coreMethods(m, core)
		}
	case "class_eval", "module_eval", "instance_eval", "class_exec":
		p.coreMethods(c.Kids[len(c.Kids)-1], core)
	}
}

func (p *pass) module(name string) *code.Node {
	for _, c := range p.Classes {
		if c.Text == name && name != "" {
			return c
		}
	}
	return nil
}

// reopened looks at Ruby classes that are core classes.
func (p *pass) reopened(c *code.Node) {
	if p.lang(syntax.Ruby) && !strings.Contains(p.Path, "core_ext") && rubyCore(c.Text) && (c.Outer(code.Class) == nil || c.Def.Type == "singleton") && len(c.Def.Bases) == 0 {
		p.coreMethods(c, c.Text)
	}
}

func (p *pass) coreMethods(in *code.Node, core string) {
	in.Walk(func(n *code.Node) bool {
		if n.Is(code.Func) && n.Src.Is("method", "singleton_method") {
			if rubyMethod(n.Text) {
				p.report(n.Def.Line, "“"+core+"” gets another “"+n.Text+"”")
			}
			return false
		}
		return n == in || !n.Is(code.Class) || n.Def.Type == "singleton"
	})
}

// macros looks for Rust macros that take the place of the standard assertions.
func (p *pass) macros() {
	if !p.lang(syntax.Rust) {
		return
	}
	for m := range p.Root.Src.All("macro_definition") {
		switch name := m.Field("name").Text(); name {
		case "assert", "assert_eq", "assert_ne", "debug_assert", "panic":
			p.report(m.StartLine(), "the macro “"+name+"!” takes the place of the standard one")
		}
	}
}
