package rust

import (
	"slices"

	"workflow-reviewer/internal/integrity/extract/build"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// tokenStatements are the statements of a body that stands in a macro, as far
// as semicolons and blocks divide them.
func tokenStatements(body syntax.Node) [][]syntax.Node {
	var out [][]syntax.Node
	var part []syntax.Node
	for c := range body.Children() {
		switch {
		case c.IsComment() || c.FirstChild().IsZero() && c.Is("{", "}"):
		case c.Is(";"):
			if len(part) > 0 {
				out = append(out, part)
			}
			part = nil
		default:
			part = append(part, c)
			if isBraces(c) && flow(part[0].Text()) != "" && c.NextSibling().Text() != "else" {
				out, part = append(out, part), nil
			}
		}
	}
	if len(part) > 0 {
		out = append(out, part)
	}
	return out
}

func isBraces(n syntax.Node) bool { return n.Is("token_tree") && n.FirstChild().Is("{") }

// flow is the kind of a statement that a keyword begins and a block ends.
func flow(keyword string) testmodel.Kind {
	switch keyword {
	case "if", "match":
		return testmodel.Branch
	case "for", "while", "loop":
		return testmodel.Loop
	default:
		return ""
	}
}

// tokenStmt is a statement that stands in a macro.
func (m *model) tokenStmt(part []syntax.Node, depth int) []testmodel.Stmt {
	first, last := part[0], part[len(part)-1]
	if kind := flow(first.Text()); kind != "" && isBraces(last) && depth < build.MaxDepth {
		st := m.Stmt(kind, first, tokens(part[:len(part)-1]...))
		st.End = last.EndLine()
		for _, inner := range tokenStatements(last) {
			st.Body = append(st.Body, m.tokenStmt(inner, depth+1)...)
		}
		return []testmodel.Stmt{st}
	}
	ts := tokens(part...)
	if out := m.tokenMacro(part, ts); len(out) > 0 {
		return out
	}
	kind := testmodel.Plain
	switch {
	case len(ts) == 0:
		return nil
	case ts[0] == "return":
		kind = testmodel.Returns
	case ts[0] == "let":
		kind = testmodel.Assigns
	case slices.Contains([]string{"panic", "unreachable", "todo"}, ts[0]):
		kind = testmodel.Raises
	}
	st := m.Stmt(kind, first, ts)
	st.End = last.EndLine()
	return []testmodel.Stmt{st}
}

// tokenMacro is an assertion that stands in a macro; nothing if it is none.
func (m *model) tokenMacro(part []syntax.Node, ts []string) []testmodel.Stmt {
	last := part[len(part)-1]
	if len(part) != 3 || part[1].Text() != "!" || !last.Is("token_tree") {
		return nil
	}
	var out []testmodel.Stmt
	for _, a := range asserted(part[0].Text(), inBrackets(last)) {
		st := m.Builder.Assert(part[0], ts, a)
		st.End = last.EndLine()
		out = append(out, st)
	}
	return out
}
