package code

import (
	"workflow-reviewer/internal/syntax"
)

func (b *builder) loop(n syntax.Node) *Node {
	out := b.make(Loop, n)
	clause := n.Child("range_clause")
	if clause.IsZero() {
		clause = n
	}
	target, over := clause.Field("left"), clause.Field("right")
	switch {
	case !target.IsZero() || !over.IsZero():
	case n.Is("for_expression", "for"):
		target, over = n.Field("pattern"), n.Field("value")
	case n.Is("enhanced_for_statement"):
		target, over = n.Field("name"), n.Field("value")
	}
	if t, o := b.node(target), b.node(over); t != nil && o != nil {
		if o.Is(Other) && len(o.Kids) == 1 && over.Is("in") {
			o = o.Kids[0]
		}
		a := b.text(Assign, clause, "for", t, o)
		a.Declares = true
		out.Kids = append(out.Kids, a)
	} else {
		head := b.make(Other, n)
		for c := range n.Children() {
			if c.IsNamed() && c.FieldName() != "body" && !c.Is("block", "comment") {
				if m := b.node(c); m != nil {
					head.Kids = append(head.Kids, m)
				}
			}
		}
		out.Kids = append(out.Kids, head)
	}
	body := b.block(n.Field("body"))
	if body == nil {
		body = orOther(b, n, b.block(n.Child("block")))
	}
	out.Kids = append(out.Kids, body)
	if alt := b.block(n.Field("alternative")); alt != nil {
		out.Kids = append(out.Kids, alt)
	}
	return out
}

// comprehension makes an Other of the clauses, then the element.
func (b *builder) comprehension(n syntax.Node) *Node {
	out := b.make(Other, n)
	for _, c := range n.Named() {
		if c.Is("for_in_clause") {
			if t, o := b.node(c.Field("left")), b.node(c.Field("right")); t != nil && o != nil {
				a := b.text(Assign, c, "for", t, o)
				a.Declares = true
				out.Kids = append(out.Kids, a)
			}
		}
	}
	for _, c := range n.Named() {
		if !c.Is("for_in_clause") {
			if m := b.node(c); m != nil {
				out.Kids = append(out.Kids, m)
			}
		}
	}
	return out
}

func (b *builder) try(n syntax.Node) *Node {
	body := b.make(Block, n)
	var handlers []*Node
	for _, c := range n.Named() {
		switch {
		case c.FieldName() == "body":
			body.Kids = append(body.Kids, b.bodyOf(c)...)
		case c.Is("except_clause", "catch_clause", "rescue", "except_group_clause", "finally_clause", "ensure"):
			handlers = append(handlers, b.handler(c))
		case c.Is("else_clause", "else", "finally"):
			body.Kids = append(body.Kids, b.bodyOf(c)...)
		default:
			if m := b.node(c); m != nil {
				body.Kids = append(body.Kids, m)
			}
		}
	}
	return b.make(Try, n, append([]*Node{body}, handlers...)...)
}

func (b *builder) handler(c syntax.Node) *Node {
	out := b.make(Handler, c)
	if c.Is("finally_clause", "ensure") {
		out.Text = "finally"
	}
	for _, k := range c.Named() {
		switch {
		case k.FieldName() == "body" || k.Is("block", "then", "statement_block"):
			out.Kids = append(out.Kids, b.bodyOf(k)...)
		case k.FieldName() == "value", k.FieldName() == "parameter", k.Is("exceptions", "catch_formal_parameter", "catch_declaration"):
			out.Text = k.Text()
		case c.Is("except_clause", "except_group_clause") && out.Text == "":
			out.Text = k.Text()
		case c.Is("ensure"):
			out.Kids = append(out.Kids, b.nodes([]syntax.Node{k})...)
		}
	}
	return out
}

// with makes a Block of what is opened and then the body.
func (b *builder) with(n syntax.Node) *Node {
	out := b.make(Block, n)
	body := n.Field("body")
	for _, c := range n.Named() {
		switch {
		case c == body || body.IsZero() && c.Is("block"):
			out.Kids = append(out.Kids, b.bodyOf(c)...)
		case c.Is("with_clause"):
			for _, item := range c.Named() {
				out.Kids = append(out.Kids, b.nodes(item.Named())...)
			}
		default:
			out.Kids = append(out.Kids, b.nodes([]syntax.Node{c})...)
		}
	}
	return out
}
