package javascript

import (
	"strings"

	"workflow-reviewer/internal/integrity/extract/build"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// assertions are what an expression asserts; nothing if it is no assertion.
func (m *model) assertions(ch chain, at syntax.Node, c ctx, awaited bool) []testmodel.Stmt {
	found := m.recognize(ch, c, awaited)
	if len(found) == 0 {
		return nil
	}
	c.depth++
	lost := c.lost || c.depth < build.MaxDepth && m.caught(ch.links, c)
	var out []testmodel.Stmt
	var head []string
	if ch.root.Text() == "expectTypeOf" || ch.root.Text() == "assertType" {
		head = tokensWithTypes(at)
	} else {
		head = tokens(at)
	}
	for _, a := range found {
		a.Lost = a.Lost || lost
		out = append(out, m.Builder.Assert(at, head, a))
	}
	return out
}

// recognize finds out whose assertion a chain is.
func (m *model) recognize(ch chain, c ctx, awaited bool) []testmodel.Assert {
	if len(ch.links) == 0 {
		return nil
	}
	root := ch.root.Text()
	if !ch.root.Is("identifier") {
		root = ""
	}
	if i := ch.find("should"); i >= 0 && (!ch.links[i].called || i > 0) {
		x := expectation{subject: tokens(ch.links[i].before), awaited: awaited}
		return x.chain(ch.links[i+1:])
	}
	found := m.name(root)
	links := ch.links
	if found.sort == chai && len(links) > 1 {
		found, _ = global(links[0].name)
		found.flavor = ofChai
		links = links[1:]
		if ch.links[0].called {
			links = append([]link{{called: true, args: ch.links[0].args, node: ch.links[0].node}}, links...)
		}
	}
	switch {
	case root == "expectTypeOf" || root == "assertType":
		return []testmodel.Assert{{Relation: testmodel.Custom, Name: root, Subject: tokensWithTypes(ch.last().whole)}}
	case root == "expectAsync":
		return expectCall(links, true, awaited)
	case found.sort == expect:
		return expectCall(links, false, awaited)
	case found.sort == should && links[0].name == "" && links[0].called:
		x := expectation{subject: tokens(links[0].args...), awaited: awaited}
		return x.chain(links[1:])
	case found.sort == assertion && links[0].name == "" && links[0].called:
		return assertCall(found.flavor, found.method, links[0].args, awaited)
	case found.sort == assert:
		return assertChain(found.flavor, links, awaited)
	case root == c.t && root != "" && links[0].name == "assert" && len(links) > 1:
		return assertChain(strict, links[1:], awaited)
	case root == c.t && root != "":
		return testAssert(links, awaited)
	default:
		return nil
	}
}

// expectCall is expect(x)… or expect.assertions(n).
func expectCall(links []link, async, awaited bool) []testmodel.Assert {
	l := links[0]
	switch {
	case l.name == "" && l.called, l.name == "soft" && l.called, l.name == "poll" && l.called:
		x := expectation{awaited: awaited, async: async || l.name == "poll"}
		if len(l.args) > 0 {
			x.node = bare(l.args[0])
			x.subject = tokens(x.node)
		}
		return x.chain(links[1:])
	case l.name == "assertions" || l.name == "hasAssertions":
		return []testmodel.Assert{{
			Relation: testmodel.CalledN, Name: "expect." + l.name, Subject: []string{"expect"},
			Expected: tokens(l.args...), Lost: !l.called,
		}}
	default:
		return nil
	}
}

// assertChain is assert(x) or assert.equal(a, b).
func assertChain(f flavor, links []link, awaited bool) []testmodel.Assert {
	l := links[0]
	if l.name == "strict" && len(links) > 1 {
		return assertChain(strict, links[1:], awaited)
	}
	switch {
	case !l.called:
		return []testmodel.Assert{{Relation: testmodel.Custom, Name: "assert." + l.name, Lost: true}}
	case l.name == "":
		return assertCall(f, "ok", l.args, awaited)
	default:
		return assertCall(f, l.name, l.args, awaited)
	}
}

// testAssert is an assertion of the test's own parameter: t.is(a, b).
func testAssert(links []link, awaited bool) []testmodel.Assert {
	l := links[0]
	if l.name == "" || !l.called {
		return nil
	}
	if l.name == "plan" {
		return []testmodel.Assert{{Relation: testmodel.CalledN, Name: "plan", Subject: []string{"plan"}, Expected: tokens(l.args...)}}
	}
	out := assertCall(strict, l.name, l.args, awaited)
	if len(out) == 1 && out[0].Relation == testmodel.Custom {
		return nil
	}
	for i := range out {
		out[i].Name = "t." + strings.TrimPrefix(out[i].Name, "assert.")
	}
	return out
}

// thrower are the tokens of what a function that should throw does, whether it
// is given as a function or as a promise.
func thrower(n syntax.Node) []string {
	n = bare(n)
	if !isFunction(n) {
		return tokens(n)
	}
	body := bodyOf(n)
	var out []string
	for _, s := range body {
		if s.Is("return_statement") && len(s.Named()) == 1 {
			s = s.Named()[0]
		}
		out = append(out, tokens(s)...)
	}
	if len(out) > 0 && out[0] == "await" {
		out = out[1:]
	}
	return out
}
