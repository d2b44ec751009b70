package testmodel

import (
	"strings"

	"workflow-reviewer/internal/syntax"
)

// Options say what Canon leaves out of a language's tokens.
type Options struct {
	// Drop leaves out a node with all that is in it: type annotations, the
	// parts that stand elsewhere in the model.
	Drop func(syntax.Node) bool
	// Quotes makes 'x' and "x" the same token.
	Quotes bool
	// Whole are the kinds of node that are one token with all that is in them,
	// besides string literals: those whose inner layout counts.
	Whole []string
}

// stringKinds are the nodes of string literals in all grammars.
var stringKinds = [...]string{
	"string", "string_literal", "interpreted_string_literal", "raw_string_literal", "template_string",
	"character_literal", "char_literal", "rune_literal", "text_block", "verbatim_string_literal", "interpolated_string_expression",
	"heredoc_body", "regex",
}

// Canon is a node as tokens without comments, layout, semicolons and the comma
// before a closing bracket. Equal token lists mean equal behaviour; the
// opposite does not hold.
func Canon(n syntax.Node, o Options) []string {
	var out []string
	n.Walk(func(m syntax.Node) bool {
		switch {
		case m.IsComment() || o.Drop != nil && o.Drop(m):
			return false
		case m.Is(stringKinds[:]...) || len(o.Whole) > 0 && m.Is(o.Whole...):
			out = add(out, literal(m.Text(), o))
			return false
		case m.FirstChild().IsZero():
			out = token(out, m.Text(), m.Parent())
		}
		return true
	})
	return out
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
	return add(out, text)
}

// add appends a token; most lists of tokens are short, and few are shorter than
// what it makes room for at once.
func add(out []string, token string) []string {
	if out == nil {
		out = make([]string, 0, 8)
	}
	return append(out, token)
}

// single reports whether a comma makes the tuple: (x,).
func single(n syntax.Node) bool {
	return n.Is("tuple", "tuple_pattern", "tuple_expression", "tuple_type") && len(n.Named()) == 1
}

func literal(text string, o Options) string {
	if !o.Quotes || len(text) < 2 || text[0] != '\'' || text[len(text)-1] != '\'' || strings.ContainsAny(text[1:len(text)-1], `'"\`) {
		return text
	}
	return `"` + text[1:len(text)-1] + `"`
}

// Lines are the lines of a source, for evidence.
type Lines []string

// LinesOf splits a source into lines.
func LinesOf(src []byte) Lines { return strings.Split(string(src), "\n") }

// At is the line with that number, from 1, trimmed; "" if there is none.
func (l Lines) At(line int) string {
	if line < 1 || line > len(l) {
		return ""
	}
	return strings.TrimSpace(l[line-1])
}
