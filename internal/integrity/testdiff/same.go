package testdiff

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/integrity/violation"
)

// judgeSame compares assertions of the same relation about the same value, of
// which the new one does not imply the old one.
func judgeSame(w, i *testmodel.Assert) verdict {
	expected := verdict{violation.ExpectedChanged, "Expected value changed: " + quote(w.Expected) + " became " + quote(i.Expected)}
	switch w.Relation {
	case testmodel.Approx:
		if wider(w, i) {
			return verdict{violation.ToleranceWidened, "Tolerance widened: " + toleranceOf(w) + " became " + toleranceOf(i)}
		}
	case testmodel.Compare:
		if implies(w, i) {
			return bound(w, i)
		}
		if w.Name != i.Name {
			return weaker("Test assertion changed: " + phrase(w) + " became " + phrase(i))
		}
	case testmodel.Contains, testmodel.Prefix, testmodel.OneOf, testmodel.Called, testmodel.CalledN:
		if implies(w, i) {
			return weaker("Test assertion weakened: " + phrase(w) + " became " + phrase(i))
		}
	case testmodel.Matches:
		if laxerPattern(w.Expected, i.Expected) {
			return weaker("Test assertion weakened: the pattern " + quote(w.Expected) + " became " + quote(i.Expected))
		}
	case testmodel.Throws:
		return judgeThrows(w, i)
	case testmodel.TypeOf:
		if isRoot(i.Expected) || contains(i.Expected, w.Expected) {
			return weaker("Test assertion weakened: the type " + quote(w.Expected) + " became " + quote(i.Expected))
		}
	case testmodel.Custom, testmodel.CalledWith, testmodel.Snapshot:
		if w.Name != i.Name {
			return verdict{violation.TestModified, "Test assertion changed: " + phrase(w) + " became " + phrase(i)}
		}
	}
	if wildcards(i.Expected) > wildcards(w.Expected) {
		return weaker("Test assertion weakened: a part of the expected value may be anything now")
	}
	if equalTokens(w.Expected, i.Expected) && len(i.ToleranceTokens) > len(w.ToleranceTokens) {
		return weaker("Test assertion weakened: it leaves out differences now: " + quote(i.ToleranceTokens))
	}
	if len(w.Expected) > 0 && equalTokens(w.Expected, i.Expected) {
		return verdict{violation.TestModified, "Test assertion changed: " + phrase(w)}
	}
	return expected
}

// bound judges a comparison whose bound moved so that more values pass.
func bound(w, i *testmodel.Assert) verdict {
	for _, t := range w.Subject {
		if l := strings.ToLower(t); strings.HasSuffix(l, "abs") || strings.Contains(l, "delta") || strings.Contains(l, "diff") || strings.Contains(l, "err") || strings.Contains(l, "distance") {
			return verdict{violation.ToleranceWidened, "Tolerance widened: " + phrase(w) + " became " + phrase(i)}
		}
	}
	return weaker("Test assertion weakened: " + phrase(w) + " became " + phrase(i))
}

func wildcards(tokens []string) int {
	n := 0
	for _, t := range tokens {
		switch l := strings.ToLower(t); l {
		case "any", "anything", "anystring", "anyint", "anyof", "isa", "objectcontaining", "arraycontaining", "stringcontaining",
			"stringmatching", "mock.any", "anything()", "any()", "be_a", "an_instance_of", "kind_of", "include", "hash_including", "array_including":
			n++
		}
	}
	return n
}

// laxerPattern reports whether a pattern lost a part.
func laxerPattern(w, i []string) bool {
	was, ok := content(w)
	is, isText := content(i)
	if !ok || !isText {
		return false
	}
	trim := func(s string) string { return strings.TrimSuffix(strings.TrimPrefix(s, "^"), "$") }
	return is == "" || strings.Contains(was, trim(is)) || strings.Contains(is, ".*") && !strings.Contains(was, ".*")
}

