package kernel

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// undone reports whether what a new test does by a name that reaches other code ends with that test: by the
// framework's own word (pytest's monkeypatch, Go's t.Setenv), or as the test, or a hook around it, takes it back.
func (c *comparer) undone(k *Node) bool {
	if up := k.Up.Up; k.Text == "mock" && up.Is("member_expression") && up.Kids[0] == k.Up { // what a spy saw
		return slices.Contains([]string{"calls", "results", "lastCall", "instances"}, up.Child("property").leafText())
	}
	if k.Text == "ENV" && k.Up.Is("argument_list") { // RSpec's doubles end with their example
		allow, _ := c.table.callOf(k.Up.Up)
		to, ok := c.table.callOf(k.Up.Up.Up)
		return ok && allow.object == nil && allow.name == "allow" && to.object == k.Up.Up && to.name == "to" &&
			!c.new.Root.Any(func(n *Node) bool { return n.Is("method") && n.Child("name").Source() == "allow" })
	}
	at := k.Up
	if at.Is("attribute", "member_expression", "selector_expression") {
		at = at.Up
	}
	call, ok := c.table.callOf(at)
	if !ok || call.callee != k {
		return false
	}
	switch c.table.lang {
	case syntax.Java: // Mockito's, closed where it is opened
		return (call.name == "mockStatic" || call.name == "mockConstruction") && call.node.Up.Is("resource")
	case syntax.Python:
		return patches[call.name] && call.object.leafText() == "monkeypatch" && c.onlyPatches(call)
	case syntax.Go:
		return (call.name == "Setenv" || call.name == "Chdir") && call.object.Is("identifier") && c.ofTesting(call.object)
	case syntax.JavaScript, syntax.TypeScript, syntax.TSX:
		return c.takenBack(call)
	}
	return false
}

// patches are the methods of pytest's monkeypatch, https://docs.pytest.org/en/stable/how-to/monkeypatch.html
var patches = setOf("setattr", "delattr", "setitem", "delitem", "setenv", "delenv", "chdir")

// ofTests matches what tests are run, patched and compared by, and what takes a replacement back: such a
// replacement could last.
var ofTests = lazyregexp.New(`(?i)pytest|unittest|monkeypatch|_patch|mock|assert|\bundo|restore|\breal|unstub|timers|builtins|modules|__` +
	`|\b(?:vi|jest|expect|chai|object|reflect|function|request|session|config|node)\b|teardown|\. _|\\`)

// onlyPatches reports whether a test or fixture that only the runner calls does no more with pytest's fixture than
// to patch what is not of the tests.
func (c *comparer) onlyPatches(call call) bool {
	fn := call.node.Ancestor(c.table.functions)
	isFixture := func(m *Node) bool { return lastName(c.markName(m)) == "fixture" }
	if fn == nil || call.object.bound == nil || !c.isTest(fn) && !slices.ContainsFunc(fn.Kids, isFixture) ||
		fn.Ancestor(c.table.functions) != nil || c.isTest(fn) && c.new.names[fn.Child("name").Source()] != 1 {
		return false
	}
	given := 0 // as a parameter, and no other thing of that name
	c.new.Root.Walk(func(k *Node) bool {
		if !strings.Contains(k.Text, "monkeypatch") {
			return true
		}
		use, called := c.table.callOf(k.Up.Up)
		switch isParameter := k.Up.Is("parameters") || k.Field != "" && k.Up.Up.Is("parameters"); {
		case k.Text == "monkeypatch" && isParameter:
			given++
		case !called || use.object != k || !patches[use.name]:
			given = -1 << 20
		}
		return true
	})
	return given > 0 && !fn.Any(func(k *Node) bool {
		use, ok := c.table.callOf(k)
		if !ok || use.object.leafText() != "monkeypatch" || len(use.args) == 0 {
			return false
		}
		first := use.args[:min(2, len(use.args))]
		return !isTitle(first[0]) && !isTitle(first[len(first)-1]) ||
			slices.ContainsFunc(first, func(a *Node) bool { return ofTests.MatchString(a.Source()) })
	})
}

