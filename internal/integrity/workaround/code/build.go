package code

import (
	"strings"

	"workflow-reviewer/internal/syntax"
)

// builder makes Nodes of a syntax tree.
type builder struct {
	file    *File
	lang    syntax.Language
	depth   int
	tooDeep bool
	made    int      // nodes
	limit   int      // of made
	self    []string // what the receivers of the methods around are called
}

func (b *builder) make(kind Kind, n syntax.Node, kids ...*Node) *Node {
	b.made++
	return &Node{Kind: kind, Line: n.StartLine(), Src: n, Kids: kids}
}

func (b *builder) text(kind Kind, n syntax.Node, text string, kids ...*Node) *Node {
	out := b.make(kind, n, kids...)
	out.Text = text
	return out
}

// node makes a Node of any syntax node, nil for none.
func (b *builder) node(n syntax.Node) *Node {
	if n.IsZero() || n.IsComment() {
		return nil
	}
	if b.depth++; b.depth > maxDepth || b.made > b.limit {
		b.tooDeep = true
		b.depth--
		return b.make(Other, n)
	}
	defer func() { b.depth-- }()
	for _, try := range [...]func(syntax.Node) *Node{b.leaf, b.operation, b.access, b.collection, b.definition, b.branch, b.statement, b.imports} {
		if out := try(n); out != nil {
			return out
		}
	}
	kids := b.nodes(n.Named())
	if transparent(n.Kind()) && len(kids) == 1 {
		return kids[0]
	}
	return b.make(Other, n, kids...)
}

// transparent kinds stand for what is in them.
func transparent(kind string) bool {
	switch kind {
	case "parenthesized_expression", "parenthesized_statements", "non_null_expression",
		"expression_statement", "await", "await_expression", "reference_expression", "try_expression",
		"literal_element", "argument", "global_statement_item", "constant_pattern", "case_pattern", "pattern",
		"expression_list", "declaration_expression", "local_declaration_statement", "equals_value_clause", "export_statement",
		"match_pattern", "chained_string", "field_initializer", "parenthesized_pattern", "block_argument", "else_clause",
		"checked_expression", "ref_expression", "reference_pattern", "ref_pattern", "mut_pattern", "primary_expression":
		return true
	default:
		return false
	}
}

func (b *builder) nodes(ns []syntax.Node) []*Node {
	var out []*Node
	for _, n := range ns {
		if m := b.node(n); m != nil {
			out = append(out, m)
		}
	}
	return out
}

// statements are the statements of a body, without the nodes that only hold
// statements together.
func (b *builder) statements(n syntax.Node) []*Node {
	var out []*Node
	if b.depth++; b.depth > maxDepth {
		b.tooDeep = true
		b.depth--
		return nil
	}
	defer func() { b.depth-- }()
	var handlers []*Node // of a Ruby method, which may rescue without a begin
	for _, c := range n.Named() {
		if b.lang == syntax.Ruby && c.Is("rescue", "ensure") {
			handlers = append(handlers, b.handler(c))
			continue
		}
		if isHolder(c) {
			out = append(out, b.statements(c)...)
			continue
		}
		m := b.node(c)
		if m == nil {
			continue
		}
		if m.Kind == Block && m.Text == "several" {
			out = append(out, m.Kids...)
			continue
		}
		out = append(out, m)
	}
	if len(handlers) > 0 {
		return []*Node{b.make(Try, n, append([]*Node{b.make(Block, n, out...)}, handlers...)...)}
	}
	return out
}

func isHolder(n syntax.Node) bool {
	return n.Is("statement_list", "body_statement", "block_body", "then", "export_statement", "declaration_list",
		"class_body", "field_declaration_list", "enum_body", "enum_body_declarations", "interface_body", "constructor_body", "import_spec_list",
		"switch_body_list") && n.Child("decorator").IsZero() ||
		n.Is("global_statement") && n.FirstChild().IsNamed() // C#; Python's begins with the word
}

// block makes a Block of a body, be it a block or one statement.
func (b *builder) block(n syntax.Node) *Node {
	if n.IsZero() {
		return nil
	}
	out := b.make(Block, n)
	switch {
	case n.Is("block", "statement_block", "do_block") || isHolder(n), n.Is("else", "ensure", "do", "begin_block") || n.Is("else_clause"):
		if body := n.Field("body"); n.Is("else_clause", "do_block", "block") && !body.IsZero() {
			return b.block(body)
		}
		out.Kids = b.statements(n)
	default:
		if m := b.node(n); m != nil {
			out.Kids = []*Node{m}
			if m.Kind == Block {
				out = m
			}
		}
	}
	return out
}

