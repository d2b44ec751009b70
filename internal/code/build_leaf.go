package code

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/syntax"
)

func (b *builder) identifier(n syntax.Node) *Node { return b.name(n, n.Text()) }

func (b *builder) name(n syntax.Node, name string) *Node {
	if len(b.self) > 0 && name == b.self[len(b.self)-1] && name != "" {
		name = "self"
	}
	return b.named(Name, n, name)
}

func (b *builder) instanceVariable(n syntax.Node) *Node {
	return b.named(Member, n, strings.TrimPrefix(n.Text(), "@"), b.named(Name, n, "self"))
}

// path makes a chain of Members of names that follow each other.
func (b *builder) path(n syntax.Node) *Node {
	var out *Node
	for _, p := range n.Named() {
		if out == nil {
			out = b.name(p, p.Text())
		} else {
			out = b.named(Member, n, p.Text(), out)
		}
	}
	return out
}

// shorthand makes a Pair of JavaScript's { a }.
func (b *builder) shorthand(n syntax.Node) *Node {
	return b.make(Pair, n, b.name(n, n.Text()), b.name(n, n.Text()))
}

func (b *builder) number(n syntax.Node) *Node {
	if v, ok := number(n.Text()); ok {
		return b.literal(n, v)
	}
	return nil
}

func (b *builder) boolean(n syntax.Node) *Node {
	return b.literal(n, Value{Bool, strings.ToLower(n.Text())})
}

// str makes a Literal, or a Template if there are expressions in the string.
func (b *builder) str(n syntax.Node) *Node {
	if !n.Has("interpolation", "template_substitution") {
		return b.literal(n, Value{String, text(n)})
	}
	out := b.make(Template, n)
	for _, c := range n.Named() {
		switch {
		case c.Is("interpolation", "template_substitution"):
			out.Kids = append(out.Kids, b.nodes(slices.DeleteFunc(c.Named(), func(n syntax.Node) bool { // what C# has around a value
				return n.Is("interpolation_brace", "interpolation_format_clause", "interpolation_alignment_clause")
			}))...)
		case c.Is("string_content", "string_fragment", "string_literal_content", "interpolated_string_text"):
			out.Kids = append(out.Kids, b.literal(c, Value{String, c.Text()}))
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
	return b.literal(n, Value{String, s.String()})
}
