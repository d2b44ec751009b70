package testdiff

import (
	"slices"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/integrity/violation"
)

// unitDiff is the comparison of two versions of a unit.
type unitDiff struct {
	d        *fileDiff
	was, is  *testmodel.Unit
	b, a     []item // the statements before and after
	toA, toB []int  // partners, -1 if there is none
	exact    []bool // of b: the partner is the same statement
	wasValue map[string][]string
	isValue  map[string][]string
	wasNames map[string]bool // tokens of the approved unit
	isNames  map[string]bool
	loops    *[]loopAssert // of the head, see unrolled
}

func newUnitDiff(d *fileDiff, was, is *testmodel.Unit) *unitDiff {
	if renames := localRenames(was, is); len(renames) > 0 {
		was = renameUnit(was, renames)
	}
	u := &unitDiff{d: d, was: was, is: is, wasNames: namesOf(was), isNames: namesOf(is)}
	u.b, u.a = flatten(u.was.Body), flatten(u.is.Body)
	u.wasValue, u.isValue = values(u.b), values(u.a)
	constants(u.d.was, u.wasValue, u.isNames)
	constants(u.d.is, u.isValue, u.wasNames)
	return u
}

// body compares the statements.
func (u *unitDiff) body() {
	u.align()
	u.alignMoved()
	u.alignResolved()
	u.pairCompounds()
	u.pairAsserts()
	u.pairRest()
	for i := range u.b {
		u.statement(i)
	}
	for j := range u.a {
		if u.toB[j] < 0 {
			u.addition(j)
		}
	}
	u.guards()
}

func (u *unitDiff) align() {
	keys := func(items []item) []string {
		out := make([]string, len(items))
		for i := range items {
			out[i] = items[i].key
		}
		return out
	}
	u.toA, u.toB = align(keys(u.b), keys(u.a))
	u.exact = make([]bool, len(u.b))
	pairs := 0
	for i := range u.b {
		u.b[i].at = pairs
		if u.toA[i] >= 0 {
			u.exact[i] = true
			pairs++
		}
	}
	pairs = 0
	for j := range u.a {
		u.a[j].at = pairs
		if u.toB[j] >= 0 {
			pairs++
		}
	}
}

func (u *unitDiff) pair(i, j int) { u.toA[i], u.toB[j] = j, i }

// alignMoved pairs equal statements that stand in another order, if nothing
// that they pass touches what they use.
func (u *unitDiff) alignMoved() {
	left := map[string][]int{}
	for j := range u.a {
		if u.toB[j] < 0 {
			left[u.a[j].key] = append(left[u.a[j].key], j)
		}
	}
	for i := range u.b {
		js := left[u.b[i].key]
		if u.toA[i] >= 0 || len(js) == 0 || len(u.b[i].Body) > 0 && u.b[i].Kind != testmodel.Loop {
			continue
		}
		if u.mayPass(i, js[0]) {
			u.pair(i, js[0])
			u.exact[i] = true
			left[u.b[i].key] = js[1:]
		}
	}
}

// mayPass reports whether a statement may stand where its equal in the head
// does, given what stands between.
func (u *unitDiff) mayPass(i, j int) bool {
	for k := range u.b {
		other := u.toA[k]
		if other < 0 || (k < i) == (other < j) {
			continue
		}
		if !u.independent(u.b[i].Stmt, u.b[k].Stmt) {
			return false
		}
	}
	return true
}

// independent reports whether the order of two statements does not matter.
func (u *unitDiff) independent(x, y *testmodel.Stmt) bool {
	if x.Assert != nil && y.Assert != nil && len(x.Body)+len(y.Body) == 0 {
		return true
	}
	if x.Assert == nil && x.Kind != testmodel.Assigns || y.Assert == nil && y.Kind != testmodel.Assigns {
		return false
	}
	tx, ty := tokensOf(x), tokensOf(y)
	for _, b := range x.Binds {
		if mentions(ty, baseName(b)) {
			return false
		}
	}
	for _, b := range y.Binds {
		if mentions(tx, baseName(b)) {
			return false
		}
	}
	for _, l := range u.was.Locals {
		if slices.Contains(tx, l) && slices.Contains(ty, l) {
			return false
		}
	}
	return true
}

// statement judges an approved statement and its partner.
func (u *unitDiff) statement(i int) {
	j := u.toA[i]
	if j < 0 {
		u.removal(i)
		return
	}
	b, a := &u.b[i], &u.a[j]
	u.rows(i, j)
	if a.Swallows && !b.Swallows && a.Kind == b.Kind {
		u.changed(violation.ExceptionSwallowed, i, j, "Failures are swallowed: "+a.Text)
	}
	if u.exact[i] {
		return
	}
	if b.Assert != nil && a.Assert != nil {
		u.assertion(i, j)
		return
	}
	u.change(i, j)
}

func (u *unitDiff) assertion(i, j int) {
	b, a := u.b[i].Assert, u.a[j].Assert
	v := judge(b, a)
	if v.Kind == "" {
		return
	}
	if r := judge(u.resolved(b, u.wasValue), u.resolved(a, u.isValue)); r.Kind == "" {
		return
	}
	if u.impliedElsewhere(i) {
		return
	}
	u.changed(v.Kind, i, j, v.Why)
}

func (u *unitDiff) changed(kind violation.Kind, i, j int, description string) {
	u.d.report(kind, u.was, u.d.was.at(u.b[i].Line, u.b[i].Text), u.d.is.at(u.a[j].Line, u.a[j].Text), description)
}

func (u *unitDiff) removed(kind violation.Kind, i int, description string) {
	u.d.report(kind, u.was, u.d.was.at(u.b[i].Line, u.b[i].Text), violation.Place{}, description)
}

func (u *unitDiff) added(kind violation.Kind, j int, description string) {
	u.d.report(kind, u.was, violation.Place{}, u.d.is.at(u.a[j].Line, u.a[j].Text), description)
}
