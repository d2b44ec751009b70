// Package clike holds what the models of Go, Java and C# test files have in
// common: how a piece of syntax becomes tokens, a statement or a row, and how
// units come by unique names.
package clike

import (
	"slices"
	"strconv"
	"strings"

	"workflow-reviewer/internal/integrity/extract/build"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// Source is a file that is being modelled.
type Source struct {
	Lines   testmodel.Lines
	Options testmodel.Options
}

// New is the source of a tree.
func New(t *syntax.Tree, o testmodel.Options) Source {
	return Source{Lines: testmodel.LinesOf(t.Source()), Options: o}
}

// Tokens are the canonical tokens of some nodes, one after the other.
func (s Source) Tokens(nodes ...syntax.Node) []string {
	var out []string
	for _, n := range nodes {
		if !n.IsZero() {
			out = append(out, testmodel.Canon(n, s.Options)...)
		}
	}
	return out
}

// Without are the tokens of a node except those of some nodes in it.
func (s Source) Without(n syntax.Node, left ...syntax.Node) []string {
	if len(left) == 0 {
		return s.Tokens(n)
	}
	o := s.Options
	o.Drop = func(m syntax.Node) bool {
		return slices.Contains(left, m) || s.Options.Drop != nil && s.Options.Drop(m)
	}
	return testmodel.Canon(n, o)
}

// Stmt is a statement of that kind with a node's place, but without tokens.
func (s Source) Stmt(k testmodel.Kind, n syntax.Node) testmodel.Stmt {
	line := n.StartLine()
	return testmodel.Stmt{Kind: k, Line: line, End: n.EndLine(), Text: s.Lines.At(line)}
}

// Whole is a statement with all of a node's tokens in its head.
func (s Source) Whole(k testmodel.Kind, n syntax.Node) testmodel.Stmt {
	st := s.Stmt(k, n)
	st.Head = s.Tokens(n)
	return st
}

// Asserting are the statements of assertions that stand at a node, all with
// the same head.
func (s Source) Asserting(n syntax.Node, as []testmodel.Assert, head []string) []testmodel.Stmt {
	var out []testmodel.Stmt
	for _, a := range as {
		st := s.Stmt(testmodel.Asserts, n)
		a = build.Settle(a)
		st.Assert, st.Head = &a, head
		out = append(out, st)
	}
	return out
}

// Unit is a unit without content whose name stands at a node and that ends
// with another.
func (s Source) Unit(role testmodel.Role, name string, at, whole syntax.Node) testmodel.Unit {
	line := at.StartLine()
	return testmodel.Unit{Role: role, Name: name, Line: line, End: whole.EndLine(), Text: s.Lines.At(line)}
}

// Mark is a mark that stands at a node.
func (s Source) Mark(effect testmodel.Effect, n syntax.Node) testmodel.Mark {
	line := n.StartLine()
	return testmodel.Mark{Effect: effect, Tokens: s.Tokens(n), Line: line, Text: s.Lines.At(line)}
}

// Row is one case, made of a node.
func (s Source) Row(n syntax.Node) testmodel.Row {
	line := n.StartLine()
	return testmodel.Row{Tokens: s.Tokens(n), Line: line, Text: s.Lines.At(line)}
}

// Unique tells units of one role and name apart by " #2", " #3" and so on.
func Unique(units []testmodel.Unit) []testmodel.Unit {
	type key struct {
		role testmodel.Role
		name string
	}
	seen := make(map[key]int, len(units))
	for i, u := range units {
		k := key{u.Role, u.Name}
		if seen[k]++; seen[k] > 1 {
			units[i].Name += " #" + strconv.Itoa(seen[k])
		}
	}
	return units
}

// Number is the value of a numeric literal with its sign, digit separators and
// type suffix; nil if the tokens are something else.
func Number(tokens []string) *float64 {
	text := strings.ReplaceAll(strings.Join(tokens, ""), "_", "")
	if !strings.HasPrefix(strings.ToLower(text), "0x") {
		text = strings.TrimRight(text, "fFdDmMlLuU")
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		n, err := strconv.ParseInt(text, 0, 64)
		if err != nil {
			return nil
		}
		v = float64(n)
	}
	return &v
}

// Unquote is the text of a string literal between its quotes, with escapes as
// they are written.
func Unquote(text string) string {
	for _, q := range []string{`"""`, `"`, "`", "'"} {
		if len(text) >= 2*len(q) && strings.HasPrefix(text, q) && strings.HasSuffix(text, q) {
			return text[len(q) : len(text)-len(q)]
		}
	}
	return text
}
