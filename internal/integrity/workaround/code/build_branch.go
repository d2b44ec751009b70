package code

import (
	"workflow-reviewer/internal/syntax"
)

func (b *builder) conditional(n syntax.Node) *Node {
	cond := b.orOther(n, b.node(n.Field("condition")))
	if m := b.node(n.Field("initializer")); m != nil { // Go
		cond = b.named(Binary, n, "&&", m, cond)
	}
	if n.Is("unless", "unless_modifier") {
		cond = b.named(Unary, n, "not", cond)
	}
	then := b.block(fieldOf(n, "consequence", "body"))
	if then == nil {
		then = b.make(Block, n)
	}
	out := b.make(If, n, cond, then)
	tail := out
	for c := range n.Children() {
		if c.FieldName() != "alternative" {
			continue
		}
		if otherwise := b.alternative(c); otherwise != nil {
			tail.Kids = append(tail.Kids, otherwise)
			for len(tail.Kids) > 2 && tail.Kids[2].Is(If) {
				tail = tail.Kids[2]
			}
		}
	}
	return out
}

// alternative makes an else branch: an If where another condition follows.
func (b *builder) alternative(c syntax.Node) *Node {
	if k := c.Named(); c.Is("else_clause") && len(k) == 1 && k[0].Is("if_statement", "if_expression", "block", "statement_block") {
		c = k[0]
	}
	if c.Is("elif_clause", "elsif", "if_statement", "if_expression") {
		return b.node(c)
	}
	return b.block(c)
}

// choice makes a Switch; a case without statements shares the next one's.
func (b *builder) choice(n syntax.Node) *Node {
	subject := fieldOf(n, "value", "condition", "subject")
	if subject.IsZero() && n.Is("switch_expression") { // C#
		subject = n.FirstChild()
	}
	out := b.make(Switch, n, b.orOther(n, b.node(subject)))
	if out.Kids[0].Is(Literal) { // switch (true)
		out.Kids[0] = b.make(Other, n)
	}
	body := n.Field("body")
	if body.IsZero() {
		body = n
	}
	var shared []*Node
	for c := range body.Children() {
		if !c.IsNamed() || c.IsComment() || c.FieldName() == "value" || c.FieldName() == "subject" || c.FieldName() == "initializer" || c == subject {
			continue
		}
		patterns, block := b.arm(c)
		switch {
		case block == nil:
		case len(block.Kids) == 0 && len(patterns) > 0 && c.Is("switch_case", "switch_block_statement_group", "switch_section"): // falls through
			shared = append(shared, patterns...)
		default:
			out.Kids = append(out.Kids, b.make(Case, c, append(append(shared, patterns...), block)...))
			shared = nil
		}
	}
	return out
}

// labels are what stands before the statements of a case in Java and C#.
var labels = setOf("constant_pattern declaration_pattern relational_pattern or_pattern and_pattern recursive_pattern case_switch_label case_pattern_switch_label " +
	"default_switch_label var_pattern type_pattern tuple_pattern list_pattern negated_pattern")

// arm splits one case into its patterns and statements; no block if it is none.
func (b *builder) arm(c syntax.Node) (patterns []*Node, block *Node) {
	block = b.make(Block, c)
	pattern := func(n syntax.Node) { patterns = append(patterns, alternatives(b.node(n))...) }
	switch c.Kind() {
	case "switch_case", "switch_default", "expression_case", "default_case", "type_case", "communication_case":
		for _, k := range c.Named() {
			switch {
			case k.FieldName() == "value" || k.FieldName() == "type":
				pattern(k)
			default:
				b.armStatement(block, k)
			}
		}
	case "switch_block_statement_group", "switch_rule", "switch_section", "switch_expression_arm":
		for i, k := range c.Named() {
			switch {
			case k.Is("discard", "when_clause"):
			case k.Is("switch_label"):
				for _, l := range k.Named() {
					pattern(l)
				}
			case labels[k.Kind()] || c.Is("switch_expression_arm") && i == 0:
				pattern(k)
			default:
				b.armStatement(block, k)
			}
		}
	case "match_arm":
		if p := c.Field("pattern"); p.Text() != "_" {
			pattern(p.FirstChild())
		}
		block.Kids = b.bodyOf(c.Field("value"))
	case "case_clause", "when", "in_clause":
		for k := range c.Children() {
			if (k.Is("case_pattern") || k.FieldName() == "pattern" && !c.Is("case_clause")) && k.IsNamed() && k.Text() != "_" {
				pattern(k)
			}
		}
		block.Kids = b.bodyOf(fieldOf(c, "consequence", "body"))
	case "else", "else_clause":
		block.Kids = b.statements(c)
	default:
		return nil, nil
	}
	return patterns, block
}

func (b *builder) armStatement(block *Node, n syntax.Node) {
	switch {
	case n.Is("break_statement"):
	case isHolder(n) || n.Is("block"):
		block.Kids = append(block.Kids, b.statements(n)...)
	default:
		block.Kids = append(block.Kids, b.nodes([]syntax.Node{n})...)
	}
}

// alternatives are the patterns of an or-pattern.
func alternatives(p *Node) []*Node {
	if p == nil {
		return nil
	}
	if !(p.Is(List) && p.Src.Is("or_pattern", "union_pattern", "expression_list") || p.Is(Binary) && p.Text == "|") {
		return []*Node{p}
	}
	var out []*Node
	for _, k := range p.Kids {
		out = append(out, alternatives(k)...)
	}
	return out
}

// over makes an Assign of the variable of a loop, nil if it is no loop over
// something.
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
