package testdiff

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/integrity/violation"
)

// addition judges a statement that the approved unit does not have.
func (u *unitDiff) addition(j int) {
	s := &u.a[j]
	if s.Swallows && len(s.Body) == 0 && s.Kind != testmodel.Handler {
		return // judged as what it swallows
	}
	switch s.Kind {
	case testmodel.Skip:
		u.added(violation.TestSkipped, j, "Test skipped: "+s.Text)
	case testmodel.Exits:
		u.added(violation.EarlyReturn, j, "The run ends before the test is done: "+s.Text)
	case testmodel.Returns, testmodel.Jumps:
		u.leaves(j)
	case testmodel.Raises:
		if within(u.a, j, testmodel.Asserts) || slices.ContainsFunc(u.is.Marks, func(m testmodel.Mark) bool { return m.Raises != nil }) {
			u.added(violation.Tautology, j, "The test itself raises the exception that it expects: "+s.Text)
		} else if u.was.Role != testmodel.Test {
			u.added(violation.TestModified, j, "Statement added: "+s.Text)
		}
	case testmodel.Mocks:
		u.mock(j)
	case testmodel.Assigns, testmodel.Defines:
		u.binding(j)
	case testmodel.Plain:
		u.call(j)
	default:
		if len(s.Binds) > 0 {
			u.binding(j)
		}
	}
}

// leaves judges a new return, break or continue.
func (u *unitDiff) leaves(j int) {
	s := &u.a[j]
	if within(u.a, j, testmodel.Defines) {
		return
	}
	kind, description := violation.EarlyReturn, "The test ends before its assertions: "+s.Text
	if s.Kind == testmodel.Jumps {
		for p := s.parent; p >= 0; p = u.a[p].parent {
			if u.a[p].Kind == testmodel.Loop && u.toB[p] >= 0 {
				u.added(kind, j, "The loop leaves approved checks out: "+s.Text)
				return
			}
		}
		return
	}
	for k := j + 1; k < len(u.a); k++ {
		if u.toB[k] >= 0 {
			u.added(kind, j, description)
			return
		}
	}
	if u.was.Role == testmodel.Helper || u.was.Role == testmodel.Setup || inLoop(u.a, j) {
		u.added(violation.TestModified, j, "Statement added: "+s.Text)
	}
}

func inLoop(items []item, j int) bool { return within(items, j, testmodel.Loop) }

// mock judges a new replacement.
func (u *unitDiff) mock(j int) {
	s := &u.a[j]
	if u.d.isUnderTest(s.Mock) || u.d.isUnderTest(baseOf(s.Head)) {
		u.added(violation.MockOfSUT, j, "The unit under test is replaced: "+s.Text)
		return
	}
	u.added(violation.TestModified, j, "Something is replaced in an approved test: "+s.Text)
}

func baseOf(head []string) string {
	if len(head) > 0 && isName(head[0]) {
		return head[0]
	}
	return ""
}

// binding judges a new assignment or definition.
func (u *unitDiff) binding(j int) {
	s := &u.a[j]
	for _, b := range s.Binds {
		name, path := baseName(b), b != baseName(b)
		switch {
		case name == "_" || name == "":
		case name == "config" && slices.Contains(rspecSettings, strings.TrimPrefix(b, "config.")):
		case path && isSelf(name):
			if last := lastName(strings.TrimSuffix(b, "[]")); frameworkAssert.MatchString(last) {
				u.added(violation.MockOfSUT, j, "An assertion of the framework is replaced: "+s.Text)
			} else if u.d.uses(last) {
				u.added(violation.TestModified, j, "Something that approved tests use is assigned: "+s.Text)
			}
		case u.toplevel() && (frameworkAssert.MatchString(name) || slices.Contains(builtins, name)):
			u.added(violation.MockOfSUT, j, fmt.Sprintf("The name %s, which assertions are made of, is bound to something else: %s", name, s.Text))
		case u.d.isImport(name) && !slices.Contains(u.was.Locals, name):
			u.added(violation.MockOfSUT, j, fmt.Sprintf("What approved tests import as %s is replaced: %s", name, s.Text))
		case u.toplevel() && u.d.unitCalled(b):
			u.added(violation.TestUncollected, j, fmt.Sprintf("The approved %s is replaced: %s", b, s.Text))
		case u.toplevel() && u.d.uses(name) && !u.d.defines(name):
			u.added(violation.MockOfSUT, j, fmt.Sprintf("The name %s, which approved tests use, is bound to something else: %s", name, s.Text))
		case path && !u.ownName(name, j):
			u.added(violation.MockOfSUT, j, "Something outside of the test is replaced: "+s.Text)
		case u.wasNames[name]:
			u.rebinding(j, name)
		default:
			continue
		}
		return
	}
}

// rspecSettings are settings of RSpec that do not decide what runs or passes.
var rspecSettings = []string{
	"order", "color", "formatter", "default_formatter", "profile_examples", "warnings", "example_status_persistence_file_path",
	"shared_context_metadata_behavior", "run_all_when_everything_filtered", "full_backtrace", "tty", "expose_dsl_globally",
}

