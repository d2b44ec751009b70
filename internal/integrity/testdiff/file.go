package testdiff

import (
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/integrity/violation"
)

// fileDiff is the comparison of two versions of one file.
type fileDiff struct {
	c       *comparison
	role    string // of the file in the approval
	was, is *side
	imports map[string]string // what the approved file's imports bind, to what
	used    map[string]bool   // names that the approved file's units use
	renamed []rename          // of imports, helpers and fixtures
	pairs   []unitPair
	fresh   map[string]*testmodel.Unit // see extracted
}

type unitPair struct{ was, is *testmodel.Unit }

func (c *comparison) newFileDiff(role string, was, is *side) *fileDiff {
	d := &fileDiff{c: c, role: role, was: was, is: is, imports: map[string]string{}}
	for _, i := range was.file.Imports {
		if _, ok := d.imports[i.Local]; !ok {
			d.imports[i.Local] = i.Source
		}
	}
	return d
}

// models compares two models of a file.
func (c *comparison) models(p Pair, was, is *side) {
	d := c.newFileDiff(p.Role, was, is)
	d.pairs = matchUnits(was.file.Units, is.file.Units)
	equal := equalImports(was.file.Imports, is.file.Imports)
	for _, pair := range d.pairs {
		equal = equal && pair.was != nil && pair.is != nil && pair.was.Name == pair.is.Name && equalUnits(pair.was, pair.is)
	}
	if equal {
		c.harmless(p.Path, "only layout, comments or annotations differ")
		return
	}
	d.compareImports()
	d.renames()
	var gone []*testmodel.Unit
	var slim *side
	for _, pair := range d.pairs {
		switch {
		case pair.is == nil:
			gone = append(gone, pair.was)
		case pair.was == nil:
			if slim == nil {
				slim = d.is.slim()
			}
			c.came = append(c.came, arrival{slim, keep(pair.is), d.overrides(pair.is)})
			d.added(pair.is)
		default:
			d.compare(pair.was, pair.is)
		}
	}
	c.leave(d, gone, false)
}

// compare compares two versions of a unit.
func (d *fileDiff) compare(was, is *testmodel.Unit) {
	if len(d.renamed) > 0 {
		was = renameUnit(was, d.renamed)
	}
	if was.Role == testmodel.Test && is.Role != testmodel.Test {
		d.c.addAll(d.uncollected(was, is.Line, "no runner takes "+lastPart(is.Name)+" for one"))
		return
	}
	if was.Name != is.Name {
		d.moved(is)
	}
	if equalUnits(was, is) {
		return
	}
	if covers(is, was) {
		d.c.harmless(d.was.path, "%s is a case of %s now", describeUnit(was), is.Name)
		return
	}
	if was.Uncollected == "" && is.Uncollected != "" && was.Role == testmodel.Test {
		d.c.addAll(d.uncollected(was, d.uncollectedLine(is), is.Uncollected))
		return
	}
	before := len(d.c.out.Violations)
	u := newUnitDiff(d, was, is)
	u.marks()
	u.unitRows()
	u.params()
	u.body()
	if len(d.c.out.Violations) == before {
		d.c.harmless(d.was.path, "%s differs without demanding less", describeUnit(was))
	}
}

// uncollectedLine is where a test is taken out of collection: the definition
// that replaces it, or the head of its suite if that changed its name.
func (d *fileDiff) uncollectedLine(is *testmodel.Unit) int {
	if strings.Contains(is.Uncollected, "replaces") {
		for i := range d.is.file.Units {
			u := &d.is.file.Units[i]
			if plainName(u.Name) == plainName(is.Name) && u.Line > is.Line {
				return u.Line
			}
		}
	}
	if suite, ok := suiteOf(is.Name); ok {
		if strings.Contains(is.Uncollected, "constructor") {
			for _, name := range []string{"__init__", "__new__"} {
				if c := unitNamed(d.is.file.Units, suite+" › "+name); c != nil {
					return c.Line
				}
			}
		}
		if s := unitNamed(d.is.file.Units, suite); s != nil && unitNamed(d.was.file.Units, suite) == nil {
			return s.Line
		}
	}
	return is.Line
}

// report adds a finding about a unit, of the kind that fits the unit's role.
func (d *fileDiff) report(kind violation.Kind, unit *testmodel.Unit, was, is violation.Place, description string) {
	kind = d.kindFor(kind, unit)
	switch {
	case is.Line == 0:
		d.c.add(violation.Removed(kind, was, description))
	case was.Line == 0:
		d.c.add(violation.Added(kind, is, description))
	default:
		d.c.add(violation.Changed(kind, was, is, description))
	}
}

// kindFor is what a finding is called in a unit that is no test.
func (d *fileDiff) kindFor(kind violation.Kind, unit *testmodel.Unit) violation.Kind {
	switch unit.Role {
	case testmodel.Helper:
		if d.supplies(unit) {
			return kind
		}
		switch kind {
		case violation.AssertionRemoved, violation.AssertionWeakened, violation.ToleranceWidened, violation.Tautology, violation.ExceptionSwallowed:
			return violation.HelperWeakened
		case violation.EarlyReturn:
			if asserts(unit.Body) {
				return violation.HelperWeakened
			}
			return violation.HelperChanged
		case violation.TestModified, violation.ExpectedChanged, violation.ParamsDropped, violation.FixtureChanged:
			return violation.HelperChanged
		}
	case testmodel.Setup:
		switch kind {
		case violation.TestModified, violation.ExpectedChanged, violation.ParamsDropped, violation.EarlyReturn, violation.HelperChanged:
			return violation.FixtureChanged
		case violation.AssertionRemoved, violation.AssertionWeakened, violation.ToleranceWidened, violation.Tautology:
			return violation.HelperWeakened
		}
	case testmodel.Module, testmodel.Suite:
		if d.role != roleTest && (kind == violation.TestModified || kind == violation.ExpectedChanged || kind == violation.ParamsDropped) {
			return violation.FixtureChanged
		}
	}
	return kind
}

// asserts reports whether there is an assertion among statements.
func asserts(body []testmodel.Stmt) bool {
	for i := range body {
		if body[i].Assert != nil || asserts(body[i].Body) {
			return true
		}
	}
	return false
}

func describeUnit(u *testmodel.Unit) string {
	switch u.Role {
	case testmodel.Test:
		return "test " + u.Name
	case testmodel.Module:
		return "code outside of tests"
	default:
		return string(u.Role) + " " + u.Name
	}
}

// lastPart is a unit's own name without those of the suites around it.
func lastPart(name string) string {
	if i := strings.LastIndex(name, " › "); i >= 0 {
		return name[i+len(" › "):]
	}
	return name
}

// plainName is a unit's name without the number that makes it unique.
func plainName(name string) string {
	if i := strings.LastIndex(name, " #"); i > 0 && strings.Trim(name[i+2:], "0123456789") == "" {
		return name[:i]
	}
	return name
}

// suiteOf is the name of the innermost suite around a unit.
func suiteOf(name string) (string, bool) {
	if i := strings.LastIndex(name, " › "); i >= 0 {
		return name[:i], true
	}
	return "", false
}

func unitNamed(units []testmodel.Unit, name string) *testmodel.Unit {
	for i := range units {
		if units[i].Name == name && units[i].Role != testmodel.Module {
			return &units[i]
		}
	}
	return nil
}
