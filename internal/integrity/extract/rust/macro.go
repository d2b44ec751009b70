package rust

import (
	"strings"

	"workflow-reviewer/internal/integrity/extract/build"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// macroItem is a macro among items: one that holds functions with #[test], or
// one that makes tests of the rows that it is given.
func (m *model) macroItem(n syntax.Node, attributes []syntax.Node, s scope) []testmodel.Stmt {
	tree := n.Child("token_tree")
	name := n.Field("macro").Text()
	out := m.attributesOnly(attributes)
	if fns := functionsIn(tree); len(fns) > 0 {
		for _, f := range fns {
			m.tokenFunction(f, name, s)
		}
		return append(out, m.Stmt(testmodel.Plain, n, m.macroRest(n, fns)))
	}
	var rows []testmodel.Row
	for _, part := range parts(tree) {
		rows = append(rows, m.Row(part[0], tokens(part...)))
	}
	if len(rows) == 0 || tree.HasError() {
		return m.plain(out, n)
	}
	unit := m.Open(testmodel.Test, build.Qualify(s.name, name+"!"), n)
	u := m.Unit(unit)
	u.Rows, u.Body = rows, []testmodel.Stmt{m.Stmt(testmodel.Plain, n, []string{name, "!"})}
	return out
}

// macroRest are the tokens of a macro without those of functions in it.
func (m *model) macroRest(n syntax.Node, fns []tokenFn) []string {
	var leave []syntax.Node
	for _, f := range fns {
		leave = append(leave, f.all...)
	}
	return without(n, leave...)
}

// parts are the nodes of a token tree divided at commas and semicolons.
func parts(tree syntax.Node) [][]syntax.Node {
	var out [][]syntax.Node
	var part []syntax.Node
	for c := range tree.Children() {
		switch {
		case c.IsComment() || part == nil && c.Is("(", "[", "{"):
		case c.Is(",", ";"):
			if len(part) > 0 {
				out = append(out, part)
			}
			part = nil
		case c.NextSibling().IsZero() && c.Is(")", "]", "}"):
		default:
			part = append(part, c)
		}
	}
	if len(part) > 0 {
		out = append(out, part)
	}
	return out
}

// tokenFn is a function that stands in a macro as tokens.
type tokenFn struct {
	name, params, body syntax.Node
	attributes         []syntax.Node // the brackets after #
	all                []syntax.Node // all nodes of it
}

// functionsIn finds the functions in a macro's tokens.
func functionsIn(tree syntax.Node) []tokenFn {
	var out []tokenFn
	var f tokenFn
	state := 0
	for c := range tree.Children() {
		text := ""
		if c.FirstChild().IsZero() {
			text = c.Text()
		}
		switch {
		case c.IsComment():
			continue
		case text == "#":
			f.all = append(f.all, c)
		case state == 0 && c.Is("token_tree") && c.FirstChild().Is("[") && len(f.all) > 0:
			f.attributes, f.all = append(f.attributes, c), append(f.all, c)
		case state == 0 && text == "fn":
			state, f.all = 1, append(f.all, c)
		case state == 1:
			f.name, state, f.all = c, 2, append(f.all, c)
		case state == 2 && c.Is("token_tree") && c.FirstChild().Is("("):
			f.params, state, f.all = c, 3, append(f.all, c)
		case state == 3 && c.Is("token_tree") && c.FirstChild().Is("{"):
			f.body, f.all = c, append(f.all, c)
			out = append(out, f)
			f, state = tokenFn{}, 0
		case state == 0:
			f = tokenFn{}
		default:
			f.all = append(f.all, c)
		}
	}
	return out
}

// tokenFunction adds a function that stands in a macro.
func (m *model) tokenFunction(f tokenFn, macro string, s scope) {
	role := testmodel.Helper
	name := build.Qualify(s.name, f.name.Text())
	var marks []testmodel.Mark
	for _, a := range f.attributes {
		inner := tokens(a)
		inner = inner[1:max(1, len(inner)-1)]
		if len(inner) == 0 {
			continue
		}
		if isTest(strings.Join(inner, "")) {
			role = testmodel.Test
		}
		marks = append(marks, m.Mark(effect(inner[0], inner[1:]), a, inner))
	}
	if role == testmodel.Helper && (macro == "proptest" || macro == "quickcheck") {
		role = testmodel.Test
	}
	unit := m.Open(role, name, f.name)
	var stmts []testmodel.Stmt
	for _, part := range tokenStatements(f.body) {
		stmts = append(stmts, m.tokenStmt(part, s.depth)...)
	}
	u := m.Unit(unit)
	u.End = f.body.EndLine()
	u.Marks, u.Body = marks, stmts
	for _, p := range parts(f.params) {
		u.Params = append(u.Params, strings.Join(tokens(p...), " "))
	}
}
