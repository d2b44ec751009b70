package testdiff

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/integrity/violation"
)

// removal judges an approved statement that is gone.
func (u *unitDiff) removal(i int) {
	s := &u.b[i]
	switch s.Kind {
	case testmodel.Asserts:
		u.removedAssert(i)
	case testmodel.Raises:
		u.removed(violation.AssertionRemoved, i, "Test assertion removed: "+s.Text)
	case testmodel.Assigns, testmodel.Defines:
		u.removedBinding(i)
	case testmodel.Plain:
		if len(s.Head) > 0 && !isReport(s.Head) {
			u.removed(violation.TestModified, i, "Statement removed from an approved test: "+s.Text)
		}
	case testmodel.Mocks:
		u.removed(violation.TestModified, i, "Replacement removed from an approved test: "+s.Text)
	case testmodel.Loop:
		u.removedLoop(i)
	case testmodel.With:
		if !s.Swallows && !neutralContext(s.Head) {
			u.removed(violation.TestModified, i, "Context removed from an approved test: "+s.Text)
		}
	case testmodel.Returns, testmodel.Jumps:
		if u.was.Role != testmodel.Test {
			u.removed(violation.TestModified, i, "Statement removed: "+s.Text)
		}
	}
}

func (u *unitDiff) removedAssert(i int) {
	a := u.b[i].Assert
	if a.Lost || a.Relation == testmodel.Always || u.impliedElsewhere(i) || u.splitOff(i) {
		return
	}
	for k := range u.b { // another part of the same statement is still there
		if j := u.toA[k]; k != i && j >= 0 && u.b[k].Assert != nil && u.b[k].Line == u.b[i].Line && u.b[k].parent == u.b[i].parent {
			u.changed(violation.AssertionWeakened, i, j, "Test assertion weakened: "+phrase(a)+" is gone from it")
			return
		}
	}
	u.removed(violation.AssertionRemoved, i, "Test assertion removed: "+phrase(a))
}

// impliedElsewhere reports whether some assertion of the head, under no other
// conditions, demands as much as approved assertion i.
func (u *unitDiff) impliedElsewhere(i int) bool {
	was := u.resolved(u.b[i].Assert, u.wasValue)
	if len(was.Subject) == 0 || len(u.b[i].Body) > 0 {
		return false
	}
	for j := range u.a {
		if u.a[j].Assert == nil || !u.sameGuards(i, j) {
			continue
		}
		w, x := oriented(was, u.resolved(u.a[j].Assert, u.isValue))
		if implies(x, w) {
			return true
		}
	}
	for _, l := range append(u.delegated(), u.unrolled()...) {
		w, x := oriented(was, l.assert)
		if implies(x, w) && u.sameGuards(i, l.loop) {
			return true
		}
	}
	return false
}

// sameGuards reports whether everything around statement j of the head stood
// around approved statement i too.
func (u *unitDiff) sameGuards(i, j int) bool {
	for p := u.a[j].parent; p >= 0; p = u.a[p].parent {
		k := u.toB[p]
		if k < 0 && !(u.a[p].Kind == testmodel.With && neutralContext(u.a[p].Head)) || k >= 0 && !inside(u.b, i, k) {
			return false
		}
	}
	return true
}

// removedBinding judges a name that is no longer bound.
func (u *unitDiff) removedBinding(i int) {
	s := &u.b[i]
	for _, b := range s.Binds {
		if v := u.fixtureValue(b); v != nil && equalTokens(v, rightSide(s.Stmt)) {
			return
		}
		if name := baseName(b); u.isNames[name] && name != "_" || b != baseName(b) || u.toplevel() && u.d.usedInHead(name) {
			u.removed(violation.TestModified, i, "Statement removed from an approved test: "+s.Text)
			return
		}
	}
	if s.Kind == testmodel.Defines || !slices.Contains(s.Head, "(") {
		return
	}
	if right := rightSide(s.Stmt); right != nil {
		for j := range u.a {
			if contains(tokensOf(u.inlinedStmt(u.a[j].Stmt)), right) {
				return // used where it is made
			}
		}
	}
	if u.doneElsewhere(i) {
		return
	}
	u.removed(violation.TestModified, i, "Statement removed from an approved test: "+s.Text)
}

// removedLoop judges a loop whose content, if it is still there, runs once.
func (u *unitDiff) removedLoop(i int) {
	for k := i + 1; k < len(u.b) && inside(u.b, k, i); k++ {
		if u.toA[k] < 0 {
			continue
		}
		for p := u.a[u.toA[k]].parent; p >= 0; p = u.a[p].parent {
			if u.a[p].Kind == testmodel.Loop && u.toB[p] < 0 {
				return // judged as another loop
			}
		}
		u.removed(violation.ParamsDropped, i, "The test no longer loops over its cases: "+u.b[i].Text)
		return
	}
	if len(u.b[i].Rows) > 0 && !asserts(u.b[i].Body) {
		u.removed(violation.TestModified, i, "Loop removed from an approved test: "+strings.TrimSpace(u.b[i].Text))
	}
}
