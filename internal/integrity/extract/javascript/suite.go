package javascript

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/extract/build"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// scope is where units are defined: the file, a suite, or a test with tests of
// its own.
type scope struct {
	name        string           // of the suites around
	unit        int              // of the suite or module
	marks       []testmodel.Mark // that units get for the conditions around them
	uncollected string           // why units are not found here
	depth       int
	nested      bool   // in a test
	t           string // the test's parameter that defines tests: t.test(…)
}

// level takes the statements of a suite or file apart: units are added, the
// loose rest is returned.
func (m *model) level(nodes []syntax.Node, s scope) []testmodel.Stmt {
	var out []testmodel.Stmt
	if s.depth++; s.depth > build.MaxDepth {
		for _, n := range nodes {
			out = m.plain(out, n)
		}
		return out
	}
	for _, n := range nodes {
		out = append(out, m.item(n, s)...)
		if n.Is("return_statement", "throw_statement") && s.uncollected == "" {
			s.uncollected = fmt.Sprintf("the suite ends before it, on line %d", n.StartLine())
		}
	}
	return out
}

func (m *model) plain(out []testmodel.Stmt, n syntax.Node) []testmodel.Stmt {
	if head := tokens(n); len(head) > 0 {
		out = append(out, m.Stmt(testmodel.Plain, n, head))
	}
	return out
}

// item is one statement of a suite or file.
func (m *model) item(n syntax.Node, s scope) []testmodel.Stmt {
	switch n.Kind() {
	case "import_statement":
		for _, i := range imported(n) {
			m.Import(i.node, i.local, i.source())
		}
		return nil
	case "export_statement":
		return m.export(n, s)
	case "function_declaration", "generator_function_declaration":
		m.helper(n, n, n.Field("name").Text(), s)
		return nil
	case "class_declaration", "abstract_class_declaration":
		m.class(n, n.Field("name").Text(), s)
		return nil
	case "lexical_declaration", "variable_declaration":
		return m.declarations(n, s)
	case "statement_block":
		return m.level(n.Named(), s)
	case "expression_statement":
		if stmts, ok := m.looseCall(n, s); ok {
			return stmts
		}
	case "if_statement", "for_in_statement", "for_statement", "try_statement":
		if m.definesTests(n) {
			return m.compound(n, s)
		}
	}
	return m.stmt(n, ctx{unit: s.unit, name: s.name, depth: s.depth, suite: true}, false)
}

func (m *model) export(n syntax.Node, s scope) []testmodel.Stmt {
	if d := n.Field("declaration"); !d.IsZero() {
		return m.item(d, s)
	}
	value := bare(n.Field("value"))
	switch {
	case isFunction(value):
		m.helper(value, n, "default", s)
		return nil
	case value.Is("class"):
		m.class(value, "default", s)
		return nil
	case value.Is("object"):
		return []testmodel.Stmt{m.Stmt(testmodel.Plain, n, m.object(n, value, "default", s))}
	}
	return m.plain(nil, n)
}

// declarations are the statements of const a = …, b = …: functions become
// helpers.
func (m *model) declarations(n syntax.Node, s scope) []testmodel.Stmt {
	var out []testmodel.Stmt
	for _, d := range n.Named() {
		value := bare(d.Field("value"))
		name := d.Field("name").Text()
		switch {
		case s.name == "" && m.requires(d):
		case isFunction(value):
			m.helper(value, d, name, s)
		case value.Is("class"):
			m.class(value, name, s)
		case value.Is("object") && !m.tables[name]:
			st := m.Stmt(testmodel.Assigns, d, nil)
			st.Head, st.Binds = append([]string{"let"}, m.object(d, value, name, s)...), []string{name}
			out = append(out, st)
		default:
			out = append(out, m.declarator(d, ctx{unit: s.unit, name: s.name, depth: s.depth, suite: true})...)
		}
	}
	return out
}

// definesTests reports whether tests are defined in a node.
func (m *model) definesTests(n syntax.Node) bool {
	for c := range n.All("identifier") {
		if sort := m.name(c.Text()).sort; sort == test || sort == suite || sort == setup {
			return true
		}
	}
	return false
}

// compound is an if, loop or try around units.
func (m *model) compound(n syntax.Node, s scope) []testmodel.Stmt {
	switch n.Kind() {
	case "if_statement":
		return m.conditional(n, s, nil)
	case "try_statement":
		st := m.Stmt(testmodel.Try, n, []string{"try"})
		st.Body = m.level(n.Field("body").Named(), s)
		st.Body = append(st.Body, m.handlers(n, ctx{unit: s.unit, depth: s.depth})...)
		return []testmodel.Stmt{st}
	default:
		st := m.loopHead(n)
		st.Body = m.level([]syntax.Node{n.Field("body")}, s)
		return []testmodel.Stmt{st}
	}
}

// conditional is an if around units: they are skipped unless it holds.
func (m *model) conditional(n syntax.Node, s scope, prefix []string) []testmodel.Stmt {
	if s.depth++; s.depth > build.MaxDepth {
		return m.plain(nil, n)
	}
	cond := tokens(bare(n.Field("condition")))
	st := m.Stmt(testmodel.Branch, n, append(append(prefix, "if"), cond...))
	then := s
	then.marks = append(slices.Clone(s.marks), m.Mark(testmodel.Skips, n, append([]string{"if"}, cond...)))
	st.Body = m.level([]syntax.Node{n.Field("consequence")}, then)
	out := []testmodel.Stmt{st}
	other := n.Field("alternative")
	if other.IsZero() || len(other.Named()) == 0 {
		return out
	}
	then.marks[len(then.marks)-1].Tokens = append([]string{"unless"}, cond...)
	rest := other.Named()[0]
	if rest.Is("if_statement") {
		return append(out, m.conditional(rest, then, []string{"else"})...)
	}
	branch := m.Stmt(testmodel.Branch, other, []string{"else"})
	branch.Body = m.level([]syntax.Node{rest}, then)
	return append(out, branch)
}

// title is the name of a test or suite from its first argument.
func title(n syntax.Node) string {
	text := unquoted(n)
	return strings.ReplaceAll(strings.ReplaceAll(text, `\"`, `"`), `\'`, `'`)
}
