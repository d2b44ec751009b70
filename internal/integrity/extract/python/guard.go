package python

import (
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// try models try with its handlers.
func (m *modeler) try(n syntax.Node) testmodel.Stmt {
	s := m.new(testmodel.Try, n, "try")
	s.Body = m.block(n.Field("body"))
	for c := range n.Children() {
		switch c.Kind() {
		case "else_clause":
			e := m.new(testmodel.With, c, "else")
			e.Body = m.block(c.Field("body"))
			s.Body = append(s.Body, e)
		case "except_clause", "except_group_clause":
			s.Body = append(s.Body, m.handler(c))
		case "finally_clause":
			h := m.new(testmodel.Handler, c, "finally")
			h.Body = m.block(c.Child("block"))
			h.Swallows = has(h.Body, testmodel.Returns, testmodel.Jumps)
			s.Body = append(s.Body, h)
		}
	}
	return s
}

func (m *modeler) handler(c syntax.Node) testmodel.Stmt {
	h := m.new(testmodel.Handler, c)
	for part := range c.Children() {
		if !part.Is("block") {
			h.Head = append(h.Head, canon(part)...)
		}
		if part.Is("as_pattern") {
			h.Binds = targets(part.Field("alias"))
		}
	}
	h.Body = m.block(c.Child("block"))
	h.Swallows = !fails(h.Body)
	return h
}

// fails reports whether statements end in a failure of the test.
func fails(body []testmodel.Stmt) bool {
	for _, s := range body {
		switch {
		case s.Kind == testmodel.Raises, s.Kind == testmodel.Asserts && s.Assert.Relation == testmodel.Never:
			return true
		case s.Kind == testmodel.Returns, s.Kind == testmodel.Jumps, s.Kind == testmodel.Skip:
			return false
		case s.Kind == testmodel.With && fails(s.Body):
			return true
		}
	}
	return false
}

// has reports whether one of the kinds is among statements, however deep.
func has(body []testmodel.Stmt, kinds ...testmodel.Kind) bool {
	for _, s := range body {
		for _, k := range kinds {
			if s.Kind == k {
				return true
			}
		}
		if s.Kind != testmodel.Defines && has(s.Body, kinds...) {
			return true
		}
	}
	return false
}

// with models each item of a with statement as a statement around the body.
func (m *modeler) with(out []testmodel.Stmt, n syntax.Node) []testmodel.Stmt {
	var items []syntax.Node
	for c := range n.Child("with_clause").All("with_item") {
		items = append(items, c)
	}
	if len(items) == 1 { // with (open(a) as f, open(b) as g): is one tuple to the grammar
		if v := items[0].Field("value"); v.Is("tuple") {
			items = v.Named()
		}
	}
	return append(out, m.nested(n, items)...)
}

func (m *modeler) nested(n syntax.Node, items []syntax.Node) []testmodel.Stmt {
	if len(items) == 0 {
		return m.block(n.Field("body"))
	}
	item := items[0]
	if item.Is("with_item") {
		item = item.Field("value")
	}
	var binds []string
	if item.Is("as_pattern") {
		binds = targets(item.Field("alias"))
		item = item.Named()[0]
	}
	s := m.context(unwrap(item))
	s.Binds, s.End = binds, n.EndLine()
	s.Body = m.nested(n, items[1:])
	return []testmodel.Stmt{s}
}

// context models the call that guards a with block.
func (m *modeler) context(n syntax.Node) testmodel.Stmt {
	name := callee(n)
	switch last(name) {
	case "raises", "assertRaises", "assertRaisesRegex", "warns", "assertWarns", "assertWarnsRegex", "deprecated_call", "RaisesGroup":
		s := m.new(testmodel.Asserts, n, append([]string{"with"}, last(name))...)
		s.Assert = throws(n, last(name))
		return s
	case "suppress":
		s := m.new(testmodel.With, n, append([]string{"with"}, canon(n)...)...)
		s.Swallows = true
		return s
	case "subTest", "test": // its arguments are only shown
		if last(name) == "subTest" || strings.HasPrefix(name, "subtests.") {
			return m.new(testmodel.With, n, "with", "subTest")
		}
	case "assertLogs", "assertNoLogs", "assertNumQueries":
		s := m.new(testmodel.Asserts, n, append([]string{"with"}, canon(n)...)...)
		s.Assert = custom(n, last(name))
		return s
	}
	if target := patched(n); target != "" {
		s := m.new(testmodel.Mocks, n, append([]string{"with"}, canon(n)...)...)
		s.Mock = target
		return s
	}
	return m.new(testmodel.With, n, append([]string{"with"}, canon(n)...)...)
}

// throws models pytest.raises, assertRaises and their like, as call or block:
// Expected is the type, then the pattern that the message must match.
func throws(n syntax.Node, name string) *testmodel.Assert {
	positional, keyword := arguments(n)
	a := &testmodel.Assert{Relation: testmodel.Throws, Name: name}
	kind, known := keyword["expected_exception"]
	if len(positional) > 0 {
		kind, known, positional = positional[0], true, positional[1:]
	}
	if known {
		a.Expected = canon(kind)
	}
	pattern, ok := keyword["match"]
	if p, named := keyword["expected_regex"]; named {
		pattern, ok = p, true
	}
	if strings.HasSuffix(name, "Regex") && len(positional) > 0 {
		pattern, ok, positional = positional[0], true, positional[1:]
	}
	if ok {
		a.Expected = append(append(a.Expected, ","), canon(pattern)...)
	}
	a.Subject = join(positional)
	return a
}
