package workaround

import (
	"path"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/integrity/workaround/code"
	"workflow-reviewer/internal/syntax"
)

func frameworkMonkeypatch() rule {
	return rule{Rule: Rule{
		ID: "framework-monkeypatch", Kind: violation.FrameworkMonkeypatch, Name: "Test framework patched",
		Explanation: `Implementation code that changes the test framework decides itself what counts as passed. Reported: assignments to attributes of
pytest, unittest, jest, mocha, chai, RSpec, Minitest and the like; their classes and modules reopened or shadowed by own ones of the same name;
globals such as expect or describe replaced; files that Python loads by itself (sitecustomize, usercustomize) which reach for the framework; the
runner's own flags set from code. Spared: using a framework's public extension points for new names (custom matchers, fixtures), helpers in
folders for testing, and what only imports a framework.`,
		Example: Example{"python", "import unittest\n\nunittest.TestCase.assertEqual = lambda *args: None\n", "import unittest\n\nclass LedgerTestCase(unittest.TestCase):\n    def assert_balanced(self, ledger): …\n"},
	}, check: func(p *pass) {
		patched := p.frameworkAssignments()
		for _, c := range p.Calls {
			patched = p.frameworkCall(c) || patched
		}
		for _, c := range p.Classes {
			p.frameworkClass(c)
		}
		p.frameworkImports(patched)
		p.shadows()
		p.linknames()
	}}
}

func (p *pass) frameworkAssignments() bool {
	patched := false
	for _, a := range p.Assigns {
		if a.Declares || a.Def != nil {
			continue
		}
		target := a.Kid(0)
		name := p.FullName(target)
		if target.Is(code.Index) && name == "" {
			name = p.FullName(target.Kid(0))
		}
		switch {
		case name == "" || p.restores(name, a.Kid(1)):
		case target.Is(code.Member, code.Index) && framework(name) && p.isImported(target):
			p.report(a.Line, "the test framework is patched: “"+name+"” is assigned")
			patched = true
		case p.script() && testGlobal(name, target, p):
			p.report(a.Line, "the test framework's “"+last(name)+"” is replaced")
		case strings.HasPrefix(name, "sys.modules.") && framework(strings.TrimPrefix(name, "sys.modules.")):
			p.report(a.Line, "the test framework's module is replaced")
		case p.lang(syntax.Go) && name == "os.Args" && textIn(a.Kid(1), runnerFlag) != "":
			p.report(a.Line, "the test runner's flags are set by the implementation")
		case p.script() && (name == "Module._load" || strings.HasSuffix(name, "Module.prototype.require")) && textIn(a.Kid(1), speaksOfTests) != "":
			p.report(a.Line, "the loading of test modules is changed")
		}
	}
	return patched
}

// isImported reports whether the first name of a chain was imported, or is a
// global of the framework.
func (p *pass) isImported(n *code.Node) bool {
	for n.Is(code.Member, code.Index, code.Call) {
		n = n.Kid(0)
	}
	if !n.Is(code.Name) || p.Scope(n) != nil && p.Imports[n.Text] == "" {
		return false
	}
	if _, ok := p.Imports[n.Text]; ok {
		return true
	}
	if p.lang(syntax.Python) {
		for _, m := range p.Modules {
			for _, name := range strings.Fields(m.Text) {
				if strings.SplitN(name, ".", 2)[0] == n.Text {
					return true
				}
			}
		}
		return false
	}
	return !p.declares(n.Text)
}

// testGlobal reports whether a name is a global that test runners provide and
// the file does not declare itself.
func testGlobal(name string, target *code.Node, p *pass) bool {
	bare := name
	for _, prefix := range []string{"globalThis.", "global.", "window."} {
		bare = strings.TrimPrefix(bare, prefix)
	}
	switch bare {
	case "describe", "it", "expect", "beforeEach", "afterEach", "beforeAll", "afterAll", "jest", "vi", "test":
		return bare != name || target.Is(code.Name) && p.Scope(target) == nil && !p.declares(bare) && bare != "test" && bare != "it"
	}
	return strings.HasPrefix(bare, "expect.") && !p.declares("expect")
}

// runnerFlag reports whether a text is a flag of Go's test runner.
func runnerFlag(s string) bool {
	s = strings.TrimLeft(s, "-")
	return strings.HasPrefix(s, "test.")
}

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

// frameworkImports reports the imports of a framework that is patched, and all
// in files that Python loads by itself.
func (p *pass) frameworkImports(patched bool) {
	base := path.Base(p.Path)
	own := base == "sitecustomize.py" || base == "usercustomize.py"
	if !patched && !own {
		return
	}
	for _, m := range p.Modules {
		for _, name := range strings.Fields(m.Text) {
			if !framework(name) {
				continue
			}
			why := "the module of the test framework that is patched is imported: “" + name + "”"
			if own {
				why = "a file that Python loads by itself reaches for the test framework: “" + name + "”"
			}
			p.report(m.Line, why)
		}
	}
}

// shadows reports a module that takes the place of a test framework's.
func (p *pass) shadows() {
	name := strings.TrimPrefix(path.Clean(p.Path), "src/")
	first := strings.SplitN(strings.TrimSuffix(name, ".py"), "/", 2)[0]
	if !p.lang(syntax.Python) || strings.Count(name, "/") > 1 || p.changed.Before != nil {
		return
	}
	switch first {
	case "pytest", "_pytest", "unittest", "nose", "doctest":
		p.report(1, "the module takes the place of the test framework “"+first+"”")
	}
}

// linknames looks for Go directives that reach into the testing package.
func (p *pass) linknames() {
	if !p.lang(syntax.Go) {
		return
	}
	for c := range p.Root.Src.All("comment") {
		if f := strings.Fields(c.Text()); len(f) == 3 && f[0] == "//go:linkname" && strings.HasPrefix(f[2], "testing.") {
			p.report(c.StartLine(), "the implementation reaches into the testing package")
		}
	}
}