// ownName reports whether the unit of the head binds a name itself, before
// statement j.
func (u *unitDiff) ownName(name string, j int) bool {
	for k := range u.a[:j] {
		if slices.Contains(u.a[k].Binds, name) {
			return true
		}
	}
	return slices.Contains(u.is.Params, name) || slices.Contains(u.is.Locals, name)
}

// toplevel reports whether the unit's statements bind names for others.
func (u *unitDiff) toplevel() bool {
	return u.was.Role == testmodel.Module || u.was.Role == testmodel.Suite
}

func isSelf(name string) bool {
	return name == "self" || name == "this" || name == "cls" || name == "@"
}

// rebinding judges the assignment to a name that the approved unit uses.
func (u *unitDiff) rebinding(j int, name string) {
	s := &u.a[j]
	for k := j + 1; k < len(u.a); k++ {
		i := u.toB[k]
		if i < 0 || !slices.Contains(tokensOf(u.b[i].Stmt), name) {
			continue
		}
		if right := rightSide(s.Stmt); slices.Contains(right, name) && u.b[i].Assert != nil {
			u.added(violation.AssertionWeakened, j, "Test assertion weakened: the value is changed before it is checked: "+s.Text)
			return
		}
		u.added(violation.TestModified, j, fmt.Sprintf("%s, which the test uses, is assigned anew: %s", name, s.Text))
		return
	}
}

// reports are functions that only tell something.
var reports = []string{
	"print", "println", "printf", "log", "Log", "Logf", "info", "debug", "warn", "error", "puts", "p", "pp", "Println", "Printf", "WriteLine",
	"dbg", "eprintln", "Helper", "Parallel", "trace", "warning", "setTimeout", "timeout", "slow", "dir", "table",
}

// influences are names in calls that change what others see.
var influences = []string{
	"setattr", "environ", "patch", "seed", "exec", "eval", "putenv", "Setenv", "modules", "defineProperty", "prototype", "assign",
	"__dict__", "globals", "locals", "stub", "stubs", "allow", "mock", "spyOn", "fn", "stub_const", "useFakeTimers", "instance_variable_set",
	"define_method", "class_eval", "instance_eval", "send", "path", "insert", "filterwarnings", "simplefilter", "disable", "configure",
}

// call judges a new statement that is a call, or is not understood.
func (u *unitDiff) call(j int) {
	s := &u.a[j]
	if len(s.Head) == 0 || isReport(s.Head) {
		return
	}
	if equalTokens(s.Head, []string{"Kernel", ".", "srand", "config", ".", "seed"}) || equalTokens(s.Head, []string{"Kernel", ".", "srand", "(", "config", ".", "seed", ")"}) {
		return
	}
	if slices.ContainsFunc(s.Head, func(t string) bool { return slices.Contains(influences, t) }) {
		u.added(violation.TestModified, j, "Statement added that changes the surroundings of the test: "+s.Text)
		return
	}
	if clearsUp(s.Head) {
		return
	}
	for _, t := range s.Head {
		if isName(t) && (slices.Contains(u.was.Locals, t) || u.was.Role != testmodel.Test && u.wasNames[t] || isSelf(t)) && u.usedAfter(j, t) {
			u.added(violation.TestModified, j, fmt.Sprintf("Statement added that may change %s, which the test checks: %s", t, s.Text))
			return
		}
	}
	if u.was.Role != testmodel.Test && !u.pure(j) || u.was.Role == testmodel.Test && !u.concernsNew(j) {
		u.added(violation.TestModified, j, "Statement added: "+s.Text)
	}
}

// clearsUp reports whether a call asks for something to be done when the test
// is over.
func clearsUp(head []string) bool {
	return len(head) > 3 && head[1] == "." && head[3] == "(" &&
		slices.Contains([]string{"addCleanup", "addClassCleanup", "addfinalizer", "Cleanup", "onTestFinished", "addTearDown"}, head[2])
}

// concernsNew reports whether a call is about something that the approved test
// does not have, or comes after all that it has.
func (u *unitDiff) concernsNew(j int) bool {
	for _, t := range u.a[j].Head {
		if isName(t) && !u.wasNames[t] && u.ownName(t, j) {
			return true
		}
	}
	for k := j + 1; k < len(u.a); k++ {
		if u.toB[k] >= 0 {
			return false
		}
	}
	return !inLoop(u.a, j)
}

// pure reports whether an addition to setup, helper or top level provably does
// nothing to others.
func (u *unitDiff) pure(j int) bool {
	for p := u.a[j].parent; p >= 0; p = u.a[p].parent {
		if u.a[p].Kind == testmodel.Defines || mentions(u.a[p].Head, "__name__") {
			return true
		}
	}
	return isString(u.a[j].Head[0]) && len(u.a[j].Head) == 1
}

func isReport(head []string) bool {
	for i, t := range head {
		if t == "(" || t == "!" || i > 0 && isString(t) {
			return i > 0 && slices.Contains(reports, head[i-1])
		}
	}
	return slices.Contains(reports, head[0])
}

// usedAfter reports whether an approved statement behind j uses a name.
func (u *unitDiff) usedAfter(j int, name string) bool {
	for k := j + 1; k < len(u.a); k++ {
		if i := u.toB[k]; i >= 0 && slices.Contains(tokensOf(u.b[i].Stmt), name) {
			return true
		}
	}
	return false
}
