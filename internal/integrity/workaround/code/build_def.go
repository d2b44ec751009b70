package code

import (
	"strings"

	"workflow-reviewer/internal/syntax"
)

// definition makes functions and classes.
func (b *builder) definition(n syntax.Node) *Node {
	if !n.IsNamed() {
		return nil
	}
	switch n.Kind() {
	case "function_definition", "function_declaration", "method_declaration", "func_literal", "function_expression", "arrow_function",
		"generator_function", "generator_function_declaration", "method_definition", "constructor_declaration", "compact_constructor_declaration",
		"lambda_expression", "anonymous_method_expression", "function_item", "closure_expression", "method", "singleton_method",
		"operator_declaration", "conversion_operator_declaration", "local_function_statement", "static_initializer", "class_static_block", "lambda",
		"destructor_declaration", "do_block":
		return b.function(n)
	case "block":
		if b.lang == syntax.Ruby {
			return b.function(n)
		}
	case "decorated_definition":
		return b.decorated(n)
	case "class_definition", "class_declaration", "class", "module", "singleton_class", "struct_declaration", "record_declaration",
		"interface_declaration", "enum_declaration", "impl_item", "trait_item", "abstract_class_declaration", "record_struct_declaration",
		"internal_module", "namespace_declaration", "file_scoped_namespace_declaration", "mod_item":
		if n.Parent().IsZero() {
			return nil
		}
		return b.class(n)
	}
	return nil
}

func (b *builder) decorated(n syntax.Node) *Node {
	out := b.node(n.Field("definition"))
	if out == nil || out.Def == nil {
		return out
	}
	for _, c := range n.Named() {
		if c.Is("decorator") {
			out.Def.Marks = append(out.Def.Marks, b.nodes(c.Named())...)
		}
	}
	return out
}

func (b *builder) function(n syntax.Node) *Node {
	name := n.Field("name")
	if name.Is("computed_property_name") && len(name.Named()) > 0 {
		name = name.Named()[0]
	}
	out := b.text(Func, n, name.Text())
	out.Def = &Def{Line: n.StartLine(), Locals: map[string]bool{}, free: map[string]bool{}, Words: b.words(n), Marks: b.marks(n)}
	if op := n.Field("operator"); !op.IsZero() && n.Is("operator_declaration") {
		out.Text, out.Def.Line = op.Text(), op.StartLine()
	}
	if !name.IsZero() {
		out.Def.Line = name.StartLine()
	}
	if n.Is("singleton_method") {
		out.Def.Words = append(out.Def.Words, "static")
	}
	receiver := b.receiver(n, out)
	b.self = append(b.self, receiver)
	out.Kids = b.functionBody(n)
	b.self = b.self[:len(b.self)-1]
	for _, p := range out.Def.Params {
		out.Def.Locals[p] = true
	}
	return out
}

// receiver reads the parameters; it returns what the receiver is called if
// that is not "self" already.
func (b *builder) receiver(n syntax.Node, out *Node) string {
	params := n.Field("parameters")
	if params.IsZero() {
		params = n.Field("parameter")
	}
	out.Def.Params = b.params(params)
	switch {
	case b.lang == syntax.Go:
		r := n.Field("receiver")
		if r.IsZero() {
			break
		}
		decl := r.Child("parameter_declaration")
		out.Def.Type = strings.TrimLeft(decl.Field("type").Text(), "*")
		if i := strings.IndexByte(out.Def.Type, '['); i > 0 {
			out.Def.Type = out.Def.Type[:i]
		}
		return decl.Field("name").Text()
	case b.lang == syntax.Python && n.Is("function_definition") && len(out.Def.Params) > 0 && isMethod(n):
		self := out.Def.Params[0]
		out.Def.Params = out.Def.Params[1:]
		return self
	}
	if len(b.self) > 0 && n.Is("func_literal", "lambda") {
		return b.self[len(b.self)-1]
	}
	return ""
}

// isMethod: a Python function directly in a class, and no static method.
func isMethod(n syntax.Node) bool {
	p := n.Parent()
	if p.Is("decorated_definition") {
		if strings.Contains(p.FirstChild().Text(), "staticmethod") {
			return false
		}
		p = p.Parent()
	}
	return p.Parent().Is("class_definition")
}