// ofTesting reports whether a name is the parameter by which Go's runner speaks to a test, or to a part of it that
// runs by itself, and nothing else in it.
func (c *comparer) ofTesting(n *Node) bool {
	fn := n.Ancestor(c.table.functions)
	if fn == nil || fn.Child("parameters").Source() != "( "+n.Text+" * testing . T )" || fn.Any(func(k *Node) bool {
		return k.Is("short_var_declaration", "var_spec", "range_clause", "const_spec") && k.Any(func(l *Node) bool {
			return l.Text == n.Text && (l.Up == k.Child("left") || l == k.Child("left") || l.Field == "name")
		})
	}) {
		return false
	}
	if c.isTest(fn) {
		return c.new.names[fn.Child("name").Source()] == 1
	}
	part, ok := c.handedTo(fn)
	return ok && part.name == "Run" && part.object.Is("identifier") && c.ofTesting(part.object)
}

// putBack reports whether a test of Go gives a variable that others see a value, or takes that back, as it keeps the
// old one, and sees to it at once that it comes back: old := now; t.Cleanup(func() { now = old }); now = fake.
func (c *comparer) putBack(k, top *Node) bool {
	target, body := k.Child("left").Source(), c.bodyOf(top)
	if c.table.lang != syntax.Go || !k.Is("assignment_statement") || body == nil || !c.isTest(top) ||
		strings.Contains(target, "testing") || strings.ContainsAny(target, ",[(*") {
		return false
	}
	i := slices.IndexFunc(body.Kids, func(s *Node) bool {
		return s.Is("short_var_declaration") && s.Child("right").Source() == target
	})
	if i < 0 || i+1 == len(body.Kids) {
		return false
	}
	old, at := body.Kids[i].Child("left").Source(), body.Kids[i+1]
	back, said, shares := target+" = "+old, 0, false
	top.Walk(func(n *Node) bool {
		if n.Text == old && len(n.Kids) == 0 {
			said++
		}
		shares = shares || n.Is("go_statement") || n.Text == "Parallel"
		return true
	})
	isName := func(n *Node) bool { return n.Is("identifier") }
	t := top.Child("parameters").Find(isName)
	isBack := at.Source() == "defer func ( ) { "+back+" } ( )" ||
		at.Source() == t.leafText()+" . Cleanup ( func ( ) { "+back+" } )" && c.ofTesting(at.Find(isName))
	return isBack && said == 2 && !shares && (within(k, at) || k.Up == body && slices.Index(body.Kids, k) > i)
}

// takes are what takes others back, and the words of what approved tests may have replaced, which goes with them.
var takes = map[string]struct{ back, replaced []string }{
	"spyOn":         {[]string{"mockRestore", "restoreAllMocks"}, []string{"spyOn", "mock", "fn", "concurrent"}},
	"useFakeTimers": {[]string{"useRealTimers"}, []string{"useFakeTimers", "concurrent"}},
	"setSystemTime": {[]string{"useRealTimers"}, []string{"useFakeTimers", "concurrent"}},
	"stubEnv":       {[]string{"unstubAllEnvs"}, []string{"stubEnv", "concurrent"}},
}

// takenBack reports whether what a test of JavaScript replaces is restored below it in the block that it stands in,
// or after each test by a hook of a suite around it, and no approved test has replaced anything so; or whether a
// call is one that takes back.
func (c *comparer) takenBack(call call) bool {
	object := call.object.leafText()
	for _, t := range takes { // a call that takes back harms only what was replaced before
		if slices.Contains(t.back, call.name) {
			return !c.saysAny(t.replaced)
		}
	}
	take, known := takes[call.name]
	fn := call.node.Ancestor(c.table.functions)
	if !known || call.object.bound != nil || object != "vi" && object != "jest" || fn == nil ||
		!c.isTestBody(fn) && !c.isHook(fn, "beforeEach") || c.saysAny(take.replaced) || c.unit(fn).fails {
		return false
	}
	if call.name == "spyOn" && (len(call.args) != 2 || !isTitle(call.args[1]) ||
		slices.ContainsFunc(call.args, func(a *Node) bool { return ofTests.MatchString(a.Source()) })) {
		return false
	}
	for at := call.node; at != nil; at = at.Up { // tests that are to fail, or run at once
		if around, ok := c.table.callOf(at); ok && failsOrShares.MatchString(c.table.calleeOf(around)) {
			return false
		}
	}
	of := c.keptIn(call.node)
	for at := call.node; at.Up != nil; at = at.Up {
		if !c.table.blocks[at.Up.Kind] {
			continue
		}
		below := slices.Index(at.Up.Kids, at)
		for i, s := range at.Up.Kids {
			inTest := within(s, fn)
			if inTest && i > below && c.isTestBody(fn) && !c.mayLeave(fn) && c.restores(s, take.back, of) ||
				!inTest && c.restoresAfterEach(s, take.back) {
				return true
			}
		}
	}
	return false
}

