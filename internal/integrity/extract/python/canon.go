package python

import (
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

var options = testmodel.Options{Drop: dropped, Quotes: true}

// canon is a node as tokens, without type annotations and redundant parentheses.
func canon(n syntax.Node) []string { return testmodel.Canon(n, options) }

// dropped reports whether a node says nothing about what the code does.
func dropped(n syntax.Node) bool {
	switch n.Kind() {
	case "type":
		return n.Parent().Is("typed_parameter", "typed_default_parameter", "assignment", "function_definition")
	case ":":
		return n.Parent().Is("typed_parameter", "typed_default_parameter", "assignment")
	case "->":
		return n.Parent().Is("function_definition")
	case "(", ")":
		return n.Parent().Is("parenthesized_expression") && redundant(n.Parent())
	default:
		return false
	}
}

// redundant reports whether parentheses may be left out where they stand.
func redundant(paren syntax.Node) bool {
	return paren.Parent().Is("assignment", "augmented_assignment", "expression_statement", "return_statement", "assert_statement",
		"argument_list", "keyword_argument", "list", "set", "pair", "if_statement", "elif_clause", "while_statement",
		"for_statement", "with_item", "parenthesized_expression", "default_parameter", "yield")
}

// unwrap is an expression without the parentheses and await around it.
func unwrap(n syntax.Node) syntax.Node {
	for n.Is("parenthesized_expression", "await") && len(n.Named()) == 1 {
		n = n.Named()[0]
	}
	return n
}

// bare is an expression without the parentheses around it.
func bare(n syntax.Node) syntax.Node {
	for n.Is("parenthesized_expression") && len(n.Named()) == 1 {
		n = n.Named()[0]
	}
	return n
}

// callee is a call's function as dotted text, "" if it is not that simple.
func callee(call syntax.Node) string {
	if !call.Is("call") {
		return ""
	}
	f := call.Field("function")
	if f.Is("identifier", "attribute") {
		return f.Text()
	}
	return ""
}

// last is the part of a dotted name after the last dot.
func last(dotted string) string {
	for i := len(dotted) - 1; i >= 0; i-- {
		if dotted[i] == '.' {
			return dotted[i+1:]
		}
	}
	return dotted
}

// arguments are a call's positional arguments, and its keyword arguments by name.
func arguments(call syntax.Node) (positional []syntax.Node, keyword map[string]syntax.Node) {
	keyword = map[string]syntax.Node{}
	list := call.Field("arguments")
	if list.Is("generator_expression") {
		return []syntax.Node{list}, keyword
	}
	for _, a := range list.Named() {
		if a.Is("keyword_argument") {
			keyword[a.Field("name").Text()] = a.Field("value")
			continue
		}
		positional = append(positional, a)
	}
	return positional, keyword
}

// isLiteral reports whether a node is a constant as far as a reader can see.
func isLiteral(n syntax.Node) bool {
	switch n.Kind() {
	case "integer", "float", "true", "false", "none", "concatenated_string":
		return true
	case "string":
		return n.Child("interpolation").IsZero()
	case "unary_operator":
		return isLiteral(n.Field("argument"))
	case "list", "tuple", "set", "dictionary", "pair", "parenthesized_expression":
		for _, c := range n.Named() {
			if !isLiteral(c) {
				return false
			}
		}
		return true
	default:
		return false
	}
}

// unquote is the text of a plain string literal; false if it is none.
func unquote(n syntax.Node) (string, bool) {
	text := n.Text()
	if !n.Is("string") || len(text) < 2 || text[0] != '"' && text[0] != '\'' {
		return "", false
	}
	for len(text) >= 2 && text[0] == text[len(text)-1] && (text[0] == '"' || text[0] == '\'') {
		text = text[1 : len(text)-1]
	}
	return text, true
}
