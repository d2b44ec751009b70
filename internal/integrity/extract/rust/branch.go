package rust

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/extract/build"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// let is let pattern = value, with or without else.
func (m *model) let(n syntax.Node, c ctx) []testmodel.Stmt {
	pattern, value := n.Field("pattern"), n.Field("value")
	var binds []string
	for id := range pattern.All("identifier", "shorthand_field_identifier") {
		if id.FieldName() != "type" {
			binds = append(binds, id.Text())
		}
	}
	if pattern.IsZero() || pattern.Is("_") || strings.HasPrefix(tokens(n)[1], "_") {
		binds = []string{"_"}
	}
	if value.Is("closure_expression") {
		st := m.Stmt(testmodel.Defines, n, without(n, value.Field("body")))
		st.Binds = binds
		st.Body = m.closure(value, ctx{unit: c.unit, name: c.name, depth: c.depth})
		return []testmodel.Stmt{st}
	}
	if rows, rest := m.rows(value); m.tables[pattern.Text()] && len(rows) > 0 {
		st := m.Stmt(testmodel.Assigns, n, append([]string{"let", pattern.Text(), "="}, rest...))
		st.Binds, st.Rows = binds, rows
		return []testmodel.Stmt{st}
	}
	if st, ok := m.guarded(value, n, c, func() bool { return isUsed(n, binds) }); ok {
		st.Binds = binds
		return []testmodel.Stmt{st}
	}
	other := n.Field("alternative")
	st := m.Stmt(testmodel.Assigns, n, without(n, other))
	st.Binds = binds
	out := []testmodel.Stmt{st}
	if !other.IsZero() {
		branch := m.Stmt(testmodel.Branch, other, []string{"else"})
		branch.Body = m.block(other.Named(), c)
		out = append(out, branch)
	}
	return out
}

// maxAhead bounds in how many statements a name is looked for.
const maxAhead = 100

// isUsed reports whether a statement soon after a let that binds one of the
// names asserts or unwraps it.
func isUsed(n syntax.Node, names []string) bool {
	for range maxAhead {
		s := n.NextSibling()
		n = s
		mentioned, demands := false, false
		for id := range s.All("identifier", "field_identifier") {
			mentioned = mentioned || slices.Contains(names, id.Text())
			switch t := id.Text(); t {
			case "unwrap", "expect", "unwrap_err", "resume_unwind", "panic":
				demands = true
			default:
				demands = demands || isAssertMacro(t)
			}
		}
		if mentioned && demands {
			return true
		}
	}
	return false
}

// ifs is an if with its else branches, which stand beside it.
func (m *model) ifs(n syntax.Node, c ctx, prefix []string) []testmodel.Stmt {
	if c.depth++; c.depth > build.MaxDepth {
		return m.plain(nil, n)
	}
	cond := tokens(n.Field("condition"))
	then, other := n.Field("consequence"), n.Field("alternative")
	if body := then.Named(); other.IsZero() && len(prefix) == 0 && len(body) == 1 && !n.Field("condition").Is("let_condition", "let_chain") {
		if stmts := m.stmt(body[0], c, false); len(stmts) == 1 && stmts[0].Kind == testmodel.Raises {
			return m.guards(n, cond)
		}
	}
	st := m.Stmt(testmodel.Branch, n, append(append(prefix, "if"), cond...))
	st.Body = m.block(then.Named(), c)
	out := []testmodel.Stmt{st}
	if rest := other.Named(); len(rest) > 0 {
		if rest[0].Is("if_expression") {
			return append(out, m.ifs(rest[0], c, []string{"else"})...)
		}
		branch := m.Stmt(testmodel.Branch, other, []string{"else"})
		branch.Body = m.block(rest[0].Named(), c)
		out = append(out, branch)
	}
	return out
}

// guards are if wrong { panic!(…) } as assertions.
func (m *model) guards(n syntax.Node, cond []string) []testmodel.Stmt {
	var out []testmodel.Stmt
	for _, a := range truths(cond, true) {
		a.Name = "if … panic"
		out = append(out, m.Builder.Assert(n, tokens(n), a))
	}
	return out
}

func (m *model) match(n syntax.Node, c ctx) []testmodel.Stmt {
	st := m.Stmt(testmodel.Branch, n, append([]string{"match"}, tokens(n.Field("value"))...))
	for _, arm := range n.Field("body").Named() {
		value := arm.Field("value")
		branch := m.Stmt(testmodel.Branch, arm, without(arm, value))
		if last := len(branch.Head) - 1; last >= 0 && branch.Head[last] == "," {
			branch.Head = branch.Head[:last]
		}
		if value.Is("block") {
			branch.Body = m.block(value.Named(), c)
		} else {
			branch.Body = m.expr(value, value, c, false)
		}
		st.Body = append(st.Body, branch)
	}
	return []testmodel.Stmt{st}
}
