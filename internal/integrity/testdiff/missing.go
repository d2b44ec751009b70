package testdiff

import (
	"bytes"
	"context"
	"fmt"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/integrity/violation"
)

// absent is an approved unit without a counterpart in its own file.
type absent struct {
	d    *fileDiff
	unit *testmodel.Unit
}

// arrival is a unit of the head without a counterpart in its own file.
type arrival struct {
	side *side
	unit *testmodel.Unit
	d    *fileDiff // of its file, nil for a candidate
}

// goneFile notes the units of a file that is gone.
func (c *comparison) goneFile(p Pair, was *side) {
	d := c.newFileDiff(p.Role, was, &side{path: p.Path})
	for i := range was.file.Units {
		c.gone = append(c.gone, absent{d, &was.file.Units[i]})
	}
}

// missing looks for approved units that are gone from their files in the rest
// of the head, and judges those that are nowhere.
func (c *comparison) missing(ctx context.Context) {
	if len(c.gone) == 0 {
		return
	}
	c.readCandidates(ctx)
	byName := map[string][]int{}
	byBody := map[string][]int{}
	for k, a := range c.came {
		byName[lastPart(plainName(a.unit.Name))] = append(byName[lastPart(plainName(a.unit.Name))], k)
		byBody[bodyKey(a.unit)] = append(byBody[bodyKey(a.unit)], k)
	}
	taken := make([]bool, len(c.came))
	files := map[*fileDiff]*fate{}
	for _, g := range c.gone {
		f := files[g.d]
		if f == nil {
			f = &fate{}
			files[g.d] = f
		}
		k := c.find(g, taken, byBody[bodyKey(g.unit)], byName[lastPart(plainName(g.unit.Name))])
		if k >= 0 {
			taken[k] = true
		}
		f.units = append(f.units, fateOf{g.unit, k})
	}
	done := map[*fileDiff]bool{}
	for _, g := range c.gone {
		if !done[g.d] {
			done[g.d] = true
			c.judgeFate(g.d, files[g.d])
		}
	}
}

// fate is what became of a file's missing units.
type fate struct{ units []fateOf }

type fateOf struct {
	unit *testmodel.Unit
	at   int // index of the arrival, -1 if there is none
}

// readCandidates adds the units of the candidates to the arrivals.
func (c *comparison) readCandidates(ctx context.Context) {
	for _, s := range c.in.Candidates {
		if ctx.Err() != nil {
			return
		}
		if IsData(s.Path) != "" {
			continue
		}
		m, why := model(ctx, s.Path, s.Source)
		if why != "" {
			continue
		}
		m.lines = nil // the units know their own lines
		for i := range m.file.Units {
			c.came = append(c.came, arrival{side: m, unit: &m.file.Units[i]})
		}
	}
}

// find is the arrival that a missing unit has become, -1 if there is none.
func (c *comparison) find(g absent, taken []bool, byBody, byName []int) int {
	best := -1
	better := func(k int) bool {
		return best < 0 || c.in.Collected(c.came[k].side.path) && !c.in.Collected(c.came[best].side.path)
	}
	if len(g.unit.Body) > 0 {
		for _, k := range byBody {
			if !taken[k] && compatible(g.unit.Role, c.came[k].unit.Role) && better(k) {
				best = k
			}
		}
	}
	if best >= 0 {
		return best
	}
	own := profile(g.unit)
	for _, k := range byName {
		if !taken[k] && compatible(g.unit.Role, c.came[k].unit.Role) && better(k) && similarity(own, profile(c.came[k].unit)) >= 0.4 {
			best = k
		}
	}
	return best
}

// judgeFate judges the missing units of one file.
func (c *comparison) judgeFate(d *fileDiff, f *fate) {
	wholeFile := d.is.lines == nil
	if wholeFile && c.allUncollected(d, f) {
		return
	}
	tests := 0
	for _, u := range f.units {
		if u.at < 0 && u.unit.Role == testmodel.Test {
			tests++
		}
	}
	switch {
	case wholeFile && tests > 0:
		c.add(violation.Removed(violation.TestDeleted, d.was.at(1, ""), fmt.Sprintf("Approved test file deleted with %d tests", tests)))
	case wholeFile && lost(f):
		c.add(violation.Removed(violation.HelperChanged, d.was.at(1, ""), "Approved file deleted"))
	}
	for _, u := range f.units {
		switch {
		case u.at >= 0:
			c.arrived(d, u.unit, c.came[u.at])
		case u.unit.Role == testmodel.Test && d.covered(u.unit):
			c.harmless(d.was.path, "%s is a case of another test now", describeUnit(u.unit))
		case u.unit.Role == testmodel.Test && u.unit.Uncollected == "":
			if s := d.nested(u.unit); s != nil {
				d.uncollected(u.unit, s.Line, "no runner looks for it where it stands")
				continue
			}
			c.add(violation.Removed(violation.TestDeleted, d.was.at(u.unit.Line, u.unit.Text), "Test deleted: "+lastPart(u.unit.Name)))
		case !wholeFile:
			d.goneUnit(u.unit)
		}
	}
}

