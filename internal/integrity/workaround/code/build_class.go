package code

import (
	"strings"

	"workflow-reviewer/internal/syntax"
)

func (b *builder) class(n syntax.Node) *Node {
	name := n.Field("name")
	out := b.text(Class, n, name.Text())
	out.Def = &Def{Line: n.StartLine(), Words: b.words(n), Marks: b.marks(n)}
	if !name.IsZero() {
		out.Def.Line = name.StartLine()
	}
	switch n.Kind() {
	case "impl_item":
		out.Text = bareName(n.Field("type").Text())
		out.Def.Trait = bareName(n.Field("trait").Text())
	case "internal_module", "namespace_declaration", "file_scoped_namespace_declaration", "mod_item", "module":
		out.Def.Words = append(out.Def.Words, "namespace")
	case "singleton_class":
		out.Text, out.Def.Type = n.Field("value").Text(), "singleton"
	case "record_declaration", "record_struct_declaration":
		out.Def.Params = b.params(n.Field("parameters"))
		if p := n.Child("parameter_list"); len(out.Def.Params) == 0 {
			out.Def.Params = b.params(p)
		}
	}
	out.Def.Bases = bases(n)
	b.self = append(b.self, "")
	body := n.Field("body")
	switch {
	case body.IsZero() && n.Is("singleton_class", "class", "module", "file_scoped_namespace_declaration"):
		out.Kids = b.statements(n)
	default:
		out.Kids = b.bodyStatements(body)
	}
	b.self = b.self[:len(b.self)-1]
	return out
}

// bodyStatements are the members of a class, whatever holds them.
func (b *builder) bodyStatements(n syntax.Node) []*Node {
	if n.IsZero() {
		return nil
	}
	return b.statements(n)
}

func bases(n syntax.Node) []string {
	var out []string
	for _, part := range []syntax.Node{n.Field("superclasses"), n.Field("superclass"), n.Field("interfaces"), n.Child("class_heritage"), n.Child("base_list")} {
		for _, c := range part.Named() {
			if c.Is("extends_clause", "implements_clause", "type_list") {
				for _, d := range c.Named() {
					out = append(out, d.Text())
				}
				continue
			}
			out = append(out, c.Text())
		}
	}
	return out
}

func bareName(t string) string {
	if i := strings.IndexByte(t, '<'); i > 0 {
		t = t[:i]
	}
	return t[strings.LastIndexByte(t, ':')+1:]
}
