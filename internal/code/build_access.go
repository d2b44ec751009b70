package code

import (
	"strings"

	"workflow-reviewer/internal/syntax"
)

func (b *builder) member(n syntax.Node) *Node {
	kids := n.Named()
	if len(kids) == 0 {
		return nil
	}
	last := kids[len(kids)-1]
	object := n.FirstChild()
	if object == last || !object.IsNamed() && !object.Is("this", "super", "base") {
		object = kids[0]
	}
	if object == last {
		return b.name(n, last.Text())
	}
	name := last.Text()
	var o *Node
	switch object.Text() {
	case "this":
		o = b.named(Name, object, "self")
	case "super", "base":
		o = b.named(Name, object, "super")
	default:
		o = b.node(object)
		if i := strings.IndexByte(name, '<'); i > 0 && last.Is("generic_name", "generic_type") {
			name = name[:i]
		}
	}
	return full(b.named(Member, n, name, o))
}

// conditionalAccess makes C#'s a?.b.
func (b *builder) conditionalAccess(n syntax.Node) *Node {
	kids := n.Named()
	if len(kids) < 2 {
		return nil
	}
	if o := b.node(kids[0]); o != nil {
		return b.bindTo(o, kids[1])
	}
	return nil
}

// bindTo puts an object at the start of a chain that has none.
func (b *builder) bindTo(o *Node, n syntax.Node) *Node {
	switch n.Kind() {
	case "member_binding_expression":
		return b.named(Member, n, n.Field("name").Text(), o)
	case "invocation_expression":
		return b.make(Call, n, append([]*Node{b.bindTo(o, n.Field("function"))}, b.nodes(n.Field("arguments").Named())...)...)
	case "member_access_expression":
		return b.named(Member, n, n.Field("name").Text(), b.bindTo(o, n.Field("expression")))
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
	callee := b.callee(n)
	if callee == nil {
		return nil
	}
	out := b.make(Call, n, callee)
	switch {
	case n.Is("macro_invocation"):
		out.Text = "!"
	case n.Is("new_expression", "object_creation_expression", "array_creation_expression", "implicit_object_creation_expression"):
		out.Text = "new"
	}
	args := n.Field("arguments")
	if args.IsZero() {
		args = n.Child("argument_list", "arguments", "token_tree")
	}
	switch {
	case args.Is("token_tree"):
		out.Kids = append(out.Kids, b.tokens(args)...)
	case args.Is("template_string", "generator_expression"): // tag`text`, any(f(a) for a in b)
		out.Kids = append(out.Kids, b.node(args))
	default:
		out.Kids = append(out.Kids, b.nodes(args.Named())...)
	}
	rest := []syntax.Node{n.Field("block"), n.Field("initializer"), n.Field("value")}
	if rest[1].IsZero() {
		rest = append(rest, n.Child("initializer_expression", "class_body"))
	}
	out.Kids = append(out.Kids, b.nodes(rest)...)
	return out
}

func (b *builder) callee(n syntax.Node) *Node {
	switch n.Kind() {
	case "new_expression":
		return b.node(n.Field("constructor"))
	case "object_creation_expression", "array_creation_expression":
		name, _, _ := strings.Cut(n.Field("type").Text(), "<")
		name, _, _ = strings.Cut(name, "[")
		return b.named(Name, n, name)
	case "implicit_object_creation_expression":
		return b.named(Name, n, "new")
	case "macro_invocation":
		return b.node(n.Field("macro"))
	case "method_invocation":
		return b.dot(n.Field("object"), n.Field("name"))
	case "call":
		if m := n.Field("method"); !m.IsZero() {
			return b.dot(n.Field("receiver"), m)
		}
		if r := n.Field("receiver"); !r.IsZero() { // Ruby: f.(x)
			return b.node(r)
		}
	}
	f := n.Field("function")
	if f.IsZero() {
		f = n.FirstChild()
	}
	if f.Is("generic_function", "generic_name", "instantiation_expression") {
		f = f.FirstChild()
	}
	return b.node(f)
}

func (b *builder) dot(object, name syntax.Node) *Node {
	if object.IsZero() {
		return b.named(Name, name, name.Text())
	}
	return full(b.named(Member, name, name.Text(), b.node(object)))
}

// keyword makes an argument that has a name.
func (b *builder) keyword(n syntax.Node) *Node {
	name, value := n.Field("name"), n.Field("value")
	if k := n.Named(); n.Is("argument") && len(k) > 0 {
		value = k[len(k)-1]
	}
	if name.IsZero() {
		return nil
	}
	return full(b.named(Pair, n, "kw", b.node(name), b.node(value)))
}

// tokens makes what can be made of the arguments of a Rust macro, which are no
// expressions for the parser: comparisons of single tokens, names, literals.
func (b *builder) tokens(n syntax.Node) []*Node {
	defer b.leave()
	if !b.enter() {
		return nil
	}
	var out, group []*Node
	flush := func() {
		if len(group) == 1 {
			out = append(out, group[0])
		} else if len(group) > 1 {
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
			group = append(group, b.make(kind, c, b.tokens(c)...))
		case c.IsNamed():
			group = append(group, b.nodes([]syntax.Node{c})...)
		}
	}
	flush()
	return out
}
