package clike

import (
	"slices"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// Expression is what an expression does that stands as a statement at n.
func (b *Body) Expression(n, e syntax.Node) []testmodel.Stmt {
	e = Inner(e)
	switch e.Kind() {
	case "assignment_expression":
		return b.assigned(n, e, e.Field("left"), e.Field("right"))
	case "update_expression", "postfix_unary_expression":
		st := b.Whole(testmodel.Assigns, n)
		if named := e.Named(); len(named) == 1 {
			st.Binds = []string{named[0].Text()}
		}
		return []testmodel.Stmt{st}
	case "throw_expression":
		return []testmodel.Stmt{b.Whole(testmodel.Raises, n)}
	}
	if as, tokens := b.Dialect.Asserted(b, n); as != nil {
		return b.asserted(n, as, tokens)
	}
	c := b.Dialect.Call(e)
	switch kind := b.Dialect.Outcome(b, c); kind {
	case "":
	case testmodel.With:
		return b.inline(n, c)
	case testmodel.Mocks:
		st := b.Closing(kind, n)
		st.Mock = b.Dialect.Mocked(b, e)
		return []testmodel.Stmt{st}
	case testmodel.Raises, testmodel.Skip:
		st := b.Stmt(kind, n)
		st.Head = append([]string{c.Name}, b.heads(kind, c)...)
		return []testmodel.Stmt{st}
	default:
		return []testmodel.Stmt{b.Whole(kind, n)}
	}
	return []testmodel.Stmt{b.Closing(b.callKind(c), n)}
}

// heads are the tokens of a call that ends a test: what it says does not
// count, under which condition it skips does.
func (b *Body) heads(k testmodel.Kind, c Call) []string {
	if k == testmodel.Raises && Mute(c.Args...) {
		return nil
	}
	return b.Tokens(c.Args...)
}

// Mute reports whether expressions only say something: no function literals
// and calls of what ends a process are in them.
func Mute(nodes ...syntax.Node) bool {
	for _, n := range nodes {
		if n.Has("assignment_expression", "throw_expression") {
			return false
		}
		for id := range n.All("identifier") {
			switch id.Text() {
			case "exit", "halt", "Exit", "FailFast":
				return false
			}
		}
	}
	return true
}

func (b *Body) callKind(c Call) testmodel.Kind {
	if n := len(c.Args); n > 0 && IsLambda(Inner(c.Args[n-1])) {
		return testmodel.With
	}
	return testmodel.Plain
}

// asserted are the statements of assertions at a node. Function literals that
// assert something themselves are the body of the last.
func (b *Body) asserted(n syntax.Node, as []testmodel.Assert, tokens []string) []testmodel.Stmt {
	out := b.Asserting(n, as, tokens)
	if !n.Has(lambdas[:]...) {
		return out
	}
	if st := b.Closing(testmodel.Asserts, n); hasAssert(st.Body) {
		last := &out[len(out)-1]
		last.Head, last.Body = st.Head, st.Body
		a := last.Assert
		if a.Subject, a.Expected = withoutLambda(a.Subject), withoutLambda(a.Expected); a.Relation == testmodel.Custom {
			a.Subject, a.Expected = st.Head, nil
		}
	}
	return out
}

// withoutLambda are tokens, or none if a function literal is among them, which
// then stands elsewhere.
func withoutLambda(tokens []string) []string {
	if slices.Contains(tokens, "->") || slices.Contains(tokens, "=>") {
		return nil
	}
	return tokens
}

func hasAssert(body []testmodel.Stmt) bool {
	for _, st := range body {
		if st.Kind == testmodel.Asserts || hasAssert(st.Body) {
			return true
		}
	}
	return false
}

// inline is a call that runs the functions that it is given: what they do
// stands in its place.
func (b *Body) inline(n syntax.Node, c Call) []testmodel.Stmt {
	var out []testmodel.Stmt
	for _, a := range c.Args {
		a = Inner(a)
		switch {
		case IsLambda(a):
			out = append(out, b.function(LambdaBody(a))...)
		case a.Is("string_literal"):
		default:
			st := b.Stmt(testmodel.Plain, n)
			st.Head = append([]string{c.Name}, b.Tokens(a)...)
			out = append(out, st)
		}
	}
	return out
}

// assigned is the assignment of a value to a place.
func (b *Body) assigned(n, e, left, right syntax.Node) []testmodel.Stmt {
	if as, tokens := b.Dialect.Asserted(b, right); as != nil {
		out := b.asserted(n, as, append(b.Tokens(left), tokens...))
		out[len(out)-1].Binds = []string{left.Text()}
		return out
	}
	st := b.binding(n, left, right)
	st.Head = b.Without(e, b.inBody(e, st)...)
	return []testmodel.Stmt{st}
}

// inBody are the nodes whose tokens stand in a statement's rows or body.
func (b *Body) inBody(e syntax.Node, st testmodel.Stmt) []syntax.Node {
	var out []syntax.Node
	if st.Rows != nil {
		if list, _ := b.Elements(Inner(e.Field("right"))); !list.IsZero() {
			return append(out, list)
		}
	}
	e.Walk(func(m syntax.Node) bool {
		if !IsLambda(m) {
			return true
		}
		if body := LambdaBody(m); body.Is("block") || b.counts(body) {
			out = append(out, body)
		}
		return false
	})
	return out
}
