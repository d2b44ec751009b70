package testdiff

import (
	"context"
	"fmt"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/integrity/violation"
)

// missing looks for approved units that are gone from their files in the rest
// of the head, and judges those that are nowhere.
func (c *comparison) missing(ctx context.Context) {
	if len(c.gone) > 0 {
		c.readCandidates(ctx)
	}
	byName, byBody := map[string][]int{}, map[string][]int{}
	for k, a := range c.came {
		name, body := lastPart(plainName(a.unit.Name)), bodyKey(a.unit)
		byName[name] = append(byName[name], k)
		byBody[body] = append(byBody[body], k)
	}
	taken := make([]bool, len(c.came))
	for _, g := range c.gone {
		for i := range g.units {
			u := &g.units[i]
			u.at = c.find(u.unit, taken, byBody[bodyKey(u.unit)], byName[lastPart(plainName(u.unit.Name))])
			if u.at >= 0 {
				taken[u.at] = true
			}
		}
	}
	for _, g := range c.gone {
		c.judgeGone(g)
	}
	for k, a := range c.came {
		if !taken[k] {
			c.addAll(a.otherwise)
		}
	}
}

// readCandidates adds the units of the candidates to the arrivals.
func (c *comparison) readCandidates(ctx context.Context) {
	for _, s := range c.in.Candidates {
		if ctx.Err() != nil || IsData(s.Path) != "" {
			continue
		}
		m, why := model(ctx, s.Path, s.Source)
		if why != "" {
			continue
		}
		slim := m.slim()
		for i := range m.file.Units {
			c.came = append(c.came, arrival{side: slim, unit: keep(&m.file.Units[i])})
		}
	}
}

// find is the arrival that a missing unit has become, -1 if there is none:
// where a runner looks, if there is a choice.
func (c *comparison) find(was *testmodel.Unit, taken []bool, byBody, byName []int) int {
	best := -1
	fits := func(k int) bool {
		return !taken[k] && compatible(was.Role, c.came[k].unit.Role) &&
			(best < 0 || c.in.Collected(c.came[k].side.path) && !c.in.Collected(c.came[best].side.path))
	}
	if len(was.Body) > 0 {
		for _, k := range byBody {
			if fits(k) {
				best = k
			}
		}
	}
	if best >= 0 {
		return best
	}
	own := profile(was)
	for _, k := range byName {
		if fits(k) && similarity(own, profile(c.came[k].unit)) >= 0.4 {
			best = k
		}
	}
	return best
}

// judgeGone judges the missing units of one file.
func (c *comparison) judgeGone(g *goneFrom) {
	if g.whole && c.allUncollected(g) {
		return
	}
	tests, others := 0, 0
	for _, u := range g.units {
		switch {
		case u.at >= 0:
		case u.unit.Role == testmodel.Test:
			tests++
		case u.unit.Role != testmodel.Module || len(u.unit.Body) > 0:
			others++
		}
	}
	switch {
	case g.whole && tests > 0:
		c.add(violation.Removed(violation.TestDeleted, g.was.at(1, ""), fmt.Sprintf("Approved test file deleted, with tests in it: %d", tests)))
	case g.whole && others > 0 && g.role != roleTest:
		c.add(violation.Removed(violation.HelperChanged, g.was.at(1, ""), "Approved file deleted"))
	}
	for _, u := range g.units {
		switch {
		case u.at >= 0:
			c.arrived(g, u.unit, c.came[u.at])
		case u.harmless != "":
			c.harmless(g.was.path, "%s %s", describeUnit(u.unit), u.harmless)
		default:
			for _, v := range u.otherwise {
				c.add(v)
			}
		}
	}
}

// allUncollected judges a file whose tests all went to where no runner looks.
func (c *comparison) allUncollected(g *goneFrom) bool {
	to := ""
	for _, u := range g.units {
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
	c.add(violation.Removed(violation.TestUncollected, g.was.at(1, ""), "Tests no longer run: they were moved to "+to+", where no runner finds them"))
	return true
}

// arrived judges a unit that stands in another file.
func (c *comparison) arrived(g *goneFrom, was *testmodel.Unit, a arrival) {
	if was.Role == testmodel.Module || was.Role == testmodel.Suite {
		return
	}
	if was.Role == testmodel.Test && !c.in.Collected(a.side.path) {
		c.add(violation.Removed(violation.TestUncollected, g.was.at(was.Line, was.Text),
			fmt.Sprintf("Test %s no longer runs: it was moved to %s, where no runner finds it", lastPart(was.Name), a.side.path)))
		return
	}
	d := c.newFileDiff(g.role, g.was, a.side)
	d.used = namesOf(was)
	d.compare(was, a.unit)
	d.imported(was)
	d.moduleMarks()
	c.harmless(g.was.path, "%s moved to %s", describeUnit(was), a.side.path)
}

// imported judges what the names that a moved unit uses stand for where it is
// now.
func (d *fileDiff) imported(was *testmodel.Unit) {
	for _, i := range d.is.file.Imports {
		if source, ok := d.imports[i.Local]; ok && d.used[i.Local] && !d.sameSource(source, i.Source) {
			d.rebound(testmodel.Import{Local: i.Local, Source: source, Line: was.Line, Text: was.Text}, i)
		}
	}
}

// moduleMarks judges what a new file does to all tests in it.
func (d *fileDiff) moduleMarks() {
	for i := range d.is.file.Units {
		u := &d.is.file.Units[i]
		if u.Role != testmodel.Module {
			continue
		}
		was := &testmodel.Unit{Role: testmodel.Module}
		for k := range d.was.file.Units {
			if d.was.file.Units[k].Role == testmodel.Module {
				was = &d.was.file.Units[k]
			}
		}
		newUnitDiff(d, was, u).marks()
	}
}
