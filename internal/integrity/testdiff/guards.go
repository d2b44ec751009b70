package testdiff

import (
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/integrity/violation"
)

// guards finds what stands around approved statements now and did not before:
// handlers that swallow, conditions, loops, functions that may not be called.
func (u *unitDiff) guards() {
	judged := map[int]bool{}
	for i := range u.b {
		j := u.toA[i]
		if j < 0 || !u.matters(i) {
			continue
		}
		for p := u.a[j].parent; p >= 0; p = u.a[p].parent {
			if !judged[p] && u.toB[p] < 0 {
				judged[p] = true
				u.guard(p, i)
			}
		}
	}
	for j := range u.a {
		switch {
		case u.toB[j] >= 0 || !u.a[j].Swallows:
		case u.was.Role == testmodel.Setup || u.was.Role == testmodel.Module:
			u.added(violation.ConftestHook, j, "The outcome of the tests is changed: "+u.a[j].Text)
		case u.protects(j):
			u.added(violation.ExceptionSwallowed, j, "Failures of the test are swallowed: "+u.a[j].Text)
		}
	}
}

// matters reports whether it counts that an approved statement runs.
func (u *unitDiff) matters(i int) bool {
	switch u.b[i].Kind {
	case testmodel.Handler, testmodel.Branch, testmodel.Try:
		return false
	default:
		return true
	}
}

// guard judges a new statement p around the approved statement i.
func (u *unitDiff) guard(p, i int) {
	g := &u.a[p]
	what := "statement"
	if u.b[i].Assert != nil {
		what = "assertion"
	}
	switch g.Kind {
	case testmodel.Branch:
		if what == "statement" && g.Assert == nil && !u.guardsAssert(p) {
			u.added(violation.TestModified, p, "An approved statement runs only under a condition: "+g.Text)
			return
		}
		u.added(violation.AssertionWeakened, p, "Test assertion weakened: it is only checked under a condition")
	case testmodel.Loop:
		if len(g.Rows) == 0 {
			u.added(violation.AssertionWeakened, p, "Test "+what+" moved into a loop that may not run")
		}
	case testmodel.Asserts:
		if g.Assert.Relation == testmodel.Throws {
			u.added(violation.ExceptionSwallowed, p, "Test "+what+" is expected to raise now, so its failure passes")
		}
	case testmodel.Defines:
		if !g.Swallows {
			u.added(violation.AssertionWeakened, p, "Test "+what+" moved into a function that may not be called")
		}
	case testmodel.Mocks:
		u.addition(p)
	case testmodel.Handler:
		u.added(violation.AssertionWeakened, p, "Test "+what+" moved into a handler that may not run")
	case testmodel.With:
		if !g.Swallows && !neutralContext(g.Head) {
			u.added(violation.TestModified, p, "An approved "+what+" runs in a new context: "+g.Text)
		}
	}
}

// guardsAssert reports whether an approved assertion stands in statement p of
// the head.
func (u *unitDiff) guardsAssert(p int) bool {
	for k := p + 1; k < len(u.a) && inside(u.a, k, p); k++ {
		if i := u.toB[k]; i >= 0 && u.b[i].Assert != nil {
			return true
		}
	}
	return false
}

// neutralContext reports whether a context only groups or names what is in it.
func neutralContext(head []string) bool {
	for _, t := range head {
		switch t {
		case "subTest", "nullcontext", "aggregate_failures", "assertAll", "assertSoftly", "Multiple", "Run", "step", "act", "else",
			"catch_warnings", "measure", "assertDoesNotThrow", "EnterMultipleScope":
			return true
		}
	}
	return len(head) == 0
}

// protects reports whether a new statement that swallows failures does so for
// an approved one: a handler for what its try guards, a context for what is in
// it, a deferred function for what follows.
func (u *unitDiff) protects(j int) bool {
	switch u.a[j].Kind {
	case testmodel.Handler:
		try := u.a[j].parent
		for k := try + 1; try >= 0 && k < len(u.a) && inside(u.a, k, try); k++ {
			if u.toB[k] >= 0 && u.matters(u.toB[k]) && !u.inHandlerOf(k, try) {
				return true
			}
		}
		return false
	case testmodel.Defines:
		for k := j + 1; k < len(u.a); k++ {
			if u.toB[k] >= 0 && !inside(u.a, k, j) {
				return true
			}
		}
		return false
	default:
		for k := j + 1; k < len(u.a) && inside(u.a, k, j); k++ {
			if u.toB[k] >= 0 {
				return true
			}
		}
		return len(u.a[j].Body) == 0
	}
}

// inHandlerOf reports whether statement k stands in a handler of a try.
func (u *unitDiff) inHandlerOf(k, try int) bool {
	for p := k; p >= 0 && p != try; p = u.a[p].parent {
		if u.a[p].parent == try && u.a[p].Kind == testmodel.Handler {
			return true
		}
	}
	return false
}
