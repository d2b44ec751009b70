package testdiff

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/integrity/violation"
)

// verdict is what became of an assertion. The zero Kind says that it demands
// at least what it did.
type verdict struct {
	Kind violation.Kind
	Why  string // a sentence for people
}

func weaker(why string) verdict { return verdict{violation.AssertionWeakened, why} }

var fine = verdict{}

// judge compares an approved assertion with what stands in its place.
func judge(was, is *testmodel.Assert) verdict {
	w, i := oriented(was, is)
	switch {
	case w.Lost || w.Relation == testmodel.Always:
		return fine
	case i.Lost:
		return weaker("Test assertion weakened: its outcome is no longer waited for or used, so it cannot fail")
	case i.Relation == testmodel.Never:
		return fine
	case i.Relation == testmodel.Always, tautological(i) && !tautological(w):
		return verdict{violation.Tautology, "Test assertion cannot fail any more: " + phrase(w) + " became " + phrase(i)}
	case w.Relation == testmodel.Never:
		return weaker("Test failure became " + phrase(i))
	case implies(i, w):
		return fine
	case !equalTokens(w.Subject, i.Subject):
		return judgeSubject(w, i)
	case w.Relation == i.Relation && w.Negated == i.Negated:
		return judgeSame(w, i)
	case !w.Negated && i.Negated && w.Relation == i.Relation && !equalTokens(w.Expected, i.Expected):
		return weaker("Test assertion weakened: " + phrase(w) + " became " + phrase(i))
	case w.Negated != i.Negated && w.Relation == i.Relation, opposite(w.Relation) == i.Relation:
		return weaker("Test assertion turned into its opposite: " + phrase(w) + " became " + phrase(i))
	case exact(w.Relation) && i.Relation == testmodel.Approx && !w.Negated && !i.Negated:
		return verdict{violation.ToleranceWidened, "Tolerance widened: " + phrase(w) + " became " + phrase(i) + " within " + toleranceOf(i)}
	case looser(w, i):
		return weaker("Test assertion weakened: " + phrase(w) + " became " + phrase(i))
	default:
		return verdict{violation.ExpectedChanged, "Test assertion changed: " + phrase(w) + " became " + phrase(i)}
	}
}

// oriented turns a symmetric assertion around where that brings the subjects
// together.
func oriented(was, is *testmodel.Assert) (w, i *testmodel.Assert) {
	if symmetric(is.Relation) && !equalTokens(was.Subject, is.Subject) &&
		(equalTokens(was.Subject, is.Expected) || symmetric(was.Relation) && equalTokens(was.Expected, is.Subject)) {
		turned := *is
		turned.Subject, turned.Expected = is.Expected, is.Subject
		return was, &turned
	}
	return was, is
}

// opposite is the relation that says the opposite without a negation.
func opposite(r testmodel.Relation) testmodel.Relation {
	switch r {
	case testmodel.Truthy:
		return testmodel.Falsy
	case testmodel.Falsy:
		return testmodel.Truthy
	case testmodel.Nil:
		return testmodel.NotNil
	case testmodel.NotNil:
		return testmodel.Nil
	case testmodel.Throws:
		return testmodel.Succeeds
	case testmodel.Succeeds:
		return testmodel.Throws
	default:
		return ""
	}
}

func symmetric(r testmodel.Relation) bool {
	return r == testmodel.Equal || r == testmodel.Identical || r == testmodel.LooseEqual || r == testmodel.Approx
}

