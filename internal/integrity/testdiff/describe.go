package testdiff

import (
	"cmp"
	"fmt"
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
	v.Text = fmt.Sprintf(sentences[violation.AssertionRemoved].says, unitWords(f.Unit))
	return v
}

// sentence is how a kind is told of a unit, and what it is called in a helper and in a fixture,
// where it is called otherwise there.
type sentence struct {
	says              string
	inHelper, inSetup violation.Kind
}

var sentences = func() map[violation.Kind]sentence {
	weaker := func(says string) sentence {
		return sentence{says, violation.HelperWeakened, violation.HelperWeakened}
	}
	other := func(says string) sentence {
		return sentence{says, violation.HelperChanged, violation.FixtureChanged}
	}
	return map[violation.Kind]sentence{
		violation.AssertionRemoved:   weaker("Test assertion removed from %s"),
		violation.AssertionWeakened:  weaker("Test assertion weakened in %s"),
		violation.ToleranceWidened:   weaker("Tolerance widened in %s"),
		violation.Tautology:          weaker("Assertion can't fail any more in %s"),
		violation.ExceptionSwallowed: weaker("A failure is swallowed in %s"),
		violation.EarlyReturn:        weaker("Early return added to %s"),
		violation.TestDeleted:        {says: "Deleted: %s"},
		violation.TestUncollected:    {says: "Test no longer runs as approved: %s"},
		violation.TestSkipped:        {says: "Test skipped or expected to fail: %s"},
		violation.TestFocused:        {says: "Test focused, so that others do not run: %s"},
		violation.RetriesAdded:       {says: "A failing test is retried until it passes: %s"},
		violation.MockOfSUT:          {says: "Something is replaced while the tests run: %s"},
		violation.ConftestHook:       {says: "A hook of the runner was added: %s"},
		violation.ParamsDropped:      other("Case dropped from %s"),
		violation.ExpectedChanged:    other("Expected value changed in %s"),
		violation.TestModified:       other("Approved code changed in %s"),
		violation.FixtureChanged:     other("What the runner calls around tests changed: %s"),
		violation.HelperChanged:      other("Removed: %s"),
	}
}()

// newDescriber prepares telling the differences of a file. Either version may be nil.
func newDescriber(p Pair, r kernel.Result) *describer {
	return &describer{
		p:    p,
		r:    r,
		was:  linesOf(p.Before),
		is:   linesOf(p.After),
		said: map[*kernel.Node]bool{},
	}
}

// report adds a finding about a unit, of the kind that fits it.
func (d *describer) report(kind violation.Kind, unit kernel.Unit, old, now *kernel.Node) {
	told := sentences[kind]
	outside := unit.Role == kernel.Module || unit.Role == kernel.Suite
	switch {
	case unit.Role == kernel.Helper:
		kind = cmp.Or(told.inHelper, kind)
	case unit.Role == kernel.Setup,
		outside && d.p.Role != approval.Test && told.inSetup == violation.FixtureChanged:
		kind = cmp.Or(told.inSetup, kind)
	}
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
	text := fmt.Sprintf(told.says, unitWords(unit))
	switch {
	case told != sentences[violation.TestModified]:
	case old == nil:
		text = "Added to " + unitWords(unit) + ", and not proved harmless"
	case now == nil:
		text = "Approved code removed from " + unitWords(unit)
	}
	d.out = append(d.out, Described{violation.Between(kind, was, is, text), unit, old, now})
}

// unequal finds the first lines of two nodes that differ. Where none does, they differ in what
// stands around them, and are shown in their normal form.
func (d *describer) unequal(old, now *kernel.Node) (was, is violation.Place) {
	for i := 0; old.Line+i <= len(d.was) || now.Line+i <= len(d.is); i++ {
		was, is = d.was.place(d.p.Path, old.Line+i), d.is.place(d.p.AfterPath, now.Line+i)
		if was.Text != is.Text {
			return was, is
		}
	}
	was, is = d.was.place(d.p.Path, old.Line), d.is.place(d.p.AfterPath, now.Line)
	was.Text, is.Text = oneLine(old.Normalized()), oneLine(now.Normalized())
	return was, is
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
