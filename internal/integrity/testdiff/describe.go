package testdiff

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
)

// maxQuote bounds source text in a description, in runes.
const maxQuote = 60

// quote renders tokens as source text in a sentence.
func quote(tokens []string) string {
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 && spaced(tokens[i-1], t) {
			b.WriteByte(' ')
		}
		b.WriteString(t)
	}
	text := strings.Join(strings.Fields(b.String()), " ")
	if r := []rune(text); len(r) > maxQuote {
		text = string(r[:maxQuote]) + "…"
	}
	if text == "" {
		return "nothing"
	}
	return text
}

// spaced reports whether a space stands between two tokens.
func spaced(a, b string) bool {
	switch {
	case opens(a), closes(b), slices.Contains([]string{".", "!", "@", "&", "::"}, a), slices.Contains([]string{",", ".", ":", "?", "::"}, b):
		return false
	case b == "(" || b == "[":
		return !isName(a) && a != ")" && a != "]"
	default:
		return true
	}
}

// phrase says what an assertion demands.
func phrase(a *testmodel.Assert) string {
	switch {
	case !a.Negated:
		return relation(a)
	case exact(a.Relation):
		return "inequality with " + quote(a.Expected)
	case a.Relation == testmodel.Contains:
		return "a check that something is not in it"
	case a.Relation == testmodel.Throws:
		return "a check that " + orAny(a.Expected) + " is not thrown"
	default:
		return "the opposite of " + relation(a)
	}
}

func relation(a *testmodel.Assert) string {
	expected := quote(a.Expected)
	switch a.Relation {
	case testmodel.Identical:
		return "identity with " + expected
	case testmodel.Equal:
		return "equality with " + expected
	case testmodel.LooseEqual:
		return "loose equality with " + expected
	case testmodel.Approx:
		return "nearness to " + expected
	case testmodel.Compare:
		return fmt.Sprintf("the comparison %s %s", a.Name, expected)
	case testmodel.Contains:
		return "a containment check"
	case testmodel.OneOf:
		return "a choice of values"
	case testmodel.Subset:
		return "a check of some parts"
	case testmodel.Matches:
		return "a pattern match"
	case testmodel.Prefix:
		return "a check of how it begins or ends"
	case testmodel.Length:
		return "a length check"
	case testmodel.TypeOf:
		return "a type check"
	case testmodel.HasField:
		return "a check that a part exists"
	case testmodel.Truthy:
		return "a truth check"
	case testmodel.Falsy:
		return "a falsehood check"
	case testmodel.Nil:
		return "a null check"
	case testmodel.NotNil:
		return "an existence check"
	default:
		return behaviour(a, expected)
	}
}

func behaviour(a *testmodel.Assert, expected string) string {
	switch a.Relation {
	case testmodel.Throws:
		return "the expected exception " + orAny(a.Expected)
	case testmodel.Succeeds:
		return "a check that nothing is thrown"
	case testmodel.CalledWith:
		return "a check of a call's arguments"
	case testmodel.CalledN:
		return "a count of calls"
	case testmodel.Called:
		return "a check that something is called"
	case testmodel.Snapshot:
		return "a snapshot"
	case testmodel.Custom:
		return "a call of " + a.Name
	case testmodel.Always:
		return "something that always holds"
	case testmodel.Never:
		return "a failure"
	default:
		return expected
	}
}

func toleranceOf(a *testmodel.Assert) string {
	switch {
	case a.Tolerance != nil:
		return fmt.Sprintf("%g", *a.Tolerance)
	case len(a.ToleranceTokens) > 0:
		return quote(a.ToleranceTokens)
	default:
		return "the default"
	}
}