// tautological reports whether an assertion compares a value with itself, or
// constants.
func tautological(a *testmodel.Assert) bool {
	switch a.Relation {
	case testmodel.Equal, testmodel.Identical, testmodel.LooseEqual, testmodel.Approx, testmodel.OneOf, testmodel.Contains, testmodel.Matches, testmodel.Prefix, testmodel.Subset:
		if a.Negated || len(a.Subject) == 0 {
			return false
		}
		return equalTokens(a.Subject, a.Expected) || isLiteral(a.Subject) && isLiteral(a.Expected)
	case testmodel.Compare:
		return !a.Negated && equalTokens(a.Subject, a.Expected) && slices.Contains([]string{"<=", ">="}, a.Name) ||
			isLiteral(a.Subject) && isLiteral(a.Expected)
	case testmodel.Truthy, testmodel.NotNil, testmodel.TypeOf:
		return isLiteral(a.Subject)
	default:
		return false
	}
}

// judgeSubject compares assertions about different values.
func judgeSubject(w, i *testmodel.Assert) verdict {
	switch {
	case w.Relation == testmodel.Throws && i.Relation == testmodel.Throws:
		if v := judgeThrows(w, i); v.Kind != "" && v.Kind != violation.ExpectedChanged {
			return v
		}
	case unwrapped(w.Subject, i.Subject) && equalTokens(w.Expected, i.Expected) && w.Relation == i.Relation && w.Negated == i.Negated:
		return fine
	case unwrapped(w.Subject, i.Subject) && sameElements(w, i):
		return fine
	case found(w, i), saysWhy(w.Subject, i.Subject) && w.Relation == i.Relation && w.Negated == i.Negated && w.Name == i.Name && equalTokens(w.Expected, i.Expected):
		return fine
	case len(w.Subject) > 0 && contains(i.Subject, w.Subject) && alternatives(i.Subject) > alternatives(w.Subject):
		return weaker("Test assertion weakened: an alternative is accepted beside " + phrase(w))
	case len(w.Subject) > 0 && contains(i.Subject, w.Subject):
		return weaker("Test assertion weakened: the value is normalised or narrowed before the check, " + quote(w.Subject) + " became " + quote(i.Subject))
	case looser(w, i) && w.Relation != i.Relation:
		return weaker("Test assertion weakened: " + phrase(w) + " became " + phrase(i))
	}
	return verdict{violation.TestModified, "Test assertion changed: it checks " + quote(i.Subject) + " instead of " + quote(w.Subject)}
}

func alternatives(tokens []string) int {
	n := 0
	for _, t := range tokens {
		if t == "or" || t == "||" || t == "??" {
			n++
		}
	}
	return n
}

// normalisers are functions that make different values alike.
var normalisers = []string{
	"lower", "upper", "strip", "lstrip", "rstrip", "casefold", "title", "capitalize", "sorted", "set", "frozenset", "abs", "round",
	"str", "repr", "bool", "toLowerCase", "toUpperCase", "trim", "trimEnd", "trimStart", "sort", "toSorted", "String", "Boolean",
	"downcase", "upcase", "squish", "to_s", "uniq", "compact", "ToLower", "ToUpper", "TrimSpace", "Trim", "to_lowercase", "to_uppercase",
	"to_ascii_lowercase", "ToLowerInvariant", "ToUpperInvariant", "toString", "ToString", "OrderBy", "stripIndent",
}

// unwrapped reports whether the only thing that is gone from a value is that it
// was normalised, which made the check laxer.
func unwrapped(was, is []string) bool {
	at := index(was, is)
	if at < 0 || len(is) == 0 || len(was) == len(is) {
		return false
	}
	rest := slices.Concat(was[:at], was[at+len(is):])
	for _, t := range rest {
		if isName(t) && !slices.Contains(normalisers, t) && t != "strings" && t != "Math" {
			return false
		}
	}
	return true
}

