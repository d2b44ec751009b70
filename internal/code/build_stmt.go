package code

import (
	"strings"

	"workflow-reviewer/internal/syntax"
)

func (b *builder) assignment(n syntax.Node) *Node {
	out := b.assign(n, fieldOf(n, "left", "pattern"), fieldOf(n, "right", "value"))
	if out != nil {
		out.Declares = n.Is("short_var_declaration", "let_declaration", "let_condition")
	}
	return out
}

func (b *builder) assign(n, left, right syntax.Node) *Node {
	l, r := b.node(left), b.node(right)
	if l == nil {
		return nil
	}
	if b.lang == syntax.Ruby && l.Is(Call) && len(l.Kids) == 1 { // a.b = c
		l = l.Kids[0]
	}
	op := n.Field("operator").Text()
	if op == "" && n.Is("augmented_assignment_expression", "compound_assignment_expr") {
		op = "+="
	} else if op == "" {
		op = "="
	}
	return b.named(Assign, n, op, l, b.orOther(n, r)) // a declaration may have no value
}

// declare makes an Assign of a declaration of one or several names.
func (b *builder) declare(n syntax.Node) *Node {
	name, value := fieldOf(n, "name", "property"), n.Field("value")
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
		for _, c := range n.Named() {
			if c.FieldName() == "name" {
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
		if up := c.Parent(); up == n || up.Parent() == n {
			kids = append(kids, b.nodes([]syntax.Node{c})...)
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
		return b.named(Block, n, "several", kids...)
	}
}

// property makes a C# property: a function if it has code, else nothing known.
func (b *builder) property(n syntax.Node) *Node {
	v := n.Field("value")
	switch {
	case b.lang != syntax.CSharp:
		return nil
	case !n.Child("arrow_expression_clause").IsZero():
		return b.function(n)
	case v.IsZero():
		return nil
	}
	out := b.assign(n, n.Field("name"), v)
	if out != nil {
		out.Declares, out.Def = true, &Def{Words: b.words(n), Line: out.Line}
	}
	return out
}

func (b *builder) returns(n syntax.Node) *Node {
	var kids []*Node
	for _, c := range n.Named() {
		if c.Is("expression_list") && b.lang == syntax.Go || c.Is("argument_list") { // Ruby
			kids = append(kids, b.nodes(c.Named())...)
		} else {
			kids = append(kids, b.nodes([]syntax.Node{c})...)
		}
	}
	return b.make(Return, n, kids...)
}

// asPattern makes an Assign of Python's "x as y".
func (b *builder) asPattern(n syntax.Node) *Node {
	t := b.node(n.Field("alias"))
	if t == nil {
		return nil
	}
	v := b.node(n.Named()[0])
	if t.Is(Other) && len(t.Kids) == 1 {
		t = t.Kids[0]
	}
	out := full(b.named(Assign, n, "=", t, v))
	if out != nil {
		out.Declares = true
	}
	return out
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
			body[len(body)-1] = b.make(Block, last.Src, last, b.make(Return, last.Src, copyOf(last.Kids[0])))
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
