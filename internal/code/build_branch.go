package code

import (
	"slices"

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

// fallsThrough are cases that go on with the next one's statements if they have none.
var fallsThrough = []string{"switch_case", "switch_block_statement_group", "switch_section"}

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
		head := c == subject || slices.Contains([]string{"value", "subject", "initializer"}, c.FieldName())
		if head || !c.IsNamed() || c.IsComment() {
			continue
		}
		patterns, block := b.arm(c)
		switch {
		case block == nil:
		case len(block.Kids) == 0 && len(patterns) > 0 && c.Is(fallsThrough...):
			shared = append(shared, patterns...)
		default:
			out.Kids = append(out.Kids, b.make(Case, c, append(append(shared, patterns...), block)...))
			shared = nil
		}
	}
	return out
}

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
