package javascript

import (
	"slices"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// request is request(app).get("/").expect(200), as supertest has it: each
// expect is an assertion of its own, on its own line.
func (m *model) request(ch chain, at syntax.Node, c ctx, awaited bool) ([]testmodel.Stmt, bool) {
	i := slices.IndexFunc(ch.links, func(l link) bool { return l.name == "expect" && l.called })
	if i < 0 || len(ch.links) > maxLinks || m.name(ch.root.Text()).sort != none {
		return nil, false
	}
	if i == 0 && !ch.links[0].arg(0).Is("number") && !ends(ch.links[0], c) { // test.expect(200)
		return nil, false
	}
	links := ch.links[i:]
	c.lost = c.lost || !awaited && !slices.ContainsFunc(links, func(l link) bool { return ends(l, c) })
	st := m.Stmt(testmodel.With, at, tokens(links[0].before))
	if awaited {
		st.Head = append([]string{"await"}, st.Head...)
	}
	for _, l := range links {
		st.Body = append(st.Body, m.response(l, c)...)
	}
	return []testmodel.Stmt{st}, true
}

// ends reports whether a link waits for the response: end, then, or a callback.
func ends(l link, c ctx) bool {
	if l.name == "end" || l.name == "then" {
		return true
	}
	return slices.ContainsFunc(l.args, func(a syntax.Node) bool { return isFunction(a) && len(l.args) > 1 || isCallback(a, c) })
}

// isCallback reports whether an argument is what a test calls when it is done.
func isCallback(n syntax.Node, c ctx) bool {
	n = bare(n)
	return n.Is("identifier") && (n.Text() == c.t || slices.Contains([]string{"done", "cb", "callback", "next", "fn"}, n.Text()))
}

// response are the statements of one link behind a request.
func (m *model) response(l link, c ctx) []testmodel.Stmt {
	at := l.node
	if l.name != "expect" {
		var out []testmodel.Stmt
		for i, a := range l.args {
			if fn := bare(a); isFunction(fn) {
				out = append(out, m.given(l, i, fn, c, true)...)
			}
		}
		if len(out) == 0 {
			out = append(out, m.Stmt(testmodel.Plain, at, append([]string{l.name}, joined(l.args)...)))
		}
		return out
	}
	var out []testmodel.Stmt
	for _, a := range demanded(l, c) {
		a.Lost = a.Lost || c.lost
		out = append(out, m.Builder.Assert(at, append([]string{"expect"}, joined(l.args)...), a))
	}
	for i, a := range l.args {
		if fn := bare(a); isFunction(fn) {
			out = append(out, m.given(l, i, fn, c, true)...)
		}
	}
	return out
}

// demanded are the assertions of one expect about a response: of its status, a
// header, or its body.
func demanded(l link, c ctx) []testmodel.Assert {
	var args []syntax.Node
	for _, a := range l.args {
		if !isFunction(a) && !isCallback(a, c) {
			args = append(args, bare(a))
		}
	}
	part := func(value syntax.Node, of ...string) testmodel.Assert {
		a := testmodel.Assert{Relation: testmodel.Equal, Name: "expect", Subject: append([]string{"response", "."}, of...), Expected: tokens(value)}
		if value.Is("regex") {
			a.Relation = testmodel.Matches
		}
		return a
	}
	switch {
	case len(args) == 0:
		return nil
	case args[0].Is("number") && len(args) > 1:
		return []testmodel.Assert{part(args[0], "status"), part(args[1], "body")}
	case args[0].Is("number"):
		return []testmodel.Assert{part(args[0], "status")}
	case len(args) > 1:
		return []testmodel.Assert{part(args[1], append([]string{"headers"}, tokens(args[0])...)...)}
	case args[0].Is("string", "template_string", "object", "array", "regex"):
		return []testmodel.Assert{part(args[0], "body")}
	default:
		return []testmodel.Assert{{Relation: testmodel.Custom, Name: "expect", Subject: []string{"response"}, Expected: tokens(args[0])}}
	}
}
