package syntax

import "strings"

// isStatement reports whether a child of the root runs on its own.
func isStatement(n Node) bool {
	if n.Parent().IsZero() || n.raw().parent != 0 || !n.IsNamed() {
		return false
	}
	switch n.Kind() {
	case "global_statement":
		return n.Child("local_function_statement").IsZero()
	case "expression_statement":
		return n.FirstChild().Is("call", "call_expression", "await", "await_expression", "new_expression",
			"augmented_assignment", "augmented_assignment_expression", "update_expression")
	case "call":
		return !isDirective(n)
	case "for_statement", "while_statement", "with_statement", "for_in_statement", "do_statement",
		"switch_statement", "while", "until", "for", "case", "begin":
		return true
	case "if_statement", "try_statement", "match_statement", "if", "unless":
		return !isEntry(n) && hasCall(n)
	default:
		return false
	}
}

// isDirective reports whether a Ruby call at the top level only loads or configures.
func isDirective(n Node) bool {
	switch n.Field("method").Text() {
	case "require", "require_relative", "load", "autoload", "include", "extend", "using", "private_constant":
		return true
	default:
		return false
	}
}

// isEntry reports whether an if statement is Python's `if __name__ == "__main__"` around one call.
func isEntry(n Node) bool {
	if !strings.Contains(n.Field("condition").Text(), "__name__") {
		return false
	}
	body := statements(n.Field("consequence"))
	return len(body) == 1 && isPlainCall(body[0])
}

// hasCall reports whether something is called in n outside of functions.
func hasCall(n Node) bool {
	found := false
	n.Walk(func(c Node) bool {
		if IsFunction(c) {
			return false
		}
		found = found || c.Is("call", "call_expression", "new_expression")
		return !found
	})
	return found
}
