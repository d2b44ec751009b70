package code

import "workflow-reviewer/internal/syntax"

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

// bodyOf are the statements of a body, be it a block or one expression.
func (b *builder) bodyOf(n syntax.Node) []*Node {
	m := b.block(n)
	if m == nil {
		return nil
	}
	return m.Kids
}

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
