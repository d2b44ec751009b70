// Package rust models what a test file in Rust demands: of the built-in test
// harness, tokio's, rstest, test_case and proptest.
package rust

import (
	"workflow-reviewer/internal/integrity/extract/build"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// Model is what the file demands. It answers for any tree, with tokens where
// it does not understand; path is copied into the answer.
func Model(t *syntax.Tree, path string) testmodel.File {
	root := t.Root()
	m := &model{
		Builder: build.New(t, path),
		helpers: map[string]bool{},
		tables:  map[string]bool{},
	}
	m.survey(root)
	unit := m.Open(testmodel.Module, "", root)
	body := m.level(root.Named(), scope{unit: unit})
	u := m.Unit(unit)
	u.Body, u.Line, u.Text = body, 1, ""
	return m.File()
}

// model is a file on its way into a model.
type model struct {
	*build.Builder
	helpers map[string]bool // functions and macros of the file that assert something
	tables  map[string]bool // names of lists that are only iterated
}

// maxClimb is how far up the tree a function is looked for.
const maxClimb = 400

// survey finds the functions that assert something, and the lists that are
// only iterated.
func (m *model) survey(root syntax.Node) {
	uses := map[string]*use{}
	seen := map[syntax.Node]bool{}
	for n := range root.All("identifier") {
		count(n, uses)
		if isAssertMacro(n.Text()) {
			m.climb(n, seen)
		}
	}
	for name, u := range uses {
		m.tables[name] = u.declared == 1 && u.iterated > 0 && u.other == 0
	}
}

func (m *model) climb(n syntax.Node, seen map[syntax.Node]bool) {
	for range maxClimb {
		if n = n.Parent(); n.IsZero() || seen[n] {
			return
		}
		if n.Is("function_item", "macro_definition") {
			seen[n] = true
			m.helpers[n.Field("name").Text()] = true
			return
		}
	}
}

// use is how often a name is used, and for what.
type use struct{ declared, iterated, other int }

func count(n syntax.Node, uses map[string]*use) {
	u := uses[n.Text()]
	if u == nil {
		u = &use{}
		uses[n.Text()] = u
	}
	switch p := n.Parent(); {
	case p.Is("const_item", "static_item") && n.FieldName() == "name", p.Is("let_declaration") && n.FieldName() == "pattern":
		u.declared++
	case isIterated(n, p):
		u.iterated++
	default:
		u.other++
	}
}

// isIterated reports whether a name stands where its elements are gone
// through, also where only some of them are: CASES.iter().take(1).
func isIterated(n, p syntax.Node) bool {
	for range maxClimb {
		switch p.Kind() {
		case "for_expression":
			return n.FieldName() == "value"
		case "field_expression":
			if p.Field("field").Text() == "for_each" {
				return true
			}
		case "reference_expression", "index_expression":
		case "call_expression":
			if n.FieldName() != "function" {
				return false
			}
		default:
			return false
		}
		n, p = p, p.Parent()
	}
	return false
}

// scope is where items stand: the file or a module.
type scope struct {
	name  string
	unit  int
	depth int
}

// level takes items apart: units are added, the loose rest is returned. The
// attributes before an item are its own.
func (m *model) level(nodes []syntax.Node, s scope) []testmodel.Stmt {
	var out []testmodel.Stmt
	if s.depth++; s.depth > build.MaxDepth {
		for _, n := range nodes {
			out = m.plain(out, n)
		}
		return out
	}
	var attributes []syntax.Node
	for _, n := range nodes {
		if n.Is("attribute_item") {
			attributes = append(attributes, n)
			continue
		}
		out = append(out, m.item(n, attributes, s)...)
		attributes = nil
	}
	for _, a := range attributes {
		out = m.plain(out, a)
	}
	return out
}

func (m *model) plain(out []testmodel.Stmt, n syntax.Node) []testmodel.Stmt {
	if head := tokens(n); len(head) > 0 {
		out = append(out, m.Stmt(testmodel.Plain, n, head))
	}
	return out
}