// leaf makes names and literals.
func (b *builder) leaf(n syntax.Node) *Node {
	switch n.Kind() {
	case "identifier", "type_identifier", "field_identifier", "property_identifier", "private_property_identifier", "package_identifier",
		"shorthand_property_identifier", "constant", "hash_key_symbol", "predefined_type", "primitive_type",
		"shorthand_field_identifier", "statement_identifier":
		return b.name(n, n.Text())
	case "this", "self", "this_expression":
		return b.text(Name, n, "self")
	case "super", "base", "base_expression":
		return b.text(Name, n, "super")
	case "instance_variable":
		return b.text(Member, n, strings.TrimPrefix(n.Text(), "@"), b.text(Name, n, "self"))
	case "class_variable", "global_variable", "discard":
		return b.text(Name, n, n.Text())
	case "dotted_name":
		return b.path(n, n.Named())
	case "shorthand_property_identifier_pattern":
		return b.text(Pair, n, "", b.name(n, n.Text()), b.name(n, n.Text()))
	case "string", "string_literal", "interpreted_string_literal", "raw_string_literal", "template_string", "interpolated_string_expression",
		"verbatim_string_literal", "character_literal", "char_literal", "rune_literal", "character", "text_block", "simple_symbol",
		"delimited_symbol", "string_array_element", "bare_string", "bare_symbol":
		return b.str(n)
	case "concatenated_string", "chained_string":
		return b.concat(n)
	}
	return b.constant(n)
}

func (b *builder) constant(n syntax.Node) *Node {
	var value Value
	switch n.Kind() {
	case "integer", "float", "number", "int_literal", "float_literal", "integer_literal", "real_literal", "decimal_integer_literal",
		"hex_integer_literal", "octal_integer_literal", "binary_integer_literal", "decimal_floating_point_literal", "rational", "complex", "imaginary_literal":
		v, ok := number(n.Text())
		if !ok {
			return nil
		}
		value = v
	case "true", "false", "boolean_literal":
		if !n.IsNamed() {
			return nil
		}
		value = Value{Bool, n.Text()}
		value.Text = strings.ToLower(value.Text)
	case "none", "nil", "null", "undefined", "null_literal":
	case "regex", "regex_literal":
		value = Value{Regex, n.Text()}
	default:
		return nil
	}
	out := b.make(Literal, n)
	out.Value = value
	return out
}

func (b *builder) name(n syntax.Node, name string) *Node {
	if len(b.self) > 0 && name == b.self[len(b.self)-1] && name != "" {
		name = "self"
	}
	return b.text(Name, n, name)
}

// path makes a chain of Members of names that follow each other.
func (b *builder) path(n syntax.Node, parts []syntax.Node) *Node {
	var out *Node
	for _, p := range parts {
		if out == nil {
			out = b.name(p, p.Text())
			continue
		}
		out = b.text(Member, n, p.Text(), out)
	}
	return out
}

// str makes a Literal, or a Template if there are expressions in the string.
func (b *builder) str(n syntax.Node) *Node {
	holes := n.Has("interpolation", "template_substitution")
	if !holes {
		out := b.make(Literal, n)
		out.Value = Value{String, text(n)}
		return out
	}
	out := b.make(Template, n)
	for _, c := range n.Named() {
		switch {
		case c.Is("interpolation", "template_substitution"):
			out.Kids = append(out.Kids, b.nodes(c.Named())...)
		case c.Is("string_content", "string_fragment", "string_literal_content", "interpolated_string_text"):
			part := b.make(Literal, c)
			part.Value = Value{String, c.Text()}
			out.Kids = append(out.Kids, part)
		}
	}
	return out
}

// concat joins literals that stand next to each other.
func (b *builder) concat(n syntax.Node) *Node {
	kids := b.nodes(n.Named())
	var s strings.Builder
	for _, k := range kids {
		if k.Kind != Literal {
			return b.make(Template, n, kids...)
		}
		s.WriteString(k.Value.Text)
	}
	out := b.make(Literal, n)
	out.Value = Value{String, s.String()}
	return out
}
