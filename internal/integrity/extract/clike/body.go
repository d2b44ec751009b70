package clike

import (
	"regexp"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// Dialect is what a language and its libraries say about calls.
type Dialect interface {
	// Call takes a call apart; the zero Call if n is none.
	Call(n syntax.Node) Call
	// Asserted is what an expression asserts by itself, with the tokens that
	// count of it; nil if nothing.
	Asserted(b *Body, n syntax.Node) ([]testmodel.Assert, []string)
	// Outcome is Raises for a call that fails the test, Skip, Returns or Exits
	// for one that ends it otherwise, With for one that runs the functions it
	// is given and asserts what they assert, Mocks for one that replaces
	// something; "" for others.
	Outcome(b *Body, c Call) testmodel.Kind
	// Predicate is what a call demands that must return true; false if it is
	// unknown.
	Predicate(b *Body, c Call) (testmodel.Assert, bool)
	// Mocked is what an expression replaces, "" if nothing.
	Mocked(b *Body, n syntax.Node) string
}

// Body reads the statements of one function.
type Body struct {
	Source
	Dialect Dialect
	Locals  []string               // sorted
	Types   map[string]string      // of local names, as they are written
	Values  map[string]syntax.Node // what a name was bound to last, as far as was read
	// Constants are values of fields that are set where they are declared.
	Constants map[string]syntax.Node

	iterated map[string]bool
}

// Block is what the statements in a block do, or the one statement or
// expression that stands for a block.
func (b *Body) Block(n syntax.Node) []testmodel.Stmt {
	switch {
	case n.IsZero():
		return nil
	case n.Is("arrow_expression_clause"):
		return b.Expression(n, n)
	case !n.Is("block", "constructor_body", "declaration_list"):
		return b.Statement(n)
	}
	var out []testmodel.Stmt
	for _, c := range n.Named() {
		out = append(out, b.Statement(c)...)
	}
	return out
}

// Statement is what one statement of the source does; it may be none, or
// several.
func (b *Body) Statement(n syntax.Node) []testmodel.Stmt {
	switch n.Kind() {
	case "block":
		return b.Block(n)
	case "expression_statement":
		return b.Expression(n, n)
	case "local_variable_declaration", "local_declaration_statement", "field_declaration", "constant_declaration", "variable_declaration":
		return b.declarations(n)
	case "if_statement":
		return b.branch(n)
	case "for_statement", "while_statement", "do_statement", "enhanced_for_statement", "foreach_statement":
		return []testmodel.Stmt{b.loop(n)}
	case "try_statement", "try_with_resources_statement":
		return b.try(n)
	case "switch_expression", "switch_statement":
		return []testmodel.Stmt{b.choice(n)}
	case "throw_statement":
		return []testmodel.Stmt{b.Whole(thrown(n), n)}
	case "return_statement":
		return []testmodel.Stmt{b.returned(n)}
	case "break_statement", "continue_statement", "goto_statement":
		return []testmodel.Stmt{b.Whole(testmodel.Jumps, n)}
	case "assert_statement":
		return b.Asserting(n, b.Holds(n.Named()[0], true), b.Tokens(n.Named()[0]))
	case "synchronized_statement", "using_statement", "lock_statement", "checked_statement", "unsafe_statement", "fixed_statement":
		return []testmodel.Stmt{b.around(n)}
	case "labeled_statement":
		return b.labeled(n)
	case "preproc_if", "preproc_else", "preproc_elif":
		return []testmodel.Stmt{b.conditional(n)}
	case "local_function_statement":
		st := b.Stmt(testmodel.Defines, n)
		st.Head, st.Body = b.Without(n, n.Field("body")), b.Block(n.Field("body"))
		return []testmodel.Stmt{st}
	case "global_statement":
		return b.Block(n.Named()[0])
	case ";", "empty_statement":
		return nil
	default:
		return []testmodel.Stmt{b.Closing(testmodel.Plain, n)}
	}
}

// skipping are exceptions by which a runner counts a test as skipped; ending
// is one that ends it as passed.
var skipping = regexp.MustCompile(`new\s+[\w.]*(Skip|TestAborted|AssumptionViolated|Ignore|Inconclusive)\w*(Exception)?\b`)

// thrown is the kind of a throw.
func thrown(n syntax.Node) testmodel.Kind {
	switch text := n.Text(); {
	case skipping.MatchString(text):
		return testmodel.Skip
	case strings.Contains(text, "SuccessException"):
		return testmodel.Returns
	default:
		return testmodel.Raises
	}
}

// Closing is a statement of that kind whose function literals are its body,
// as far as they are blocks or assert something. One that does not run where
// it stands is a definition in it.
func (b *Body) Closing(k testmodel.Kind, n syntax.Node) testmodel.Stmt {
	st := b.Stmt(k, n)
	var literals, bodies []syntax.Node
	n.Walk(func(m syntax.Node) bool {
		if !IsLambda(m) {
			return true
		}
		if body := LambdaBody(m); body.Is("block") || b.counts(body) {
			literals, bodies = append(literals, m), append(bodies, body)
		}
		return false
	})
	st.Head = b.Without(n, bodies...)
	for i, body := range bodies {
		if len(bodies) == 1 && (k == testmodel.With || k == testmodel.Defines || k == testmodel.Asserts) {
			st.Body = b.function(body)
			break
		}
		in := b.Stmt(testmodel.Defines, literals[i])
		in.Head, in.Body = []string{"lambda"}, b.function(body)
		st.Body = append(st.Body, in)
	}
	return st
}

// counts reports whether an expression asserts or ends something when it is
// evaluated.
func (b *Body) counts(n syntax.Node) bool {
	as, _ := b.Dialect.Asserted(b, n)
	kind := b.Dialect.Outcome(b, b.Dialect.Call(Inner(n)))
	return as != nil || kind == testmodel.Raises || kind == testmodel.Skip || kind == testmodel.With || n.Is("throw_expression")
}

// function are the statements of a function literal's body.
func (b *Body) function(body syntax.Node) []testmodel.Stmt {
	if body.Is("block") {
		return b.Block(body)
	}
	return b.Expression(body, body)
}

// around is a statement that does something around its body.
func (b *Body) around(n syntax.Node) testmodel.Stmt {
	st := b.Stmt(testmodel.With, n)
	body := n.Field("body")
	if body.IsZero() {
		named := n.Named()
		body = named[len(named)-1]
	}
	st.Head, st.Body = b.Without(n, body), b.Block(body)
	return st
}

// labeled is a label and the statement that it names.
func (b *Body) labeled(n syntax.Node) []testmodel.Stmt {
	named := n.Named()
	st := b.Stmt(testmodel.Plain, n)
	st.Head = append(b.Tokens(named[0]), ":")
	out := []testmodel.Stmt{st}
	for _, c := range named[1:] {
		out = append(out, b.Block(c)...)
	}
	return out
}

// conditional are statements that are compiled under a condition only.
func (b *Body) conditional(n syntax.Node) testmodel.Stmt {
	st := b.Stmt(testmodel.Branch, n)
	cond := n.Field("condition")
	st.Head = append([]string{"#" + strings.TrimPrefix(n.Kind(), "preproc_")}, b.Tokens(cond)...)
	for _, c := range n.Named() {
		if c != cond {
			st.Body = append(st.Body, b.Block(c)...)
		}
	}
	return st
}

// returned is a return. The cases of a provider are its rows.
func (b *Body) returned(n syntax.Node) testmodel.Stmt {
	st := b.Closing(testmodel.Returns, n)
	if named := n.Named(); len(named) == 1 {
		if list, elements := b.Elements(named[0]); elements != nil {
			st.Head, st.Body, st.Rows = b.Without(n, list), nil, b.rows(elements)
		}
	}
	return st
}

func (b *Body) rows(elements []syntax.Node) []testmodel.Row {
	var out []testmodel.Row
	for _, e := range elements {
		out = append(out, b.Row(e))
	}
	return out
}
