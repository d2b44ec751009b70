package testdiff

import (
	"fmt"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/workflow"
)

// goneFrom are the approved units of one file that are not in its counterpart.
// It holds no more of the file than judging them needs.
type goneFrom struct {
	role  string
	was   *side
	names map[string]string // what the file's imports bind
	whole bool              // the file itself is gone
	units []absent
}

// absent is an approved unit without a counterpart in its own file.
type absent struct {
	unit *testmodel.Unit
	// otherwise is what is to be said if the unit is nowhere else either.
	otherwise []workflow.Violation
	harmless  string // why nothing is to be said, "" if something is
	at        int    // index of the arrival that it has become, -1 if there is none
}

// arrival is a unit of the head without a counterpart in its own file.
type arrival struct {
	side *side
	unit *testmodel.Unit
	// otherwise is what is to be said if no approved unit has become this one.
	otherwise []workflow.Violation
}

// slim is a side without the units that others do not refer to, so that many
// can be kept.
func (s *side) slim() *side {
	c := &side{path: s.path, file: testmodel.File{Path: s.file.Path, Imports: s.file.Imports}, first: s.at(1, "").Text}
	for _, u := range s.file.Units {
		switch u.Role {
		case testmodel.Setup:
			u.Body, u.Rows = nil, nil
			c.file.Units = append(c.file.Units, u)
		case testmodel.Suite, testmodel.Module:
			c.file.Units = append(c.file.Units, u)
		}
	}
	return c
}

// keep is a copy of a unit that does not hold on to its file.
func keep(u *testmodel.Unit) *testmodel.Unit {
	c := *u
	return &c
}

// leave notes the units of a file that have no counterpart.
func (c *comparison) leave(d *fileDiff, units []*testmodel.Unit, whole bool) {
	if len(units) == 0 {
		return
	}
	g := &goneFrom{role: d.role, was: d.was.slim(), names: d.imports, whole: whole}
	for _, u := range units {
		a := absent{unit: keep(u), at: -1}
		if u.Role == testmodel.Test {
			a.otherwise, a.harmless = d.goneTest(u)
		} else if !whole {
			a.otherwise = d.goneUnit(u)
		}
		g.units = append(g.units, a)
	}
	c.gone = append(c.gone, g)
}

// goneTest is what is to be said of a test that is nowhere any more.
func (d *fileDiff) goneTest(u *testmodel.Unit) (found []workflow.Violation, harmless string) {
	switch {
	case u.Uncollected != "":
		return nil, "did not run before"
	case d.covered(u):
		return nil, "is a case of another test now"
	}
	if twin := d.twin(u); twin != nil {
		return nil, "is a duplicate of test " + twin.Name
	}
	if s := d.nested(u); s != nil {
		return d.uncollected(u, s.Line, "no runner looks for it where it stands"), ""
	}
	return []workflow.Violation{violation.Removed(violation.TestDeleted, d.was.at(u.Line, u.Text), "Test deleted: "+lastPart(u.Name))}, ""
}

// goneUnit is what is to be said of a unit, other than a test, that is nowhere
// any more.
func (d *fileDiff) goneUnit(u *testmodel.Unit) []workflow.Violation {
	name := lastName(plainName(u.Name))
	removed := func(kind violation.Kind, line int, text, description string) workflow.Violation {
		return violation.Removed(kind, d.was.at(line, text), description)
	}
	switch u.Role {
	case testmodel.Helper:
		if d.role == roleTest && !d.usedInHead(name) && !asserts(u.Body) && !d.uses(name) {
			return nil
		}
		return []workflow.Violation{removed(violation.HelperChanged, u.Line, u.Text, "Helper removed: "+name)}
	case testmodel.Setup:
		return []workflow.Violation{removed(violation.FixtureChanged, u.Line, u.Text, "Set-up removed: "+u.Text)}
	case testmodel.Suite:
		var out []workflow.Violation
		for i := range u.Body {
			s := &u.Body[i]
			if s.Kind != testmodel.Assigns || len(s.Binds) > 0 && d.usedInHead(lastName(s.Binds[0])) {
				out = append(out, removed(violation.TestModified, s.Line, s.Text, "Statement removed from a suite: "+s.Text))
			}
		}
		return out
	default:
		return nil
	}
}

// covered reports whether a test is one case of a parametrised test of the
// head's file.
func (d *fileDiff) covered(was *testmodel.Unit) bool {
	for i := range d.is.file.Units {
		if covers(&d.is.file.Units[i], was) {
			return true
		}
	}
	return false
}

// nested is the statement that defines what was a test, where a runner does not
// look for it; nil if there is none.
func (d *fileDiff) nested(was *testmodel.Unit) *testmodel.Stmt {
	name := lastPart(plainName(was.Name))
	for i := range d.is.file.Units {
		items := flatten(d.is.file.Units[i].Body)
		for k := range items {
			if items[k].Kind == testmodel.Defines && len(items[k].Binds) == 1 && items[k].Binds[0] == name {
				return items[k].Stmt
			}
		}
	}
	return nil
}

// uncollected is what is to be said of a test that no runner finds any more:
// where it was, and the line of the head that is the cause.
func (d *fileDiff) uncollected(was *testmodel.Unit, line int, why string) []workflow.Violation {
	description := fmt.Sprintf("Test %s no longer runs: %s", lastPart(was.Name), why)
	at := d.was.at(was.Line, was.Text)
	return []workflow.Violation{
		violation.Removed(violation.TestUncollected, at, description),
		violation.Changed(violation.TestUncollected, at, d.is.at(line, ""), description),
	}
}
