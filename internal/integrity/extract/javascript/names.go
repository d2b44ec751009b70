package javascript

import (
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
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
