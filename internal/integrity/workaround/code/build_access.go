package code

import (
	"strings"

	"workflow-reviewer/internal/syntax"
)

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
		return b.dot(n.Field("object"), n.Field("name")), ""
	case "call":
		if m := n.Field("method"); !m.IsZero() {
			return b.dot(n.Field("receiver"), m), ""
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

func (b *builder) dot(object, name syntax.Node) *Node {
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
