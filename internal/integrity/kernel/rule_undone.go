package kernel

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// undone reports whether what a new test does by a name that reaches other code ends with that test: by the
// framework's own word (pytest's monkeypatch, Go's t.Setenv), or as the test, or a hook around it, takes it back.
// A test that ends before it takes something back has failed.
func (c *comparer) undone(k, top *Node) bool {
	if k.Text == "restoreAllMocks" { // what was replaced for approved tests as well
		has := func(word string) bool { return ContainsWord(c.old.Source, word) }
		return has(k.Text) || !has("spyOn") && !has("fn") && !has("mock")
	}
	if up := k.Up.Up; k.Text == "mock" && up.Is("member_expression") && up.Kids[0] == k.Up { // what a spy saw
		return slices.Contains([]string{"calls", "results", "lastCall", "instances"}, up.Child("property").leafText())
	}
	if k.Text == "ENV" && k.Up.Is("argument_list") { // RSpec's doubles end with their example
		call, ok := c.table.callOf(k.Up.Up)
		return ok && call.object == nil && call.name == "allow"
	}
	at := k.Up
	for at != nil && at != top.Up {
		if call, ok := c.table.callOf(at); ok && call.callee == k {
			return c.endsWithTest(call)
		}
		if at.Up == nil || !at.Is("attribute", "member_expression", "selector_expression") {
			return false
		}
		at = at.Up
	}
	return false
}

func (c *comparer) endsWithTest(call call) bool {
	if c.table.lang == syntax.Java { // Mockito's, closed where it is opened
		return (call.name == "mockStatic" || call.name == "mockConstruction") && call.node.Up.Is("resource")
	}
	if !call.object.Is("identifier") {
		return false
	}
	switch c.table.lang {
	case syntax.Python:
		return patches[call.name] && call.object.Text == "monkeypatch" && c.onlyPatches(call)
	case syntax.Go:
		return (call.name == "Setenv" || call.name == "Chdir") && ofTesting(call.object)
	case syntax.JavaScript, syntax.TypeScript, syntax.TSX:
		return call.object.bound == nil && (call.object.Text == "vi" || call.object.Text == "jest") && c.takenBack(call)
	}
	return false
}

// patches are the methods of pytest's monkeypatch, https://docs.pytest.org/en/stable/how-to/monkeypatch.html
var patches = setOf("setattr", "delattr", "setitem", "delitem", "setenv", "delenv", "chdir")

// ofTests matches what tests are run, patched and compared by, and what takes a replacement back: such a
// replacement could last.
var ofTests = lazyregexp.New(`(?i)pytest|unittest|monkeypatch|_patch|mock|assert|undo|restore|real|unstub|timers|builtins|modules|__` +
	`|\b(?:vi|jest|expect|chai|object|reflect|function)\b|\\`)

// onlyPatches reports whether a test or fixture does no more with pytest's fixture than to patch what is not of
// the tests.
func (c *comparer) onlyPatches(call call) bool {
	fn := call.node.Ancestor(c.table.functions)
	isFixture := func(m *Node) bool { return lastName(c.markName(m)) == "fixture" }
	if fn == nil || call.object.bound == nil || !c.isTest(fn) && !slices.ContainsFunc(fn.Kids, isFixture) {
		return false
	}
	return !fn.Any(func(k *Node) bool {
		if k.Text != call.object.Text || k.Field == "name" || k.Up.Is("parameters") {
			return false
		}
		use, ok := c.table.callOf(k.Up.Up)
		return !ok || use.object != k || !patches[use.name] || len(use.args) == 0 || !isTitle(use.args[min(1, len(use.args)-1)]) &&
			!isTitle(use.args[0]) || slices.ContainsFunc(use.args[:min(2, len(use.args))], func(a *Node) bool {
			return ofTests.MatchString(a.Source())
		})
	})
}

