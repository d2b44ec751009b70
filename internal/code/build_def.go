package code

import (
	"strings"

	"workflow-reviewer/internal/syntax"
)

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

func (b *builder) class(n syntax.Node) *Node {
	if n.Parent().IsZero() {
		return nil
	}
	name := n.Field("name")
	out := b.named(Class, n, name.Text())
	out.Def = &Def{Line: max(n.StartLine(), name.StartLine()), Words: b.words(n), Marks: b.marks(n)}
	switch n.Kind() {
	case "impl_item":
		out.Text, out.Def.Trait = bareName(n.Field("type").Text()), bareName(n.Field("trait").Text())
	case "internal_module", "namespace_declaration", "file_scoped_namespace_declaration", "mod_item", "module":
		out.Def.Words = append(out.Def.Words, "namespace")
	case "singleton_class":
		out.Text, out.Def.Type = n.Field("value").Text(), "singleton"
	case "record_declaration", "record_struct_declaration":
		b.params(fieldOf(n, "parameters"), out.Def)
		if len(out.Def.Params) == 0 {
			b.params(n.Child("parameter_list"), out.Def)
		}
	}
	extended := []syntax.Node{n.Field("superclasses"), n.Field("superclass"), n.Child("class_heritage")}
	for _, part := range append(extended, n.Field("interfaces"), n.Child("base_list")) {
		for _, c := range part.Named() {
			names := []syntax.Node{c}
			if c.Is("extends_clause", "implements_clause", "type_list") {
				names = c.Named()
			}
			for _, d := range names {
				out.Def.Bases = append(out.Def.Bases, d.Text())
			}
		}
	}
	b.self = append(b.self, "")
	body := n.Field("body")
	if body.IsZero() && n.Is("singleton_class", "class", "module", "file_scoped_namespace_declaration") {
		body = n
	}
	out.Kids = b.statements(body)
	b.self = b.self[:len(b.self)-1]
	return out
}

func bareName(t string) string {
	t, _, _ = strings.Cut(t, "<")
	return t[strings.LastIndexByte(t, ':')+1:]
}

func (b *builder) function(n syntax.Node) *Node {
	name := n.Field("name")
	if name.Is("computed_property_name") && len(name.Named()) > 0 {
		name = name.Named()[0]
	}
	if n.Is("operator_declaration") {
		name = fieldOf(n, "operator", "name")
	}
	out := b.named(Func, n, name.Text())
	out.Def = &Def{Line: max(n.StartLine(), name.StartLine()), Words: b.words(n), Marks: b.marks(n)}
	out.Def.Locals, out.Def.free = map[string]bool{}, map[string]bool{}
	if n.Is("singleton_method") {
		out.Def.Words = append(out.Def.Words, "static")
	}
	b.params(fieldOf(n, "parameters", "parameter"), out.Def)
	b.self = append(b.self, b.receiver(n, out.Def))
	out.Kids = append(b.tables(fieldOf(n, "parameters", "parameter")), b.functionBody(n)...)
	b.self = b.self[:len(b.self)-1]
	for _, p := range out.Def.Params {
		out.Def.Locals[p] = true
	}
	return out
}

// tables are the parameters that have a table for their default.
func (b *builder) tables(params syntax.Node) (out []*Node) {
	for _, p := range params.Named() {
		value := fieldOf(p, "value", "right")
		if value.Is("dictionary", "object", "hash", "list", "array", "tuple") && len(value.Named()) > 1 {
			out = append(out, b.assign(p, fieldOf(p, "name", "pattern", "left"), value))
		}
	}
	return out
}

