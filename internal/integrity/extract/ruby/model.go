// Package ruby models what a test file in Ruby demands: of RSpec, minitest and
// test-unit.
package ruby

import (
	"workflow-reviewer/internal/integrity/extract/build"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// Model is what the file demands. It answers for any tree, with tokens where
// it does not understand; path is copied into the answer.
func Model(t *syntax.Tree, path string) testmodel.File {
	root := t.Root()
	m := &model{
		Builder: build.New(t, path),
		docs:    heredocs(root),
		demands: map[syntax.Node]bool{},
		defines: map[syntax.Node]bool{},
		helpers: map[string]bool{},
		tables:  map[string]bool{},
		tested:  map[string]string{},
	}
	m.survey(root)
	m.underTest(root)
	unit := m.Open(testmodel.Module, "", root)
	body := m.level(root.Named(), scope{unit: unit})
	u := m.Unit(unit)
	u.Body, u.Line, u.Text = body, 1, ""
	return m.File()
}

// model is a file on its way into a model.
type model struct {
	*build.Builder
	docs    map[syntax.Node]string
	demands map[syntax.Node]bool // blocks and methods that assert something
	defines map[syntax.Node]bool // blocks that define tests
	helpers map[string]bool      // names of methods of the file that assert something
	tables  map[string]bool      // names of lists that are only iterated
	tested  map[string]string    // constants under test, with where they come from
}

// methodName is the name of what is called, also where it has no arguments.
func methodName(n syntax.Node) string {
	switch n.Kind() {
	case "call":
		return n.Field("method").Text()
	case "identifier":
		return n.Text()
	default:
		return ""
	}
}

// args are the arguments of a call.
func args(n syntax.Node) []syntax.Node { return n.Field("arguments").Named() }

// arg is the i-th argument of a call, no node if there is none.
func arg(n syntax.Node, i int) syntax.Node {
	if a := args(n); i < len(a) {
		return a[i]
	}
	return syntax.Node{}
}

// statements are the statements of a body, whatever holds it.
func statements(n syntax.Node) []syntax.Node {
	switch n.Kind() {
	case "block", "do_block", "method", "singleton_method", "class", "module", "lambda", "singleton_class", "while", "until", "for":
		return statements(n.Field("body"))
	case "body_statement", "block_body", "then", "do", "else", "ensure", "begin", "parenthesized_statements", "program":
		return n.Named()
	case "":
		return nil
	default:
		return []syntax.Node{n}
	}
}

// params are the parameters of a method or block, each as its tokens.
func (m *model) params(n syntax.Node) []string {
	var out []string
	for _, p := range n.Field("parameters").Named() {
		t := m.tokens(p)
		joined := ""
		for i, s := range t {
			if i > 0 {
				joined += " "
			}
			joined += s
		}
		out = append(out, joined)
	}
	return out
}

// locals are the names that a body binds, parameters included.
func (m *model) locals(n syntax.Node) []string {
	var out []string
	seen := map[string]bool{}
	add := func(n syntax.Node) {
		if name := n.Text(); n.Is("identifier") && !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	n.Walk(func(n syntax.Node) bool {
		switch n.Kind() {
		case "assignment", "operator_assignment":
			add(n.Field("left"))
			for _, c := range n.Field("left").Named() {
				if n.Field("left").Is("left_assignment_list") {
					add(c)
				}
			}
		case "method_parameters", "block_parameters", "lambda_parameters", "destructured_parameter", "exception_variable":
			for _, c := range n.Named() {
				add(c)
				add(c.Field("name"))
			}
		}
		return true
	})
	return out
}
