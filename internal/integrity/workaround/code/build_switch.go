package code

import (
	"workflow-reviewer/internal/syntax"
)

// choice makes a Switch; a case without statements shares the next one's.
func (b *builder) choice(n syntax.Node) *Node {
	subject := n.Field("value")
	for _, f := range []string{"condition", "subject"} {
		if subject.IsZero() {
			subject = n.Field(f)
		}
	}
	if subject.IsZero() && n.Is("switch_expression") { // C#
		subject = n.FirstChild()
	}
	out := b.make(Switch, n, orOther(b, n, b.node(subject)))
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
		patterns, block, ok := b.arm(c)
		if !ok {
			continue
		}
		if len(block.Kids) == 0 && len(patterns) > 0 && b.fallsThrough(c) {
			shared = append(shared, patterns...)
			continue
		}
		kids := append(append(shared, patterns...), block)
		shared = nil
		out.Kids = append(out.Kids, b.make(Case, c, kids...))
	}
	return out
}

func (b *builder) fallsThrough(c syntax.Node) bool {
	return c.Is("switch_case", "switch_block_statement_group", "switch_section")
}

// arm splits one case into its patterns and statements.
func (b *builder) arm(c syntax.Node) (patterns []*Node, block *Node, ok bool) {
	block = b.make(Block, c)
	switch c.Kind() {
	case "switch_case", "switch_default", "expression_case", "default_case", "type_case", "communication_case":
		for k := range c.Children() {
			switch {
			case !k.IsNamed() || k.IsComment():
			case k.FieldName() == "value" || k.FieldName() == "type":
				patterns = append(patterns, b.alternatives(b.node(k))...)
			default:
				if isHolder(k) {
					block.Kids = append(block.Kids, b.statements(k)...)
				} else if m := b.node(k); m != nil && k.Kind() != "break_statement" {
					block.Kids = append(block.Kids, m)
				}
			}
		}
	case "switch_block_statement_group", "switch_rule", "switch_section", "switch_expression_arm":
		patterns = b.labelled(c, block)
	case "match_arm":
		p := c.Field("pattern")
		patterns = b.alternatives(b.node(p.FirstChild()))
		if p.FirstChild().IsZero() || p.Text() == "_" {
			patterns = nil
		}
		block.Kids = b.bodyOf(c.Field("value"))
	case "case_clause":
		for k := range c.Children() {
			if k.Is("case_pattern") && k.Text() != "_" {
				patterns = append(patterns, b.alternatives(b.node(k))...)
			}
		}
		block.Kids = b.bodyOf(c.Field("consequence"))
	case "when", "in_clause":
		for k := range c.Children() {
			if k.FieldName() == "pattern" && k.IsNamed() {
				patterns = append(patterns, b.alternatives(b.node(k))...)
			}
		}
		block.Kids = b.bodyOf(c.Field("body"))
	case "else", "else_clause":
		block.Kids = b.statements(c)
	default:
		return nil, nil, false
	}
	return patterns, block, true
}

// labelled reads the cases of Java and C#.
func (b *builder) labelled(c syntax.Node, block *Node) []*Node {
	var patterns []*Node
	for i, k := range c.Named() {
		isPattern := k.Is("switch_label", "constant_pattern", "declaration_pattern", "relational_pattern", "or_pattern", "and_pattern", "discard",
			"recursive_pattern", "when_clause", "case_switch_label", "case_pattern_switch_label", "default_switch_label", "var_pattern", "type_pattern", "tuple_pattern", "list_pattern", "negated_pattern") ||
			c.Is("switch_expression_arm") && i == 0
		switch {
		case k.Is("discard"), k.Is("when_clause"):
		case k.Is("switch_label"):
			for _, l := range k.Named() {
				patterns = append(patterns, b.alternatives(b.node(l))...)
			}
		case isPattern:
			patterns = append(patterns, b.alternatives(b.node(k))...)
		case k.Is("break_statement"):
		case isHolder(k) || k.Is("block"):
			block.Kids = append(block.Kids, b.statements(k)...)
		default:
			if m := b.node(k); m != nil {
				block.Kids = append(block.Kids, m)
			}
		}
	}
	return patterns
}

// alternatives are the patterns of an or-pattern.
func (b *builder) alternatives(p *Node) []*Node {
	if p == nil {
		return nil
	}
	if p.Is(List) && p.Src.Is("or_pattern", "union_pattern", "expression_list") || p.Is(Binary) && p.Text == "|" {
		var out []*Node
		for _, k := range p.Kids {
			out = append(out, b.alternatives(k)...)
		}
		return out
	}
	return []*Node{p}
}
