package javascript

import (
	"slices"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// allOf is Promise.all([…]) of assertions; of Promise.allSettled nobody hears
// which failed.
func (m *model) allOf(ch chain, c ctx, awaited bool) ([]testmodel.Stmt, bool) {
	l := ch.last()
	if ch.root.Text() != "Promise" || len(ch.links) != 1 || !bare(l.arg(0)).Is("array") {
		return nil, false
	}
	if !slices.Contains([]string{"all", "allSettled", "any", "race"}, l.name) {
		return nil, false
	}
	var out []testmodel.Stmt
	asserts := false
	for _, e := range bare(l.arg(0)).Named() {
		stmts := m.expr(e, e, c, awaited && l.name == "all")
		asserts = asserts || slices.ContainsFunc(stmts, func(s testmodel.Stmt) bool { return s.Kind == testmodel.Asserts })
		out = append(out, stmts...)
	}
	return out, asserts
}

// callbacks is a call whose functions assert something: a loop, what follows
// a promise, a block given to a helper, or a function called at once.
func (m *model) callbacks(ch chain, n, at syntax.Node, c ctx, awaited bool) ([]testmodel.Stmt, bool) {
	l := ch.last()
	if fn := l.function(); l.name == "forEach" && !fn.IsZero() && len(l.args) == 1 && (m.demands[fn] || bare(l.before).Is("array")) {
		return []testmodel.Stmt{m.forEach(at, ch, fn, c)}, true
	}
	if ch.root.Is("arrow_function", "function_expression") && len(ch.links) > 0 && ch.links[0].name == "" {
		return m.immediate(ch, n, at, c, awaited), true
	}
	if !m.hasDemands(ch) {
		return nil, false
	}
	return []testmodel.Stmt{m.with(ch, n, at, c, awaited)}, true
}

// hasDemands reports whether a function among a chain's arguments asserts
// something, or catches what is asserted before it.
func (m *model) hasDemands(ch chain) bool {
	for _, l := range ch.links {
		for _, a := range l.args {
			if m.demands[bare(a)] {
				return true
			}
		}
	}
	return false
}

// with is a call with the statements of the functions that it is given.
func (m *model) with(ch chain, n, at syntax.Node, c ctx, awaited bool) testmodel.Stmt {
	var bodies []syntax.Node
	st := m.Stmt(testmodel.With, at, nil)
	for _, l := range ch.links {
		for i, a := range l.args {
			fn := bare(a)
			if !isFunction(fn) {
				continue
			}
			bodies = append(bodies, fn.Field("body"))
			st.Body = append(st.Body, m.given(l, i, fn, c, awaited)...)
		}
	}
	st.Head = tokensWithout(n, bodies...)
	if awaited {
		st.Head = append([]string{"await"}, st.Head...)
	}
	for _, s := range st.Body {
		st.Swallows = st.Swallows || s.Kind == testmodel.Handler && s.Swallows
	}
	return st
}

// given are the statements of a function that a call is given.
func (m *model) given(l link, i int, fn syntax.Node, c ctx, awaited bool) []testmodel.Stmt {
	c.helper = true
	isThen := l.name == "then" || l.name == "finally"
	isCatch := l.name == "catch" || l.name == "then" && i == 1
	if !awaited && (isThen || isCatch || isAsync(fn) || l.name == "" && isTimer(l)) {
		c.lost = true
	}
	c.callback = false
	body := m.function(fn, c)
	if !isCatch {
		return body
	}
	h := m.Stmt(testmodel.Handler, fn, append([]string{"catch"}, params(fn)...))
	h.Body, h.Binds = body, params(fn)
	h.Swallows = swallows(body, params(fn))
	return []testmodel.Stmt{h}
}

func isTimer(l link) bool {
	return slices.Contains([]string{"setTimeout", "setImmediate", "setInterval", "queueMicrotask"}, l.before.Text())
}

// opened are the tokens of n without the bodies of the functions that the call
// in it is given, and those functions as definitions.
func (m *model) opened(n, call syntax.Node, c ctx) ([]string, []testmodel.Stmt) {
	if call.Is("await_expression") && len(call.Named()) == 1 {
		call = bare(call.Named()[0])
	}
	var bodies []syntax.Node
	var out []testmodel.Stmt
	var args []syntax.Node
	switch call.Kind() {
	case "call_expression":
		for _, l := range chainOf(call).links {
			args = append(args, l.args...)
		}
	case "new_expression":
		args = call.Field("arguments").Named()
	}
	for _, a := range args {
		fn := bare(a)
		if body := fn.Field("body"); isFunction(fn) && body.Is("statement_block") && !isReturnOnly(body) && len(body.Named()) > 0 {
			bodies = append(bodies, body)
			st := m.closure(fn, fn, fn.Field("name").Text(), c)
			st.Binds = nil
			out = append(out, st)
		}
	}
	return tokensWithout(n, bodies...), out
}

// immediate is (() => { … })().
func (m *model) immediate(ch chain, n, at syntax.Node, c ctx, awaited bool) []testmodel.Stmt {
	fn := ch.root
	st := m.Stmt(testmodel.With, at, tokensWithout(n, fn.Field("body")))
	if awaited {
		st.Head = append([]string{"await"}, st.Head...)
	}
	c.lost = c.lost || isAsync(fn) && !awaited
	c.callback, c.helper = false, true
	st.Body = m.function(fn, c)
	return []testmodel.Stmt{st}
}

// caught is the swallowing function of a .catch behind an assertion; zero if
// there is none.
func (m *model) caught(links []link, c ctx) bool {
	for _, l := range links {
		i := 0
		if l.name == "then" {
			i = 1
		} else if l.name != "catch" {
			continue
		}
		if fn := bare(l.arg(i)); isFunction(fn) && swallows(m.function(fn, c), params(fn)) || !isFunction(fn) && !fn.IsZero() {
			return true
		}
	}
	return false
}
