// Package rust models what a test file in Rust demands: of the built-in test
// harness, tokio's, rstest, test_case and proptest.
package rust

import (
	"strings"

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

// item is one item with its attributes.
func (m *model) item(n syntax.Node, attributes []syntax.Node, s scope) []testmodel.Stmt {
	switch n.Kind() {
	case "use_declaration":
		if !conditional(attributes) {
			m.use(n)
			return nil
		}
	case "mod_item":
		if body := n.Field("body"); !body.IsZero() {
			m.module(n, body, attributes, s)
			return nil
		}
		m.Import(n, n.Field("name").Text(), "mod "+n.Field("name").Text())
		return m.attributesOnly(attributes)
	case "function_item":
		m.function(n, attributes, s)
		return nil
	case "impl_item":
		return m.impl(n, attributes, s)
	case "struct_item", "enum_item", "union_item", "trait_item", "type_item", "macro_definition":
		m.declaration(n, attributes, s)
		return nil
	case "macro_invocation":
		return m.macroItem(n, attributes, s)
	case "expression_statement":
		if inner := n.Named(); len(inner) == 1 && inner[0].Is("macro_invocation") {
			return m.macroItem(inner[0], attributes, s)
		}
	case "const_item", "static_item":
		return append(m.attributesOnly(attributes), m.constant(n))
	case "inner_attribute_item":
		u := m.Unit(s.unit)
		u.Marks = append(u.Marks, m.marks([]syntax.Node{n})...)
		return nil
	}
	return m.plain(m.attributesOnly(attributes), n)
}

// conditional reports whether attributes decide if an item is compiled.
func conditional(attributes []syntax.Node) bool {
	for _, a := range attributes {
		if name, _ := attribute(a); strings.HasPrefix(name, "cfg") {
			return true
		}
	}
	return false
}

// attributesOnly are the attributes of an item that is no unit.
func (m *model) attributesOnly(attributes []syntax.Node) []testmodel.Stmt {
	var out []testmodel.Stmt
	for _, mark := range m.marks(attributes) {
		out = append(out, testmodel.Stmt{Kind: testmodel.Plain, Line: mark.Line, End: mark.Line, Text: mark.Text, Head: mark.Tokens})
	}
	return out
}

func (m *model) module(n, body syntax.Node, attributes []syntax.Node, s scope) {
	name := build.Qualify(s.name, n.Field("name").Text())
	unit := m.Open(testmodel.Suite, name, n)
	m.Unit(unit).Marks = m.marks(attributes)
	stmts := m.level(body.Named(), scope{name: name, unit: unit, depth: s.depth})
	m.Unit(unit).Body = stmts
}

// declaration adds a type or macro as a helper.
func (m *model) declaration(n syntax.Node, attributes []syntax.Node, s scope) {
	unit := m.Open(testmodel.Helper, build.Qualify(s.name, n.Field("name").Text()), n)
	u := m.Unit(unit)
	u.Marks = m.marks(attributes)
	u.Body = m.plain(nil, n)
}

// impl adds the functions of an impl as helpers. That a trait is implemented
// at all stays a statement: it can change what operators mean.
func (m *model) impl(n syntax.Node, attributes []syntax.Node, s scope) []testmodel.Stmt {
	name := strings.Join(tokens(n.Field("type")), "")
	body := n.Field("body")
	inner := scope{name: build.Qualify(s.name, name), unit: s.unit, depth: s.depth}
	rest := m.level(body.Named(), inner)
	out := m.attributesOnly(attributes)
	if !n.Field("trait").IsZero() {
		out = append(out, m.Stmt(testmodel.Plain, n, without(n, body)))
	}
	return append(out, rest...)
}

// constant is const X: T = value.
func (m *model) constant(n syntax.Node) testmodel.Stmt {
	name, value := n.Field("name").Text(), n.Field("value")
	st := m.Stmt(testmodel.Assigns, n, nil)
	st.Binds = []string{name}
	if rows, rest := m.rows(value); m.tables[name] && len(rows) > 0 {
		st.Rows, st.Head = rows, append([]string{"const", name, "="}, rest...)
		return st
	}
	st.Head = tokens(n)
	return st
}

// use adds the imports of a use declaration.
func (m *model) use(n syntax.Node) {
	type part struct {
		n    syntax.Node
		path string
	}
	for parts := []part{{n.Field("argument"), ""}}; len(parts) > 0; {
		p := parts[len(parts)-1]
		parts = parts[:len(parts)-1]
		switch p.n.Kind() {
		case "scoped_use_list":
			parts = append(parts, part{p.n.Field("list"), join(p.path, p.n.Field("path").Text())})
		case "use_list":
			list := p.n.Named()
			for i := len(list) - 1; i >= 0; i-- {
				parts = append(parts, part{list[i], p.path})
			}
		case "use_as_clause":
			m.Import(p.n, p.n.Field("alias").Text(), join(p.path, p.n.Field("path").Text()))
		case "use_wildcard":
			m.Import(p.n, "*", join(p.path, strings.TrimSuffix(strings.TrimSuffix(p.n.Text(), "*"), "::")))
		default:
			path := join(p.path, p.n.Text())
			m.Import(p.n, path[strings.LastIndex(":"+path, ":"):], path)
		}
	}
}

func join(path, name string) string {
	name = strings.Join(strings.Fields(name), "")
	if path == "" {
		return name
	}
	if name == "self" {
		return path
	}
	return path + "::" + name
}
