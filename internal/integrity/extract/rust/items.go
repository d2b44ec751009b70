package rust

import (
	"strings"

	"workflow-reviewer/internal/integrity/extract/build"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

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
