package workaround

import (
	"strings"

	"workflow-reviewer/internal/integrity/workaround/code"
)

// typeQuestion reports whether a function only asks for types or for absence.
func typeQuestion(name string) bool {
	switch last(name) {
	case "isinstance", "issubclass", "type", "is_a?", "kind_of?", "instance_of?", "getClass", "GetType", "class", "__class__", "typeof", "hasattr", "callable", "respond_to?", "nil?",
		"isNull", "IsNullOrEmpty", "ReferenceEquals", "len", "bool", "constructor", "isArray", "TypeOf", "isInstance", "IsInstanceOfType":
		return true
	}
	return false
}

func isConversion(name string) bool {
	switch last(name) {
	case "str", "int", "float", "repr", "bool", "list", "tuple", "dict", "set", "String", "Number", "Boolean", "isEmpty", "toString", "to_s", "print", "println", "log", "info", "debug":
		return true
	}
	return false
}

// ofTypes: both operands of a comparison are types.
func (s *sides) ofTypes(n *code.Node) bool {
	isType := func(k *code.Node) bool {
		if k.Is(code.Call) {
			k = k.Kid(0)
		}
		return k.Is(code.Name, code.Member) && typeQuestion(k.Text) || k.Is(code.Unary) && k.Text == "typeof"
	}
	return isType(n.Kid(0)) && isType(n.Kid(1))
}

// ofForeignType: the other operand is agreed with for being there, or of a type
// that is not the class's own, such as any string.
func (s *sides) ofForeignType(o code.Outcome, yes, compares bool) bool {
	class := s.fn.Outer(code.Class)
	foreign := func(n *code.Node) bool {
		if n.Is(code.Unary) {
			return false
		}
		if n.Is(code.Binary) && n.Text == "!=" && n.Kid(1).Is(code.Literal) && n.Kid(1).Value.Type == code.None {
			return s.mentions(n.Kid(0), true) // anything but nothing
		}
		return n.Is(code.Call) && code.Method(n) == "isinstance" && s.mentions(n.Kid(1), true) && builtinType(n.Kid(2)) && (class == nil || len(class.Def.Bases) == 0 || n.Kid(2).Text != class.Def.Bases[0] || yes)
	}
	if !yes {
		return !compares && (foreign(o.Value) || o.Value.Is(code.Binary) && foreign(o.Value.Kid(0)))
	}
	for _, g := range o.Guards {
		if g.Cond != nil && !g.Negated && foreign(g.Cond) {
			return true
		}
	}
	return false
}

// builtinType reports whether a node names a built-in type, or several.
func builtinType(n *code.Node) bool {
	if n.Is(code.List) {
		return len(n.Kids) > 0 && builtinType(n.Kids[0])
	}
	switch n.Text {
	case "str", "int", "float", "bool", "bytes", "list", "dict", "tuple", "set", "object", "Decimal":
		return n.Is(code.Name)
	}
	return false
}

// decidesAnything reports whether a value is a truth value that could be a
// comparison, and no object of an expression.
func (s *sides) decidesAnything(v *code.Node) bool {
	switch {
	case v.Is(code.Binary):
		switch v.Text {
		case "&&", "||", "==", "!=", "is", "in", "not in", "<", ">", "<=", ">=", "=~":
			return true
		}
	case v.Is(code.Unary):
		return v.Text == "not"
	case v.Is(code.Call):
		name := code.Dotted(v.Kid(0))
		if m := v.Kid(0); name == "" && m.Is(code.Member) {
			name = m.Text
		}
		return typeQuestion(name) || v.Kid(0).Is(code.Member) && (strings.HasPrefix(last(name), "is") || strings.HasSuffix(name, "with") || strings.HasSuffix(name, "With"))
	}
	return false
}
