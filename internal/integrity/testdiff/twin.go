package testdiff

import (
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
)

// twin is another approved test that demands exactly what a test did, under the
// same hooks, and is still there; nil if there is none.
func (d *fileDiff) twin(was *testmodel.Unit) *testmodel.Unit {
	for _, p := range d.pairs {
		if p.was != nil && p.is != nil && p.was != was && p.was.Role == testmodel.Test && p.is.Role == testmodel.Test &&
			len(was.Body) > 0 && p.was.Uncollected == "" && equalUnits(p.was, was) && equalUnits(p.was, p.is) &&
			d.sameSurroundings(p.was.Name, was.Name) {
			return p.was
		}
	}
	return nil
}

// sameSurroundings reports whether the suites around two approved tests give
// both the same: no hook, helper, name or mark belongs to one of them alone.
func (d *fileDiff) sameSurroundings(a, b string) bool {
	for i := range d.was.file.Units {
		u := &d.was.file.Units[i]
		suite, ok := u.Name, u.Role == testmodel.Suite && len(u.Body)+len(u.Marks)+len(u.Rows)+len(u.Params) > 0
		if u.Role == testmodel.Setup || u.Role == testmodel.Helper {
			suite, ok = suiteOf(u.Name)
		}
		if ok && belongs(a, suite) != belongs(b, suite) {
			return false
		}
	}
	return true
}

func belongs(name, suite string) bool { return strings.HasPrefix(name, suite+" › ") }
