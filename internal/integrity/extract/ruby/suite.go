package ruby

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/extract/build"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// scope is where units are defined: the file, a suite, or a class.
type scope struct {
	name        string           // of the suites around
	unit        int              // of the suite or module
	marks       []testmodel.Mark // that units get for the conditions around them
	uncollected string           // why units are not found here
	private     bool             // methods from here on are private
	hidden      map[string]bool  // methods that are made private or removed
	class       bool             // methods named test_… are tests here
	depth       int
}

// level takes the statements of a suite, class or file apart: units are added,
// the loose rest is returned.
func (m *model) level(nodes []syntax.Node, s scope) []testmodel.Stmt {
	var out []testmodel.Stmt
	if s.depth++; s.depth > build.MaxDepth {
		for _, n := range nodes {
			out = m.plain(out, n)
		}
		return out
	}
	s.hidden = m.hiddenNames(nodes)
	for _, n := range nodes {
		if n.Is("identifier") {
			switch n.Text() {
			case "private", "protected", "public": // said of the methods
				s.private = n.Text() != "public"
				continue
			}
		}
		out = append(out, m.item(n, s)...)
	}
	return out
}

// hiddenNames are the methods that a class makes private or removes by name.
func (m *model) hiddenNames(nodes []syntax.Node) map[string]bool {
	hidden := map[string]bool{}
	for _, n := range nodes {
		switch methodName(n) {
		case "private", "protected", "undef_method", "remove_method":
			for _, a := range args(n) {
				hidden[m.unquoted(a)] = true
			}
		}
		if n.Is("undef") {
			for _, a := range n.Named() {
				hidden[a.Text()] = true
			}
		}
	}
	return hidden
}

func (m *model) plain(out []testmodel.Stmt, n syntax.Node) []testmodel.Stmt {
	if head := m.tokens(n); len(head) > 0 {
		out = append(out, m.Stmt(testmodel.Plain, n, head))
	}
	return out
}

// item is one statement of a suite, class or file.
func (m *model) item(n syntax.Node, s scope) []testmodel.Stmt {
	switch n.Kind() {
	case "class", "module", "singleton_class":
		return m.class(n, s)
	case "method", "singleton_method":
		m.method(n, s)
		return nil
	case "call", "identifier":
		if stmts, ok := m.looseCall(n, s); ok {
			return stmts
		}
	case "if", "unless", "if_modifier", "unless_modifier":
		if m.defines[n] {
			return m.conditional(n, s, "")
		}
	case "begin":
		if m.defines[n] {
			return m.guardedLevel(n, s)
		}
	case "for":
		if m.defines[n] {
			st := m.Stmt(testmodel.Loop, n, m.without(n, n.Field("body")))
			st.Body = m.level(statements(n), s)
			return []testmodel.Stmt{st}
		}
	}
	return m.stmt(n, ctx{unit: s.unit, depth: s.depth}, false)
}

// looseCall is a call that stands in a suite: it imports, defines a unit, or
// has units in its block. False if it is an ordinary statement.
func (m *model) looseCall(n syntax.Node, s scope) ([]testmodel.Stmt, bool) {
	name := methodName(n)
	switch {
	case isRequire(n) && n.Field("receiver").IsZero():
		m.Import(n, "", source(n, m))
		return nil, true
	case (name == "private" || name == "public" || name == "protected") && arg(n, 0).Is("method"):
		s.private = s.private || name != "public"
		m.method(arg(n, 0), s)
		return nil, true
	case m.define(n, name, s):
		return nil, true
	}
	block := n.Field("block")
	if block.IsZero() || !m.defines[block] {
		return nil, false
	}
	st := m.blockHead(n, block)
	st.Body = m.level(statements(block), s)
	return []testmodel.Stmt{st}, true
}

// guardedLevel is a begin around units, with its handlers.
func (m *model) guardedLevel(n syntax.Node, s scope) []testmodel.Stmt {
	var units, handlers []syntax.Node
	for _, c := range n.Named() {
		if c.Is("rescue", "ensure", "else") {
			handlers = append(handlers, c)
		} else {
			units = append(units, c)
		}
	}
	st := m.Stmt(testmodel.Try, n, []string{"begin"})
	st.Body = m.level(units, s)
	if len(handlers) == 0 {
		return st.Body
	}
	st.Body = append(st.Body, m.try(n, handlers, ctx{unit: s.unit, depth: s.depth}).Body...)
	return []testmodel.Stmt{st}
}

// conditional is an if around units: they are skipped unless it holds.
func (m *model) conditional(n syntax.Node, s scope, prefix string) []testmodel.Stmt {
	if s.depth++; s.depth > build.MaxDepth {
		return m.plain(nil, n)
	}
	word := strings.TrimSuffix(n.Kind(), "_modifier")
	cond := append([]string{word}, m.tokens(n.Field("condition"))...)
	st := m.Stmt(testmodel.Branch, n, cond)
	if prefix != "" {
		st.Head = append([]string{prefix}, cond...)
	}
	then := s
	then.marks = append(slices.Clone(s.marks), m.Mark(testmodel.Skips, n, cond))
	body := n.Field("consequence")
	if body.IsZero() {
		body = n.Field("body")
	}
	st.Body = m.level(statements(body), then)
	out := []testmodel.Stmt{st}
	other := n.Field("alternative")
	then.marks[len(then.marks)-1].Tokens = append([]string{"else"}, cond...)
	switch other.Kind() {
	case "elsif":
		out = append(out, m.conditional(other, then, "else")...)
	case "else":
		branch := m.Stmt(testmodel.Branch, other, []string{"else"})
		branch.Body = m.level(statements(other), then)
		out = append(out, branch)
	}
	return out
}
