package testdiff

import (
	"math/big"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/catalogue"
	"workflow-reviewer/internal/integrity/kernel"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/lazyregexp"
)

// assertionChanged is what a changed statement is called by what it asserts. What cannot be shown
// to demand less is «changed».
func (d *describer) assertionChanged(diff kernel.Difference) violation.Kind {
	old, now := diff.OldStatement, diff.NewStatement
	was, ok := assertionIn(d.r.Old, old)
	is, still := assertionIn(d.r.New, now)
	guard := isGuard(d.r.Old, old) && now.Is("if_statement")
	wider := smaller(diff.Old, diff.New)
	from, to := operator(diff.Old), operator(diff.New)
	switch {
	case guard && wider && strings.HasPrefix(operator(old.Child("condition")), ">"),
		wider && isTolerance(diff.Old, old):
		return violation.ToleranceWidened
	case guard && isConstant(diff.Old) && isConstant(diff.New):
		return violation.ExpectedChanged
	case guard && from != "" && strictness[to] > strictness[from]:
		return violation.AssertionWeakened // it fails in fewer cases
	case guard:
		return violation.TestModified
	case ok && !still, asserts(d.r.Old, old) && !asserts(d.r.New, now):
		return violation.AssertionRemoved
	case !ok:
		return violation.TestModified
	case isTautology(is):
		return violation.Tautology
	case nameOfEntry(was) == nameOfEntry(is) && isConstant(diff.Old) && isConstant(diff.New):
		return violation.ExpectedChanged
	case demandsLess(diff, was, is):
		return violation.AssertionWeakened
	}
	return violation.TestModified
}

// asserts reports whether something in a node is an assertion.
func asserts(t *kernel.Tree, n *kernel.Node) bool {
	return n.Any(func(k *kernel.Node) bool {
		_, ok := t.AssertionOf(k)
		return ok
	})
}

// assertionIn is what a statement asserts that is no unit.
func assertionIn(t *kernel.Tree, n *kernel.Node) (kernel.Assertion, bool) {
	if n == nil || t.UnitOf(n).Node == n {
		return kernel.Assertion{}, false
	}
	return t.AssertionOf(n)
}

// isGuard reports whether a test fails under a condition, as Go's do.
func isGuard(t *kernel.Tree, n *kernel.Node) bool {
	return n.Is("if_statement") && n.Child("condition") != nil && asserts(t, n.Child("consequence"))
}

// isTautology reports whether all that an assertion looks at is constant, or the same on both
// sides.
func isTautology(a kernel.Assertion) bool {
	looked := slices.Clone(a.Values)
	if a.Object != nil && a.Entry != nil {
		if args := a.Object.Child("arguments"); args != nil {
			looked = append(args.Arguments(), looked...)
		}
	}
	if len(looked) != 1 {
		return len(looked) > 0 && a.Entry != nil &&
			looked[0].Normalized() == looked[len(looked)-1].Normalized()
	}
	if kids := looked[0].Kids; len(kids) == 3 && kids[1].Text == "==" {
		return kids[0].Normalized() == kids[2].Normalized()
	}
	text := strings.ToLower(looked[0].Normalized())
	matcher := strings.HasPrefix(a.Node.Normalized(), "be") // what something else is held to
	return (text == "true" || text == "1" || text == "not false") && !matcher
}

