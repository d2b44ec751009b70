package testdiff

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/kernel"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/lazyregexp"
)

// changed tells how a statement or a part of it became another.
func (d *describer) changed(diff kernel.Difference) {
	old, now := diff.OldStatement, diff.NewStatement
	unit := d.r.Old.UnitOf(diff.Old)
	if u := d.r.Old.UnitOf(old); u.Node == old && u.Role == kernel.Test && diff.Old.Field == "name" &&
		diff.Old.Up == old {
		text := "Test no longer runs as approved: " + unitWords(u) + " was renamed to " + diff.New.Normalized()
		if !d.r.New.Collected(now) {
			text = "Test no longer runs: no runner finds " + diff.New.Normalized()
		}
		d.report(violation.TestUncollected, u, diff.Old, diff.New, text)
		return
	}
	if d.rowsGone(diff) {
		return
	}
	if name, ok := d.r.Old.IsMark(mark(diff.Old)); ok {
		d.markChanged(mark(diff.Old), mark(diff.New), name)
		return
	}
	if skip := skipping(d.r.New, diff.New); skip != "" && skipping(d.r.Old, diff.Old) == "" {
		kind := violation.TestSkipped
		if kernel.Focuses(d.r.New.Lang, skip) {
			kind = violation.TestFocused
		}
		d.report(kind, unit, diff.Old, diff.New, "Test skipped or focused: "+skip)
		return
	}
	a, ok := d.assertion(d.r.Old, old)
	switch {
	case d.swallowed(old, now):
		d.report(
			violation.ExceptionSwallowed,
			unit,
			nil,
			handlerOf(now),
			"A failure of the assertion is swallowed in "+unitWords(unit),
		)
	case ok:
		d.assertionChanged(diff, unit, a)
	case old != nil && now != nil && asserts(d.r.Old, old) && !asserts(d.r.New, now):
		d.report(violation.AssertionRemoved, unit, old, now, "Test assertion removed from "+unitWords(unit))
	case old.Is("if_statement") && old.Child("condition") != nil && asserts(d.r.Old, old.Child("consequence")) &&
		old.Child("condition").Normalized() != now.Child("condition").Normalized(): // as Go fails its tests
		d.guardChanged(diff, unit)
	case smaller(diff.Old, diff.New) && toleranceName(old):
		d.report(violation.ToleranceWidened, unit, old, now, "Tolerance widened in "+unitWords(unit))
	default:
		d.report(
			violation.TestModified,
			unit,
			orLine(diff.Old, old),
			orLine(diff.New, now),
			"Approved code changed in "+unitWords(unit),
		)
	}
}

// skipping is what a call that a node is, or begins, skips or singles out with, ""
// if it does neither: test.skip, xit, fit.
func skipping(t *kernel.Tree, n *kernel.Node) string {
	for ; n != nil; n = n.Up {
		switch callee := t.Callee(n); {
		case callee != "" && (t.File.Has("skip", callee) || t.File.Has("skip", callee+"()")): // skipIf(c)("…", f)
			return callee
		case callee != "", t.InBlock(n):
			return ""
		}
	}
	return ""
}

// guardChanged tells of a condition under which a test fails: the fewer values meet it, the less is
// demanded.
func (d *describer) guardChanged(diff kernel.Difference, unit kernel.Unit) {
	was, is := diff.OldStatement.Child("condition"), diff.NewStatement.Child("condition")
	from, to := operator(was), operator(is)
	switch {
	case strings.HasPrefix(from, ">") && smaller(diff.Old, diff.New):
		d.report(violation.ToleranceWidened, unit, diff.Old, diff.New, "Tolerance widened in "+unitWords(unit))
	case isConstant(diff.Old) && isConstant(diff.New):
		d.report(violation.ExpectedChanged, unit, diff.Old, diff.New, "Expected value changed in "+unitWords(unit))
	case is.Normalized() == "false",
		from != "" && strictness[to] > strictness[from],
		more(was, is, conjunctions),
		more(is, was, alternatives):
		d.report(
			violation.AssertionWeakened,
			unit,
			diff.Old,
			diff.New,
			"Fails in fewer cases than before: "+unitWords(unit),
		)
	default:
		d.report(
			violation.TestModified,
			unit,
			diff.Old,
			diff.New,
			"A condition changed under which "+unitWords(unit)+" fails",
		)
	}
}

