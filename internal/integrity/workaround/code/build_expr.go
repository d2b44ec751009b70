package code

import (
	"strings"

	"workflow-reviewer/internal/syntax"
)

// operation makes operators and assignments.
func (b *builder) operation(n syntax.Node) *Node {
	switch n.Kind() {
	case "binary_expression", "binary_operator", "boolean_operator", "binary":
		return b.binary(n, n.Field("operator").Text(), n.Field("left"), n.Field("right"))
	case "comparison_operator":
		return b.comparison(n)
	case "unary_expression", "unary_operator", "not_operator", "unary", "prefix_unary_expression", "negative_literal":
		return b.unary(n)
	case "instanceof_expression", "is_expression":
		return b.binary(n, "is", n.Field("left"), n.Field("right"))
	case "is_pattern_expression":
		return b.isPattern(n)
	case "conditional_expression":
		if c := n.Field("condition"); !c.IsZero() {
			return b.ternary(n, c, n.Field("consequence"), n.Field("alternative"))
		}
		if k := n.Named(); len(k) == 3 { // Python: then, condition, else
			return b.ternary(n, k[1], k[0], k[2])
		}
	case "ternary_expression", "conditional":
		return b.ternary(n, n.Field("condition"), n.Field("consequence"), n.Field("alternative"))
	case "update_expression", "inc_statement", "dec_statement", "postfix_unary_expression", "postfix_expression":
		return b.update(n)
	case "as_expression", "satisfies_expression":
		if b.lang == syntax.CSharp {
			return b.node(n.Field("left"))
		}
		return b.node(n.FirstChild())
	case "cast_expression", "type_cast_expression", "type_assertion", "type_conversion_expression":
		return b.cast(n)
	}
	return nil
}

// isPattern makes C#'s "x is T"; the grammar takes what follows in "x is not
// null && y" for a part of the pattern.
func (b *builder) isPattern(n syntax.Node) *Node {
	value, pattern := b.node(n.Field("expression")), b.node(n.Field("pattern"))
	if value == nil || pattern == nil {
		return nil
	}
	for pattern.Is(Other) && len(pattern.Kids) == 1 && pattern.Kids[0].Is(Binary) {
		pattern = pattern.Kids[0]
	}
	first := &pattern
	for (*first).Is(Binary) && len((*first).Kids) == 2 {
		first = &(*first).Kids[0]
	}
	*first = b.text(Binary, n, "is", value, *first)
	return pattern
}

func (b *builder) cast(n syntax.Node) *Node {
	for _, f := range []string{"value", "operand"} {
		if v := n.Field(f); !v.IsZero() {
			return b.node(v)
		}
	}
	if k := n.Named(); len(k) > 0 {
		return b.node(k[len(k)-1])
	}
	return nil
}

// full is a node whose kids are all there, else nil.
func (b *builder) full(n *Node) *Node {
	for _, k := range n.Kids {
		if k == nil {
			return nil
		}
	}
	return n
}

func (b *builder) ternary(n, cond, then, otherwise syntax.Node) *Node {
	return b.full(b.make(Ternary, n, b.node(cond), b.node(then), b.node(otherwise)))
}

// operator spells operators alike.
func operator(op string) string {
	switch op = strings.Join(strings.Fields(op), " "); op {
	case "===", "is_a?":
		return "=="
	case "!==", "<>":
		return "!="
	case "and":
		return "&&"
	case "or":
		return "||"
	case "is not":
		return "!="
	default:
		return op
	}
}

func (b *builder) binary(n syntax.Node, op string, left, right syntax.Node) *Node {
	op = operator(op)
	l, r := b.node(left), b.node(right)
	if l == nil || r == nil {
		return nil
	}
	if op == "+" && l.Is(Literal) && r.Is(Literal) && l.Value.Type == String && r.Value.Type == String {
		out := b.make(Literal, n)
		out.Value = Value{String, l.Value.Text + r.Value.Text}
		return out
	}
	return b.text(Binary, n, op, l, r)
}

// comparison makes Python's comparisons, "a < b < c" too.
func (b *builder) comparison(n syntax.Node) *Node {
	var out, left *Node
	op := ""
	for c := range n.Children() {
		if c.FieldName() == "operators" {
			op = strings.TrimSpace(op + " " + c.Text())
			continue
		}
		m := b.node(c)
		if m == nil {
			continue
		}
		if left == nil {
			left = m
			continue
		}
		if op == "is" {
			op = "=="
		}
		cmp := b.text(Binary, n, operator(op), left, m)
		if out == nil {
			out = cmp
		} else { // the operand in the middle stands in the first alone
			cmp.Kids[0] = b.make(Other, n)
			out = b.text(Binary, n, "&&", out, cmp)
		}
		left, op = m, ""
	}
	return out
}