// params are the names of parameters, in order.
func (b *builder) params(n syntax.Node) []string {
	if n.IsZero() {
		return nil
	}
	if n.Is("identifier") {
		return []string{n.Text()}
	}
	var out []string
	for _, p := range n.Named() {
		if p.Is("self_parameter", "receiver_parameter") {
			continue
		}
		named := false
		for c := range p.Children() {
			if c.FieldName() == "name" && c.IsNamed() { // Go has several
				out = append(out, c.Text())
				named = true
			}
		}
		if named {
			continue
		}
		if pattern := p.Field("pattern"); !pattern.IsZero() {
			p = pattern
		}
		if p.Field("left").IsNamed() { // JavaScript: x = 1
			p = p.Field("left")
		}
		for id := range p.All("identifier", "shorthand_property_identifier_pattern") {
			out = append(out, id.Text())
			if !p.Is("object_pattern", "array_pattern", "tuple_pattern") {
				break
			}
		}
	}
	return out
}

func (b *builder) functionBody(n syntax.Node) []*Node {
	body := n.Field("body")
	if body.IsZero() {
		body = n.Child("block", "statement_block", "arrow_expression_clause")
	}
	if v := n.Field("value"); body.IsZero() && v.Is("arrow_expression_clause") {
		body = v
	}
	if n.Is("static_initializer", "class_static_block") {
		body = n.Child("block", "statement_block")
	}
	switch {
	case body.IsZero():
		return nil
	case body.Is("arrow_expression_clause"):
		return []*Node{b.make(Return, body, b.nodes(body.Named())...)}
	case n.Is("lambda", "closure_expression", "arrow_function", "lambda_expression") && !body.Is("block", "statement_block", "do_block"):
		m := b.node(body)
		if m == nil {
			return nil
		}
		if m.Is(Raise) || m.Is(Assign) && m.Text == "=" {
			return []*Node{m}
		}
		kids := []*Node{m}
		if m.Is(If, Switch, Block) {
			b.implicit(kids)
			return kids
		}
		return []*Node{b.make(Return, body, m)}
	}
	kids := b.bodyOf(body)
	if b.lang == syntax.Ruby && n.Is("method", "singleton_method", "lambda", "block", "do_block") || b.lang == syntax.Rust {
		b.implicit(kids)
	}
	return kids
}

// words are the modifiers of a declaration.
func (b *builder) words(n syntax.Node) []string {
	var out []string
	for c := range n.Children() {
		switch {
		case c.Is("modifiers", "modifier"):
			out = append(out, strings.Fields(c.Text())...)
		case !c.IsNamed() && (c.Text() == "static" || c.Text() == "get" || c.Text() == "async"):
			out = append(out, c.Text())
		}
	}
	if n.Parent().Is("export_statement") {
		out = append(out, "export")
	}
	return out
}

// marks are the annotations of a declaration.
func (b *builder) marks(n syntax.Node) []*Node {
	var out []*Node
	for a := range n.Children() {
		switch {
		case a.Is("attribute_list", "modifiers"):
			for _, m := range a.Named() {
				if m.Is("attribute", "annotation", "marker_annotation") {
					out = append(out, b.mark(m))
				}
			}
		case a.Is("decorator"):
			out = append(out, b.nodes(a.Named())...)
		}
	}
	if b.lang == syntax.Rust {
		out = append(out, b.attributes(n)...)
	}
	return out
}

func (b *builder) mark(m syntax.Node) *Node {
	args := m.Field("arguments")
	if args.IsZero() {
		args = m.Child("attribute_argument_list")
	}
	out := b.text(Call, m, "", b.text(Name, m, m.Field("name").Text()))
	for _, a := range b.nodes(args.Named()) {
		if a.Is(Other) && len(a.Kids) == 1 {
			a = a.Kids[0]
		}
		out.Kids = append(out.Kids, a)
	}
	return out
}

// attributes are the Rust attributes that stand before an item.
func (b *builder) attributes(n syntax.Node) []*Node {
	var out []*Node
	var run []syntax.Node
	for c := range n.Parent().Children() {
		switch {
		case c == n:
			for _, a := range run {
				t := strings.TrimSuffix(strings.TrimPrefix(a.Text(), "#["), "]")
				out = append(out, b.text(Call, a, "", b.text(Name, a, t)))
			}
			return out
		case c.Is("attribute_item"):
			run = append(run, c)
		case !c.IsComment():
			run = nil
		}
	}
	return out
}