// orLine is the differing node where it stands on a line of its own within a statement of several,
// else the statement.
func orLine(part, statement *kernel.Node) *kernel.Node {
	if part != nil && statement != nil && part.Line != statement.Line {
		return part
	}
	return statement
}

// mark is the decorator or annotation that a node stands in, nil if it stands in none.
func mark(n *kernel.Node) *kernel.Node {
	for ; n != nil; n = n.Up {
		if n.Is("decorator", "annotation", "marker_annotation", "attribute") && n.Up != nil &&
			!n.Up.Is("attribute", "call") {
			return n
		}
	}
	return nil
}

// markChanged tells how a decorator, annotation or attribute became another.
func (d *describer) markChanged(old, now *kernel.Node, name string) {
	unit := d.r.Old.UnitOf(old.Up)
	c := d.r.Old.File
	switch {
	case now == nil:
		d.markRemoved(old, name)
	case c.Has("rows", name):
		if len(old.Normalized()) > len(now.Normalized()) {
			d.report(violation.ParamsDropped, unit, old, now, "Cases dropped from "+unitWords(unit))
			return
		}
		d.report(violation.ExpectedChanged, unit, old, now, "Cases changed of "+unitWords(unit))
	case strings.Contains(strings.ToLower(now.Normalized()), "skip") || strings.Contains(now.Normalized(), "Ignore"):
		d.report(violation.TestSkipped, unit, old, now, "Test skipped: "+unitWords(unit))
	default:
		d.report(violation.AssertionWeakened, unit, old, now, "A mark of "+unitWords(unit)+" demands something else")
	}
}

// rowsGone tells of rows that a table lost.
func (d *describer) rowsGone(diff kernel.Difference) bool {
	was, ok := kernel.IsList(diff.Old)
	is, ok2 := kernel.IsList(diff.New)
	if !ok || !ok2 || len(is) >= len(was) {
		return false
	}
	if _, isAssertion := d.assertion(d.r.Old, diff.OldStatement); isAssertion {
		return false
	}
	unit := d.r.Old.UnitOf(diff.Old)
	var texts []string
	for _, k := range is {
		texts = append(texts, k.Normalized())
	}
	found := false
	for _, k := range was {
		if !slices.Contains(texts, k.Normalized()) {
			d.report(violation.ParamsDropped, unit, k, nil, "Case dropped from "+unitWords(unit))
			found = true
		}
	}
	return found
}

// assertion is what a statement asserts.
func (d *describer) assertion(t *kernel.Tree, n *kernel.Node) (kernel.Assertion, bool) {
	if n == nil || t.UnitOf(n).Node == n {
		return kernel.Assertion{}, false
	}
	return t.AssertionOf(n)
}

// swallowed reports whether a statement stands in something now that catches its failure.
func (d *describer) swallowed(old, now *kernel.Node) bool {
	if old == nil || now == nil || old.Is("try_statement", "begin", "with_statement", "try_expression") {
		return false
	}
	return catches(now)
}

// catches reports whether a statement catches failures within it.
func catches(n *kernel.Node) bool {
	return n.Is("try_statement", "begin", "rescue_modifier") && n.Find(func(k *kernel.Node) bool {
		return k.Is("catch_clause", "except_clause", "rescue", "rescue_modifier")
	}) != nil ||
		n.Is("with_statement") && strings.Contains(n.Normalized(), "suppress")
}

// handlerOf is where a failure is caught.
func handlerOf(n *kernel.Node) *kernel.Node {
	return cmp.Or(n.Find(func(k *kernel.Node) bool { return k.Is("catch_clause", "except_clause", "rescue") }), n)
}

