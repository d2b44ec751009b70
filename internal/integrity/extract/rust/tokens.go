package rust

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/syntax"
)

// tokens are the canonical tokens of nodes: without comments, layout and the
// comma before a closing bracket.
func tokens(ns ...syntax.Node) []string {
	var out []string
	for _, n := range ns {
		out = appendTokens(out, n, nil)
	}
	return out
}

// without are the tokens of a node without those of some nodes in it.
func without(n syntax.Node, leave ...syntax.Node) []string { return appendTokens(nil, n, leave) }

func appendTokens(out []string, n syntax.Node, leave []syntax.Node) []string {
	n.Walk(func(c syntax.Node) bool {
		kind := c.Kind()
		if strings.Contains(kind, "comment") || len(leave) > 0 && slices.Contains(leave, c) {
			return false
		}
		switch kind {
		case "string_literal", "raw_string_literal", "char_literal":
			out = append(out, c.Text())
			return false
		case "integer_literal", "float_literal":
			out = append(out, strings.ReplaceAll(c.Text(), "_", ""))
			return false
		}
		if c.FirstChild().IsZero() {
			out = leaf(out, c)
		}
		return true
	})
	return out
}

func leaf(out []string, n syntax.Node) []string {
	text := strings.TrimSpace(n.Text())
	switch text {
	case "":
		return out
	case ";":
		if !n.Parent().Is("token_tree", "array_expression", "array_type") {
			return out
		}
	case ")", "]", "}":
		if last := len(out) - 1; last >= 0 && out[last] == "," && !isTuple(n.Parent()) {
			out = out[:last]
		}
	}
	return append(out, text)
}

// isTuple reports whether a comma makes the tuple: (x,).
func isTuple(n syntax.Node) bool {
	switch n.Kind() {
	case "tuple_expression", "tuple_type", "tuple_pattern":
		return len(n.Named()) == 1
	case "token_tree":
		return isTupleTree(n)
	default:
		return false
	}
}

// isTupleTree reports whether a token tree is a tuple of one: in brackets that
// follow no name, with one comma.
func isTupleTree(n syntax.Node) bool {
	commas := 0
	for c := range n.Children() {
		if c.Is(",") {
			commas++
		}
	}
	if commas != 1 || !n.FirstChild().Is("(") {
		return false
	}
	before := syntax.Node{}
	for c := range n.Parent().Children() {
		if c == n {
			break
		}
		before = c
	}
	return !before.Is("identifier", "!", ">", "macro_invocation") && !n.Parent().Is("macro_invocation")
}

// depth tells how a token changes the depth of brackets; before is the token
// before it.
func depth(token, before string, angles *int) int {
	switch token {
	case "(", "[", "{":
		return 1
	case ")", "]", "}":
		return -1
	case "<":
		if before == "::" {
			*angles++
			return 1
		}
	case ">":
		if *angles > 0 {
			*angles--
			return -1
		}
	}
	return 0
}

// split divides tokens at a separator outside of brackets. A separator at the
// end ends the last part.
func split(ts []string, separators ...string) [][]string {
	var out [][]string
	level, from, angles := 0, 0, 0
	before := ""
	for i, t := range ts {
		level += depth(t, before, &angles)
		if level == 0 && i > from && slices.Contains(separators, t) && before != "::" {
			out = append(out, ts[from:i])
			from = i + 1
		}
		before = t
	}
	if from < len(ts) {
		out = append(out, ts[from:])
	}
	return out
}

// operator is the index of the first of some operators outside of brackets, -1
// if there is none.
func operator(ts []string, operators ...string) int {
	level, angles := 0, 0
	before := ""
	for i, t := range ts {
		change := depth(t, before, &angles)
		level += change
		if level == 0 && change == 0 && i > 0 && slices.Contains(operators, t) && before != "::" {
			return i
		}
		before = t
	}
	return -1
}

// unwrap takes away brackets around all tokens.
func unwrap(ts []string) []string {
	for len(ts) > 2 && ts[0] == "(" && ts[len(ts)-1] == ")" {
		level := 0
		for i, t := range ts {
			switch t {
			case "(":
				level++
			case ")":
				level--
			case ",":
				if level == 1 {
					return ts
				}
			}
			if level == 0 && i < len(ts)-1 {
				return ts
			}
		}
		ts = ts[1 : len(ts)-1]
	}
	return ts
}
