package rust

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/syntax"
)

// tokens are the canonical tokens of nodes: without comments, layout and the
// comma before a closing bracket.
func tokens(ns ...syntax.Node) []string {
	var w writer
	for _, n := range ns {
		n.Walk(w.visit)
	}
	return w.out
}

// without are the tokens of a node without those of some nodes in it.
func without(n syntax.Node, leave ...syntax.Node) []string {
	w := writer{leave: make(map[syntax.Node]bool, len(leave))}
	for _, l := range leave {
		w.leave[l] = true
	}
	n.Walk(w.visit)
	return w.out
}

type writer struct {
	out   []string
	leave map[syntax.Node]bool
	open  []bracket
}

// bracket is one that is open: what stands before it, and how many commas are
// in it.
type bracket struct {
	before string
	commas int
}

// visit appends a node's token if it is a leaf of the tree or counts as one.
func (w *writer) visit(n syntax.Node) bool {
	kind := n.Kind()
	if strings.Contains(kind, "comment") || len(w.leave) > 0 && w.leave[n] {
		return false
	}
	switch kind {
	case "string_literal", "raw_string_literal", "char_literal":
		w.out = append(w.out, n.Text())
		return false
	case "integer_literal", "float_literal":
		w.out = append(w.out, strings.ReplaceAll(n.Text(), "_", ""))
		return false
	}
	if n.FirstChild().IsZero() {
		w.leaf(n)
	}
	return true
}

func (w *writer) leaf(n syntax.Node) {
	text := strings.TrimSpace(n.Text())
	before := ""
	if last := len(w.out) - 1; last >= 0 {
		before = w.out[last]
	}
	switch text {
	case "":
		return
	case ";":
		if !n.Parent().Is("token_tree", "array_expression", "array_type") {
			return
		}
	case "(", "[", "{":
		w.open = append(w.open, bracket{before: before})
	case ",":
		if last := len(w.open) - 1; last >= 0 {
			w.open[last].commas++
		}
	case ")", "]", "}":
		tuple := false
		if last := len(w.open) - 1; last >= 0 {
			tuple = text == ")" && w.open[last].commas == 1 && !isCallee(w.open[last].before)
			w.open = w.open[:last]
		}
		if before == "," && !tuple {
			w.out = w.out[:len(w.out)-1]
		}
	}
	w.out = append(w.out, text)
}

// isCallee reports whether brackets after a token are arguments: (x,) after
// something else is a tuple of one.
func isCallee(token string) bool {
	if token == "" {
		return false
	}
	switch token {
	case "return", "in", "match", "if", "while", "=", "let", "for":
		return false
	case ")", "]", ">", "!":
		return true
	}
	c := token[len(token)-1]
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
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

// maxBrackets bounds how many brackets around one value are taken away.
const maxBrackets = 20

// unwrap takes away brackets around all tokens.
func unwrap(ts []string) []string {
	for range maxBrackets {
		if len(ts) < 3 || ts[0] != "(" || ts[len(ts)-1] != ")" {
			break
		}
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
