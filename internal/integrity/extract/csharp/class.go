package csharp

import (
	"strings"

	"workflow-reviewer/internal/integrity/extract/build"
	"workflow-reviewer/internal/integrity/extract/clike"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// class is a type whose members are read; the zero node is the file.
type class struct {
	*file
	node  syntax.Node
	name  string
	tests bool
	// condition are the marks of code that is compiled under a condition only.
	condition []testmodel.Mark
}

// members adds the units of what is declared in a node and returns what else
// stands in it.
func (f *file) members(c class, n syntax.Node) []testmodel.Stmt {
	var out []testmodel.Stmt
	for _, m := range n.Named() {
		switch m.Kind() {
		case "using_directive":
			f.use(m)
		case "namespace_declaration":
			out = append(out, f.members(c, m.Field("body"))...)
		case "file_scoped_namespace_declaration", "preproc_region", "preproc_endregion", "preproc_nullable", "preproc_pragma", "attribute_list":
		case "class_declaration", "struct_declaration", "record_declaration", "interface_declaration":
			f.class(c, m)
		case "method_declaration", "constructor_declaration", "destructor_declaration", "operator_declaration", "conversion_operator_declaration":
			f.units = append(f.units, c.method(m))
		case "preproc_if", "preproc_else", "preproc_elif":
			out = append(out, f.conditional(c, m)...)
		case "field_declaration", "global_statement":
			out = append(out, f.body(m).Statement(m)...)
		case "property_declaration":
			out = append(out, f.property(m))
		default:
			out = append(out, f.Whole(testmodel.Plain, m))
		}
	}
	return out
}

// conditional adds the units of code that is compiled under a condition only;
// what was always compiled before is skipped by that.
func (f *file) conditional(c class, n syntax.Node) []testmodel.Stmt {
	cond := n.Field("condition")
	mark := f.Mark(testmodel.Skips, n)
	mark.Tokens = append([]string{"#" + strings.TrimPrefix(n.Kind(), "preproc_")}, f.Tokens(cond)...)
	c.condition = append(c.condition[:len(c.condition):len(c.condition)], mark)
	from := len(f.units)
	st := f.Stmt(testmodel.Branch, n)
	st.Head, st.Body = mark.Tokens, f.members(c, n)
	if !cond.IsZero() && len(st.Body) > 0 { // the condition is among the members
		st.Body = st.Body[1:]
	}
	if len(st.Body) == 0 && len(f.units) > from {
		return nil
	}
	return []testmodel.Stmt{st}
}

// property is a property: data for tests, mostly.
func (f *file) property(n syntax.Node) testmodel.Stmt {
	st := f.Whole(testmodel.Assigns, n)
	st.Binds = []string{n.Field("name").Text()}
	b := f.body(n)
	value := n.Field("value")
	if value.Is("arrow_expression_clause") && len(value.Named()) == 1 {
		value = value.Named()[0]
	}
	if list, elements := b.Elements(value); elements != nil {
		st.Head = f.Without(n, list)
		for _, e := range elements {
			st.Rows = append(st.Rows, f.Row(e))
		}
	}
	return st
}

// class adds the units of a type: itself, its methods, and the types in it.
func (f *file) class(around class, n syntax.Node) {
	name, body := n.Field("name"), n.Field("body")
	c := class{file: f, node: n, name: build.Qualify(around.name, name.Text()), tests: hasTests(n), condition: around.condition}
	u := f.Unit(testmodel.Helper, c.name, name, n)
	if c.tests {
		u.Role = testmodel.Suite
	}
	notes := attributes(n)
	for _, a := range notes {
		u.Marks = append(u.Marks, f.marks(a)...)
	}
	if c.tests && modifier(n, "abstract") {
		m := f.Mark(testmodel.Hides, name)
		m.Tokens = []string{"abstract"}
		u.Marks = append(u.Marks, m)
	}
	if bases := f.Tokens(n.Child("base_list"), n.Child("parameter_list")); len(bases) > 0 {
		m := f.Mark("", name)
		m.Tokens = bases
		u.Marks = append(u.Marks, m)
	}
	u.Marks = append(u.Marks, c.condition...)
	at := len(f.units)
	f.units = append(f.units, u)
	rest := f.members(c, body)
	f.units[at].Body = rest
}

// method is the unit of a method, constructor or operator.
func (c class) method(m syntax.Node) testmodel.Unit {
	name := m.Field("name")
	if name.IsZero() {
		name = m.Field("operator")
	}
	if name.IsZero() {
		name = m.Field("type")
	}
	u := c.Unit(testmodel.Helper, c.name+"."+name.Text(), name, m)
	b := c.body(m)
	u.Locals = b.Locals
	for _, p := range m.Field("parameters").Named() {
		if id := p.Field("name"); !id.IsZero() {
			u.Params = append(u.Params, id.Text())
		}
	}
	c.place(&u, m)
	for _, a := range attributes(m) {
		u.Marks = append(u.Marks, c.marks(a)...)
		u.Rows = append(u.Rows, c.rows(a)...)
		if p := providerOf(a); p != "" && u.Role == testmodel.Test {
			c.provided[u.Name] = append(c.provided[u.Name], clike.Provider(c.name, p))
		}
	}
	u.Marks = append(u.Marks, c.condition...)
	if u.Role == testmodel.Helper {
		u.Marks = append(u.Marks, c.signature(m)...)
	}
	if init := m.Child("constructor_initializer"); !init.IsZero() {
		u.Body = append(u.Body, c.Whole(testmodel.Plain, init))
	}
	if body := m.Field("body"); !body.IsZero() {
		u.Body = append(u.Body, b.Block(body)...)
	}
	if u.Role == testmodel.Test && modifier(m, "async") && m.Field("returns").Text() == "void" {
		lose(u.Body)
	}
	return u
}

// lose marks all assertions of a test that nothing waits for.
func lose(body []testmodel.Stmt) {
	for i := range body {
		if a := body[i].Assert; a != nil {
			a.Lost = true
		}
		lose(body[i].Body)
	}
}

// signature is a mark of the types that a helper takes and returns.
func (c class) signature(m syntax.Node) []testmodel.Mark {
	tokens := c.Tokens(m.Field("returns"), m.Field("type_parameters"))
	for _, p := range m.Field("parameters").Named() {
		tokens = append(tokens, c.Without(p, p.Field("name"))...)
	}
	if len(tokens) == 0 || len(tokens) == 1 && tokens[0] == "void" {
		return nil
	}
	mark := c.Mark("", m.Field("name"))
	if m.Field("name").IsZero() {
		mark = c.Mark("", m)
	}
	mark.Tokens = tokens
	return []testmodel.Mark{mark}
}
