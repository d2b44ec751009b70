package golang

import (
	"strings"

	"workflow-reviewer/internal/integrity/extract/clike"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// specs are the units of a Ginkgo tree that stands at the top of the file:
// var _ = Describe("…", func() { … }); nil if n is none.
func (f *file) specs(n syntax.Node) []testmodel.Unit {
	e := expressionOf(n)
	if n.Is("var_declaration") {
		spec := n.Child("var_spec")
		if values := spec.Field("value").Named(); spec.Field("name").Text() == "_" && len(values) == 1 {
			e = values[0]
		}
	}
	if role, _ := f.node(callOf(e)); role == "" {
		return nil
	}
	s := f.scope(n, "")
	s.spec(e, "")
	return s.nested
}

// node is the role and effect of a call that makes a node of a Ginkgo tree.
func (f *file) node(c call) (testmodel.Role, testmodel.Effect) {
	if f.libs[c.object] != ginkgo && (!c.on.IsZero() || !f.dots[ginkgo]) {
		return "", ""
	}
	name, effect := c.name, testmodel.Effect("")
	switch {
	case strings.HasPrefix(name, "P") || strings.HasPrefix(name, "X"):
		name, effect = name[1:], testmodel.Skips
	case strings.HasPrefix(name, "F"):
		name, effect = name[1:], testmodel.Focuses
	}
	switch name {
	case "Describe", "Context", "When":
		return testmodel.Suite, effect
	case "It", "Specify", "DescribeTable":
		return testmodel.Test, effect
	case "BeforeEach", "AfterEach", "JustBeforeEach", "JustAfterEach", "BeforeSuite", "AfterSuite", "BeforeAll", "AfterAll",
		"SynchronizedBeforeSuite", "SynchronizedAfterSuite", "ReportAfterEach", "ReportAfterSuite":
		return testmodel.Setup, effect
	default:
		return "", ""
	}
}

// spec adds the units of one node of the tree and of those in it.
func (s *scope) spec(e syntax.Node, around string) {
	c := callOf(e)
	role, effect := s.node(c)
	name, args := c.name, c.args
	if role != testmodel.Setup && len(args) > 0 {
		name, args = clike.Unquote(args[0].Text()), args[1:]
	}
	if around != "" {
		name = around + " › " + name
	}
	u := s.Unit(role, name, e, e)
	if effect != "" {
		m := s.Mark(effect, e)
		m.Tokens = []string{c.name}
		u.Marks = append(u.Marks, m)
	}
	at := len(s.nested)
	s.nested = append(s.nested, u)
	for _, a := range args {
		switch {
		case a.Is("func_literal"):
			u.Body = append(u.Body, s.treeBody(a.Field("body"), role, name)...)
		case strings.HasSuffix(callOf(a).name, "Entry"):
			u.Rows = append(u.Rows, s.Row(a))
			if n := callOf(a).name; n != "Entry" {
				u.Marks = append(u.Marks, s.Mark(entryEffect(n), a))
			}
		default:
			u.Marks = append(u.Marks, s.Mark(decoration(a), a))
		}
	}
	u.Locals = s.locals
	s.nested[at] = u
}

// treeBody is what stands in a node besides the nodes in it.
func (s *scope) treeBody(body syntax.Node, role testmodel.Role, name string) []testmodel.Stmt {
	if role != testmodel.Suite {
		return s.block(body, false)
	}
	var out []testmodel.Stmt
	for _, n := range statementsOf(body) {
		if r, _ := s.node(callOf(expressionOf(n))); r != "" {
			s.spec(expressionOf(n), name)
			continue
		}
		out = append(out, s.statement(n)...)
	}
	return out
}

func entryEffect(name string) testmodel.Effect {
	if strings.HasPrefix(name, "F") {
		return testmodel.Focuses
	}
	return testmodel.Skips
}

// decoration is the effect of a decorator among a node's arguments.
func decoration(n syntax.Node) testmodel.Effect {
	text := n.Text()
	text = text[strings.LastIndexByte(text, '.')+1:]
	switch {
	case text == "Pending":
		return testmodel.Skips
	case text == "Focus":
		return testmodel.Focuses
	case strings.HasPrefix(text, "FlakeAttempts"):
		return testmodel.Retries
	default:
		return ""
	}
}