func (b *builder) unary(n syntax.Node) *Node {
	kids := n.Named()
	if len(kids) == 0 {
		return nil
	}
	op := n.Field("operator").Text()
	if op == "" {
		op = n.FirstChild().Text()
	}
	v := b.node(kids[len(kids)-1])
	if v == nil {
		return nil
	}
	switch op {
	case "!", "not":
		op = "not"
	case "++", "--":
		return b.step(n, op, v)
	case "&", "*", "&mut":
		return v
	case "-":
		if v.Is(Literal) && v.Value.Type == Number && v.Value.Text != "0" {
			v.Value.Text = strings.TrimPrefix("-"+v.Value.Text, "--")
			v.Line, v.Src = n.StartLine(), n
			return v
		}
	case "defined?":
		return b.text(Call, n, "", b.text(Name, n, "defined?"), v)
	case "void", "delete":
		return b.make(Other, n, v)
	}
	return b.text(Unary, n, op, v)
}

// update makes "x++" an assignment.
func (b *builder) update(n syntax.Node) *Node {
	kids := n.Named()
	if len(kids) == 0 {
		return nil
	}
	v := b.node(kids[0])
	switch t := n.Text(); {
	case v == nil:
		return nil
	case strings.HasSuffix(t, "++"), strings.HasPrefix(t, "++"):
		return b.step(n, "++", v)
	case strings.HasSuffix(t, "--"), strings.HasPrefix(t, "--"):
		return b.step(n, "--", v)
	default: // C#: x!
		return v
	}
}

func (b *builder) step(n syntax.Node, op string, v *Node) *Node {
	one := b.make(Literal, n)
	one.Value = Value{Number, "1"}
	return b.text(Assign, n, op[:1]+"=", v, one)
}

// access makes members, indices and calls.
func (b *builder) access(n syntax.Node) *Node {
	switch n.Kind() {
	case "attribute", "member_expression", "selector_expression", "field_access", "field_expression", "member_access_expression",
		"scoped_identifier", "scoped_type_identifier", "scope_resolution", "qualified_name", "nested_identifier", "method_reference", "qualified_type":
		return b.member(n)
	case "conditional_access_expression":
		return b.conditionalAccess(n)
	case "subscript", "subscript_expression", "index_expression", "array_access", "element_reference", "element_access_expression":
		return b.index(n)
	case "slice_expression", "slice":
		return b.make(Other, n, b.nodes(n.Named())...)
	case "call", "call_expression", "method_invocation", "invocation_expression", "new_expression", "object_creation_expression",
		"implicit_object_creation_expression", "macro_invocation", "explicit_constructor_invocation", "command_call", "array_creation_expression":
		return b.call(n)
	case "keyword_argument":
		return b.full(b.text(Pair, n, "kw", b.node(n.Field("name")), b.node(n.Field("value"))))
	case "argument":
		if name := n.Field("name"); !name.IsZero() {
			k := n.Named()
			return b.full(b.text(Pair, n, "kw", b.node(name), b.node(k[len(k)-1])))
		}
	}
	return nil
}

func (b *builder) member(n syntax.Node) *Node {
	kids := n.Named()
	if len(kids) == 0 {
		return nil
	}
	last := kids[len(kids)-1]
	object := n.FirstChild()
	if object == last || !object.IsNamed() && object.Text() != "this" && object.Text() != "super" && object.Text() != "base" {
		object = kids[0]
	}
	if object == last {
		return b.name(n, last.Text())
	}
	switch object.Text() {
	case "this":
		return b.text(Member, n, last.Text(), b.text(Name, object, "self"))
	case "super", "base":
		return b.text(Member, n, last.Text(), b.text(Name, object, "super"))
	}
	o := b.node(object)
	if o == nil {
		return nil
	}
	name := last.Text()
	if i := strings.IndexByte(name, '<'); i > 0 && last.Is("generic_name", "generic_type") {
		name = name[:i]
	}
	return b.text(Member, n, name, o)
}

