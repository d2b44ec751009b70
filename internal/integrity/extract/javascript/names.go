package javascript

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// sort says what a name is good for.
type sort int

const (
	none      sort = iota
	suite          // describe
	test           // it
	setup          // beforeEach
	expect         // expect(x)
	assert         // assert.equal(a, b), assert(a)
	assertion      // equal(a, b): one function of assert
	should         // should(x)
	chai           // chai.expect
	mocks          // jest, vi
	sinon
	double // td of testdouble
	nodeMock
)

// meaning is what a name of the file stands for.
type meaning struct {
	sort   sort
	effect testmodel.Effect // of fit and xit
	flavor flavor           // of assert
	method string           // of an assertion
}

// flavor is whose assert functions they are: the names mean different things.
type flavor int

const (
	legacy flavor = iota // node:assert, QUnit: equal is ==
	strict               // node:assert/strict, uvu, tape
	ofChai               // deepEqual is strict
)

// global is what a test framework's name means where nothing else is bound to
// it.
func global(name string) (meaning, bool) {
	switch name {
	case "describe", "context", "suite":
		return meaning{sort: suite}, true
	case "fdescribe", "fcontext", "ddescribe":
		return meaning{sort: suite, effect: testmodel.Focuses}, true
	case "xdescribe", "xcontext", "xsuite":
		return meaning{sort: suite, effect: testmodel.Skips}, true
	case "it", "test", "specify":
		return meaning{sort: test}, true
	case "fit", "iit", "ftest", "fspecify":
		return meaning{sort: test, effect: testmodel.Focuses}, true
	case "xit", "xtest", "xspecify":
		return meaning{sort: test, effect: testmodel.Skips}, true
	case "before", "after", "beforeEach", "afterEach", "beforeAll", "afterAll", "setup", "teardown", "suiteSetup", "suiteTeardown":
		return meaning{sort: setup}, true
	case "expect":
		return meaning{sort: expect}, true
	case "assert":
		return meaning{sort: assert}, true
	case "should":
		return meaning{sort: should}, true
	case "chai":
		return meaning{sort: chai}, true
	case "jest", "vi":
		return meaning{sort: mocks}, true
	case "sinon", "sandbox":
		return meaning{sort: sinon}, true
	case "td":
		return meaning{sort: double}, true
	case "mock":
		return meaning{sort: nodeMock}, true
	default:
		return meaning{}, false
	}
}

// exported is what a name that a module exports means; "" is the module's
// default or whole.
func exported(module, name string) (meaning, bool) {
	module = strings.TrimPrefix(module, "node:")
	switch module {
	case "assert", "assert/strict", "power-assert", "uvu/assert", "should", "expect", "sinon", "testdouble", "chai":
		return ofAssertions(module, name)
	case "test", "ava", "tape", "uvu", "tap", "@playwright/test", "vitest", "@jest/globals", "bun:test", "mocha", "qunit":
		if name == "" || name == "default" {
			return meaning{sort: test}, module != "vitest" && module != "mocha"
		}
	}
	return global(name)
}

func ofAssertions(module, name string) (meaning, bool) {
	whole := name == "" || name == "default"
	switch module {
	case "should":
		return meaning{sort: should}, whole
	case "expect":
		return meaning{sort: expect}, whole || name == "expect"
	case "sinon":
		return meaning{sort: sinon}, whole
	case "testdouble":
		return meaning{sort: double}, whole
	case "chai":
		if whole {
			return meaning{sort: chai}, true
		}
		m, ok := global(name)
		m.flavor = ofChai
		return m, ok
	}
	f := legacy
	if module == "assert/strict" || module == "uvu/assert" || name == "strict" {
		f = strict
	}
	if whole || name == "strict" || name == "assert" || name == "ok" {
		return meaning{sort: assert, flavor: f}, true
	}
	return meaning{sort: assertion, flavor: f, method: name}, true
}

// learn finds out what the file's names mean: from its imports, its aliases,
// and from what it binds to a framework's name itself.
func (m *model) learn(root syntax.Node) {
	root.Walk(func(n syntax.Node) bool {
		switch n.Kind() {
		case "import_statement":
			m.importNames(n)
		case "variable_declarator":
			m.declared(n)
		case "function_declaration", "class_declaration":
			m.shadow(n.Field("name").Text())
		}
		return true
	})
}

// shadow notes that a name is the file's own.
func (m *model) shadow(name string) {
	if _, ok := global(name); ok {
		m.names[name] = meaning{}
	}
}

// name is what a name means.
func (m *model) name(name string) meaning {
	if found, ok := m.names[name]; ok {
		return found
	}
	found, _ := global(name)
	return found
}

func (m *model) importNames(n syntax.Node) {
	for _, i := range imported(n) {
		m.imports[i.local] = true
		if found, ok := exported(i.module, i.name); ok {
			m.names[i.local] = found
		}
	}
}

// declared learns from const x = …: a require, a part of a known thing, an
// alias, or a name of the file's own.
func (m *model) declared(n syntax.Node) {
	value := n.Field("value")
	_, _, isImport := required(chainOf(value))
	for _, b := range bindings(n.Field("name"), nil) {
		m.imports[b.local] = m.imports[b.local] || isImport
		if found, ok := m.alias(value, b.key); ok {
			m.names[b.local] = found
		} else if !value.IsZero() && !isImport {
			m.shadow(b.local)
		}
	}
}

// alias is what a value, or the property of it with that name, means.
func (m *model) alias(value syntax.Node, key []string) (meaning, bool) {
	value = bare(value)
	if value.Is("ternary_expression") {
		return m.alias(value.Field("consequence"), key)
	}
	c := chainOf(value)
	path := key
	if module, rest, ok := required(c); ok {
		path = append(rest, key...)
		switch len(path) {
		case 0:
			return exported(module, "")
		case 1:
			return exported(module, path[0])
		default:
			return meaning{}, false
		}
	}
	return m.aliasOf(c, path)
}

// aliasOf is what a member of a known thing means: chai.expect, it.skip.
func (m *model) aliasOf(c chain, key []string) (meaning, bool) {
	of := c.root.Text()
	if !c.root.Is("identifier") {
		return meaning{}, false
	}
	found := m.name(of)
	host := slices.Contains([]string{"globalThis", "global", "window", "self", "Deno", "QUnit"}, of)
	var path []string
	for _, l := range c.links {
		path = append(path, l.name)
	}
	path = append(path, key...)
	switch {
	case (host || found.sort == chai) && len(path) == 1:
		g, ok := global(path[0])
		if found.sort == chai {
			g.flavor = ofChai
		}
		return g, ok
	case found.sort == assert && len(path) == 1 && path[0] == "strict":
		return meaning{sort: assert, flavor: strict}, true
	case found.sort == assert && len(path) == 1:
		return meaning{sort: assertion, flavor: found.flavor, method: path[0]}, true
	case found.sort == test || found.sort == suite || found.sort == expect && len(path) == 0:
		found.effect = firstEffect(found.effect, path)
		return found, true
	default:
		return meaning{}, false
	}
}

// firstEffect is the effect of it.skip and its like.
func firstEffect(effect testmodel.Effect, path []string) testmodel.Effect {
	for _, name := range path {
		if e := modifier(name); effect == "" {
			effect = e
		}
	}
	return effect
}
