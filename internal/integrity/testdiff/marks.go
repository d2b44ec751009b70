package testdiff

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/integrity/violation"
)

// marks compares decorators, annotations and modifiers; their order counts for
// nothing.
func (u *unitDiff) marks() {
	gone, came := unmatchedMarks(u.was.Marks, u.is.Marks)
	for _, m := range came {
		u.newMark(m, gone)
	}
	for _, m := range gone {
		u.goneMark(m, came)
	}
}

func unmatchedMarks(was, is []testmodel.Mark) (gone, came []testmodel.Mark) {
	count := map[string]int{}
	key := func(m testmodel.Mark) string { return string(m.Effect) + "\x00" + m.Mock + "\x00" + joined(m.Tokens) }
	for _, m := range is {
		count[key(m)]++
	}
	for _, m := range was {
		if count[key(m)] > 0 {
			count[key(m)]--
		} else {
			gone = append(gone, m)
		}
	}
	for _, m := range slices.Backward(is) {
		if count[key(m)] > 0 {
			count[key(m)]--
			came = append([]testmodel.Mark{m}, came...)
		}
	}
	return gone, came
}

// newMark judges a mark that the approved unit does not have.
func (u *unitDiff) newMark(m testmodel.Mark, gone []testmodel.Mark) {
	at := func(kind violation.Kind, description string) {
		u.d.report(kind, u.was, violation.Place{}, u.d.is.at(m.Line, m.Text), description+": "+m.Text)
	}
	if before, ok := sameEffect(m, gone); ok && m.Effect != "" && !widerMark(before, m) {
		return
	}
	switch {
	case m.Effect == testmodel.Skips:
		at(violation.TestSkipped, "Test skipped")
	case m.Effect == testmodel.XFails:
		at(violation.TestSkipped, "Test expected to fail")
	case m.Effect == testmodel.Focuses:
		at(violation.TestFocused, "Test focused, so that others do not run")
	case m.Effect == testmodel.Retries:
		at(violation.RetriesAdded, "Test is run again until it passes")
	case m.Effect == testmodel.Hides:
		at(violation.TestUncollected, "Test taken out of collection")
	case m.Raises != nil:
		u.newRaises(m, gone)
	case m.Mock != "" && u.d.isUnderTest(m.Mock):
		at(violation.MockOfSUT, "The unit under test is replaced")
	case m.Mock != "":
		at(violation.TestModified, "Something is replaced in an approved test")
	case isAsync(m) && u.awaits():
	case !neutralMark(m):
		u.plainMark(m, gone)
	}
}

// newRaises judges a mark that expects an exception.
func (u *unitDiff) newRaises(m testmodel.Mark, gone []testmodel.Mark) {
	for _, g := range gone {
		if g.Raises == nil {
			continue
		}
		if v := judge(g.Raises, m.Raises); v.Kind != "" {
			u.d.report(v.Kind, u.was, u.d.was.at(g.Line, g.Text), u.d.is.at(m.Line, m.Text), v.Why)
		}
		return
	}
	for i := range u.was.Body {
		if a := u.was.Body[i].Assert; a != nil && a.Relation == testmodel.Throws && judgeThrows(a, m.Raises).Kind == "" {
			return
		}
	}
	u.d.report(violation.AssertionWeakened, u.was, violation.Place{}, u.d.is.at(m.Line, m.Text),
		"Test passes when it throws now: "+m.Text)
}

// plainMark judges a mark of no known effect.
func (u *unitDiff) plainMark(m testmodel.Mark, gone []testmodel.Mark) {
	for _, g := range gone {
		if g.Effect == "" && len(g.Tokens) > 0 && len(m.Tokens) > 0 && g.Tokens[0] == m.Tokens[0] {
			u.d.report(violation.TestModified, u.was, u.d.was.at(g.Line, g.Text), u.d.is.at(m.Line, m.Text), "Mark of an approved test changed: "+m.Text)
			return
		}
	}
	if u.was.Role == testmodel.Test && len(u.is.Rows) > len(u.was.Rows) && slices.Contains(m.Tokens, "parametrize") {
		if !slices.ContainsFunc(m.Tokens, func(t string) bool { return slices.Contains(u.was.Params, t) }) {
			return // its cases come on top, the body says whether they replace something
		}
		u.d.report(violation.MockOfSUT, u.was, violation.Place{}, u.d.is.at(m.Line, m.Text), "What the test got from its fixture is replaced: "+m.Text)
		return
	}
	u.d.report(violation.TestModified, u.was, violation.Place{}, u.d.is.at(m.Line, m.Text), "Mark added to an approved test: "+m.Text)
}