// conditionalAccess makes C#'s a?.b.
func (b *builder) conditionalAccess(n syntax.Node) *Node {
	kids := n.Named()
	if len(kids) < 2 {
		return nil
	}
	o := b.node(kids[0])
	if o == nil {
		return nil
	}
	return b.bindTo(o, kids[1])
}

// bindTo puts an object at the start of a chain that has none.
func (b *builder) bindTo(o *Node, n syntax.Node) *Node {
	switch n.Kind() {
	case "member_binding_expression":
		return b.text(Member, n, n.Field("name").Text(), o)
	case "invocation_expression":
		return b.make(Call, n, append([]*Node{b.bindTo(o, n.Field("function"))}, b.nodes(n.Field("arguments").Named())...)...)
	case "member_access_expression":
		return b.text(Member, n, n.Field("name").Text(), b.bindTo(o, n.Field("expression")))
	default:
		return b.make(Other, n, o)
	}
}

func (b *builder) index(n syntax.Node) *Node {
	kids := b.nodes(n.Named())
	switch {
	case len(kids) == 2:
		i := kids[1]
		if i.Is(Other) && len(i.Kids) == 1 && i.Src.Is("bracketed_argument_list") {
			i = i.Kids[0]
		}
		return b.make(Index, n, kids[0], i)
	case len(kids) > 2:
		return b.make(Index, n, kids[0], b.make(List, n, kids[1:]...))
	default:
		return nil
	}
}

// call makes a Call; a Ruby block comes last among the arguments.
func (b *builder) call(n syntax.Node) *Node {
	callee, word := b.callee(n)
	if callee == nil {
		return nil
	}
	out := b.text(Call, n, word, callee)
	args := n.Field("arguments")
	if args.IsZero() {
		args = n.Child("argument_list", "arguments", "token_tree")
	}
	if args.Is("token_tree") {
		out.Kids = append(out.Kids, b.tokens(args)...)
	} else {
		out.Kids = append(out.Kids, b.nodes(args.Named())...)
	}
	for _, field := range []string{"block", "initializer", "value"} {
		if m := b.node(n.Field(field)); m != nil {
			out.Kids = append(out.Kids, m)
		}
	}
	if m := b.node(n.Child("initializer_expression", "class_body")); m != nil && n.Field("initializer").IsZero() {
		out.Kids = append(out.Kids, m)
	}
	return out
}

func (b *builder) callee(n syntax.Node) (*Node, string) {
	switch n.Kind() {
	case "new_expression":
		return b.node(n.Field("constructor")), "new"
	case "object_creation_expression", "array_creation_expression":
		t := n.Field("type")
		name := t.Text()
		if i := strings.IndexAny(name, "<["); i > 0 {
			name = name[:i]
		}
		return b.text(Name, n, name), "new"
	case "implicit_object_creation_expression":
		return b.text(Name, n, "new"), "new"
	case "macro_invocation":
		m := b.node(n.Field("macro"))
		return m, "!"
	case "method_invocation":
		return b.dot(n, n.Field("object"), n.Field("name")), ""
	case "call":
		if m := n.Field("method"); !m.IsZero() {
			return b.dot(n, n.Field("receiver"), m), ""
		}
		if r := n.Field("receiver"); !r.IsZero() { // Ruby: f.(x)
			return b.node(r), ""
		}
	}
	f := n.Field("function")
	if f.IsZero() {
		f = n.FirstChild()
	}
	if f.Is("generic_function", "generic_name", "instantiation_expression") {
		f = f.FirstChild()
	}
	return b.node(f), ""
}

func (b *builder) dot(n, object, name syntax.Node) *Node {
	if object.IsZero() {
		return b.text(Name, name, name.Text())
	}
	o := b.node(object)
	if o == nil {
		return nil
	}
	return b.text(Member, name, name.Text(), o)
}

// tokens makes what can be made of the arguments of a Rust macro, which are no
// expressions for the parser: comparisons of single tokens, names, literals.
func (b *builder) tokens(n syntax.Node) []*Node {
	var out []*Node
	var group []*Node
	flush := func() {
		switch len(group) {
		case 0:
		case 1:
			out = append(out, group[0])
		default:
			out = append(out, b.make(Other, n, group...))
		}
		group = nil
	}
	for c := range n.Children() {
		switch {
		case c.Text() == ",":
			flush()
		case c.Is("token_tree"):
			kind := Other
			if strings.HasPrefix(c.Text(), "[") || strings.HasPrefix(c.Text(), "(") {
				kind = List
			}
			if b.depth++; b.depth > maxDepth {
				b.tooDeep = true
			} else {
				group = append(group, b.make(kind, c, b.tokens(c)...))
			}
			b.depth--
		case c.IsNamed():
			if m := b.node(c); m != nil {
				group = append(group, m)
			}
		}
	}
	flush()
	return out
}

