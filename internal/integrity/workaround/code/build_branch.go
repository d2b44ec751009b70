package code

import (
	"workflow-reviewer/internal/syntax"
)

// branch makes conditions, switches, loops and handlers.
func (b *builder) branch(n syntax.Node) *Node {
	if !n.IsNamed() {
		return nil
	}
	switch n.Kind() {
	case "if_statement", "if_expression", "if", "elif_clause", "elsif", "unless":
		return b.conditional(n)
	case "if_modifier", "unless_modifier":
		return b.modifier(n)
	case "while_modifier", "until_modifier":
		return b.make(Loop, n, orOther(b, n, b.node(n.Field("condition"))), orOther(b, n, b.block(n.Field("body"))))
	case "switch_statement", "switch_expression", "expression_switch_statement", "type_switch_statement", "match_expression", "match_statement",
		"case", "case_match", "select_statement":
		return b.choice(n)
	case "for_statement", "while_statement", "do_statement", "for_in_statement", "enhanced_for_statement", "foreach_statement", "for_expression",
		"while_expression", "loop_expression", "for", "while", "until":
		return b.loop(n)
	case "list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression":
		return b.comprehension(n)
	case "try_statement", "begin", "try_with_resources_statement":
		return b.try(n)
	case "block", "statement_block", "unsafe_block", "async_block", "const_block":
		if n.Is("unsafe_block", "async_block", "const_block") {
			n = n.Child("block")
		}
		if n.Is("block") && b.lang == syntax.Ruby {
			return nil
		}
		return b.block(n)
	case "with_statement", "using_statement", "lock_statement", "synchronized_statement", "fixed_statement":
		return b.with(n)
	}
	return nil
}

func orOther(b *builder, n syntax.Node, m *Node) *Node {
	if m == nil {
		return b.make(Other, n)
	}
	return m
}

func (b *builder) conditional(n syntax.Node) *Node {
	cond := orOther(b, n, b.node(n.Field("condition")))
	if init := n.Field("initializer"); !init.IsZero() { // Go
		if m := b.node(init); m != nil {
			cond = b.text(Binary, n, "&&", m, cond)
		}
	}
	if n.Is("unless") {
		cond = b.text(Unary, n, "not", cond)
	}
	body := n.Field("consequence")
	then := b.block(body)
	if then == nil {
		then = b.make(Block, n)
	}
	out := b.make(If, n, cond, then)
	tail := out
	for c := range n.Children() {
		if c.FieldName() != "alternative" {
			continue
		}
		otherwise := b.alternative(c)
		if otherwise == nil {
			continue
		}
		tail.Kids = append(tail.Kids, otherwise)
		if otherwise.Is(If) {
			tail = otherwise
			for len(tail.Kids) > 2 && tail.Kids[2].Is(If) {
				tail = tail.Kids[2]
			}
		}
	}
	return out
}

// alternative makes an else branch: an If where another condition follows.
func (b *builder) alternative(c syntax.Node) *Node {
	if c.Is("elif_clause", "elsif", "if_statement", "if_expression") {
		return b.node(c)
	}
	if c.Is("else_clause") && len(c.Named()) == 1 {
		switch inner := c.Named()[0]; {
		case inner.Is("if_statement", "if_expression"):
			return b.node(inner)
		case inner.Is("block", "statement_block"):
			return b.block(inner)
		}
	}
	return b.block(c)
}

func (b *builder) modifier(n syntax.Node) *Node {
	cond := orOther(b, n, b.node(n.Field("condition")))
	if n.Is("unless_modifier") {
		cond = b.text(Unary, n, "not", cond)
	}
	body := b.block(n.Field("body"))
	if body == nil {
		body = b.make(Block, n)
	}
	return b.make(If, n, cond, body)
}

// bodyOf are the statements of a body, be it a block or one expression.
func (b *builder) bodyOf(n syntax.Node) []*Node {
	m := b.block(n)
	if m == nil {
		return nil
	}
	return m.Kids
}
