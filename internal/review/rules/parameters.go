package rules

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

// signature is a function with the names of its parameters.
type signature struct {
	name       string
	parameters []string
	line       int
}

// declared matches a function that code or a heading of a spec declares, up to its parameters.
var declared = lazyregexp.New(`(?m)^\s*(?:(?:export|default|public|static|abstract|async|pub|final|private|protected)\s+)*(?:def|func` +
	`|function|fn|(?i:function|method)s?:)\s+` + "`?" + `(?:\([^)]*\)\s*)?([A-Za-z_]\w*)\s*(?:\[[^\]]*\]|<[^>]*>)?\(`)

// signatures lists the functions that a spec declares. One that it declares in
// two ways is left out.
func (d *document) signatures() map[string]signature {
	out, twice := map[string]signature{}, map[string]bool{}
	add := func(text string, line int) {
		for _, m := range declared.FindAllStringSubmatchIndex(text, 100) {
			name := text[m[2]:m[3]]
			list, ok := inParentheses(text[m[1]-1:])
			parameters, plain := parameterNames(list)
			if !ok || !plain {
				continue
			}
			sig := signature{name, parameters, line + strings.Count(text[:m[2]], "\n")}
			if old, there := out[name]; there && !slices.Equal(old.parameters, sig.parameters) {
				twice[name] = true
			}
			out[name] = sig
		}
	}
	for _, sec := range d.sections {
		add(sec.raw, sec.line)
		for _, b := range sec.blocks {
			if b.kind == codeBlock {
				add(b.text, b.line)
			}
		}
	}
	for name := range twice {
		delete(out, name)
	}
	return out
}

// inParentheses is what stands between a parenthesis and its partner.
func inParentheses(text string) (string, bool) {
	depth := 0
	for i, r := range text[:min(len(text), maxLine)] {
		switch r {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
			if depth == 0 {
				return text[1:i], true
			}
		}
	}
	return "", false
}

var parameterName = lazyregexp.New(`^(?:(?:readonly|private|public|protected|mut|ref|const|final|&)\s+)*([A-Za-z_]\w*)\??`)

// parameterNames lists the names in a list of parameters; plain is false if it
// has any that this cannot read: variadic ones, patterns, elisions.
func parameterNames(list string) (names []string, plain bool) {
	for _, p := range arguments(list) {
		m := parameterName.FindStringSubmatch(p)
		switch {
		case p == "" || p == "/" || p == "self" || p == "cls" || p == "&self" || p == "&mut self" || p == "this" || p == "*":
		case m == nil || strings.Contains(p, "..."):
			return nil, false
		default:
			names = append(names, m[1])
		}
	}
	return names, true
}

// arguments are the parts of a list between its commas.
func arguments(list string) []string {
	depth, from, quote := 0, 0, rune(0)
	var parts []string
	for i, r := range list {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
			continue
		case strings.ContainsRune("\"'`", r):
			quote = r
		}
		switch r {
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}', '>':
			depth--
		case ',':
			if depth == 0 {
				parts = append(parts, list[from:i])
				from = i + 1
			}
		}
	}
	for i, p := range append(parts, list[from:]) {
		parts = append(parts[:i], strings.TrimSpace(p))
	}
	return parts
}

// otherParameters are the functions of the skeleton whose parameters are not those that the spec declares.
func otherParameters(s *subject, spec *document) []workflow.Issue {
	want := spec.signatures()
	found := map[string][]workflow.Issue{}
	for _, f := range s.code() {
		if f.tree == nil || f.is(syntax.Java, syntax.CSharp) { // types stand before names there
			continue
		}
		for n := range f.tree.Root().All() {
			name := n.Field("name").Text()
			sig, ok := want[name]
			list := n.Field("parameters")
			if !ok || !list.IsNamed() {
				continue
			}
			have, plain := parameterNames(strings.TrimSuffix(strings.TrimPrefix(list.Text(), "("), ")"))
			i := workflow.Issue{File: f.path, Line: n.StartLine()}
			if plain && !slices.Equal(have, sig.parameters) && f.touches(n.StartLine(), n.EndLine()) {
				i.Title = fmt.Sprintf("%s takes (%s); the spec has (%s)", cutLine(name, 60), strings.Join(have, ", "),
					strings.Join(sig.parameters, ", "))
				i.Description = fmt.Sprintf("%s:%d declares it otherwise.", spec.path, sig.line)
			}
			found[name] = append(found[name], i)
		}
	}
	var out []workflow.Issue
	for name := range found {
		if len(found[name]) == 1 && found[name][0].Title != "" { // of several it is not known which is meant
			out = append(out, found[name][0])
		}
	}
	slices.SortFunc(out, func(a, b workflow.Issue) int {
		return strings.Compare(fmt.Sprintf("%s:%06d", a.File, a.Line), fmt.Sprintf("%s:%06d", b.File, b.Line))
	})
	return out
}