// saysWhy reports whether all that differs is that Rust's unwrap() became
// expect("why"), or the other way around.
func saysWhy(was, is []string) bool {
	differ := false
	for len(was) > 0 && len(is) > 0 {
		switch {
		case was[0] == is[0]:
			was, is = was[1:], is[1:]
			continue
		case len(was) >= 3 && len(is) >= 4 && was[0] == "unwrap" && is[0] == "expect":
			if was[1] != "(" || was[2] != ")" || is[1] != "(" || !isString(is[2]) || is[3] != ")" {
				return false
			}
			was, is = was[3:], is[4:]
		case len(was) >= 4 && len(is) >= 3 && was[0] == "expect" && is[0] == "unwrap":
			if is[1] != "(" || is[2] != ")" || was[1] != "(" || !isString(was[2]) || was[3] != ")" {
				return false
			}
			was, is = was[4:], is[3:]
		default:
			return false
		}
		differ = true
	}
	return differ && len(was) == 0 && len(is) == 0
}

// sameElements reports whether a list became equal to a list in its order that
// had been compared as a set, or sorted.
func sameElements(w, i *testmodel.Assert) bool {
	if !exact(w.Relation) || !exact(i.Relation) || w.Negated || i.Negated {
		return false
	}
	was, is := elementsOf(w.Expected), elementsOf(i.Expected)
	if was == nil || is == nil || !isLiteral(i.Expected) {
		return false
	}
	if slices.ContainsFunc(w.Subject, func(t string) bool { return t == "set" || t == "frozenset" || t == "Set" || t == "uniq" }) {
		was, is = slices.Compact(was), slices.Compact(is)
	}
	return slices.Equal(was, is)
}

// elementsOf are the elements of a list or set that is written out, sorted; nil
// if tokens are something else.
func elementsOf(tokens []string) []string {
	for len(tokens) > 3 && slices.Contains(normalisers, tokens[0]) && tokens[1] == "(" && closing(tokens, 1) == len(tokens)-1 {
		tokens = tokens[2 : len(tokens)-1]
	}
	if len(tokens) < 2 || tokens[0] != "[" && tokens[0] != "{" || closing(tokens, 0) != len(tokens)-1 {
		return nil
	}
	out := []string{}
	for _, e := range split(strip(tokens)) {
		out = append(out, joined(e))
	}
	slices.Sort(out)
	return out
}

// found reports whether an element that may be missing, as Testing Library's
// queryBy… gives it, became one that must be there, as getBy… does, under the
// same check or one of its existence.
func found(w, i *testmodel.Assert) bool {
	if w.Negated || i.Negated || i.Lost || len(w.Subject) != len(i.Subject) {
		return false
	}
	differ := false
	for k, t := range w.Subject {
		if t == i.Subject[k] {
			continue
		}
		by, ok := strings.CutPrefix(t, "query")
		if !ok || !strings.HasPrefix(by, "By") || i.Subject[k] != "get"+by {
			return false
		}
		differ = true
	}
	return differ && (w.Relation == testmodel.NotNil || w.Relation == testmodel.Truthy || w.Relation == i.Relation && w.Name == i.Name && equalTokens(w.Expected, i.Expected))
}

// looser reports whether a relation demands less than another, of whatever
// value.
func looser(was, is *testmodel.Assert) bool { return rank(is) < rank(was) }

// rank orders relations by how much they tell about a value. Relations of one
// rank cannot be compared.
func rank(a *testmodel.Assert) int {
	if a.Negated {
		return 1
	}
	switch a.Relation {
	case testmodel.Always:
		return 0
	case testmodel.Truthy, testmodel.Falsy, testmodel.NotNil, testmodel.Called, testmodel.Succeeds:
		return 1
	case testmodel.TypeOf, testmodel.HasField, testmodel.Nil:
		return 2
	case testmodel.Length, testmodel.Compare, testmodel.CalledN:
		return 3
	case testmodel.Contains, testmodel.OneOf, testmodel.Prefix, testmodel.Matches:
		return 4
	case testmodel.Throws:
		if len(a.Expected) == 0 {
			return 2
		}
		return 5
	case testmodel.Subset, testmodel.CalledWith:
		return 5
	case testmodel.Approx, testmodel.LooseEqual, testmodel.Custom, testmodel.Snapshot:
		return 6
	case testmodel.Equal:
		return 7
	default:
		return 8
	}
}
