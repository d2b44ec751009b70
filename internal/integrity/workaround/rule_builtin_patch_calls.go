package workaround

import (
	"strings"

	"workflow-reviewer/internal/integrity/workaround/code"
	"workflow-reviewer/internal/syntax"
)

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
