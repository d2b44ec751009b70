package testdiff

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/kernel"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/workflow"
)

// describer puts differences into words. That something differs is settled: it
// only says of what kind the difference looks, and where.
type describer struct {
	p       Pair
	r       kernel.Result
	was, is lines
	out     []Described
	said    map[*kernel.Node]bool // statements that a finding tells already
}

// Described is one thing that a change does to tests.
type Described struct {
	workflow.Finding
	Unit     kernel.Unit  // that it is about, on the side where it is found
	Old, New *kernel.Node // nil: there is nothing on that side
}

// AssertionRemoved tells a removed statement as an assertion.
func AssertionRemoved(f Described) workflow.Finding {
	v := f.Finding
	v.Kind, v.Category = string(violation.AssertionRemoved), violation.Weakening
	v.Text = "Test assertion removed from " + unitWords(f.Unit)
	return v
}

// Describe puts the differences of two versions of a file into words. It finds a word for each; it
// cannot find that one is none.
func Describe(p Pair, r kernel.Result) []Described {
	d := newDescriber(p, r)
	for _, diff := range r.Differences {
		d.difference(diff)
	}
	return d.out
}

func newDescriber(p Pair, r kernel.Result) *describer {
	return &describer{p: p, r: r, was: linesOf(p.Before), is: linesOf(p.After), said: map[*kernel.Node]bool{}}
}

// acting tells of an addition that acts on others, by what it does where there is a kind for that.
func (d *describer) acting(g kernel.Gain) workflow.Finding {
	d.out = nil
	d.added(g.Node)
	named := []violation.Kind{violation.RetriesAdded, violation.TestFocused, violation.TestSkipped, violation.TestUncollected}
	if len(d.out) == 1 && slices.Contains(named, violation.Kind(d.out[0].Kind)) {
		return d.out[0].Finding
	}
	return violation.Added(violation.ActsOnOthers, d.is.place(d.p.AfterPath, g.Node.Line),
		"Added "+g.What+" acts on others: it "+g.Acts)
}

// difference tells one difference.
func (d *describer) difference(diff kernel.Difference) {
	old, now := diff.OldStatement, diff.NewStatement
	if d.said[old] && old != nil || d.said[now] && now != nil {
		return
	}
	switch {
	case diff.New == nil:
		d.removed(diff.Old)
	case diff.Old == nil:
		d.added(diff.New)
	default:
		d.changed(diff)
	}
}

// report adds a finding about a unit, of the kind that fits it.
func (d *describer) report(kind violation.Kind, unit kernel.Unit, old, now *kernel.Node, description string) {
	kind = d.kindFor(kind, unit)
	var was, is violation.Place
	if old != nil {
		was = d.was.place(d.p.Path, old.Line)
		d.said[old] = true
	}
	if now != nil {
		is = d.is.place(d.p.AfterPath, now.Line)
		d.said[now] = true
	}
	if old != nil && now != nil && was.Text == is.Text {
		was, is = d.unequal(old, now)
	}
	d.out = append(d.out, Described{violation.Between(kind, was, is, description), unit, old, now})
}

// unequal finds the first lines of two nodes that differ, so that evidence is never two equal
// lines.
func (d *describer) unequal(old, now *kernel.Node) (was, is violation.Place) {
	for i := 0; ; i++ {
		a, b := old.Line+i, now.Line+i
		was, is = d.was.place(d.p.Path, a), d.is.place(d.p.AfterPath, b)
		if was.Text == is.Text { // perhaps they are indented otherwise
			was.Text, is.Text = d.was.indented(a), d.is.indented(b)
		}
		if was.Text != is.Text || a > len(d.was) && b > len(d.is) {
			break
		}
	}
	if was.Text == is.Text { // they differ in what stands around them
		was, is = d.was.place(d.p.Path, old.Line), d.is.place(d.p.AfterPath, now.Line)
		was.Text, is.Text = oneLine(old.Normalized()), oneLine(now.Normalized())
	}
	return was, is
}

// kindFor is what a finding is called in a unit that is no test.
func (d *describer) kindFor(kind violation.Kind, unit kernel.Unit) violation.Kind {
	weakened := []violation.Kind{
		violation.AssertionRemoved, violation.AssertionWeakened, violation.ToleranceWidened, violation.Tautology,
		violation.ExceptionSwallowed,
	}
	modified := []violation.Kind{
		violation.TestModified, violation.ExpectedChanged, violation.ParamsDropped, violation.FixtureChanged, violation.HelperChanged,
		violation.EarlyReturn,
	}
	switch {
	case unit.Role == kernel.Helper && slices.Contains(weakened, kind),
		unit.Role == kernel.Helper && kind == violation.EarlyReturn && asserts(d.r.Old, unit.Node):
		return violation.HelperWeakened
	case unit.Role == kernel.Helper && slices.Contains(modified, kind):
		return violation.HelperChanged
	case unit.Role == kernel.Setup && slices.Contains(weakened, kind):
		return violation.HelperWeakened
	case unit.Role == kernel.Setup && slices.Contains(modified, kind):
		return violation.FixtureChanged
	case (unit.Role == kernel.Module || unit.Role == kernel.Suite) && d.p.Role != approval.Test && slices.Contains(modified, kind):
		return violation.FixtureChanged
	}
	return kind
}

// asserts reports whether something in a node is an assertion.
func asserts(t *kernel.Tree, n *kernel.Node) bool {
	return n.Any(func(k *kernel.Node) bool {
		_, ok := t.AssertionOf(k)
		return ok
	})
}

// unitWords names a test, suite or helper for people.
func unitWords(u kernel.Unit) string {
	name := strings.Trim(u.Name, `"'`+"`")
	switch {
	case u.Role == kernel.Module || name == "":
		return "code outside of tests"
	case u.Role == kernel.Setup:
		return "fixture " + name
	}
	return fmt.Sprintf("%s %s", u.Role, name)
}
