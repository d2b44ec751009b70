package python

import (
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// assertion models an assert statement: one assertion for each operand of and,
// without the message.
func (m *modeler) assertion(out []testmodel.Stmt, n syntax.Node) []testmodel.Stmt {
	parts := n.Named()
	if len(parts) == 0 {
		return append(out, m.new(testmodel.Plain, n, canon(n)...))
	}
	if parts[0].Is("tuple") && len(parts[0].Named()) > 0 { // assert (x == 1, "message")
		s := m.new(testmodel.Asserts, n, append([]string{"assert"}, canon(parts[0])...)...)
		s.Assert = &testmodel.Assert{Relation: testmodel.Always, Name: "assert", Subject: canon(parts[0])}
		return append(out, s)
	}
	for _, a := range conjuncts(parts[0]) {
		s := m.new(testmodel.Asserts, n)
		s.Assert, s.Head = a, head(a)
		out = append(out, s)
	}
	return out
}

// head are the tokens of an assertion as a statement: those of what it says,
// however it is written.
func head(a *testmodel.Assert) []string {
	out := []string{"assert", string(a.Relation), a.Name}
	if a.Negated {
		out = append(out, "not")
	}
	out = append(append(append(out, a.Subject...), "|"), a.Expected...)
	return append(append(out, "|"), a.ToleranceTokens...)
}

// conjuncts are the assertions that an expression is true.
func conjuncts(n syntax.Node) []*testmodel.Assert {
	n = bare(n)
	if n.Is("boolean_operator") && n.Field("operator").Text() == "and" {
		return append(conjuncts(n.Field("left")), conjuncts(n.Field("right"))...)
	}
	if n.Is("comparison_operator") {
		return comparisons(n)
	}
	return []*testmodel.Assert{demand(n)}
}

// demand is the assertion that an expression other than a conjunction is true.
func demand(n syntax.Node) *testmodel.Assert {
	n = bare(n)
	switch n.Kind() {
	case "not_operator":
		return invert(demand(n.Field("argument")))
	case "comparison_operator":
		if all := comparisons(n); len(all) == 1 {
			return all[0]
		}
	case "boolean_operator":
		if alwaysTrue(n) {
			return &testmodel.Assert{Relation: testmodel.Always, Name: "assert", Subject: canon(n)}
		}
	case "call":
		if a := predicate(n); a != nil {
			return a
		}
	case "false", "none":
		return &testmodel.Assert{Relation: testmodel.Never, Name: "assert", Subject: canon(n)}
	}
	if isTrue(n) {
		return &testmodel.Assert{Relation: testmodel.Always, Name: "assert", Subject: canon(n)}
	}
	return &testmodel.Assert{Relation: testmodel.Truthy, Name: "assert", Subject: canon(n)}
}

// invert is the assertion that the opposite holds.
func invert(a *testmodel.Assert) *testmodel.Assert {
	opposite := map[testmodel.Relation]testmodel.Relation{
		testmodel.Truthy: testmodel.Falsy, testmodel.Falsy: testmodel.Truthy,
		testmodel.Nil: testmodel.NotNil, testmodel.NotNil: testmodel.Nil,
		testmodel.Always: testmodel.Never, testmodel.Never: testmodel.Always,
	}
	if r, ok := opposite[a.Relation]; ok {
		a.Relation = r
	} else {
		a.Negated = !a.Negated
		a.Name = inverted(a.Name)
	}
	return a
}

// inverted is the operator that says the opposite.
func inverted(op string) string {
	switch op {
	case "==":
		return "!="
	case "!=":
		return "=="
	case "is":
		return "is not"
	case "is not":
		return "is"
	case "in":
		return "not in"
	case "not in":
		return "in"
	default:
		return op
	}
}

// isTrue reports whether a node is a constant that is true.
func isTrue(n syntax.Node) bool {
	switch n.Kind() {
	case "true":
		return true
	case "integer", "float":
		return strings.Trim(n.Text(), "0._") != ""
	case "string":
		return isLiteral(n) && n.Text() != `""` && n.Text() != "''"
	case "lambda":
		return true
	case "list", "tuple", "set", "dictionary":
		return len(n.Named()) > 0 && !n.Has("list_splat", "dictionary_splat")
	default:
		return false
	}
}

// alwaysTrue reports whether one side of an or is a constant that is true.
func alwaysTrue(n syntax.Node) bool {
	n = bare(n)
	if !n.Is("boolean_operator") {
		return isTrue(n)
	}
	left, right := alwaysTrue(n.Field("left")), alwaysTrue(n.Field("right"))
	if n.Field("operator").Text() == "and" {
		return left && right
	}
	return left || right
}

// comparisons are the assertions of a comparison; a chain is several.
func comparisons(n syntax.Node) []*testmodel.Assert {
	var operands []syntax.Node
	var operators []string
	for c := range n.Children() {
		switch {
		case c.IsComment():
		case c.FieldName() == "operators":
			operators = append(operators, strings.Join(strings.Fields(c.Text()), " "))
		case c.IsNamed():
			operands = append(operands, c)
		}
	}
	var out []*testmodel.Assert
	for i, op := range operators {
		if i+1 < len(operands) {
			out = append(out, comparison(bare(operands[i]), op, bare(operands[i+1])))
		}
	}
	if len(out) == 0 {
		out = append(out, &testmodel.Assert{Relation: testmodel.Truthy, Name: "assert", Subject: canon(n)})
	}
	return out
}

func comparison(left syntax.Node, op string, right syntax.Node) *testmodel.Assert {
	if isLiteral(left) && !isLiteral(right) && op != "in" && op != "not in" {
		left, right, op = right, left, flipped(op)
	}
	a := &testmodel.Assert{Name: op, Subject: canon(left), Expected: canon(right)}
	switch op {
	case "==", "!=", "is", "is not", "<>":
		a.Negated = op != "==" && op != "is"
		a.Relation = testmodel.Equal
		if op[0] == 'i' {
			a.Relation = testmodel.Identical
		}
		refineEqual(a, left, right)
	case "in", "not in":
		a.Negated = op == "not in"
		a.Relation = testmodel.Contains
		if right.Is("list", "tuple", "set") && !isLiteral(left) {
			a.Relation = testmodel.OneOf
		} else {
			a.Subject, a.Expected = a.Expected, a.Subject
		}
	default:
		a.Relation = testmodel.Compare
		refineCompare(a, left, right)
	}
	return a
}

func flipped(op string) string {
	switch op[0] {
	case '<':
		return ">" + op[1:]
	case '>':
		return "<" + op[1:]
	default:
		return op
	}
}