// assertionChanged tells how an assertion became another.
func (d *describer) assertionChanged(diff kernel.Difference, unit kernel.Unit, was kernel.Assertion) {
	old, now := diff.OldStatement, diff.NewStatement
	is, ok := d.assertion(d.r.New, now)
	switch {
	case !ok:
		d.report(violation.AssertionRemoved, unit, old, now, "Test assertion removed from "+unitWords(unit))
	case tautology(is):
		d.report(violation.Tautology, unit, old, now, "Assertion can't fail any more in "+unitWords(unit))
	case smaller(diff.Old, diff.New) && tolerating(diff.Old):
		d.report(violation.ToleranceWidened, unit, old, now, "Tolerance widened in "+unitWords(unit))
	case d.expectedOnly(diff, was, is):
		d.report(violation.ExpectedChanged, unit, orLine(diff.Old, old), orLine(diff.New, now),
			"Expected value changed in "+unitWords(unit))
	case d.demandsLess(diff, was, is):
		d.report(violation.AssertionWeakened, unit, orLine(diff.Old, old), orLine(diff.New, now),
			"Test assertion weakened in "+unitWords(unit))
	default:
		d.report(violation.TestModified, unit, orLine(diff.Old, old), orLine(diff.New, now),
			"Test assertion changed, and not proved to demand as much, in "+unitWords(unit))
	}
}

// tautology reports whether all that an assertion looks at is constant, or the same on both sides.
func tautology(a kernel.Assertion) bool {
	looked := slices.Clone(a.Values)
	if a.Object != nil && a.Entry != nil {
		if args := a.Object.Child("arguments"); args != nil {
			looked = append(args.Arguments(), looked...)
		}
	}
	switch {
	case len(looked) == 0:
		return false
	case len(looked) == 1:
		text := strings.ToLower(looked[0].Normalized())
		if kids := looked[0].Kids; isComparison(looked[0]) && len(kids) == 3 &&
			kids[0].Normalized() == kids[2].Normalized() {
			return kids[1].Text == "=="
		}
		matches := strings.HasPrefix(a.Node.Normalized(), "be") // what something else is held to
		return (text == "true" || text == "1" || text == "not false") && !matches
	}
	return a.Entry != nil && looked[0].Normalized() == looked[len(looked)-1].Normalized()
}

// expectedOnly reports whether two assertions differ in a constant that is expected and in nothing
// else.
func (d *describer) expectedOnly(diff kernel.Difference, was, is kernel.Assertion) bool {
	if was.Entry != nil && is.Entry != nil && was.Entry.Name != is.Entry.Name ||
		(was.Entry == nil) != (is.Entry == nil) {
		return false
	}
	return isConstant(diff.Old) && isConstant(diff.New)
}

// isConstant reports whether a node holds no name and no operator.
func isConstant(n *kernel.Node) bool {
	if n == nil || n.Is("identifier", "comparison_operator") {
		return false
	}
	return !n.Any(func(k *kernel.Node) bool {
		return k.Is(
			"identifier",
			"property_identifier",
			"field_identifier",
			"call",
			"call_expression",
			"method_invocation",
		) ||
			slices.Contains([]string{"==", "!=", "<", ">", "<=", ">=", "not", "in", "is", "&&", "||", "===", "!=="}, k.Text)
	})
}

// tolerating reports whether a value is that of an argument that names a tolerance.
func tolerating(n *kernel.Node) bool {
	if !n.Up.Is("keyword_argument", "pair", "argument") || len(n.Up.Kids) == 0 {
		return false
	}
	name := strings.Trim(n.Up.Kids[0].Normalized(), `:"'`)
	return name == "abs" || name == "rel" || toleranceName(n.Up.Kids[0])
}

// smaller reports whether both nodes are numbers.
func smaller(a, b *kernel.Node) bool {
	if a == nil || b == nil {
		return false
	}
	x, ok := new(big.Rat).SetString(a.Normalized())
	y, ok2 := new(big.Rat).SetString(b.Normalized())
	return ok && ok2 && x.Cmp(y) < 0
}

// toleranceName reports whether a statement names a tolerance, as tests call it.
func toleranceName(n *kernel.Node) bool { return tolerance.MatchString(n.Normalized()) }

var tolerance = lazyregexp.New(`(?i)tol|eps|delta|precision|margin`)