// lost reports whether units that do something are nowhere.
func lost(f *fate) bool {
	for _, u := range f.units {
		if u.at < 0 && (u.unit.Role != testmodel.Module || len(u.unit.Body) > 0) {
			return true
		}
	}
	return false
}

// allUncollected judges a file whose tests all went to where no runner looks.
func (c *comparison) allUncollected(d *fileDiff, f *fate) bool {
	to := ""
	for _, u := range f.units {
		if u.unit.Role != testmodel.Test {
			continue
		}
		if u.at < 0 || c.in.Collected(c.came[u.at].side.path) {
			return false
		}
		to = c.came[u.at].side.path
	}
	if to == "" {
		return false
	}
	c.add(violation.Removed(violation.TestUncollected, d.was.at(1, ""), "Tests no longer run: they were moved to "+to+", where no runner finds them"))
	return true
}

// arrived judges a unit that stands in another file.
func (c *comparison) arrived(d *fileDiff, was *testmodel.Unit, a arrival) {
	if was.Role == testmodel.Module || was.Role == testmodel.Suite {
		return
	}
	if was.Role == testmodel.Test && !c.in.Collected(a.side.path) {
		c.add(violation.Removed(violation.TestUncollected, d.was.at(was.Line, was.Text),
			fmt.Sprintf("Test %s no longer runs: it was moved to %s, where no runner finds it", lastPart(was.Name), a.side.path)))
		return
	}
	there := c.newFileDiff(d.role, d.was, a.side)
	there.compare(was, a.unit)
	there.imported(was)
	c.harmless(d.was.path, "%s moved to %s", describeUnit(was), a.side.path)
}

// imported judges what the names that a moved unit uses stand for where it is
// now.
func (d *fileDiff) imported(was *testmodel.Unit) {
	names := namesOf(was)
	for _, i := range d.is.file.Imports {
		if source, ok := d.imports[i.Local]; ok && names[i.Local] && !d.sameSource(source, i.Source) {
			d.rebound(testmodel.Import{Local: i.Local, Source: source, Line: was.Line, Text: was.Text}, i)
		}
	}
}

// goneUnit judges a unit, other than a test, that is nowhere any more.
func (d *fileDiff) goneUnit(u *testmodel.Unit) {
	name := lastName(plainName(u.Name))
	switch u.Role {
	case testmodel.Helper:
		if d.role == roleTest && !d.usedInHead(name) && len(u.Params) == 0 && !asserts(u.Body) && !d.uses(name) {
			return
		}
		d.c.add(violation.Removed(violation.HelperChanged, d.was.at(u.Line, u.Text), "Helper removed: "+name))
	case testmodel.Setup:
		d.c.add(violation.Removed(violation.FixtureChanged, d.was.at(u.Line, u.Text), "Set-up removed: "+u.Text))
	case testmodel.Suite:
		for i := range u.Body {
			if u.Body[i].Kind != testmodel.Assigns || d.usedInHead(lastName(firstOf(u.Body[i].Binds))) {
				d.c.add(violation.Removed(violation.TestModified, d.was.at(u.Body[i].Line, u.Body[i].Text), "Statement removed from a suite: "+u.Body[i].Text))
			}
		}
	}
}

func firstOf(s []string) string {
	if len(s) == 0 {
		return ""
	}
	return s[0]
}

// focusWords are how a test is focused, as far as the bytes tell.
var focusWords = [][]byte{[]byte(".only"), []byte("fit("), []byte("fit \""), []byte("fit '"), []byte("fdescribe"), []byte("fcontext"), []byte("focus")}

// focused finds new test files that keep approved tests from running by
// focusing their own.
func (c *comparison) focused(ctx context.Context) {
	for _, s := range c.in.Candidates {
		word := false
		for _, w := range focusWords {
			word = word || bytes.Contains(s.Source, w)
		}
		if !word || IsData(s.Path) != "" {
			continue
		}
		m, why := model(ctx, s.Path, s.Source)
		if why != "" {
			continue
		}
		for _, u := range m.file.Units {
			for _, mark := range u.Marks {
				if mark.Effect == testmodel.Focuses {
					c.add(violation.Added(violation.TestFocused, m.at(mark.Line, mark.Text), "Test focused in a new file, so that approved ones may not run: "+mark.Text))
				}
			}
		}
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
