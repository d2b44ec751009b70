package build

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
)

// Settle brings an assertion into the form that the comparison expects: a
// negation is dropped where a relation says the same, and what cannot fail, or
// cannot but fail, is called so.
func Settle(a testmodel.Assert) testmodel.Assert {
	if opposite, ok := opposites(a); ok && a.Negated {
		a.Relation, a.Negated = opposite, false
	}
	a = rightWayRound(a)
	if holds, known := constant(a); known {
		a.Relation = testmodel.Never
		if holds != a.Negated {
			a.Relation = testmodel.Always
		}
		a.Negated = false
	}
	return a
}

// rightWayRound is an equality with what is expected on its right side, if only
// one side is a literal.
func rightWayRound(a testmodel.Assert) testmodel.Assert {
	switch a.Relation {
	case testmodel.Equal, testmodel.LooseEqual, testmodel.Identical:
	default:
		return a
	}
	if !IsLiteral(a.Subject) || len(a.Expected) == 0 || IsLiteral(a.Expected) {
		return a
	}
	a.Subject, a.Expected = a.Expected, a.Subject
	if a.Relation == testmodel.Identical {
		a.Relation = testmodel.Equal
	}
	return a
}

// opposites is the relation that is the negation of another.
func opposites(a testmodel.Assert) (testmodel.Relation, bool) {
	switch a.Relation {
	case testmodel.Truthy:
		return testmodel.Falsy, true
	case testmodel.Falsy:
		return testmodel.Truthy, true
	case testmodel.Nil:
		return testmodel.NotNil, true
	case testmodel.NotNil:
		return testmodel.Nil, true
	case testmodel.Succeeds:
		return testmodel.Throws, true
	case testmodel.Throws:
		return testmodel.Succeeds, len(a.Expected) == 0
	default:
		return "", false
	}
}

// constant reports whether an assertion's outcome can be told without running
// anything, and if so whether it holds before its negation.
func constant(a testmodel.Assert) (holds, known bool) {
	switch a.Relation {
	case testmodel.Truthy, testmodel.Falsy:
		truth, ok := truth(a.Subject)
		return truth == (a.Relation == testmodel.Truthy), ok
	case testmodel.NotNil, testmodel.Nil:
		null := len(a.Subject) == 1 && isNull(a.Subject[0])
		return null == (a.Relation == testmodel.Nil), len(a.Subject) == 1 && isLiteral(a.Subject[0])
	case testmodel.Equal, testmodel.LooseEqual, testmodel.Identical, testmodel.Approx:
		return constantEqual(a)
	default:
		return false, false
	}
}

func constantEqual(a testmodel.Assert) (holds, known bool) {
	if slices.Equal(a.Expected, []string{"true"}) && alwaysTrue(a.Subject) {
		return true, true
	}
	if len(a.Subject) == 0 || len(a.Expected) == 0 {
		return false, false
	}
	same := slices.Equal(a.Subject, a.Expected)
	if same && !slices.Contains(a.Subject, "(") && a.Subject[0] != "{" && a.Subject[0] != "[" {
		return true, true
	}
	literal := len(a.Subject) == 1 && len(a.Expected) == 1 && isLiteral(a.Subject[0]) && isLiteral(a.Expected[0])
	return same, literal && a.Relation != testmodel.Approx
}

// truth is the truth of a value that is plain to see.
func truth(tokens []string) (value, known bool) {
	switch {
	case alwaysTrue(tokens):
		return true, true
	case len(tokens) != 1 || !isLiteral(tokens[0]):
		return false, false
	}
	switch t := tokens[0]; t {
	case "false", "0", `""`, "''", "``", "NaN":
		return false, true
	default:
		return !isNull(t), true
	}
}

// alwaysTrue reports whether a value is true whatever its parts are: x || true.
func alwaysTrue(tokens []string) bool {
	n := len(tokens)
	switch {
	case n == 1:
		return tokens[0] == "true"
	case n > 2 && tokens[n-1] == "true" && (tokens[n-2] == "||" || tokens[n-2] == "or"):
		return true
	default:
		return n > 2 && tokens[0] == "true" && (tokens[1] == "||" || tokens[1] == "or")
	}
}

func isNull(token string) bool { return token == "null" || token == "undefined" || token == "nil" }

// isLiteral reports whether a token is a literal of one token.
func isLiteral(token string) bool {
	switch token {
	case "true", "false", "null", "undefined", "nil", "NaN":
		return true
	default:
		if token == "" {
			return false
		}
		first := token[0]
		return '0' <= first && first <= '9' || strings.IndexByte("\"'`:", first) >= 0 && len(token) > 1 && !strings.Contains(token, "{")
	}
}

// IsLiteral reports whether tokens are one literal.
func IsLiteral(tokens []string) bool { return len(tokens) == 1 && isLiteral(tokens[0]) }