var failsOrShares = lazyregexp.New(`fail|concurrent`)

// saysAny reports whether approved tests, or what they load, say one of several words.
func (c *comparer) saysAny(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return ContainsWord(c.old.Source, w) || c.used(w) })
}

// mayLeave reports whether a test of JavaScript may end before its last line without failing: by itself, or by what
// the runner hands it.
func (c *comparer) mayLeave(fn *Node) bool {
	return len(values(fn.Child("parameters"))) > 0 || fn.Any(func(k *Node) bool {
		return k.Is("return_statement") && k.Ancestor(c.table.functions) == fn || tolerates(k) ||
			k.Is("try_statement", "break_statement", "continue_statement", "yield_expression") ||
			slices.Contains([]string{"skip", "todo", "catch", "exit"}, k.Text)
	})
}

// keptIn is the name of the constant that a spy is kept in, if the test only looks at it and takes it back.
func (c *comparer) keptIn(spy *Node) string {
	at := spy
	for at.Up.Is("member_expression", "call_expression") && at.Up.Kids[0] == at { // links of the spy's own chain
		at = at.Up
	}
	at = at.Up
	if !at.Is("variable_declarator") || at.Up.Kids[0].Text != "const" || !at.Child("name").Is("identifier") {
		return ""
	}
	name := at.Child("name")
	if c.new.Root.Any(func(k *Node) bool {
		if k == name || k.Text != name.Text || k.bound != name.bound {
			return false
		}
		use, ok := c.table.callOf(k.Up.Up)
		called := ok && use.object == k && strings.HasPrefix(use.name, "mock")
		return !called && !(ok && use.name == "expect") && k.Up.Child("property").leafText() != "mock"
	}) {
		return ""
	}
	return name.Text
}

// restores reports whether a statement, or what an arrow makes, is nothing but a call that takes back.
func (c *comparer) restores(n *Node, back []string, of string) bool {
	if n.Is("expression_statement") && len(n.Kids) > 0 {
		n = n.Kids[0]
	}
	call, ok := c.table.callOf(n)
	if !ok || !call.object.Is("identifier") || len(call.args) > 0 || !slices.Contains(back, call.name) {
		return false
	}
	if call.name == "mockRestore" {
		return of != "" && call.object.Text == of
	}
	return call.object.bound == nil && (call.object.Text == "vi" || call.object.Text == "jest")
}

// isHook reports whether a function is what a call of a hook by that name hands over.
func (c *comparer) isHook(fn *Node, name string) bool {
	call, ok := c.handedTo(fn)
	return ok && call.object == nil && call.name == name && call.callee.bound == nil && len(call.args) == 1
}

// restoresAfterEach reports whether a statement is a hook that takes back after each test.
func (c *comparer) restoresAfterEach(s *Node, back []string) bool {
	fn := s.Find(func(n *Node) bool { return n.Is("arrow_function", "function_expression") })
	if fn == nil || !s.Is("expression_statement") || !c.isHook(fn, "afterEach") || c.mayLeave(fn) {
		return false
	}
	body := fn.Child("body")
	return body != nil && (c.restores(body, back, "") ||
		slices.ContainsFunc(body.Kids, func(k *Node) bool { return c.restores(k, back, "") }))
}
