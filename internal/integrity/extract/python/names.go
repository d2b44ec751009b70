package python

import (
	"bytes"

	"golang.org/x/text/unicode/norm"

	"workflow-reviewer/internal/syntax"
)

// plainNames is a tree whose names are written as Python reads them: in the
// Unicode form NFKC, so that a full-width letter is the plain one.
func plainNames(t *syntax.Tree) *syntax.Tree {
	source := t.Source()
	if !bytes.ContainsFunc(source, func(r rune) bool { return r > 0x7f }) {
		return t
	}
	var out []byte
	end := 0
	for n := range t.All("identifier") {
		name := n.Text()
		if plain := norm.NFKC.String(name); plain != name && n.StartByte() >= end {
			out = append(append(out, source[end:n.StartByte()]...), plain...)
			end = n.EndByte()
		}
	}
	if end == 0 {
		return t
	}
	plain, err := t.Reparse(append(out, source[end:]...))
	if err != nil {
		return t
	}
	return plain
}
