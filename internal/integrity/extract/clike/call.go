package clike

import "workflow-reviewer/internal/syntax"

// Call is a call in parts: object.name<types>(args).
type Call struct {
	Node   syntax.Node
	On     syntax.Node // what it is called on, no node for nothing
	Object string      // On's text if it is short
	Name   string
	Types  []syntax.Node
	Args   []syntax.Node
}

// maxObject is how long an object's text may be to count as a name.
const maxObject = 100

// WithObject is the call on an object.
func (c Call) WithObject(on syntax.Node) Call {
	c.On = on
	if !on.IsZero() && on.EndByte()-on.StartByte() <= maxObject {
		c.Object = on.Text()
	}
	return c
}

// IsZero reports whether it is no call.
func (c Call) IsZero() bool { return c.Node.IsZero() }

// Arg is the argument of that number from 0, no node if there is none.
func (c Call) Arg(i int) syntax.Node {
	if i < 0 || i >= len(c.Args) {
		return syntax.Node{}
	}
	return c.Args[i]
}

// Inner is an expression without parentheses, await and the statement's or
// argument's node around it.
func Inner(n syntax.Node) syntax.Node {
	for n.Is("parenthesized_expression", "expression_statement", "await_expression", "argument", "arrow_expression_clause") {
		in := n.Named()
		if len(in) == 0 || len(in) > 1 && !n.Is("argument") {
			break
		}
		n = in[len(in)-1] // of a named argument the value
	}
	return n
}

// lambdas are the kinds of function literals.
var lambdas = [...]string{"lambda_expression", "anonymous_method_expression"}

// IsLambda reports whether a node is a function literal.
func IsLambda(n syntax.Node) bool { return n.Is(lambdas[:]...) }

// Run is what happens when a function literal without parameters is called: its
// expression or only statement; other nodes are as they are.
func Run(n syntax.Node) syntax.Node {
	n = Inner(n)
	if !IsLambda(n) || len(n.Field("parameters").Named()) > 0 {
		return n
	}
	body := LambdaBody(n)
	if in := body.Named(); body.Is("block") && len(in) == 1 && in[0].Is("expression_statement") && len(in[0].Named()) == 1 {
		return in[0].Named()[0] // with its await, which may be missing
	}
	if body.Is("block") {
		return n
	}
	return Inner(body)
}

// LambdaBody is the block or expression of a function literal.
func LambdaBody(n syntax.Node) syntax.Node {
	if body := n.Field("body"); !body.IsZero() {
		return body
	}
	return n.Child("block")
}
