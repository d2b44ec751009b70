package syntax

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// isConstructor reports whether a function makes a value of its type.
func isConstructor(n Node) bool {
	name := n.Field("name").Text()
	switch n.Kind() {
	case "constructor_declaration", "compact_constructor_declaration", "destructor_declaration":
		return true
	case "function_definition":
		return name == "__init__"
	case "method_definition":
		return name == "constructor"
	case "method":
		return name == "initialize"
	case "function_declaration":
		return n.tree.lang == Go && strings.HasPrefix(strings.ToLower(name), "new")
	case "function_item":
		return name == "new"
	case "accessor_declaration":
		return !strings.HasPrefix(n.Text(), "get")
	default:
		return false
	}
}

// stores reports whether a constructor's statement does no more than to store parameters in
// fields or to call its super constructor with them.
func stores(s Node) bool {
	if s.Is("expression_statement", "return_statement", "return_expression", "return") && len(s.Named()) == 1 {
		s = s.Named()[0]
	}
	if s.Is("expression_list") && len(s.Named()) == 1 {
		s = s.Named()[0]
	}
	s = unwrap(s)
	switch s.Kind() {
	case "pass_statement", "empty_statement", "string", "super":
		return true
	case "assignment", "assignment_expression":
		return isField(s.Field("left")) && isStored(s.Field("right"))
	case "explicit_constructor_invocation", "call", "call_expression":
		return isSuperCall(s)
	case "composite_literal", "struct_expression":
		return allStored(s.Field("body").Named())
	default:
		return false
	}
}

// isSuperCall reports whether a node only hands its parameters on to the constructor above.
func isSuperCall(n Node) bool {
	to := Callee(n)
	if n.Is("explicit_constructor_invocation") {
		to = n.Field("constructor").Text()
	}
	if to != "super" && to != "super().__init__" && to != "this" {
		return false
	}
	return allStored(Arguments(n))
}

// isField reports whether an assignment's target is a field of the value that is being made.
func isField(n Node) bool {
	switch n.Kind() {
	case "attribute":
		return n.Field("object").Text() == "self"
	case "member_expression", "field_access":
		return n.Field("object").Is("this")
	case "member_access_expression":
		return n.Field("expression").Text() == "this"
	case "instance_variable":
		return true
	case "identifier": // a field without "this."
		return n.tree.lang == Java || n.tree.lang == CSharp
	default:
		return false
	}
}

func allStored(ns []Node) bool {
	return !slices.ContainsFunc(ns, func(n Node) bool { return !isStored(n) })
}

// isStored reports whether a value is a parameter as it came, a field of one, or zero.
func isStored(n Node) bool {
	switch n.Kind() {
	case "keyed_element", "field_initializer", "literal_element", "shorthand_field_initializer", "keyword_argument", "pair":
		parts := n.Named()
		return len(parts) > 0 && isStored(parts[len(parts)-1])
	case "attribute", "member_expression", "field_access", "member_access_expression", "selector_expression", "field_expression":
		return isName(n.FirstChild()) || zero(n)
	default:
		return isName(n) || zero(n)
	}
}

// isAccessor reports whether a method only returns a field of its receiver.
func isAccessor(n Node) bool {
	body := statements(bodyOf(n))
	if len(body) != 1 {
		return false
	}
	v := body[0]
	if v.Is("return_statement", "return_expression", "return", "expression_list") && len(v.Named()) == 1 {
		v = v.Named()[0]
	}
	if v.Is("expression_list") && len(v.Named()) == 1 {
		v = v.Named()[0]
	}
	v = unwrap(v)
	switch v.Kind() {
	case "selector_expression":
		receiver := n.Field("receiver")
		return !receiver.IsZero() && strings.HasPrefix(receiver.Text(), "("+v.Field("operand").Text()+" ")
	case "field_expression":
		return v.Field("value").Text() == "self"
	case "identifier": // a field without "this."
		return n.Is("accessor_declaration", "property_declaration") ||
			n.Is("method_declaration") && len(n.Field("parameters").Named()) == 0 && !zero(v)
	default:
		return v.Is("attribute", "member_expression", "field_access", "member_access_expression", "instance_variable") && isField(v)
	}
}

// isThinMain reports whether a function is a main of one call.
func isThinMain(n Node) bool {
	name := n.Field("name").Text()
	if name != "main" && name != "Main" {
		return false
	}
	body := statements(bodyOf(n))
	return len(body) == 1 && isPlainCall(body[0]) && !raises(body[0])
}

// IsRustTestMark reports whether an attribute of Rust marks what is compiled for tests only.
func IsRustTestMark(text string) bool {
	rest, ok := strings.CutPrefix(strings.Replace(text, "cfg(all(", "cfg(", 1), "cfg(test")
	return text == "test" || strings.HasSuffix(text, "::test") || ok && strings.IndexAny(rest, "),") == 0
}

// unitTests returns the index after the Rust item that an attribute marks as
// compiled for tests only, 0 if n is no such attribute.
func unitTests(n Node) uint32 {
	if !n.Is("attribute_item") {
		return 0
	}
	if !IsRustTestMark(strings.TrimSuffix(strings.TrimPrefix(n.Text(), "#["), "]")) {
		return 0
	}
	item := n.NextSibling()
	for item.Is("attribute_item") || item.IsComment() {
		item = item.NextSibling()
	}
	return item.raw().past
}

// isMarker reports whether a method only makes its type one of a kind, as an unexported isExpr() in
// Go or a method of a sealed trait in Rust: it takes and returns nothing, and has no statement.
func isMarker(n Node) bool {
	name, body := n.Field("name").Text(), bodyOf(n)
	if body.IsZero() || len(statements(body)) > 0 {
		return false
	}
	switch {
	case n.Is("method_declaration") && n.tree.lang == Go:
		first, _ := utf8.DecodeRuneInString(name)
		return unicode.IsLower(first) && len(n.Field("parameters").Named()) == 0 && n.Field("result").IsZero()
	case n.Is("function_item"):
		return !n.Up("impl_item").Field("trait").IsZero() && n.Field("return_type").IsZero() &&
			n.Field("parameters").Child("parameter").IsZero()
	default:
		return false
	}
}

// isIdleField reports whether a function is the value of a field and has no statement: a callback
// by default.
func isIdleField(n Node) bool {
	if !n.Is("func_literal", "arrow_function", "function_expression", "anonymous_method_expression", "lambda_expression") {
		return false
	}
	p := n.Parent()
	for p.Is("literal_element", "equals_value_clause", "variable_declarator") {
		p = p.Parent()
	}
	inField := p.Is("keyed_element", "pair", "public_field_definition", "field_definition", "field_declaration") ||
		p.Is("variable_declaration") && p.Parent().Is("field_declaration", "event_field_declaration")
	body := bodyOf(n)
	return inField && body.Is("block", "statement_block") && len(statements(body)) == 0
}
