package javascript

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// mock is a call that replaces something: a module, a method, a global.
func (m *model) mock(ch chain, at, n syntax.Node) (testmodel.Stmt, bool) {
	target := m.mocked(ch)
	if target == "" {
		return testmodel.Stmt{}, false
	}
	st := m.Stmt(testmodel.Mocks, at, tokens(n))
	st.Mock = target
	return st, true
}

// mocked is what a chain replaces, "" if nothing.
func (m *model) mocked(ch chain) string {
	root := ch.root.Text()
	for i, l := range ch.links {
		if !l.called {
			continue
		}
		rest := ch.links[i+1:]
		switch sort := m.name(root).sort; {
		case sort == mocks && i == 0:
			return jestMock(l, rest)
		case sort == sinon || strings.HasSuffix(strings.ToLower(root), "sandbox"):
			return sinonMock(l, rest)
		case sort == double && l.name == "replace", sort == double && l.name == "replaceEsm":
			return property(l)
		case sort == nodeMock, i > 0 && ch.links[i-1].name == "mock", ch.root.Is("identifier") && root == "mock":
			if slices.Contains([]string{"method", "getter", "setter", "module", "property"}, l.name) {
				return property(l)
			}
		case root == "proxyquire" || root == "rewiremock" || root == "esmock":
			return proxied(l)
		case l.name == "__set__" || l.name == "__Rewire__":
			return root + "." + unquoted(l.arg(0))
		}
	}
	return ""
}

// jestMock is what jest.mock(…), vi.spyOn(…).mockReturnValue(…) and their like
// replace. A spy that calls through replaces nothing.
func jestMock(l link, rest []link) string {
	switch l.name {
	case "mock", "doMock", "setMock", "unstable_mockModule", "mockModule":
		return unquoted(importedArg(l.arg(0)))
	case "replaceProperty":
		return property(l)
	case "stubGlobal", "stubEnv":
		return unquoted(l.arg(0))
	case "spyOn":
		for _, r := range rest {
			if strings.HasPrefix(r.name, "mock") && r.name != "mockName" && r.name != "mockClear" {
				return property(l)
			}
		}
	}
	return ""
}

// importedArg is the module in vi.mock(import("../price")).
func importedArg(n syntax.Node) syntax.Node {
	if c := chainOf(n); c.root.Is("import") && len(c.links) == 1 && len(c.links[0].args) > 0 {
		return c.links[0].args[0]
	}
	return n
}

func sinonMock(l link, rest []link) string {
	switch l.name {
	case "stub", "replace", "define", "replaceGetter", "mock":
		if len(l.args) > 0 {
			return property(l)
		}
	case "spy":
		for _, r := range rest {
			if len(l.args) > 1 && (r.name == "returns" || r.name == "callsFake") {
				return property(l)
			}
		}
	case "useFakeTimers":
	}
	return ""
}

// property is what f(object, "name") is about: object.name.
func property(l link) string {
	target := unquoted(l.arg(0))
	if name := bare(l.arg(1)); isString(name) {
		target += "." + unquoted(name)
	}
	return target
}

// proxied is the first module that proxyquire replaces for another.
func proxied(l link) string {
	stubs := bare(l.arg(1))
	if len(stubs.Named()) == 0 {
		return ""
	}
	return unquoted(stubs.Named()[0].Field("key"))
}

// replaced is what an assignment replaces: a member of an import or of a
// global object, or a name of the test framework; "" if it is ordinary.
func (m *model) replaced(left, right syntax.Node) string {
	c := chainOf(left)
	if !c.root.Is("identifier") {
		return ""
	}
	root := c.root.Text()
	if len(c.links) == 0 {
		if m.name(root).sort != none {
			return root
		}
		return ""
	}
	if m.name(root).sort != none || m.imports[root] || m.isDouble(right) || isFunction(right) && isGlobal(root) {
		return c.path()
	}
	if slices.Contains([]string{"global", "globalThis", "window"}, root) {
		if _, known := global(c.links[0].name); known {
			return c.path()
		}
	}
	return ""
}

// isDouble reports whether a value is a test double: jest.fn(), sinon.stub().
func (m *model) isDouble(n syntax.Node) bool {
	c := chainOf(n)
	if len(c.links) == 0 || !c.links[0].called {
		return false
	}
	switch c.links[0].name {
	case "fn", "stub", "fake", "func":
		sort := m.name(c.root.Text()).sort
		return sort == mocks || sort == sinon || sort == double || sort == nodeMock
	default:
		return false
	}
}

// isGlobal reports whether a name is an object that the platform has.
func isGlobal(name string) bool {
	return slices.Contains([]string{
		"global", "globalThis", "window", "process", "console", "Date", "Math", "JSON", "Object", "Array", "Promise", "Number", "String", "Intl",
	}, name)
}
