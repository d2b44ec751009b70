package symbols

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/syntax/query"
)

// definition is what a source defines under a name: a function, a class, a constant, a field.
type definition struct {
	name       string
	start, end int // lines, from 1
	head       int // the last line of what stands before the body
	size       int // bytes
}

// mention is a place that names something.
type mention struct {
	name string
	line int
}

// source is one parsed file.
type source struct {
	path        string
	isTest      bool
	lines       []string
	definitions []definition
	tests       []definition // what a runner collects
	mentions    []mention    // without the names that definitions give
}

// parse reads a source; nil if its language is unknown or it cannot be parsed.
func parse(ctx context.Context, path, text string) *source {
	language, ok := syntax.LanguageOf(path)
	if !ok || len(text) > syntax.MaxSource {
		return nil
	}
	tree, err := syntax.Parse(ctx, language, []byte(text))
	if err != nil {
		return nil
	}
	s := &source{path: path, lines: strings.Split(text, "\n")}
	var defining map[int]bool
	s.definitions, defining = defined(tree, "definitions")
	s.tests, _ = defined(tree, "tests")
	for n := range tree.All() {
		if isName(n) && !defining[n.StartByte()] {
			s.mentions = append(s.mentions, mention{n.Text(), n.StartLine()})
		}
	}
	return s
}

// Unit is what a source defines or tests in lines of its own. Head is the last line before its
// body.
type Unit struct{ Start, Head, End int }

// Units are the definitions and tests of a source, nil where it cannot be parsed.
func Units(ctx context.Context, path string, text []byte) []Unit {
	src := parse(ctx, path, string(text))
	if src == nil {
		return nil
	}
	var units []Unit
	for _, d := range slices.Concat(src.definitions, src.tests) {
		units = append(units, Unit{d.start, d.head, d.end})
	}
	return units
}

// isName reports whether a node is a name: not a literal, a comment or a keyword.
func isName(n syntax.Node) bool {
	return len(n.Named()) == 0 &&
		(n.Kind() == "constant" || strings.HasSuffix(n.Kind(), "identifier"))
}

// defined are the places that a query of the language captures, and where their names stand.
func defined(tree *syntax.Tree, subject string) (found []definition, names map[int]bool) {
	names = map[int]bool{}
	q := query.For(tree.Language(), subject)
	if q == nil {
		return nil, names
	}
	for m := range q.Matches(tree.Root()) {
		name, whole := m.Node("name"), m.Top
		for _, capture := range []string{"definition", "test"} {
			if n := m.Node(capture); !n.IsZero() {
				whole = n
			}
		}
		if !m.Node("variable").IsZero() && withinFunction(whole) {
			continue
		}
		start := whole
		if p := whole.Parent(); p.Is("decorated_definition") {
			start = p
		}
		names[name.StartByte()] = true
		found = append(found, definition{
			name: name.Text(), start: start.StartLine(), end: whole.EndLine(),
			head: headOf(tree, whole),
			size: whole.EndByte() - whole.StartByte(),
		})
	}
	return found, names
}

func withinFunction(n syntax.Node) bool {
	for p := n.Parent(); !p.IsZero(); p = p.Parent() {
		if p.IsFunction() {
			return true
		}
	}
	return false
}

// headOf is the last line of a definition before its body.
func headOf(tree *syntax.Tree, n syntax.Node) int {
	body := n.Field("body")
	switch {
	case body.IsZero():
		return n.EndLine()
	case body.StartLine() > n.StartLine() && startsLine(tree.Source(), body.StartByte()):
		return body.StartLine() - 1
	default:
		return body.StartLine()
	}
}

// startsLine reports whether nothing stands before a byte on its line.
func startsLine(text []byte, at int) bool {
	line := text[bytes.LastIndexByte(text[:at], '\n')+1 : at]
	return len(bytes.TrimSpace(line)) == 0
}

// around is the innermost of definitions that holds all lines from first to last, the first of
// several.
func around(list []definition, first, last int) (innermost definition, ok bool) {
	for _, d := range list {
		if d.start <= first && last <= d.end && (!ok || d.size < innermost.size) {
			innermost, ok = d, true
		}
	}
	return innermost, ok
}

// place is some lines of the source.
func (src *source) place(name, in string, start, end int) Place {
	end = min(end, len(src.lines))
	return Place{
		Path: src.path, Name: name, In: in, Start: start, End: end, Lines: src.lines[start-1 : end],
	}
}