// wider reports whether the tolerance of an assertion may be larger than that
// of another.
func wider(w, i *testmodel.Assert) bool {
	switch {
	case i.Tolerance != nil && w.Tolerance != nil:
		return *i.Tolerance > *w.Tolerance
	case equalTokens(i.ToleranceTokens, w.ToleranceTokens):
		return false
	case i.Tolerance != nil && len(w.ToleranceTokens) == 0: // the framework's own, which is small
		return *i.Tolerance > 1e-6
	case len(i.ToleranceTokens) == 0 && w.Tolerance != nil:
		return *w.Tolerance < 1e-9
	default:
		return true
	}
}

// judgeThrows compares expected exceptions: type, then message.
func judgeThrows(w, i *testmodel.Assert) verdict {
	wasType, wasText := exception(w.Expected)
	isType, isText := exception(i.Expected)
	switch {
	case w.Negated != i.Negated:
		return weaker("Test assertion turned into its opposite: " + phrase(w) + " became " + phrase(i))
	case !equalTokens(wasType, isType):
		switch {
		case len(wasType) == 0, isNull(wasType), isRoot(wasType) && len(isType) > 0 && !isRoot(isType), subsetOf(isType, wasType):
		case len(isType) == 0, isRoot(isType), contains(isType, wasType), subsetOf(wasType, isType):
			return weaker("Test assertion weakened: the expected exception " + quote(wasType) + " became " + orAny(isType))
		default:
			return verdict{violation.ExpectedChanged, "Expected exception changed: " + quote(wasType) + " became " + quote(isType)}
		}
	}
	switch {
	case equalTokens(wasText, isText), len(wasText) == 0:
		return fine
	case len(isText) == 0:
		return weaker("Test assertion weakened: the message of the exception is no longer checked")
	}
	if was, ok := content(wasText); ok {
		if is, ok := content(isText); ok && len(is) > len(was) && strings.Contains(is, was) && !strings.ContainsAny(is, "|") {
			return fine
		}
	}
	if laxerPattern(wasText, isText) {
		return weaker("Test assertion weakened: the expected message " + quote(wasText) + " became " + quote(isText))
	}
	return verdict{violation.ExpectedChanged, "Expected message changed: " + quote(wasText) + " became " + quote(isText)}
}

func orAny(kind []string) string {
	if len(kind) == 0 {
		return "any exception"
	}
	return quote(kind)
}

// exception divides what an exception is expected to be into its type and its
// message.
func exception(expected []string) (kind, message []string) {
	for i, t := range expected {
		if isString(t) {
			kind, message = expected[:i], expected[i:]
			break
		}
	}
	if message == nil {
		if parts := split(expected); len(parts) > 1 {
			kind = parts[0]
			message = expected[len(parts[0])+1:]
		} else {
			kind = expected
		}
	}
	for len(kind) > 0 && slices.Contains([]string{",", "=", "match", "message", "with_message"}, kind[len(kind)-1]) {
		kind = kind[:len(kind)-1]
	}
	for len(message) > 0 && message[0] == "," {
		message = message[1:]
	}
	return kind, message
}

// roots are the types that every exception, or every value, is of.
var roots = []string{
	"Exception", "BaseException", "Throwable", "Error", "error", "RuntimeException", "StandardError", "ScriptError",
	"object", "Object", "BasicObject", "SystemException", "any", "ExceptionGroup", "java.lang.Exception",
}

// isRoot reports whether a type is, or has in it, the root of all exceptions.
func isRoot(kind []string) bool {
	for _, alternative := range split(strip(kind)) {
		n := len(alternative)
		for n > 0 && (alternative[n-1] == "class" || alternative[n-1] == "." || alternative[n-1] == ")") {
			n--
		}
		if n > 0 && slices.Contains(roots, lastName(alternative[n-1])) {
			return true
		}
	}
	return false
}
