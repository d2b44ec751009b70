package code

import (
	"strings"

	"workflow-reviewer/internal/syntax"
)

// statement makes assignments, declarations and what leaves a function.
func (b *builder) statement(n syntax.Node) *Node {
	switch n.Kind() {
	case "assignment", "assignment_expression", "augmented_assignment", "augmented_assignment_expression", "assignment_statement",
		"operator_assignment", "compound_assignment_expr", "short_var_declaration":
		return b.assign(n, n.Field("left"), n.Field("right"))
	case "named_expression", "variable_declarator", "public_field_definition", "field_definition", "static_item", "const_item",
		"var_spec", "const_spec":
		return b.declare(n)
	case "let_declaration", "let_condition":
		out := b.assign(n, n.Field("pattern"), n.Field("value"))
		if out != nil {
			out.Declares = true
		}
		return out
	case "lexical_declaration", "variable_declaration", "local_variable_declaration", "field_declaration", "var_declaration",
		"const_declaration", "constant_declaration", "var_spec_list":
		return b.several(n)
	case "property_declaration":
		return b.property(n)
	case "return_statement", "return_expression", "return", "yield_statement":
		return b.returns(n)
	case "raise_statement", "throw_statement", "throw_expression":
		return b.make(Raise, n, b.nodes(n.Named())...)
	case "expression_statement":
		if len(n.Named()) == 1 && b.lang == syntax.Rust {
			return b.node(n.Named()[0])
		}
	case "as_pattern":
		if alias := n.Field("alias"); !alias.IsZero() {
			v := b.node(n.Named()[0])
			t := b.node(alias)
			if t.Is(Other) && len(t.Kids) == 1 {
				t = t.Kids[0]
			}
			out := b.full(b.text(Assign, n, "=", t, v))
			if out != nil {
				out.Declares = true
			}
			return out
		}
	case "labeled_statement":
		if k := n.Named(); len(k) > 0 {
			return b.node(k[len(k)-1])
		}
	}
	return nil
}

func (b *builder) assign(n, left, right syntax.Node) *Node {
	l, r := b.node(left), b.node(right)
	if l == nil {
		return nil
	}
	if b.lang == syntax.Ruby && l.Is(Call) && len(l.Kids) == 1 { // a.b = c
		l = l.Kids[0]
	}
	if r == nil { // a declaration without value
		r = b.make(Other, n)
	}
	op := n.Field("operator").Text()
	if op == "" {
		op = "="
		if n.Is("augmented_assignment_expression", "compound_assignment_expr") {
			op = "+="
		}
	}
	out := b.text(Assign, n, op, l, r)
	out.Declares = n.Is("short_var_declaration")
	return out
}

// declare makes an Assign of a declaration of one or several names.
func (b *builder) declare(n syntax.Node) *Node {
	value := n.Field("value")
	name := n.Field("name")
	if name.IsZero() {
		name = n.Field("property")
	}
	if b.lang == syntax.CSharp && n.Is("variable_declarator") {
		for _, c := range n.Named() {
			if c != name && !c.Is("bracketed_argument_list") {
				value = c
			}
		}
	}
	out := b.assign(n, name, value)
	if out == nil {
		return nil
	}
	out.Declares = true
	if n.Is("var_spec", "const_spec") {
		var names []*Node
		for c := range n.Children() {
			if c.FieldName() == "name" && c.IsNamed() {
				names = append(names, b.node(c))
			}
		}
		if len(names) > 1 {
			out.Kids[0] = b.make(List, n, names...)
		}
	}
	return out
}

// several makes the declarations of a statement that has one or more.
func (b *builder) several(n syntax.Node) *Node {
	var kids []*Node
	for c := range n.All("variable_declarator", "var_spec", "const_spec") {
		if c.Parent() == n || c.Parent().Parent() == n || c.Parent().Is("variable_declaration") && c.Parent().Parent() == n {
			if m := b.node(c); m != nil {
				kids = append(kids, m)
			}
		}
	}
	for _, k := range kids {
		if n.Is("field_declaration", "constant_declaration") {
			k.Def = &Def{Words: b.words(n), Line: k.Line}
		}
	}
	switch len(kids) {
	case 0:
		return nil
	case 1:
		return kids[0]
	default:
		return b.text(Block, n, "several", kids...)
	}
}

// property makes a C# property: a function if it has code, else nothing known.
func (b *builder) property(n syntax.Node) *Node {
	if b.lang != syntax.CSharp {
		return nil
	}
	arrow := n.Child("arrow_expression_clause")
	if !arrow.IsZero() {
		return b.function(n)
	}
	if v := n.Field("value"); !v.IsZero() {
		out := b.assign(n, n.Field("name"), v)
		if out != nil {
			out.Declares = true
			out.Def = &Def{Words: b.words(n), Line: out.Line}
		}
		return out
	}
	return nil
}

func (b *builder) returns(n syntax.Node) *Node {
	var kids []*Node
	for _, c := range n.Named() {
		if c.Is("expression_list") && b.lang == syntax.Go {
			kids = append(kids, b.nodes(c.Named())...)
			continue
		}
		if c.Is("argument_list") { // Ruby
			kids = append(kids, b.nodes(c.Named())...)
			continue
		}
		if m := b.node(c); m != nil {
			kids = append(kids, m)
		}
	}
	return b.make(Return, n, kids...)
}

// implicit makes the last expression of a body its returned value.
func (b *builder) implicit(body []*Node) {
	if len(body) == 0 {
		return
	}
	last := body[len(body)-1]
	switch last.Kind {
	case Return, Raise, Loop, Func, Class, Import:
	case Assign:
		if b.lang == syntax.Ruby && last.Text == "=" {
			body[len(body)-1] = b.make(Block, last.Src, last, b.make(Return, last.Src, last.Kids[0]))
			body[len(body)-1].Kids[1].Kids[0] = copyOf(last.Kids[0])
		}
	case If:
		for _, k := range last.Kids[1:] {
			if k.Is(Block) {
				b.implicit(k.Kids)
			} else if k != nil {
				b.implicit([]*Node{k})
			}
		}
	case Switch:
		for _, c := range last.Kids[1:] {
			b.implicit(c.Kids[len(c.Kids)-1].Kids)
		}
	case Block:
		b.implicit(last.Kids)
	case Try:
		b.implicit(last.Kids[:1])
		for _, h := range last.Kids[1:] {
			if h.Text != "finally" {
				b.implicit(h.Kids)
			}
		}
	default:
		if b.lang == syntax.Rust && last.Src.Parent().Is("expression_statement") && strings.HasSuffix(last.Src.Parent().Text(), ";") {
			return
		}
		body[len(body)-1] = b.make(Return, last.Src, last)
		body[len(body)-1].Line = last.Line
	}
}

// copyOf is a name or member once more.
func copyOf(n *Node) *Node {
	out := *n
	out.Kids = nil
	for _, k := range n.Kids {
		out.Kids = append(out.Kids, copyOf(k))
	}
	return &out
}
