package kernel

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/catalogue"
	"workflow-reviewer/internal/syntax"
)

// Role says when a part of a test file runs.
type Role string

// The roles of units.
const (
	Test   Role = "test"   // the runner collects it
	Setup  Role = "setup"  // the runner calls it around tests
	Helper Role = "helper" // it runs if something calls it
	Suite  Role = "suite"  // it holds tests
	Module Role = "module" // the file itself
)

// Unit is a part of a file with a name: a test, a fixture, a helper.
type Unit struct {
	Role Role
	Name string
	Node *Node
}

// UnitOf is the innermost unit that a node is or stands in.
func (t *Tree) UnitOf(n *Node) Unit {
	for ; n != nil; n = n.Up {
		if u, ok := t.Unit(n); ok {
			return u
		}
	}
	return Unit{Role: Module, Node: t.Root}
}

// Unit reads a node that is a unit; false if it is none.
func (t *Tree) Unit(n *Node) (Unit, bool) {
	if call, ok := t.table.callOf(n); ok {
		if call.block == nil && !slices.ContainsFunc(call.args, func(a *Node) bool {
			return a.Is("arrow_function", "function_expression", "lambda", "func_literal")
		}) {
			return Unit{}, false // it runs nothing
		}
		callee, u := t.table.calleeOf(call), Unit{Node: n, Name: n.title()}
		switch {
		case t.File.Has("suite", callee):
			u.Role = Suite
		case t.holdsTests(callee),
			t.File.Has("skip", callee),
			Focuses(t.Lang, callee),
			t.File.Has("rows", callee) && t.table.lang == syntax.Go:
			u.Role = Test
		case t.File.Has("hook", callee):
			u.Role = Setup
		default:
			return Unit{}, false
		}
		switch {
		case u.Name == "" && len(call.args) > 0:
			u.Name = call.args[0].Normalized()
		case u.Name == "":
			u.Name = callee
		}
		return u, true
	}
	if !t.table.definition[n.Kind] {
		return Unit{}, false
	}
	u := Unit{Node: n, Name: n.Child("name").Normalized(), Role: Helper}
	switch {
	case t.Collected(n):
		u.Role = Test
	case t.File.Has("hook", u.Name), slices.ContainsFunc(t.Marks(n), func(m *Node) bool {
		name := t.markName(m)
		return t.File.Has("hook", name) || name == "pytest.fixture" || name == "fixture"
	}):
		u.Role = Setup
	case n.Is("class_definition", "class_declaration", "class", "mod_item"):
		u.Role = Suite
	}
	return u, true
}

// Assertion is a node that asserts something.
type Assertion struct {
	Node    *Node
	Entry   *catalogue.Entry // nil for a plain assert statement
	Negated bool
	Object  *Node
	Values  []*Node
}

// AssertionOf reads the assertion that a statement is, or that a call in it is; false if it is
// none.
func (t *Tree) AssertionOf(n *Node) (Assertion, bool) {
	if n.Is("assert_statement") {
		return Assertion{Node: n, Values: values(n)[1:min(2, len(values(n)))]}, true
	}
	var found Assertion
	n.Walk(func(k *Node) bool {
		if found.Node == nil && (!t.table.blocks[k.Kind] && !t.table.functions[k.Kind] || k == n) {
			found, _ = t.assertionOf(k)
			return found.Node == nil
		}
		return false
	})
	return found, found.Node != nil
}

// Callee is the name of the call that a node is, with what it is made on; "" if it is none.
func (t *Tree) Callee(n *Node) string {
	if n.Is("expression_statement", "await_expression") && len(n.Kids) > 0 {
		return t.Callee(n.Kids[len(n.Kids)-1])
	}
	if call, ok := t.table.callOf(n); ok {
		return t.table.calleeOf(call)
	}
	return ""
}

// IsMark reports whether a node is a decorator, annotation or attribute, and its name.
func (t *Tree) IsMark(n *Node) (name string, ok bool) {
	if !n.Is(markKinds...) || n.Up == nil || !t.table.definition[n.Up.Kind] {
		return "", false
	}
	return t.markName(n), true
}

// Marks are the decorators, annotations and attributes of a definition.
func (t *Tree) Marks(n *Node) []*Node {
	return slices.DeleteFunc(slices.Clone(n.Kids),
		func(k *Node) bool { return !k.Is(markKinds...) })
}

// markKinds are decorators, annotations and attributes.
var markKinds = []string{
	"decorator",
	"annotation",
	"marker_annotation",
	"attribute",
	"attribute_item",
}

// markName is how the catalogue calls a mark: "pytest.mark.skip", "Ignore".
func (t *Tree) markName(n *Node) string {
	for _, k := range n.Kids {
		if k.Field == "name" {
			return k.joined()
		}
		if call, ok := t.table.callOf(k); ok {
			return t.table.calleeOf(call)
		}
		if k.Is("identifier", "attribute", "scoped_identifier", "member_expression") {
			return k.joined()
		}
	}
	return ""
}

// IsList reports whether a node is a list literal, and its elements.
func IsList(n *Node) ([]*Node, bool) {
	if n == nil || !listKinds[n.Kind] {
		return nil, false
	}
	return values(n), true
}

// Arguments are the elements of an argument list.
func (n *Node) Arguments() []*Node { return values(n) }

// InBlock reports whether a node stands in a block itself.
func (t *Tree) InBlock(n *Node) bool { return n != nil && n.Up != nil && t.table.blocks[n.Up.Kind] }

// IsDefinition reports whether a node defines a function, method or type.
func (t *Tree) IsDefinition(n *Node) bool { return n != nil && t.table.definition[n.Kind] }

// Collected reports whether a definition is a test that the runner finds.
func (t *Tree) Collected(n *Node) bool {
	if slices.ContainsFunc(t.Marks(n), func(m *Node) bool {
		name := t.markName(m)
		return t.File.Has("test", name) && !strings.HasPrefix(name, "test*")
	}) {
		return true
	}
	name := n.Child("name").Normalized()
	return t.table.functions[n.Kind] && t.table.testsByName && t.File.Has("test", name) &&
		collectedName(name)
}

// collectedName: Go collects no name whose part after the prefix begins with a small letter.
func collectedName(name string) bool {
	for _, p := range []string{"Test", "Benchmark", "Fuzz", "Example"} {
		if rest, ok := strings.CutPrefix(name, p); ok {
			return rest == "" || rest[0] < 'a' || rest[0] > 'z'
		}
	}
	return name != ""
}

// holdsTests reports whether a callee makes a test. One that the file defines itself is something
// else.
func (t *Tree) holdsTests(callee string) bool {
	root, _, _ := strings.Cut(callee, ".")
	return t.File.Lists("test", callee) && !t.own[strings.TrimSuffix(root, "()")]
}
