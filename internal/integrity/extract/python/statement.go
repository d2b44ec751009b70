package python

import (
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// block models the statements of a block.
func (m *modeler) block(block syntax.Node) []testmodel.Stmt {
	var out []testmodel.Stmt
	for c := block.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		if c.IsNamed() && !c.IsComment() {
			out = m.statement(out, c)
		}
	}
	return out
}

func (m *modeler) new(kind testmodel.Kind, n syntax.Node, head ...string) testmodel.Stmt {
	return testmodel.Stmt{Kind: kind, Line: n.StartLine(), End: n.EndLine(), Text: m.text(n), Head: head}
}

// statement appends the model of one statement: none for what does nothing,
// several for what asserts several things.
func (m *modeler) statement(out []testmodel.Stmt, n syntax.Node) []testmodel.Stmt {
	if m.depth++; m.depth > maxDepth {
		m.depth--
		return append(out, m.new(testmodel.Plain, n, canon(n)...))
	}
	defer func() { m.depth-- }()
	switch n.Kind() {
	case "pass_statement":
		return out
	case "expression_statement":
		return m.expression(out, n)
	case "assert_statement":
		return m.assertion(out, n)
	case "return_statement":
		return append(out, m.valued(testmodel.Returns, n, "return"))
	case "break_statement", "continue_statement":
		return append(out, m.new(testmodel.Jumps, n, canon(n)...))
	case "raise_statement":
		return append(out, m.raise(n))
	case "delete_statement":
		s := m.new(testmodel.Assigns, n, canon(n)...)
		for _, c := range n.Named() {
			s.Binds = append(s.Binds, targets(c)...)
		}
		return append(out, s)
	case "import_statement", "import_from_statement":
		s := m.new(testmodel.Assigns, n, canon(n)...)
		for _, i := range bindings(n) {
			s.Binds = append(s.Binds, i.Local)
		}
		return append(out, s)
	case "decorated_definition", "function_definition", "class_definition":
		return append(out, m.defines(n))
	default:
		return m.compound(out, n)
	}
}

// compound models what holds other statements.
func (m *modeler) compound(out []testmodel.Stmt, n syntax.Node) []testmodel.Stmt {
	switch n.Kind() {
	case "if_statement":
		s := m.new(testmodel.Branch, n, append([]string{"if"}, canon(n.Field("condition"))...)...)
		s.Body = m.alternatives(m.block(n.Field("consequence")), n)
		return append(out, s)
	case "for_statement":
		return append(out, m.loop(n))
	case "while_statement":
		s := m.new(testmodel.Loop, n, append([]string{"while"}, canon(n.Field("condition"))...)...)
		s.Body = m.alternatives(m.block(n.Field("body")), n)
		return append(out, s)
	case "try_statement":
		return append(out, m.try(n))
	case "with_statement":
		return m.with(out, n)
	case "match_statement":
		return append(out, m.match(n))
	default:
		return append(out, m.new(testmodel.Plain, n, canon(n)...))
	}
}

// alternatives appends the elif and else clauses of a statement.
func (m *modeler) alternatives(body []testmodel.Stmt, n syntax.Node) []testmodel.Stmt {
	for c := range n.Children() {
		switch c.Kind() {
		case "elif_clause":
			s := m.new(testmodel.Branch, c, append([]string{"elif"}, canon(c.Field("condition"))...)...)
			s.Body = m.block(c.Field("consequence"))
			body = append(body, s)
		case "else_clause":
			s := m.new(testmodel.Branch, c, "else")
			s.Body = m.block(c.Field("body"))
			body = append(body, s)
		}
	}
	return body
}

func (m *modeler) loop(n syntax.Node) testmodel.Stmt {
	s := m.new(testmodel.Loop, n, "for")
	s.Binds = targets(n.Field("left"))
	s.Head = append(append(s.Head, canon(n.Field("left"))...), "in")
	over := unwrap(n.Field("right"))
	if rows := m.elements(over); len(rows) > 0 {
		s.Rows = rows
	} else {
		s.Head = append(s.Head, canon(over)...)
	}
	s.Body = m.alternatives(m.block(n.Field("body")), n)
	return s
}

// elements are the rows of a literal list, set or dictionary, or nil.
func (m *modeler) elements(n syntax.Node) []testmodel.Row {
	if n.Is("call") && last(callee(n)) == "items" {
		n = n.Field("function").Field("object")
	}
	if !n.Is("list", "tuple", "set", "dictionary") {
		return nil
	}
	var out []testmodel.Row
	for _, c := range n.Named() {
		tokens := canon(c)
		if c.Is("tuple") && n.Is("list", "tuple", "set") {
			tokens = join(c.Named())
		}
		out = append(out, testmodel.Row{Tokens: tokens, Line: c.StartLine(), Text: m.text(c)})
	}
	return out
}

// valued models a statement whose value may be a table of rows.
func (m *modeler) valued(kind testmodel.Kind, n syntax.Node, keyword string) testmodel.Stmt {
	parts := n.Named()
	if len(parts) == 1 {
		if rows := m.table(unwrap(parts[0])); rows != nil {
			s := m.new(kind, n, keyword, unwrap(parts[0]).Kind())
			s.Rows = rows
			return s
		}
	}
	return m.new(kind, n, canon(n)...)
}

// table are the rows of a literal that looks like cases or data: several
// elements, or composite ones; nil for any other value.
func (m *modeler) table(n syntax.Node) []testmodel.Row {
	if !n.Is("list", "tuple", "set", "dictionary") {
		return nil
	}
	parts := n.Named()
	if len(parts) == 0 {
		return nil
	}
	for _, c := range parts {
		if c.Is("list_splat", "dictionary_splat") {
			return nil
		}
	}
	return m.elements(n)
}

func (m *modeler) defines(n syntax.Node) testmodel.Stmt {
	def, head := n, []string(nil)
	if n.Is("decorated_definition") {
		def = n.Field("definition")
		for _, c := range n.Named() {
			if c.Is("decorator") {
				head = append(head, canon(c)...)
			}
		}
	}
	name := def.Field("name")
	s := m.new(testmodel.Defines, name, append(head, "def", name.Text())...)
	s.End = n.EndLine()
	s.Binds = []string{name.Text()}
	for _, field := range []string{"parameters", "superclasses"} {
		s.Head = append(s.Head, canon(def.Field(field))...)
	}
	s.Body = m.block(def.Field("body"))
	return s
}

func (m *modeler) match(n syntax.Node) testmodel.Stmt {
	s := m.new(testmodel.Branch, n, append([]string{"match"}, canon(n.Field("subject"))...)...)
	for c := range n.All("case_clause") {
		if c.Up("match_statement") != n {
			continue
		}
		arm := m.new(testmodel.Branch, c, "case")
		for _, part := range c.Named() {
			if !part.Is("block") {
				arm.Head = append(arm.Head, canon(part)...)
			}
		}
		arm.Body = m.block(c.Field("consequence"))
		s.Body = append(s.Body, arm)
	}
	return s
}
