package literal

import (
	"strings"

	"workflow-reviewer/internal/code"
)

// Lines are the lines of a source, for evidence.
type Lines []string

// LinesOf splits a source into lines.
func LinesOf(src []byte) Lines { return strings.Split(string(src), "\n") }

// At is a line, counted from 1, without the white space around it; "" if there is none.
func (l Lines) At(line int) string {
	if line < 1 || line > len(l) {
		return ""
	}
	return strings.TrimSpace(l[line-1])
}

// Text is the text of a string literal or regular expression, "" for anything else.
func Text(n *code.Node) string {
	if n.Is(code.Literal) && (n.Value.Type == code.String || n.Value.Type == code.Regex) {
		return n.Value.Text
	}
	return ""
}

// Shorten cuts a text to n runes, with a mark.
func Shorten(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}