// goneMark judges an approved mark that is gone.
func (u *unitDiff) goneMark(m testmodel.Mark, came []testmodel.Mark) {
	if m.Effect != "" || neutralMark(m) && !(drives(m) && slices.ContainsFunc(u.is.Marks, isAsync)) {
		return
	}
	for _, c := range came {
		if len(c.Tokens) > 0 && len(m.Tokens) > 0 && c.Tokens[0] == m.Tokens[0] || m.Raises != nil && c.Raises != nil {
			return // judged as a change
		}
	}
	if m.Raises != nil {
		for i := range u.is.Body {
			if a := u.is.Body[i].Assert; a != nil && a.Relation == testmodel.Throws && judgeThrows(m.Raises, a).Kind == "" {
				return
			}
		}
		u.d.report(violation.AssertionRemoved, u.was, u.d.was.at(m.Line, m.Text), violation.Place{}, "Test assertion removed: "+m.Text)
		return
	}
	if slices.Contains(m.Tokens, "parametrize") && len(u.was.Rows) > 0 {
		return // judged by its rows
	}
	u.d.report(violation.TestModified, u.was, u.d.was.at(m.Line, m.Text), violation.Place{}, "Mark removed from an approved test: "+m.Text)
}

func sameEffect(m testmodel.Mark, marks []testmodel.Mark) (testmodel.Mark, bool) {
	for _, g := range marks {
		if g.Effect == m.Effect {
			return g, true
		}
	}
	return testmodel.Mark{}, false
}

// widerMark reports whether a mark may take effect where it did not before:
// more than its reason differs.
func widerMark(was, is testmodel.Mark) bool {
	plain := func(m testmodel.Mark) string {
		var out []string
		for _, t := range m.Tokens {
			if !isString(t) {
				out = append(out, t)
			}
		}
		return joined(out)
	}
	return plain(was) != plain(is)
}

// neutral are marks that name, order, limit or document a test.
var neutral = []string{
	"timeout", "Timeout", "DisplayName", "asyncio", "anyio", "Override", "Order", "Description", "SuppressWarnings", "allow", "must_use",
	"tokio", "async_trait", "inline", "doc", "allure", "Story", "Feature", "Author", "Nested", "TestInstance", "override", "staticmethod",
	"classmethod", "expect", "clippy", "rustfmt", "ParallelizableAttribute", "Parallelizable", "Collection", "Property", "trio",
	"DisplayNameGeneration", "TestMethodOrder", "final", "no_cover", "Pure", "SuppressMessage", "freeze",
}

func neutralMark(m testmodel.Mark) bool {
	for _, t := range m.Tokens {
		switch {
		case t == "pytest", t == "mark", t == ".", t == "@", t == "#", t == "[", t == "unittest", t == "!":
			continue
		default:
			return slices.Contains(neutral, strings.TrimPrefix(t, "@"))
		}
	}
	return true
}

// isAsync reports whether a mark says that the test is a coroutine.
func isAsync(m testmodel.Mark) bool { return len(m.Tokens) == 1 && m.Tokens[0] == "async" }

// drives reports whether a mark is what makes a runner await a coroutine.
func drives(m testmodel.Mark) bool {
	for _, t := range m.Tokens {
		if t == "asyncio" || t == "anyio" || t == "trio" || t == "tokio" {
			return true
		}
	}
	return false
}

// awaits reports whether a test awaits something and a mark makes its runner
// await the test.
func (u *unitDiff) awaits() bool {
	return u.isNames["await"] && (slices.ContainsFunc(u.is.Marks, drives) || slices.ContainsFunc(u.was.Marks, drives))
}
