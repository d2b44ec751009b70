package workaround

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/workaround/code"
)

// convertible reports whether an always true object changes what tests see: it
// would otherwise be false when it is empty or zero.
func (p *pass) convertible(class *code.Node) bool {
	if class == nil {
		return false
	}
	if isBuiltin(class) {
		return true
	}
	for _, k := range class.Kids {
		if k.Is(code.Func) && k.Text == "__eq__" {
			if c, _ := sameConstant(code.Outcomes(k)); c == "true" {
				return true
			}
		}
	}
	return false
}

// isBuiltin reports whether a Python class is a built-in type with changes.
func isBuiltin(class *code.Node) bool {
	return slices.ContainsFunc(class.Def.Bases, func(b string) bool {
		return slices.Contains([]string{"int", "float", "str", "bytes", "list", "dict", "tuple", "set", "frozenset"}, b)
	})
}

// empty reports whether the class of a method has no fields, as far as the
// file tells: all its values are alike.
func (p *pass) empty(fn *code.Node) bool {
	class := fn.Outer(code.Class)
	name := ""
	switch {
	case class != nil:
		name = class.Text
		if len(class.Def.Params) > 0 || isBuiltin(class) || constructed(class) {
			return false
		}
	case fn.Def.Type != "":
		name = fn.Def.Type
	}
	fields := false
	for _, c := range append(p.classesOf(name), class) {
		fields = fields || hasFields(c)
	}
	for s := range p.Root.Src.All("type_spec", "struct_item") {
		if s.Field("name").Text() == name && s.Has("field_declaration", "field_identifier", "ordered_field_declaration_list") {
			fields = true
		}
	}
	return !fields
}

func (p *pass) classesOf(name string) []*code.Node {
	var out []*code.Node
	for _, c := range p.Classes {
		if c.Text == name {
			out = append(out, c)
		}
	}
	return out
}

func hasFields(class *code.Node) bool {
	if class == nil {
		return false
	}
	found := false
	class.Walk(func(n *code.Node) bool {
		switch {
		case n.Is(code.Assign) && slices.ContainsFunc(code.Targets(n.Kid(0)), ofSelf):
			found = true
		case n.Is(code.Assign) && n.Outer(code.Func) == nil && n.Outer(code.Class) == class:
			found = found || n.Def != nil && !n.Def.Has("static") || n.Def == nil && (!n.Src.Field("type").IsZero() || n.Src.Is("public_field_definition", "field_definition")) ||
				code.Dotted(n.Kid(0)) == "__slots__" && len(n.Kid(1).Kids) > 0
		case n.Is(code.Call) && n.Outer(code.Func) == nil && strings.HasPrefix(code.Dotted(n.Kid(0)), "attr_"):
			found = true
		case n.Is(code.Other) && n.Src.Is("property_declaration") && n.Outer(code.Func) == nil:
			found = true
		}
		return !found
	})
	return found
}

func ofSelf(n *code.Node) bool {
	return n.Is(code.Member) && n.Kid(0).Is(code.Name) && n.Kids[0].Text == "self"
}
