package runner

import (
	"strings"

	"workflow-reviewer/internal/syntax"
)

// stringKinds are the nodes of string literals in all grammars.
var stringKinds = [...]string{
	"string", "string_literal", "interpreted_string_literal", "raw_string_literal", "template_string",
	"character_literal", "char_literal", "rune_literal", "text_block", "verbatim_string_literal", "interpolated_string_expression",
	"heredoc_body", "regex",
}

// canon is a node as one text: its tokens without comments, layout, semicolons and the comma before a closing
// bracket. Equal texts mean equal behaviour; the opposite does not hold.
func canon(n syntax.Node) string {
	var out []string
	n.Walk(func(m syntax.Node) bool {
		switch {
		case m.IsComment():
			return false
		case m.Is(stringKinds[:]...):
			out = append(out, unquoted(m.Text()))
			return false
		case m.FirstChild().IsZero():
			out = token(out, m.Text(), m.Parent())
		}
		return true
	})
	return strings.Join(out, " ")
}

// token appends a leaf of the tree unless it says nothing.
func token(out []string, text string, in syntax.Node) []string {
	text = strings.TrimSpace(text)
	switch text {
	case "", ";":
		return out
	case ")", "]", "}":
		if len(out) > 0 && out[len(out)-1] == "," && !single(in) {
			out[len(out)-1] = text
			return out
		}
	}
	return append(out, text)
}

// single reports whether a comma makes the tuple: (x,).
func single(n syntax.Node) bool {
	return n.Is("tuple", "tuple_pattern", "tuple_expression", "tuple_type") && len(n.Named()) == 1
}

// unquoted makes 'x' and "x" the same token.
func unquoted(text string) string {
	if len(text) < 2 || text[0] != '\'' || text[len(text)-1] != '\'' || strings.ContainsAny(text[1:len(text)-1], `'"\`) {
		return text
	}
	return `"` + text[1:len(text)-1] + `"`
}
