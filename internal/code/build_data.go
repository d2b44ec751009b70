package code

import (
	"workflow-reviewer/internal/syntax"
)

// expressions makes a List of several.
func (b *builder) expressions(n syntax.Node) *Node {
	if len(n.Named()) > 1 {
		return b.all(List)(n)
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
	out := full(b.make(Pair, n, k, v))
	if out != nil && n.Parent().Is("argument_list", "arguments") {
		out.Text = "kw"
	}
	return out
}

// composite makes a Go literal or a Rust struct: of a map, a list, or a call of a type's name.
func (b *builder) composite(n syntax.Node) *Node {
	if n.Is("struct_expression") {
		return full(b.make(Call, n, b.node(n.Field("name")), b.braced(n.Field("body"))))
	}
	t, body := n.Field("type"), b.node(n.Field("body"))
	switch {
	case body == nil:
		return nil
	case t.Is("map_type"):
		body.Kind = Dict
		return body
	case t.Is("slice_type", "array_type", "implicit_length_array_type"):
		return body
	default:
		return b.make(Call, n, b.named(Name, t, t.Text()), body)
	}
}

// braced makes what stands in braces: a Dict if it has keys, else a List.
func (b *builder) braced(n syntax.Node) *Node {
	if n.IsZero() {
		return nil
	}
	out := b.make(List, n)
	pairs := n.Is("initializer_expression") // C#'s { { "a", 1 }, { "b", 2 } }
	for _, c := range n.Named() {
		m := b.node(c)
		if m == nil {
			continue
		}
		if m.Is(Assign) && len(m.Kids) == 2 { // C#: ["a"] = 1, Name = 2
			key := m.Kids[0]
			if key.Is(Other) && len(key.Kids) == 1 {
				key = key.Kids[0]
			}
			m = b.make(Pair, c, key, m.Kids[1])
		}
		if m.Is(Pair) || c.Is("field_initializer", "shorthand_field_initializer") {
			out.Kind = Dict
		}
		pairs = pairs && m.Is(List) && len(m.Kids) == 2 && m.Src.Is("initializer_expression")
		out.Kids = append(out.Kids, m)
	}
	if pairs && len(out.Kids) > 0 {
		for i, k := range out.Kids {
			out.Kids[i] = b.make(Pair, k.Src, k.Kids...)
		}
		out.Kind = Dict
	}
	return out
}
