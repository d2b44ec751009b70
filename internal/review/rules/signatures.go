package rules

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

// public reports whether others may call the function, by its language's
// rules or customs.
func public(f *source, name, text string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	switch {
	case name == "":
		return false
	case f.is(syntax.Go):
		return unicode.IsUpper(first)
	case f.is(syntax.Rust):
		return regexpPub.MatchString(text)
	case f.is(syntax.Java, syntax.CSharp):
		return regexpPublic.MatchString(text)
	case f.is(syntax.Python, syntax.Ruby):
		return first != '_'
	default:
		return first != '_' && first != '#'
	}
}

var (
	regexpPub    = regexp.MustCompile(`\bpub\b`)
	regexpPublic = regexp.MustCompile(`\bpublic\b`)
)

func undocumented(s *subject) []workflow.Issue {
	var out []workflow.Issue
	s.functions(func(f *source, fn syntax.Function, text string) {
		if fn.Kind != syntax.Defined || !public(f, fn.Name, text) || f.documented(fn) {
			return
		}
		out = append(out, workflow.Issue{File: f.path, Line: fn.StartLine, Title: named(fn.Name) + " has no documentation"})
	})
	return out
}

// documented reports whether a comment ends in the line above a function, or
// a Python docstring begins its body.
func (f *source) documented(fn syntax.Function) bool {
	notes := f.notes()
	if notes.comment[fn.StartLine-1] || notes.comment[fn.StartLine] {
		return true
	}
	for l := fn.StartLine; f.is(syntax.Python) && l <= min(fn.EndLine, fn.StartLine+50); l++ {
		if notes.docstring[l] {
			return true
		}
	}
	// attributes and export keywords may stand between the two
	above := fn.StartLine - 2
	for above >= 0 && attribute.MatchString(f.lines[above]) {
		above--
	}
	return above >= 0 && above < fn.StartLine-2 && commentLine.MatchString(f.lines[above])
}

// notes are the lines on which comments stand, and those of Python functions
// that have a docstring.
type notes struct{ comment, docstring map[int]bool }

func (f *source) notes() notes {
	if f.noted != nil {
		return *f.noted
	}
	f.noted = &notes{map[int]bool{}, map[int]bool{}}
	for _, c := range f.comments {
		for i := range split(strings.TrimRight(c.text, "\n")) {
			f.noted.comment[c.line+i] = true
		}
	}
	if f.tree != nil && f.is(syntax.Python) {
		for n := range f.tree.Root().All("function_definition") {
			first := n.Field("body").FirstChild()
			if first.Is("string") || first.Is("expression_statement") && first.FirstChild().Is("string") {
				f.noted.docstring[n.StartLine()] = true
			}
		}
	}
	return *f.noted
}

var (
	attribute   = regexp.MustCompile(`^\s*(?:@\w|#\[|\[\w)`)
	commentLine = regexp.MustCompile(`^\s*(?://|/\*|\*|#)`)
)

func untyped(s *subject) []workflow.Issue {
	var out []workflow.Issue
	for _, f := range s.code() {
		if f.tree == nil || !f.is(syntax.Python) || strings.HasPrefix(f.path, "test") {
			continue
		}
		for n := range f.tree.Root().All("function_definition") {
			name := n.Field("name").Text()
			if strings.HasPrefix(name, "_") && name != "__init__" || n.Up("function_definition").IsNamed() || !f.touches(n.StartLine(), n.EndLine()) {
				continue
			}
			if what := bare(n, name); what != "" {
				out = append(out, workflow.Issue{File: f.path, Line: n.StartLine(), Title: fmt.Sprintf("%s: %s", cutLine(name, 60), what)})
			}
		}
	}
	return out
}

// bare names what a Python function leaves without annotation.
func bare(n syntax.Node, name string) string {
	for i, p := range n.Field("parameters").Named() {
		if p.Is("identifier", "default_parameter") && !(i == 0 && (p.Text() == "self" || p.Text() == "cls")) {
			return "parameter " + cutLine(p.Text(), 40) + " has no type"
		}
	}
	if n.Field("return_type").IsZero() && name != "__init__" {
		return "the result has no type"
	}
	return ""
}
