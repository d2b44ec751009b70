package syntax

import (
	"regexp"
	"slices"
	"strings"
)

// isStub reports whether a function's body only raises, does nothing, or returns a zero value.
func isStub(n Node) bool {
	body := bodyOf(n)
	if body.IsZero() {
		return true
	}
	return !slices.ContainsFunc(statements(body), func(s Node) bool { return !idle(s) })
}

// statements lists the statements of a body without comments and without the nodes that only hold
// statements together. A body that is an expression is its one statement.
func statements(body Node) []Node {
	var out []Node
	body.Walk(func(n Node) bool {
		switch {
		case n.IsComment() || n.FieldName() == "parameters":
			return false
		case n.Is("block", "statement_block", "statement_list", "body_statement", "block_body", "do_block",
			"constructor_body", "arrow_expression_clause", "class_static_block", "then"):
			return true
		case !n.IsNamed():
			return false
		}
		out = append(out, n)
		return false
	})
	return out
}

// idle reports whether a statement does no work.
func idle(s Node) bool {
	switch s.Kind() {
	case "pass_statement", "empty_statement", "delete_statement":
		return true
	case "expression_statement":
		inner := s.Named()
		return len(inner) == 0 || len(inner) == 1 && idle(inner[0])
	case "raise_statement", "throw_statement", "throw_expression":
		return !doesWork(s)
	case "return_statement", "return", "return_expression":
		return allZeroIn(s.Named(), maxHolding)
	case "let_declaration", "assignment_statement", "assignment", "assignment_expression":
		return isDiscard(s)
	case "string", "concatenated_string":
		return !s.Has("interpolation")
	default:
		return raises(s) || zero(s)
	}
}

// raises reports whether an expression is a call that ends the function or says that it is not
// implemented.
func raises(n Node) bool {
	if !IsCall(n) || doesWork(n) {
		return false
	}
	switch Callee(n) {
	case "panic", "raise", "fail", "todo!", "unimplemented!", "panic!", "unreachable!":
		return true
	default:
		return isPlainCall(n) && notImplemented.MatchString(n.Text())
	}
}

var notImplemented = regexp.MustCompile(`(?i)not[ _-]?(?:yet[ _-]?)?implemented|unimplemented`)

// isDiscard reports whether a statement assigns plain names to the blank name, as is done to
// silence warnings.
func isDiscard(s Node) bool {
	left, right := s.Field("left"), s.Field("right")
	if s.Is("let_declaration") {
		return strings.HasPrefix(s.Text(), "let _ =") && isName(s.Field("value"))
	}
	if left.Text() != "_" && left.Text() != "_, _" || right.IsZero() {
		return false
	}
	if right.Is("expression_list") {
		return !slices.ContainsFunc(right.Named(), func(v Node) bool { return !isName(v) })
	}
	return isName(right)
}

func isName(n Node) bool { return n.Is("identifier", "self", "this") }

// doesWork reports whether an expression holds code of its own: a function, a suspension, or an
// assignment.
func doesWork(n Node) bool {
	return n.Has("lambda", "lambda_expression", "func_literal", "arrow_function", "function_expression",
		"closure_expression", "anonymous_method_expression", "block", "do_block", "await", "await_expression",
		"yield", "yield_expression", "assignment", "assignment_expression", "named_expression")
}

// IsCall reports whether a node is a call, a macro, or makes an object.
func IsCall(n Node) bool {
	return n.Is("call", "call_expression", "method_invocation", "invocation_expression", "macro_invocation", "new_expression",
		"object_creation_expression")
}

// Callee is the name of what a call calls, as it is written, generic
// arguments left out; with "!" for a macro, and "new " before a class.
func Callee(n Node) string {
	switch n.Kind() {
	case "macro_invocation":
		return lastName(strings.ReplaceAll(n.Field("macro").Text(), "::", ".")) + "!"
	case "method_invocation":
		return joinName(n.Field("object").Text(), n.Field("name").Text())
	case "call":
		if m := n.Field("method"); !m.IsZero() { // Ruby
			return joinName(n.Field("receiver").Text(), m.Text())
		}
	case "new_expression":
		return "new " + bareType(n.Field("constructor").Text())
	case "object_creation_expression":
		return "new " + bareType(n.Field("type").Text())
	}
	return bareType(n.Field("function").Text())
}

// joinName is "receiver.name", or the name alone.
func joinName(receiver, name string) string {
	if receiver == "" {
		return name
	}
	return receiver + "." + name
}

// bareType is a type's name without its arguments.
func bareType(name string) string {
	if i := strings.IndexByte(name, '<'); i >= 0 {
		name = strings.TrimSuffix(name[:i], "::")
	}
	return name
}

// Arguments lists what is passed in a call.
func Arguments(n Node) []Node {
	args := n.Field("arguments")
	if args.IsZero() {
		args = n.Child("argument_list", "token_tree")
	}
	var out []Node
	for _, a := range args.Named() {
		if a.Is("argument") && len(a.Named()) > 0 {
			a = a.Named()[0]
		}
		out = append(out, a)
	}
	return out
}

// isPlainCall reports whether a statement is one call that passes names and
// literals, or the result of another such call.
func isPlainCall(n Node) bool {
	if n.Is("expression_statement", "await_expression", "await") && len(n.Named()) == 1 {
		n = n.Named()[0]
	}
	if !IsCall(n) || doesWork(n) {
		return false
	}
	calls := 0
	for c := range n.All() {
		if IsCall(c) {
			calls++
		}
	}
	return calls <= 2
}