// collection makes lists, dictionaries and their entries.
func (b *builder) collection(n syntax.Node) *Node {
	switch n.Kind() {
	case "list", "tuple", "set", "array", "array_expression", "tuple_expression", "array_initializer", "collection_expression",
		"pattern_list", "tuple_pattern", "list_pattern", "array_pattern", "left_assignment_list", "right_assignment_list",
		"string_array", "symbol_array", "variable_list", "or_pattern", "union_pattern", "slice_pattern", "parenthesized_variable_designation":
		return b.make(List, n, b.nodes(n.Named())...)
	case "expression_list":
		if len(n.Named()) > 1 {
			return b.make(List, n, b.nodes(n.Named())...)
		}
	case "dictionary", "object", "hash", "object_pattern", "dict_pattern":
		return b.make(Dict, n, b.nodes(n.Named())...)
	case "pair", "keyed_element", "pair_pattern":
		return b.pair(n)
	case "composite_literal":
		return b.composite(n)
	case "literal_value":
		return b.braced(n)
	case "initializer_expression", "anonymous_object_creation_expression":
		return b.braced(n)
	case "struct_expression":
		body := b.braced(n.Field("body"))
		if body == nil {
			return nil
		}
		return b.make(Call, n, b.node(n.Field("name")), body)
	case "spread_element", "list_splat", "dictionary_splat", "splat_argument", "hash_splat_argument", "spread_expression":
		return b.make(Other, n, b.nodes(n.Named())...)
	}
	return nil
}

func (b *builder) pair(n syntax.Node) *Node {
	key, value := n.Field("key"), n.Field("value")
	if key.Is("computed_property_name") {
		key = key.Named()[0]
	}
	k, v := b.node(key), b.node(value)
	if value.IsZero() && k.Is(Name) { // Ruby: {x:}
		v = b.name(key, key.Text())
	}
	if k == nil || v == nil {
		return nil
	}
	if n.Parent().Is("argument_list", "arguments") {
		return b.text(Pair, n, "kw", k, v)
	}
	return b.make(Pair, n, k, v)
}

// composite makes a Go literal: of a map, a list, or a call of a type's name.
func (b *builder) composite(n syntax.Node) *Node {
	t := n.Field("type")
	body := b.node(n.Field("body"))
	if body == nil {
		return nil
	}
	switch {
	case t.Is("map_type"):
		body.Kind = Dict
		return body
	case t.Is("slice_type", "array_type", "implicit_length_array_type"):
		return body
	default:
		return b.make(Call, n, b.text(Name, t, t.Text()), body)
	}
}

// braced makes what stands in braces: a Dict if it has keys, else a List.
func (b *builder) braced(n syntax.Node) *Node {
	if n.IsZero() {
		return nil
	}
	kind := List
	var kids []*Node
	for _, c := range n.Named() {
		m := b.node(c)
		if m == nil {
			continue
		}
		switch {
		case m.Is(Assign) && len(m.Kids) == 2: // C#: ["a"] = 1, Name = 2
			key := m.Kids[0]
			if key.Is(Other) && len(key.Kids) == 1 {
				key = key.Kids[0]
			}
			m = b.make(Pair, c, key, m.Kids[1])
			kind = Dict
		case m.Is(Pair):
			kind = Dict
		case c.Is("field_initializer", "shorthand_field_initializer"):
			kind = Dict
		}
		kids = append(kids, m)
	}
	if kind == List && n.Is("initializer_expression") && allPairs(kids) {
		for i, k := range kids {
			kids[i] = b.make(Pair, k.Src, k.Kids...)
		}
		kind = Dict
	}
	return b.make(kind, n, kids...)
}

// allPairs: C#'s { { "a", 1 }, { "b", 2 } }.
func allPairs(kids []*Node) bool {
	for _, k := range kids {
		if !k.Is(List) || len(k.Kids) != 2 || !k.Src.Is("initializer_expression") {
			return false
		}
	}
	return len(kids) > 0
}