// putBack reports whether a test of Go gives a variable that others see a value, or takes that back, as it keeps the
// old one, and a function that the test always ends with gives it back: old := now; t.Cleanup(func() { now = old }).
func (c *comparer) putBack(k, top *Node) bool {
	target, body := k.Child("left").Source(), c.bodyOf(top)
	if c.table.lang != syntax.Go || !k.Is("assignment_statement") || !c.isTest(top) || strings.Contains(target, "testing") ||
		strings.ContainsAny(target, ",[(*") ||
		top.Any(func(n *Node) bool { // what may end it without a failure, or lets others run beside it
			return n.Is("go_statement", "goto_statement") || n.Is("return_statement") && n.Ancestor(c.table.functions) == top ||
				slices.Contains([]string{"Skip", "Skipf", "SkipNow", "Goexit", "Parallel", "recover", "Exit"}, n.Text)
		}) {
		return false
	}
	old, kept, restored := "", 0, false
	for _, s := range body.Kids {
		if s.Is("short_var_declaration") && s.Child("right").Source() == target {
			old = s.Child("left").Source()
			kept++
		}
		switch back := target + " = " + old; s.Source() {
		case "defer func ( ) { " + back + " } ( )", "t . Cleanup ( func ( ) { " + back + " } )":
			restored = old != ""
		}
	}
	changed := top.Any(func(n *Node) bool { return n.Is("assignment_statement") && n.Child("left").Source() == old })
	return kept == 1 && restored && !changed
}

// ofTesting reports whether a name is the parameter by which Go's runner speaks to a test.
func ofTesting(n *Node) bool {
	for fn := n.Up; fn != nil; fn = fn.Up {
		given := strings.Fields(fn.Child("parameters").Source())
		if slices.Contains(given, n.Text) {
			return slices.Equal(given, []string{"(", n.Text, "*", "testing", ".", "T", ")"})
		}
	}
	return false
}

// takes are the methods that take others back.
var takes = map[string][]string{
	"spyOn": {"mockRestore", "restoreAllMocks"}, "useFakeTimers": {"useRealTimers"}, "setSystemTime": {"useRealTimers"},
	"stubEnv": {"unstubAllEnvs"}, "stubGlobal": {"unstubAllGlobals"},
}

var failsOrShares = lazyregexp.New(`fail|concurrent`)

// takenBack reports whether what a test of JavaScript replaces is restored below it in the block that it stands
// in, or after each test by a hook of a suite around it.
func (c *comparer) takenBack(call call) bool {
	back, fn := takes[call.name], call.node.Ancestor(c.table.functions)
	if back == nil || fn == nil || !c.isTestBody(fn) || c.unit(fn).fails || fn.Any(mayLeave) {
		return false
	}
	for at := fn; at != nil; at = at.Up { // tests that are to fail, or run at once
		if around, ok := c.table.callOf(at); ok && failsOrShares.MatchString(c.table.calleeOf(around)) {
			return false
		}
	}
	if call.name == "spyOn" && (len(call.args) != 2 || !isTitle(call.args[1]) ||
		slices.ContainsFunc(call.args, func(a *Node) bool { return ofTests.MatchString(a.Source()) })) {
		return false
	}
	of := c.keptIn(call.node, fn)
	for at := call.node; at.Up != nil; at = at.Up {
		if !c.table.blocks[at.Up.Kind] {
			continue
		}
		below := slices.Index(at.Up.Kids, at)
		for i, s := range at.Up.Kids {
			if inTest := within(s, fn); inTest && i > below && c.restores(s, back, of) || !inTest && c.restoresAfterEach(s, back) {
				return true
			}
		}
	}
	return false
}

// mayLeave reports whether a node may end a test of JavaScript before its last line without failing it.
func mayLeave(k *Node) bool {
	return k.Is("return_statement", "try_statement", "break_statement", "continue_statement", "yield_expression") ||
		tolerates(k) || slices.Contains([]string{"skip", "todo", "catch", "exit"}, k.Text)
}

// keptIn is the name of the constant that a spy is kept in, if the test only looks at it and takes it back.
func (c *comparer) keptIn(spy, top *Node) string {
	at := spy
	for at != nil && at != top && !at.Is("variable_declarator") {
		at = at.Up
	}
	if at == nil || at == top || at.Up.Kids[0].Text != "const" || !at.Child("name").Is("identifier") {
		return ""
	}
	name := at.Child("name")
	if top.Any(func(k *Node) bool {
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

// restoresAfterEach reports whether a statement is a hook that takes back after each test.
func (c *comparer) restoresAfterEach(s *Node, back []string) bool {
	if !s.Is("expression_statement") || len(s.Kids) == 0 {
		return false
	}
	call, ok := c.table.callOf(s.Kids[0])
	if !ok || call.object != nil || call.name != "afterEach" || call.callee.bound != nil || len(call.args) != 1 {
		return false
	}
	body := call.args[0].Child("body")
	return body != nil && !body.Any(mayLeave) && (c.restores(body, back, "") ||
		slices.ContainsFunc(body.Kids, func(k *Node) bool { return c.restores(k, back, "") }))
}
