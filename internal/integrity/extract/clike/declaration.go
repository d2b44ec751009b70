package clike

import (
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// binding is the statement that binds a value to a place, without a head that
// fits all languages.
func (b *Body) binding(n, place, value syntax.Node) testmodel.Stmt {
	st := b.Closing(testmodel.Assigns, n)
	st.Binds = []string{place.Text()}
	if place.Is("identifier") && !value.IsZero() {
		b.Values[place.Text()] = Inner(value)
	}
	if value.IsZero() {
		return st
	}
	if mock := b.Dialect.Mocked(b, Inner(value)); mock != "" {
		st.Kind, st.Mock = testmodel.Mocks, mock
	}
	if list, elements := b.Elements(Inner(value)); elements != nil && (b.iterated[place.Text()] || b.isField(n)) {
		st.Rows, st.Body, st.Head = b.rows(elements), nil, b.Without(n, list)
	}
	return st
}

// isField reports whether a declaration stands in a class: its list may be
// iterated by others.
func (b *Body) isField(n syntax.Node) bool {
	return n.Is("field_declaration", "property_declaration") || n.Parent().Is("field_declaration")
}

// declarations are the assignments of a declaration, one a name.
func (b *Body) declarations(n syntax.Node) []testmodel.Stmt {
	var declarators []syntax.Node
	holder := n
	if v := n.Child("variable_declaration"); !v.IsZero() {
		holder = v
	}
	for _, c := range holder.Named() {
		if c.Is("variable_declarator") {
			declarators = append(declarators, c)
		}
	}
	var out []testmodel.Stmt
	for i, d := range declarators {
		name, value := d.Field("name"), valueOf(d)
		if as, tokens := b.Dialect.Asserted(b, value); as != nil && !value.IsZero() {
			st := b.asserted(n, as, tokens)
			st[len(st)-1].Binds = []string{name.Text()}
			out = append(out, st...)
			continue
		}
		st := b.binding(n, name, value)
		if len(declarators) > 1 {
			st.Head = b.Without(d, b.inBody(d, st)...)
			if i == 0 {
				st.Head = append(b.Tokens(holder.Field("type")), st.Head...)
			}
		}
		out = append(out, st)
	}
	return out
}

// valueOf is what a declarator binds its name to.
func valueOf(d syntax.Node) syntax.Node {
	if v := d.Field("value"); !v.IsZero() {
		return v
	}
	seen := false
	for c := range d.Children() {
		if seen && c.IsNamed() {
			return c
		}
		seen = seen || c.Text() == "="
	}
	return syntax.Node{}
}

// Elements are the elements of a list that is written in the source, and the
// node that holds all of them.
func (b *Body) Elements(n syntax.Node) (list syntax.Node, elements []syntax.Node) {
	n = Inner(n)
	switch n.Kind() {
	case "array_creation_expression", "implicit_array_creation_expression", "object_creation_expression", "implicit_object_creation_expression":
		list = n.Field("value")
		if list.IsZero() {
			list = n.Child("initializer_expression", "array_initializer")
		}
	case "array_initializer", "initializer_expression", "collection_expression":
		list = n
	default:
		c := b.Dialect.Call(n)
		switch c.Name {
		case "of", "asList", "ofEntries", "List", "newArrayList":
			list = n.Field("arguments")
		}
	}
	return list, list.Named()
}