// demandsLess reports whether it is shown that an assertion demands less than was approved: it is
// negated, looks at fewer values, or is one that the catalogue or the operators' order calls
// weaker.
func demandsLess(diff kernel.Difference, was, is kernel.Assertion) bool {
	values := func(a kernel.Assertion) (n int) {
		for _, v := range append(slices.Clone(a.Values), a.Object) {
			if v != nil {
				n++
			}
			if v != nil &&
				slices.ContainsFunc(v.Kids,
					func(k *kernel.Node) bool { return strictness[k.Text] > 0 }) {
				n++
			}
		}
		return n
	}
	if was.Negated != is.Negated || values(is) < values(was) {
		return true
	}
	if nameOfEntry(was) != nameOfEntry(is) && was.Entry != nil && is.Entry != nil {
		return catalogue.Stronger(was.Entry, is.Entry) ||
			isEquality(was.Entry) && !isEquality(is.Entry)
	}
	from, to := operator(diff.Old), operator(diff.New)
	looser := from != "" && to != "" && from != to && strictness[to] <= strictness[from]
	broader := diff.New.Is("tuple") && !diff.Old.Is("tuple") && // one of several errors
		slices.ContainsFunc(diff.New.Kids,
			func(k *kernel.Node) bool { return k.Normalized() == diff.Old.Normalized() })
	return looser || broader || isBroader(diff.Old, diff.New) ||
		alternatives(diff.NewStatement) > alternatives(diff.OldStatement)
}

// isBroader reports whether an expected error became the class that every error is of.
func isBroader(old, now *kernel.Node) bool {
	last := func(n *kernel.Node) string {
		text := strings.TrimSuffix(n.Normalized(), ".class")
		return text[strings.LastIndexAny(text, ".:")+1:]
	}
	return everyError[last(now)] && !everyError[last(old)]
}

var everyError = map[string]bool{
	"Exception": true, "BaseException": true, "Throwable": true, "Error": true, "StandardError": true,
}

// nameOfEntry is how the catalogue calls an assertion, "" of a plain assert statement.
func nameOfEntry(a kernel.Assertion) string {
	if a.Entry == nil {
		return ""
	}
	return a.Entry.Name
}

// isEquality reports whether an assertion tells one value from all others.
func isEquality(e *catalogue.Entry) bool {
	low := strings.ToLower(e.Name)
	return e.Relation == "equality" && !strings.Contains(low, "not") &&
		!strings.HasSuffix(low, "_ne")
}

// strictness ranks operators of which one takes what another does and more; those of one rank take
// something else each.
var strictness = map[string]int{
	"===": 4, "is": 4, "==": 3, "!=": 1, "!==": 1, "is not": 1, "not in": 1, "in": 2, "<": 2, ">": 2, "<=": 1, ">=": 1,
	"=~": 2, "match": 2,
}

// operator is the comparison that a differing part is, or holds at its top.
func operator(n *kernel.Node) string {
	if n == nil || strictness[n.Text] > 0 {
		return n.Normalized()
	}
	for _, k := range n.Kids {
		if strictness[k.Text] > 0 {
			return k.Text
		}
	}
	return ""
}

// alternatives counts what lets a statement accept more than one thing.
func alternatives(n *kernel.Node) (count int) {
	n.Leaves(func(l *kernel.Node) bool {
		if slices.Contains([]string{"or", "||", "?", "if", "??"}, l.Text) {
			count++
		}
		return true
	})
	return count
}

// isConstant reports whether a node holds no name and no operator.
func isConstant(n *kernel.Node) bool {
	return n != nil && !n.Any(func(k *kernel.Node) bool {
		return strings.HasSuffix(k.Kind, "identifier") || strictness[k.Text] > 0 ||
			k.Is("call", "call_expression",
				"method_invocation") || k.Text == "not" || k.Text == "&&" || k.Text == "||"
	})
}

// isTolerance reports whether a value is that of an argument that names a tolerance, or a statement
// names one.
func isTolerance(n, statement *kernel.Node) bool {
	if n.Up.Is("keyword_argument", "pair", "argument") && len(n.Up.Kids) > 0 {
		name := strings.Trim(n.Up.Kids[0].Normalized(), `:"'`)
		return name == "abs" || name == "rel" || tolerance.MatchString(name)
	}
	return tolerance.MatchString(statement.Normalized())
}

var tolerance = lazyregexp.New(`(?i)tol|eps|delta|precision|margin`)

// smaller reports whether both nodes are numbers, and the second is the greater one.
func smaller(a, b *kernel.Node) bool {
	x, ok := new(big.Rat).SetString(a.Normalized())
	y, ok2 := new(big.Rat).SetString(b.Normalized())
	return ok && ok2 && x.Cmp(y) < 0
}
