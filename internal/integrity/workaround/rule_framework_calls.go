package workaround

import (
	"strings"

	"workflow-reviewer/internal/integrity/workaround/code"
	"workflow-reviewer/internal/syntax"
)

func (p *pass) frameworkCall(c *code.Node) bool {
	callee, args := p.Callee(c), c.Args()
	switch {
	case len(args) == 0:
	case p.lang(syntax.Python) && (callee == "setattr" || callee == "delattr") && framework(p.FullName(args[0])) && p.isImported(args[0]):
		p.report(c.Line, "the test framework is patched: “"+p.FullName(args[0])+"” gets another attribute")
		return true
	case p.lang(syntax.Go) && callee == "flag.Set" && runnerFlag(textOf(args[0])):
		p.report(c.Line, "the test runner's flags are set by the implementation")
	case p.script() && (callee == "Object.defineProperty" || callee == "Object.assign" || callee == "Reflect.set"):
		name := p.FullName(args[0])
		own := framework(name) && p.isImported(args[0]) && !forTesting(p.Path)
		global := (name == "globalThis" || name == "global") && len(args) > 1 && testGlobal("global."+textOf(args[1]), args[0], p)
		if own || global {
			p.report(c.Line, "the test framework is patched")
			return true
		}
	case p.script() && last(callee) == "extend" && (callee == "expect.extend" || strings.HasSuffix(callee, ".expect.extend")):
		for _, entry := range args[0].Kids {
			key := entry.Text
			if entry.Is(code.Pair) {
				key = entry.Kid(0).Text
			}
			if standardMatcher(key) {
				p.report(c.Line, "the test framework's matchers are replaced", entry.Line)
				p.report(entry.Line, "the test framework's “"+key+"” is replaced")
			}
		}
	case p.script() && (last(callee) == "overwriteMethod" || last(callee) == "overwriteProperty") && !forTesting(p.Path):
		p.report(c.Line, "an assertion of the test framework is replaced")
	case p.lang(syntax.Ruby):
		return p.rubyFrameworkCall(c, callee)
	}
	return false
}

func standardMatcher(name string) bool {
	switch name {
	case "toBe", "toEqual", "toStrictEqual", "toThrow", "toThrowError", "toBeTruthy", "toBeFalsy", "toBeNull", "toBeDefined", "toBeUndefined", "toContain",
		"toHaveLength", "toMatch", "toMatchObject", "toMatchSnapshot", "toHaveProperty", "toBeCloseTo", "toBeGreaterThan", "toBeLessThan", "toHaveBeenCalled", "toHaveBeenCalledWith", "toBeInstanceOf":
		return true
	}
	return false
}

func (p *pass) rubyFrameworkCall(c *code.Node, callee string) bool {
	object, method, ok := cutLast(callee)
	if !ok || !framework(object) || forTesting(p.Path) {
		return false
	}
	switch method {
	case "prepend", "class_eval", "module_eval", "class_exec", "define_method", "define_singleton_method", "alias_method", "remove_method", "undef_method", "send":
		p.report(c.Line, "the test framework is patched: “"+object+"”")
		return true
	}
	return false
}

// frameworkClass looks for the framework's own classes in implementation code.
func (p *pass) frameworkClass(c *code.Node) {
	if forTesting(p.Path) {
		return
	}
	defines := c.Any(func(n *code.Node) bool { return n.Is(code.Func) && n.Text != "" })
	switch {
	case !defines:
	case p.lang(syntax.Ruby) && c.Outer(code.Class) == nil && framework(strings.ReplaceAll(c.Text, "::", ".")):
		p.report(c.Def.Line, "the test framework's “"+c.Text+"” is reopened")
	case p.lang(syntax.CSharp) && c.Def.Has("namespace") && framework(c.Text):
		p.report(c.Def.Line, "own code is put into the test framework's namespace “"+c.Text+"”")
	case p.lang(syntax.Java) && c.Outer(code.Class) == nil:
		for _, k := range p.Root.Kids {
			if name, ok := strings.CutPrefix(k.Text, "package "); ok && (framework(name) || strings.HasPrefix(name, "java.lang")) {
				p.report(k.Line, "own code is put into the package “"+strings.TrimSuffix(name, ";")+"”", c.Def.Line)
			}
		}
	}
}
