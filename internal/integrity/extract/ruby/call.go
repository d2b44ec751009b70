package ruby

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// call is a call as a statement.
func (m *model) call(n, at syntax.Node, c ctx) []testmodel.Stmt {
	if st, ok := m.outcome(n, at); ok {
		return []testmodel.Stmt{st}
	}
	if out, ok := m.mock(n, at); ok {
		return out
	}
	if out := m.assertions(n, at); len(out) > 0 {
		return out
	}
	if block := n.Field("block"); !block.IsZero() && (m.demands[block] || isIterator(methodName(n))) {
		return []testmodel.Stmt{m.withBlock(n, block, c)}
	}
	if a, ok := m.custom(n); ok {
		return []testmodel.Stmt{m.Builder.Assert(at, m.tokens(n), a)}
	}
	st := m.Stmt(testmodel.Plain, at, nil)
	st.Head, st.Body = m.opened(at, n, c)
	return []testmodel.Stmt{st}
}

// opened are the tokens of n without the statements of the block that the call
// in it is given, and that block as a definition.
func (m *model) opened(n, call syntax.Node, c ctx) ([]string, []testmodel.Stmt) {
	block := call.Field("block")
	if call.Is("lambda") {
		block = call.Field("body")
	}
	nodes := statements(block)
	if len(nodes) == 0 || len(nodes) == 1 && block.StartLine() == block.EndLine() {
		return m.tokens(n), nil
	}
	st := m.Stmt(testmodel.Defines, block, append([]string{"block"}, m.params(block)...))
	c.loop, c.top = false, false
	st.Body = m.body(block, c)
	return m.without(n, nodes...), []testmodel.Stmt{st}
}

// withBlock is a call with the statements of its block.
func (m *model) withBlock(n, block syntax.Node, c ctx) testmodel.Stmt {
	st := m.blockHead(n, block)
	c.loop = c.loop || st.Kind == testmodel.Loop
	c.top = false
	st.Body = m.body(block, c)
	st.Swallows = st.Kind == testmodel.With && methodName(n) == "suppress"
	return st
}

// outcome is a call that decides by itself: skip, raise, exit.
func (m *model) outcome(n, at syntax.Node) (testmodel.Stmt, bool) {
	if r := n.Field("receiver"); !r.IsZero() && r.Text() != "Kernel" && r.Text() != "Process" && r.Text() != "RSpec" {
		return testmodel.Stmt{}, false
	}
	var kind testmodel.Kind
	switch methodName(n) {
	case "skip", "pending", "omit", "pend", "skip_until", "omit_if":
		kind = testmodel.Skip
	case "raise", "fail", "flunk", "abort", "throw":
		kind = testmodel.Raises
	case "exit", "exit!":
		kind = testmodel.Exits
	default:
		return testmodel.Stmt{}, false
	}
	return m.Stmt(kind, at, m.tokens(n)), true
}

// custom is a call of an assertion helper of the project, by its definition or
// its name.
func (m *model) custom(n syntax.Node) (testmodel.Assert, bool) {
	name := methodName(n)
	sounds := strings.HasPrefix(name, "assert_") || strings.HasPrefix(name, "refute_") || strings.HasPrefix(name, "expect_") ||
		strings.HasPrefix(name, "verify_") || strings.HasPrefix(name, "check_")
	if !m.helpers[name] && !sounds || n.Is("identifier") && !m.helpers[name] && !sounds {
		return testmodel.Assert{}, false
	}
	given := args(n)
	a := testmodel.Assert{Relation: testmodel.Custom, Name: name}
	if len(given) > 0 {
		a.Subject, a.Expected = m.tokens(given[0]), m.list(given[1:])
	}
	if block := n.Field("block"); !block.IsZero() {
		a.Expected = append(a.Expected, m.tokens(block)...)
	}
	return a, true
}

// link is one call of a chain: the name, the arguments, the block.
type link struct {
	name  string
	node  syntax.Node
	args  []syntax.Node
	block syntax.Node
}

// chain is a call with the calls that it is made on, from the inside out.
func chain(n syntax.Node) (root syntax.Node, links []link) {
	for n.Is("call") {
		links = append(links, link{methodName(n), n, args(n), n.Field("block")})
		r := n.Field("receiver")
		if r.IsZero() {
			slices.Reverse(links)
			return syntax.Node{}, links
		}
		n = r
	}
	slices.Reverse(links)
	return n, links
}

// find is the index of the first link of one of the names, -1 if there is
// none.
func find(links []link, names ...string) int {
	return slices.IndexFunc(links, func(l link) bool { return slices.Contains(names, l.name) })
}

func (l link) arg(i int) syntax.Node {
	if i >= len(l.args) {
		return syntax.Node{}
	}
	return l.args[i]
}

// mock is a call that replaces something: allow(x).to receive(:y), stub_const,
// X.stub(:y).
func (m *model) mock(n, at syntax.Node) ([]testmodel.Stmt, bool) {
	target := m.mocked(n)
	if target == "" {
		return nil, false
	}
	st := m.Stmt(testmodel.Mocks, at, m.tokens(n))
	st.Mock = target
	block := n.Field("block")
	if m.demands[block] {
		st.Head = m.without(n, statements(block)...)
		with := m.Stmt(testmodel.With, at, nil)
		with.Body = m.body(block, ctx{})
		return []testmodel.Stmt{st, with}, true
	}
	return []testmodel.Stmt{st}, true
}

// mocked is what a call replaces, "" if nothing.
func (m *model) mocked(n syntax.Node) string {
	root, links := chain(n)
	if len(links) == 0 {
		return ""
	}
	first, last := links[0], links[len(links)-1]
	switch {
	case root.IsZero() && (first.name == "allow" || first.name == "allow_any_instance_of") && len(links) == 2:
		return m.allowed(first, last)
	case root.IsZero() && (first.name == "stub_const" || first.name == "hide_const"):
		return m.unquoted(first.arg(0))
	case root.IsZero():
		return ""
	}
	if i := find(links, "stubs", "stub", "stub_any_instance", "stub_chain", "define_singleton_method", "define_method", "class_eval", "instance_eval", "redefine_method", "alias_method", "remove_method", "undef_method", "const_set"); i >= 0 {
		if !root.Is("constant", "scope_resolution", "instance_variable", "identifier") {
			return ""
		}
		target := root.Text()
		if a := links[i].arg(0); a.Is("simple_symbol", "string") {
			target += "." + m.unquoted(a)
		}
		return target
	}
	return ""
}

// allowed is what allow(x).to receive(:y) replaces. A method that calls the
// original is not replaced.
func (m *model) allowed(allow, to link) string {
	target := strings.Join(m.tokens(allow.arg(0)), "")
	_, links := chain(to.arg(0))
	i := find(links, "receive", "receive_messages", "receive_message_chain")
	if i < 0 || find(links, "and_call_original", "and_wrap_original") >= 0 {
		return ""
	}
	if a := links[i].arg(0); a.Is("simple_symbol", "string") {
		return target + "." + m.unquoted(a)
	}
	if a := links[i].arg(0); a.Is("pair") {
		return target + "." + strings.Trim(a.Field("key").Text(), ":\"'")
	}
	return target
}
