package golang

import (
	"slices"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// scope is a function while its statements are read.
type scope struct {
	*file
	name     string // of the unit
	receiver string // of a suite's method
	locals   []string
	handles  map[string]bool        // parameters through which tests fail: t, b, tb
	iterated map[string]bool        // names that are ranged over or given to helpers with the handle
	bound    map[string]syntax.Node // what a name was bound to last, as far as was read
	nested   []testmodel.Unit       // subtests
}

// scope surveys a function, or the file for what stands at its top.
func (f *file) scope(n syntax.Node, name string) *scope {
	s := &scope{file: f, name: name, handles: map[string]bool{}, iterated: map[string]bool{}, bound: map[string]syntax.Node{}}
	if n.Is("source_file") {
		return s
	}
	for m := range n.All("parameter_declaration", "variadic_parameter_declaration", "short_var_declaration",
		"var_spec", "const_spec", "range_clause", "receive_statement", "type_switch_statement", "labeled_statement", "for_clause") {
		switch m.Kind() {
		case "parameter_declaration":
			s.parameter(m)
		case "for_clause":
			s.iterate(m.Field("condition"))
		case "range_clause":
			s.iterate(m.Field("right"))
			s.binds(m, "left")
		case "short_var_declaration", "receive_statement":
			s.binds(m, "left")
		case "type_switch_statement":
			s.binds(m, "alias")
		case "labeled_statement":
			s.binds(m, "label")
		default:
			s.binds(m, "name")
		}
	}
	for m := range n.All("call_expression") {
		s.surveyCall(m)
	}
	slices.Sort(s.locals)
	s.locals = slices.Compact(s.locals)
	return s
}

// parameter notes the names of parameters, and which of them fail tests.
func (s *scope) parameter(n syntax.Node) {
	s.binds(n, "name")
	for _, name := range fieldNames(n, "name") {
		if s.isTesting(n.Field("type").Text()) {
			s.handles[name.Text()] = true
		}
	}
}

// binds notes the names in a node's field as the unit's own.
func (s *scope) binds(n syntax.Node, field string) {
	for _, name := range fieldNames(n, field) {
		if name.Text() != "_" {
			s.locals = append(s.locals, name.Text())
		}
	}
}

// fieldNames are the names in all children that a node has in a field.
func fieldNames(n syntax.Node, field string) []syntax.Node {
	var out []syntax.Node
	for c := range n.Children() {
		switch {
		case c.FieldName() != field:
		case c.Is("expression_list"):
			for _, e := range c.Named() {
				if e.Is("identifier") {
					out = append(out, e)
				}
			}
		case c.Is("identifier", "label_name"):
			out = append(out, c)
		}
	}
	return out
}

// learnValue notes what names are bound to: x := f() binds x, and the last of
// several names stands for the call that they come from.
func (s *scope) learnValue(names, values []syntax.Node) {
	for i, name := range names {
		switch {
		case !name.Is("identifier"):
		case len(values) == len(names):
			s.bound[name.Text()] = inner(values[i])
		case len(values) == 1 && i == len(names)-1:
			s.bound[name.Text()] = inner(values[0])
		default:
			delete(s.bound, name.Text())
		}
	}
}

// surveyCall notes tables that are given to a helper together with the handle.
func (s *scope) surveyCall(n syntax.Node) {
	c := callOf(n)
	if s.libs[c.object] != "" {
		return
	}
	for _, a := range c.args {
		if s.isT(a.Text()) {
			for _, other := range c.args {
				s.iterate(other)
			}
			return
		}
	}
}

// iterate notes the names in an expression that is iterated.
func (s *scope) iterate(n syntax.Node) {
	if n.Has("func_literal") {
		return
	}
	for id := range n.All("identifier") {
		s.iterated[id.Text()] = true
	}
}
