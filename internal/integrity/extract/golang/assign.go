package golang

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// assignment is what = and := do. A copy of a loop's variable does nothing.
func (s *scope) assignment(n syntax.Node) []testmodel.Stmt {
	left, right := n.Field("left"), n.Field("right")
	if n.Is("short_var_declaration") && left.Text() == right.Text() {
		return nil
	}
	values := right.Named()
	if len(values) == 1 {
		if as, tokens := s.asserted(values[0]); as != nil && s.library(callOf(values[0])) == testify {
			return s.assertions(n, values[0], as, append(s.Tokens(left), tokens...))
		}
	}
	if blank(left) && len(values) == 1 {
		return s.lost(n, values[0], testmodel.Plain)
	}
	st := s.bindings(n, left.Named(), values)
	if s.handles[left.Text()] || left.Text() == "os.Args" {
		st.Swallows = true // what is asserted on another handle reaches no one
	}
	return []testmodel.Stmt{st}
}

// blank reports whether all that is assigned to is _.
func blank(left syntax.Node) bool {
	for _, l := range left.Named() {
		if l.Text() != "_" {
			return false
		}
	}
	return true
}

// bindings is the assignment of values to names: with the cases of a table as
// rows, the statements of function literals as body, and the name of what it
// replaces.
func (s *scope) bindings(n syntax.Node, names, values []syntax.Node) testmodel.Stmt {
	st := s.closing(testmodel.Assigns, n)
	s.learnValue(names, values)
	for _, name := range names {
		if name.Text() != "_" {
			st.Binds = append(st.Binds, name.Text())
		}
	}
	if len(names) == 1 && len(values) == 1 {
		if body := s.table(values[0]); !body.IsZero() && s.isTable(names[0], n) {
			st.Rows, st.Head, st.Body = s.rows(body), s.Without(n, body), nil
		}
	}
	if n.Is("assignment_statement") {
		for i, name := range names {
			if i < len(values) && s.replaces(name, values[i]) {
				st.Kind, st.Mock = testmodel.Mocks, name.Text()
			}
		}
	}
	return st
}

// isTable reports whether a list that is bound to a name is one of cases.
func (s *scope) isTable(name, at syntax.Node) bool {
	return s.iterated[name.Text()] || at.Parent().Is("source_file", "var_declaration", "var_spec_list") && s.name == ""
}

// table is the literal value that holds the elements of a list or map.
func (s *scope) table(n syntax.Node) syntax.Node {
	n = inner(n)
	if !n.Is("composite_literal") {
		return syntax.Node{}
	}
	body := n.Field("body")
	elements := body.Named()
	if n.Field("type").Is("slice_type", "array_type", "implicit_length_array_type", "map_type") {
		return body
	}
	if len(elements) > 0 && strings.HasPrefix(elements[0].Text(), "{") {
		return body
	}
	return syntax.Node{}
}

// rows are the elements of a literal value.
func (s *scope) rows(body syntax.Node) []testmodel.Row {
	var out []testmodel.Row
	for _, e := range body.Named() {
		out = append(out, s.Row(e))
	}
	return out
}

// replaces reports whether an assignment puts a function in the place of one
// of the program's: of another package, or of this one outside of the file.
func (s *scope) replaces(name, value syntax.Node) bool {
	if !value.Is("func_literal") {
		return false
	}
	if name.Is("selector_expression") {
		return s.packages[name.Field("operand").Text()]
	}
	return name.Is("identifier") && s.declared[name.Text()].IsZero() && !s.local(name.Text())
}

func (s *scope) local(name string) bool {
	_, ok := slices.BinarySearch(s.locals, name)
	return ok
}

// declarations are the assignments of var and const.
func (s *scope) declarations(n syntax.Node) []testmodel.Stmt {
	var out []testmodel.Stmt
	for spec := range n.All("var_spec", "const_spec") {
		if spec.Up("func_literal", "var_declaration", "const_declaration") != n {
			continue
		}
		st := s.bindings(spec, fieldNames(spec, "name"), spec.Field("value").Named())
		st.Head = append(s.directives(spec), st.Head...)
		if spec.Is("const_spec") {
			st.Head = append([]string{"const"}, st.Head...)
		}
		out = append(out, st)
	}
	return out
}
