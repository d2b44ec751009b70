package golang

import (
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// constraints are the build constraints of a file: comments before the package
// clause that decide whether it is compiled at all. It also notes the embed
// directives, which belong to the variable below them.
func (f *file) constraints(root syntax.Node) []testmodel.Mark {
	var marks []testmodel.Mark
	inHead := true
	for c := range root.Children() {
		if c.Is("package_clause") {
			inHead = false
		}
		if !c.IsComment() {
			continue
		}
		text := strings.TrimSpace(c.Text())
		switch {
		case inHead && (strings.HasPrefix(text, "//go:build ") || strings.HasPrefix(text, "// +build ") || strings.HasPrefix(text, "//+build ")):
			m := f.Mark(testmodel.Skips, c)
			m.Tokens = strings.Fields(strings.Replace(text, "//+build", "// +build", 1))
			marks = append(marks, m)
		case strings.HasPrefix(text, "//go:embed ") || strings.HasPrefix(text, "//go:linkname "):
			f.embeds[c.StartLine()] = text
		}
	}
	return marks
}

// directives are the comments right above a declaration that change it.
func (f *file) directives(n syntax.Node) []string {
	var out []string
	for line := n.StartLine() - 1; f.embeds[line] != ""; line-- {
		out = append(out, strings.Fields(f.embeds[line])...)
	}
	return out
}

// output is the assertion that an example's last comment makes of what it
// prints; false if there is none, then the example is compiled and not run.
func (f *file) output(body syntax.Node) (testmodel.Stmt, bool) {
	first, text := lastComments(body)
	lower := strings.ToLower(strings.TrimSpace(text))
	relation := testmodel.Equal
	if rest, ok := strings.CutPrefix(lower, "unordered "); ok {
		lower, relation = strings.TrimSpace(rest), testmodel.LooseEqual
	}
	if !strings.HasPrefix(lower, "output:") {
		return testmodel.Stmt{}, false
	}
	_, want, _ := strings.Cut(text, ":")
	st := f.Stmt(testmodel.Asserts, first)
	st.Assert = &testmodel.Assert{
		Relation: relation, Name: "// Output:", Subject: []string{"stdout"}, Expected: []string{normalOutput(want)},
	}
	st.Head = append([]string{"// Output:"}, st.Assert.Expected...)
	return st, true
}

// lastComments is the text of the comments that end a body, one a line, and
// the first of them.
func lastComments(body syntax.Node) (syntax.Node, string) {
	var group []syntax.Node
	for c := range body.Children() {
		if c.Is("statement_list") { // may hold comments as its last children
			for d := range c.Children() {
				group = extend(group, d)
			}
			continue
		}
		if c.Text() != "}" {
			group = extend(group, c)
		}
	}
	if len(group) == 0 {
		return syntax.Node{}, ""
	}
	var lines []string
	for _, c := range group {
		text := strings.TrimSuffix(strings.TrimPrefix(c.Text(), "/*"), "*/")
		lines = append(lines, strings.TrimPrefix(text, "//"))
	}
	return group[0], strings.Join(lines, "\n")
}

// extend adds a comment to a group that it continues without an empty line,
// and starts anew with everything else.
func extend(group []syntax.Node, c syntax.Node) []syntax.Node {
	switch {
	case !c.IsComment():
		if strings.TrimSpace(c.Text()) == "" {
			return group
		}
		return nil
	case len(group) > 0 && c.StartLine() > group[len(group)-1].EndLine()+1:
		return []syntax.Node{c}
	}
	return append(group, c)
}

// normalOutput is an output without the spaces around its lines, which do not
// count when it is compared.
func normalOutput(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSpace(l)
	}
	return strings.Join(lines, "\n")
}
