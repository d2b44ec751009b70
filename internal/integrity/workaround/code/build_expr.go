package code

import (
	"strings"

	"workflow-reviewer/internal/syntax"
)

// operators are spelled alike; what is not here stays as it is.
var operators = map[string]string{"===": "==", "is_a?": "==", "is": "==", "!==": "!=", "<>": "!=", "is not": "!=", "and": "&&", "or": "||"}

func operator(op string) string {
	op = strings.Join(strings.Fields(op), " ")
	if known, ok := operators[op]; ok {
		return known
	}
	return op
}

// binaryOf makes an operator with two operands; two strings that are added are
// one.
func (b *builder) binaryOf(n syntax.Node) *Node {
	op := operator(n.Field("operator").Text())
	if n.Is("instanceof_expression", "is_expression") {
		op = "is"
	}
	l, r := b.node(n.Field("left")), b.node(n.Field("right"))
	if op == "+" && l.Is(Literal) && r.Is(Literal) && l.Value.Type == String && r.Value.Type == String {
		return b.literal(n, Value{String, l.Value.Text + r.Value.Text})
	}
	return full(b.named(Binary, n, op, l, r))
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
		if m != nil && left != nil {
			cmp := b.named(Binary, n, operator(op), left, m)
			if out == nil {
				out = cmp
			} else { // the operand in the middle stands in the first alone
				cmp.Kids[0] = b.make(Other, n)
				out = b.named(Binary, n, "&&", out, cmp)
			}
			op = ""
		}
		if m != nil {
			left = m
		}
	}
	return out
}

func (b *builder) unary(n syntax.Node) *Node {
	op := n.Field("operator").Text()
	if op == "" {
		op = n.FirstChild().Text()
	}
	v := b.lastOf(n)
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
		return b.make(Call, n, b.named(Name, n, "defined?"), v)
	case "void", "delete":
		return b.make(Other, n, v)
	}
	return b.named(Unary, n, op, v)
}

// update makes "x++" an assignment.
func (b *builder) update(n syntax.Node) *Node {
	kids := n.Named()
	if len(kids) == 0 {
		return nil
	}
	v := b.node(kids[0])
	for _, op := range []string{"++", "--"} {
		if v != nil && (strings.HasSuffix(n.Text(), op) || strings.HasPrefix(n.Text(), op)) {
			return b.step(n, op, v)
		}
	}
	return v // C#: x!
}

func (b *builder) step(n syntax.Node, op string, v *Node) *Node {
	return b.named(Assign, n, op[:1]+"=", v, b.literal(n, Value{Number, "1"}))
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
	*first = b.named(Binary, n, "is", value, *first)
	return pattern
}

func (b *builder) ternary(n syntax.Node) *Node {
	cond, then, otherwise := n.Field("condition"), n.Field("consequence"), n.Field("alternative")
	if k := n.Named(); cond.IsZero() && len(k) == 3 { // Python: then, condition, else
		then, cond, otherwise = k[0], k[1], k[2]
	}
	return full(b.make(Ternary, n, b.node(cond), b.node(then), b.node(otherwise)))
}

// cast is what is cast.
func (b *builder) cast(n syntax.Node) *Node {
	switch {
	case n.Is("as_expression", "satisfies_expression") && b.lang == syntax.CSharp:
		return b.node(n.Field("left"))
	case n.Is("as_expression", "satisfies_expression"):
		return b.node(n.FirstChild())
	}
	if v := fieldOf(n, "value", "operand"); !v.IsZero() {
		return b.node(v)
	}
	return b.lastOf(n)
}

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
	if args.Is("token_tree") {
		out.Kids = append(out.Kids, b.tokens(args)...)
	} else {
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
