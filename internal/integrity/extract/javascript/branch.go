package javascript

import (
	"slices"

	"workflow-reviewer/internal/integrity/extract/build"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// ifs is an if with its else branches, which stand beside it.
func (m *model) ifs(n syntax.Node, c ctx, prefix []string) []testmodel.Stmt {
	if c.depth++; c.depth > build.MaxDepth {
		return m.plain(nil, n)
	}
	cond := bare(n.Field("condition"))
	other := n.Field("alternative")
	if a, ok := m.guard(n, cond, c); ok && other.IsZero() && len(prefix) == 0 {
		return a
	}
	st := m.Stmt(testmodel.Branch, n, append(append(prefix, "if"), tokens(cond)...))
	inner := c
	inner.marks = append(slices.Clone(c.marks), m.Mark(testmodel.Skips, n, append([]string{"if"}, tokens(cond)...)))
	st.Body = m.block([]syntax.Node{n.Field("consequence")}, inner, false)
	out := []testmodel.Stmt{st}
	if other.IsZero() || len(other.Named()) == 0 {
		return out
	}
	inner.marks[len(inner.marks)-1].Tokens = append([]string{"unless"}, tokens(cond)...)
	rest := other.Named()[0]
	if rest.Is("if_statement") {
		inner.depth = c.depth
		return append(out, m.ifs(rest, inner, []string{"else"})...)
	}
	branch := m.Stmt(testmodel.Branch, other, []string{"else"})
	branch.Body = m.block([]syntax.Node{rest}, inner, false)
	return append(out, branch)
}

// guard is if (wrong) throw … or return done(error): an assertion.
func (m *model) guard(n, cond syntax.Node, c ctx) ([]testmodel.Stmt, bool) {
	then := n.Field("consequence")
	if then.Is("statement_block") && len(then.Named()) == 1 {
		then = then.Named()[0]
	}
	if !then.Is("throw_statement") && !handsOver(then, c) {
		return nil, false
	}
	var out []testmodel.Stmt
	for _, a := range truths(cond, true) {
		a.Name = "if … throw"
		out = append(out, m.Builder.Assert(n, tokens(n), a))
	}
	return out, true
}

// handsOver reports whether a statement gives an error to what a test calls
// when it is done.
func handsOver(n syntax.Node, c ctx) bool {
	if n.Is("return_statement", "expression_statement") && len(n.Named()) == 1 {
		n = bare(n.Named()[0])
	}
	return n.Is("call_expression") && isCallback(n.Field("function"), c) && len(n.Field("arguments").Named()) > 0
}

func (m *model) switches(n syntax.Node, c ctx) []testmodel.Stmt {
	st := m.Stmt(testmodel.Branch, n, append([]string{"switch"}, tokens(bare(n.Field("value")))...))
	for _, k := range n.Field("body").Named() {
		value := k.Field("value")
		branch := m.Stmt(testmodel.Branch, k, append([]string{"case"}, tokens(value)...))
		var body []syntax.Node
		for _, b := range k.Named() {
			if b != value {
				body = append(body, b)
			}
		}
		branch.Body = m.block(body, c, false)
		st.Body = append(st.Body, branch)
	}
	return []testmodel.Stmt{st}
}
