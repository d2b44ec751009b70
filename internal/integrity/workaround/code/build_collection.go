package code

import (
	"workflow-reviewer/internal/syntax"
)

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
