package code

import (
	"workflow-reviewer/internal/syntax"
)

// over makes an Assign of the variable of a loop, nil if it is no loop over something.
func (b *builder) over(n, target, value syntax.Node) *Node {
	t, v := b.node(target), b.node(value)
	if t == nil || v == nil {
		return nil
	}
	if v.Is(Other) && len(v.Kids) == 1 && value.Is("in") {
		v = v.Kids[0]
	}
	out := b.named(Assign, n, "for", t, v)
	out.Declares = true
	return out
}

func (b *builder) loop(n syntax.Node) *Node {
	if n.Is("while_modifier", "until_modifier") {
		return b.make(Loop, n, b.orOther(n, b.node(n.Field("condition"))), b.orOther(n, b.block(n.Field("body"))))
	}
	clause := n.Child("range_clause")
	if clause.IsZero() {
		clause = n
	}
	target, over := clause.Field("left"), clause.Field("right")
	if target.IsZero() && over.IsZero() && n.Is("for_expression", "for", "enhanced_for_statement") {
		target, over = fieldOf(n, "pattern", "name"), n.Field("value")
	}
	head := b.over(clause, target, over)
	if head == nil {
		head = b.make(Other, n)
		for _, c := range n.Named() {
			if c.FieldName() != "body" && !c.Is("block") {
				head.Kids = append(head.Kids, b.nodes([]syntax.Node{c})...)
			}
		}
	}
	body := b.block(n.Field("body"))
	if body == nil {
		body = b.orOther(n, b.block(n.Child("block")))
	}
	out := b.make(Loop, n, head, body)
	if alt := b.block(n.Field("alternative")); alt != nil {
		out.Kids = append(out.Kids, alt)
	}
	return out
}

// comprehension makes an Other of the clauses, then the element.
func (b *builder) comprehension(n syntax.Node) *Node {
	var clauses, rest []*Node
	for _, c := range n.Named() {
		if !c.Is("for_in_clause") {
			rest = append(rest, b.nodes([]syntax.Node{c})...)
		} else if a := b.over(c, c.Field("left"), c.Field("right")); a != nil {
			clauses = append(clauses, a)
		}
	}
	return b.make(Other, n, append(clauses, rest...)...)
}

func (b *builder) try(n syntax.Node) *Node {
	body := b.make(Block, n)
	var handlers []*Node
	for _, c := range n.Named() {
		switch {
		case c.FieldName() == "body", c.Is("else_clause", "else", "finally"):
			body.Kids = append(body.Kids, b.bodyOf(c)...)
		case c.Is("except_clause", "catch_clause", "rescue", "except_group_clause", "finally_clause", "ensure"):
			handlers = append(handlers, b.handler(c))
		default:
			body.Kids = append(body.Kids, b.nodes([]syntax.Node{c})...)
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
		case k.FieldName() == "value", k.FieldName() == "parameter", k.Is("exceptions", "catch_formal_parameter", "catch_declaration"),
			c.Is("except_clause", "except_group_clause") && out.Text == "":
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
