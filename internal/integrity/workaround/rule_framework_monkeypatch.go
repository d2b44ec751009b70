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