// receiver is what the receiver of a method is called if that is not "self" already; it is no parameter.
func (b *builder) receiver(n syntax.Node, def *Def) string {
	decl := n.Field("receiver").Child("parameter_declaration")
	switch {
	case b.lang == syntax.Go && !n.Field("receiver").IsZero():
		def.Type, _, _ = strings.Cut(strings.TrimLeft(decl.Field("type").Text(), "*"), "[")
		return decl.Field("name").Text()
	case b.lang == syntax.Python && n.Is("function_definition") && len(def.Params) > 0 && isMethod(n):
		self := def.Params[0]
		def.Params = def.Params[1:]
		return self
	case len(b.self) > 0 && n.Is("func_literal", "lambda"):
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

// params sets the names of parameters, in order, and their types.
func (b *builder) params(n syntax.Node, def *Def) {
	def.Types = map[string]string{}
	if n.Is("identifier") {
		def.Params = []string{n.Text()}
	}
	for _, p := range n.Named() {
		before := len(def.Params)
		b.param(p, def)
		t := strings.TrimLeft(p.Field("type").Text(), ": ")
		if v := p.Field("value"); t == "" && p.Is("required_parameter", "optional_parameter") && v.Is("number", "true", "false") {
			t = v.Kind() // TypeScript takes it from the default
		}
		for _, name := range def.Params[before:] {
			def.Types[name] = t
		}
	}
}

func (b *builder) param(p syntax.Node, def *Def) {
	before := len(def.Params)
	for _, c := range p.Named() {
		if c.FieldName() == "name" { // Go has several
			def.Params = append(def.Params, c.Text())
		}
	}
	if len(def.Params) > before || p.Is("self_parameter", "receiver_parameter") {
		return
	}
	if pattern := p.Field("pattern"); !pattern.IsZero() {
		p = pattern
	}
	if p.Field("left").IsNamed() { // JavaScript: x = 1
		p = p.Field("left")
	}
	for id := range p.All("identifier", "shorthand_property_identifier_pattern") {
		def.Params = append(def.Params, id.Text())
		if !p.Is("object_pattern", "array_pattern", "tuple_pattern") {
			break
		}
	}
}

func (b *builder) functionBody(n syntax.Node) []*Node {
	body := n.Field("body")
	if body.IsZero() {
		body = n.Child("block", "statement_block", "arrow_expression_clause")
	}
	if v := n.Field("value"); body.IsZero() && v.Is("arrow_expression_clause") {
		body = v
	}
	switch {
	case body.IsZero():
		return nil
	case body.Is("arrow_expression_clause"):
		return []*Node{b.make(Return, body, b.nodes(body.Named())...)}
	case n.Is("lambda", "closure_expression", "arrow_function", "lambda_expression") && !body.Is("block", "statement_block", "do_block"):
		m := b.node(body)
		switch {
		case m == nil:
			return nil
		case m.Is(Raise) || m.Is(Assign) && m.Text == "=":
			return []*Node{m}
		case m.Is(If, Switch, Block):
			kids := []*Node{m}
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
		if c.Is("modifiers", "modifier") || !c.IsNamed() && c.Is("static", "get", "async") {
			out = append(out, strings.Fields(c.Text())...)
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
	for _, a := range n.Named() {
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
	if b.lang != syntax.Rust {
		return out
	}
	var run []*Node // attributes that stand before an item
	for c := range n.Parent().Children() {
		switch {
		case c == n:
			return append(out, run...)
		case c.Is("attribute_item"):
			t := strings.TrimSuffix(strings.TrimPrefix(c.Text(), "#["), "]")
			run = append(run, b.make(Call, c, b.named(Name, c, t)))
		case !c.IsComment():
			run = nil
		}
	}
	return out
}

func (b *builder) mark(m syntax.Node) *Node {
	args := m.Field("arguments")
	if args.IsZero() {
		args = m.Child("attribute_argument_list")
	}
	out := b.make(Call, m, b.named(Name, m, m.Field("name").Text()))
	for _, a := range b.nodes(args.Named()) {
		if a.Is(Other) && len(a.Kids) == 1 {
			a = a.Kids[0]
		}
		out.Kids = append(out.Kids, a)
	}
	return out
}
