package ruby

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/extract/build"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// sort says what sort of unit a call defines.
type sort int

const (
	none sort = iota
	suite
	test
	hook
	value // let, subject
)

// unitSort is what sort of unit a method of RSpec, minitest/spec, or Rails
// defines.
func unitSort(name string) sort {
	switch name {
	case "describe", "context", "feature", "xdescribe", "xcontext", "fdescribe", "fcontext", "xfeature", "ffeature",
		"shared_examples", "shared_context", "shared_examples_for":
		return suite
	case "it", "specify", "example", "scenario", "xit", "xspecify", "xexample", "xscenario", "fit", "fspecify", "fexample", "fscenario",
		"its", "test", "should", "it_behaves_like", "it_should_behave_like", "include_examples", "focus":
		return test
	case "before", "after", "around", "setup", "teardown", "background", "prepend_before", "append_after", "append_before", "prepend_after":
		return hook
	case "let", "let!", "subject", "subject!", "given", "given!", "let_it_be":
		return value
	default:
		return none
	}
}

// effectOf is the effect of a method's name.
func effectOf(name string) testmodel.Effect {
	if unitSort(name) == none || len(name) < 3 {
		return ""
	}
	switch {
	case name[0] == 'x':
		return testmodel.Skips
	case name[0] == 'f' && unitSort(name[1:]) != none, name == "focus":
		return testmodel.Focuses
	default:
		return ""
	}
}

// define adds the unit that a call defines; false if it defines none.
func (m *model) define(n syntax.Node, name string, s scope) bool {
	if r := n.Field("receiver"); !r.IsZero() && r.Text() != "RSpec" {
		return false
	}
	block := n.Field("block")
	switch unitSort(name) {
	case suite:
		if block.IsZero() {
			return false
		}
		m.suite(n, name, s)
	case test:
		if block.IsZero() && len(args(n)) == 0 && !s.class && s.name == "" || name == "should" && block.IsZero() {
			return false
		}
		m.test(n, name, s)
	case hook, value:
		if block.IsZero() || s.name == "" && unitSort(name) == value {
			return false
		}
		m.setup(n, name, s)
	default:
		if (name == "pending" || name == "skip") && s.name != "" && len(args(n)) > 0 { // an example in this place
			m.test(n, name, s)
			return true
		}
		return false
	}
	return true
}

// title is what a suite or test is called: its arguments besides metadata.
func (m *model) title(n syntax.Node) string {
	var parts []string
	for i, a := range args(n) {
		if a.Is("pair", "hash", "block_argument") || a.Is("simple_symbol") && i > 0 {
			continue
		}
		parts = append(parts, m.unquoted(a))
	}
	return strings.Join(parts, " ")
}

// open adds the unit of a call with its marks.
func (m *model) open(role testmodel.Role, title string, n syntax.Node, s scope) int {
	i := m.Open(role, build.Qualify(s.name, title), n)
	marks := slices.Clone(s.marks)
	name := methodName(n)
	if e := effectOf(name); e != "" {
		marks = append(marks, m.Mark(e, n, []string{name}))
	}
	u := m.Unit(i)
	u.Marks, u.Uncollected = slices.Concat(marks, m.metadata(n)), s.uncollected
	return i
}

// metadata are the marks of a call's symbols and pairs: :skip, focus: true.
func (m *model) metadata(n syntax.Node) []testmodel.Mark {
	var marks []testmodel.Mark
	for i, a := range args(n) {
		pairs := []syntax.Node{a}
		if a.Is("hash") {
			pairs = a.Named()
		}
		for _, p := range pairs {
			switch {
			case p.Is("simple_symbol") && i > 0:
				marks = append(marks, m.Mark(metaEffect(m.unquoted(p), ""), p, m.tokens(p)))
			case p.Is("pair"):
				key := strings.Trim(p.Field("key").Text(), ":\"'")
				marks = append(marks, m.Mark(metaEffect(key, p.Field("value").Text()), p, m.tokens(p)))
			}
		}
	}
	return marks
}

func metaEffect(key, value string) testmodel.Effect {
	if value == "false" || value == "nil" {
		return ""
	}
	switch key {
	case "skip", "if", "unless", "disabled", "broken":
		return testmodel.Skips
	case "pending":
		return testmodel.XFails
	case "focus", "focused", "only":
		return testmodel.Focuses
	case "retry", "retries":
		return testmodel.Retries
	default:
		return ""
	}
}

func (m *model) suite(n syntax.Node, name string, s scope) {
	title := m.title(n)
	if strings.HasPrefix(name, "shared_") {
		title = "shared " + title
	}
	i := m.open(testmodel.Suite, title, n, s)
	block := n.Field("block")
	inner := scope{name: build.Qualify(s.name, title), unit: i, depth: s.depth, uncollected: s.uncollected}
	body := m.level(statements(block), inner)
	u := m.Unit(i)
	u.Body, u.Params = body, m.params(block)
}

func (m *model) test(n syntax.Node, name string, s scope) {
	title := m.title(n)
	switch {
	case strings.Contains(name, "example") && len(args(n)) > 0 && name != "example", strings.HasPrefix(name, "it_"):
		title = "behaves like " + title
	case title == "":
		title = strings.TrimLeft(name, "xf")
	}
	i := m.open(testmodel.Test, title, n, s)
	block := n.Field("block")
	c := ctx{unit: i, depth: s.depth, top: true}
	var body []testmodel.Stmt
	switch {
	case strings.HasPrefix(title, "behaves like "):
		body = []testmodel.Stmt{m.Stmt(testmodel.Plain, n, m.tokens(n))}
	case !block.IsZero():
		body = m.body(block, c)
	}
	u := m.Unit(i)
	u.Body = body
	if !block.IsZero() {
		u.Params, u.Locals = m.params(block), m.locals(block)
	}
	switch {
	case name == "skip" || block.IsZero() && !strings.HasPrefix(title, "behaves like ") && len(u.Marks) == 0:
		u.Marks = append(u.Marks, m.Mark(testmodel.Skips, n, []string{name}))
	case name == "pending":
		u.Marks = append(u.Marks, m.Mark(testmodel.XFails, n, []string{name}))
	}
}

func (m *model) setup(n syntax.Node, name string, s scope) {
	title := name
	if t := m.title(n); t != "" {
		title += " " + t
	}
	i := m.open(testmodel.Setup, title, n, s)
	block := n.Field("block")
	c := ctx{unit: i, depth: s.depth, top: true}
	body := m.body(block, c)
	u := m.Unit(i)
	u.Body, u.Params, u.Locals = body, m.params(block), m.locals(block)
}
