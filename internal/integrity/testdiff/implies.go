package testdiff

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
)

// implies reports whether a value that satisfies one assertion provably
// satisfies the other, which is about the same value.
func implies(i, w *testmodel.Assert) bool {
	if !equalTokens(i.Subject, w.Subject) || i.Lost {
		return false
	}
	if i.Relation == w.Relation && i.Negated == w.Negated {
		return impliesSame(i, w)
	}
	if w.Negated && !i.Negated && w.Relation == testmodel.Length {
		return otherLength(i, w)
	}
	if w.Negated && !i.Negated {
		return exact(i.Relation) && exact(w.Relation) && i.Relation != testmodel.Approx &&
			isLiteral(i.Expected) && isLiteral(w.Expected) && !equalTokens(i.Expected, w.Expected)
	}
	if w.Negated || i.Negated {
		return false
	}
	if exact(i.Relation) {
		return impliesEqual(i, w)
	}
	return impliesPartly(i, w)
}

// otherLength reports whether an assertion fixes a length that another rules
// out no more than others: of two elements it is true that they are not none.
func otherLength(i, w *testmodel.Assert) bool {
	not, ok := number(w.Expected)
	if !ok {
		return false
	}
	if i.Relation == testmodel.Length {
		n, isNumber := number(i.Expected)
		return isNumber && n != not
	}
	n, isList := elements(i.Expected)
	return exact(i.Relation) && isList && float64(n) != not
}

// exact reports whether a relation fixes the value.
func exact(r testmodel.Relation) bool {
	return r == testmodel.Identical || r == testmodel.Equal || r == testmodel.LooseEqual
}

// impliesSame compares assertions of the same relation and value.
func impliesSame(i, w *testmodel.Assert) bool {
	switch same := equalTokens(i.Expected, w.Expected); i.Relation {
	case testmodel.Approx:
		return same && !wider(w, i) || !i.Negated && nearer(i, w)
	case testmodel.Compare:
		return same && i.Name == w.Name || tighter(i, w)
	case testmodel.Contains, testmodel.Prefix, testmodel.Matches:
		return (same || !w.Negated && i.Relation != testmodel.Matches && literalWithin(i.Expected, w.Expected, i.Relation, i.Name)) &&
			(i.Name == w.Name || i.Relation == testmodel.Contains)
	case testmodel.OneOf:
		return same || !w.Negated && subsetOf(i.Expected, w.Expected)
	case testmodel.Throws:
		return judgeThrows(w, i).Kind == ""
	case testmodel.Custom, testmodel.CalledWith, testmodel.Snapshot:
		return same && i.Name == w.Name || i.Relation == testmodel.CalledWith && same && stricterCall(i.Name, w.Name) ||
			i.Name == w.Name && !i.Negated && qualified(w.Expected, i.Expected)
	default:
		return same && (len(i.ToleranceTokens) == 0 || equalTokens(i.ToleranceTokens, w.ToleranceTokens))
	}
}

// qualifiers are what RSpec's matchers of changes are told more exactly by.
var qualifiers = []string{"by", "from", "to", "by_at_least", "by_at_most"}

// qualified reports whether a matcher is the same with qualifiers behind it.
func qualified(was, is []string) bool {
	if len(was) == 0 || was[0] != "change" || len(is) <= len(was) || !equalTokens(was, is[:len(was)]) {
		return false
	}
	rest := is[len(was):]
	for len(rest) > 2 && rest[0] == "." && slices.Contains(qualifiers, rest[1]) && rest[2] == "(" {
		end := closing(rest, 2)
		if end < 0 {
			return false
		}
		rest = rest[end+1:]
	}
	return len(rest) == 0
}

// nearer reports whether all numbers that one assertion lets pass are near
// enough for the other.
func nearer(i, w *testmodel.Assert) bool {
	a, ok := number(i.Expected)
	b, isNumber := number(w.Expected)
	if !ok || !isNumber || w.Tolerance == nil || i.Relation == testmodel.Approx && i.Tolerance == nil {
		return false
	}
	own := 0.0
	if i.Relation == testmodel.Approx {
		own = *i.Tolerance
	}
	return math.Abs(a-b)+own <= *w.Tolerance
}

// stricterCall reports whether one name of a check of calls demands more.
func stricterCall(i, w string) bool {
	order := func(name string) int {
		switch l := strings.ToLower(name); {
		case strings.Contains(l, "any") || strings.Contains(l, "has_calls"):
			return 0
		case strings.Contains(l, "once") || strings.Contains(l, "only"):
			return 2
		default:
			return 1
		}
	}
	return order(i) >= order(w)
}

// impliesEqual reports what follows from a value being equal to another.
func impliesEqual(i, w *testmodel.Assert) bool {
	if len(i.Expected) == 0 {
		return false
	}
	known := isLiteral(i.Expected)
	if known && w.Relation == testmodel.LooseEqual && anyOrder.MatchString(w.Name) && sameItems(w.Expected, i.Expected) {
		return true
	}
	switch w.Relation {
	case testmodel.Approx:
		return equalTokens(i.Expected, w.Expected) || nearer(i, w)
	case testmodel.Equal, testmodel.LooseEqual:
		return equalTokens(i.Expected, w.Expected) && (i.Relation != testmodel.LooseEqual || w.Relation != testmodel.Equal) &&
			(len(i.ToleranceTokens) == 0 || equalTokens(i.ToleranceTokens, w.ToleranceTokens))
	case testmodel.Succeeds:
		return i.Expected[0] == "Ok" || i.Expected[0] == "Some"
	case testmodel.Throws:
		return len(w.Expected) == 0 && (i.Expected[0] == "Err" || i.Expected[0] == "None")
	case testmodel.Truthy:
		return known && !isFalse(i.Expected)
	case testmodel.Falsy:
		return known && isFalse(i.Expected)
	case testmodel.NotNil:
		return !isNull(i.Expected)
	case testmodel.Nil:
		return isNull(i.Expected)
	case testmodel.TypeOf:
		return known && !isNull(i.Expected)
	case testmodel.Contains, testmodel.Prefix:
		return literalWithin(i.Expected, w.Expected, w.Relation, w.Name)
	case testmodel.HasField, testmodel.Subset:
		return within2(i.Expected, w.Expected)
	case testmodel.OneOf:
		return contains(w.Expected, i.Expected)
	case testmodel.Length:
		have, ok := elements(i.Expected)
		want, isNumber := number(w.Expected)
		return ok && isNumber && float64(have) == want
	case testmodel.Compare:
		return tighter(i, w)
	case testmodel.Matches:
		return matches(i.Expected, w.Expected)
	default:
		return false
	}
}

// anyOrder are checks of a list's elements in whatever order.
var anyOrder = regexp.MustCompile(`(?i)contain_exactly|match_array|CountEqual|AnyOrder|ConsistOf|ElementsMatch|Equivalent|sameMembers|members`)

// sameItems reports whether lists that are written out have the same elements,
// brackets or not.
func sameItems(a, b []string) bool {
	items := func(tokens []string) []string {
		out := []string{}
		for _, e := range split(strip(tokens)) {
			out = append(out, joined(e))
		}
		slices.Sort(out)
		return out
	}
	return slices.Equal(items(a), items(b))
}

// within2 reports whether everything that a partial check names is in the
// whole value.
func within2(whole, part []string) bool {
	for _, e := range split(strip(part)) {
		if len(e) > 0 && !contains(whole, e) {
			if key, ok := content(e); !ok || !mentions(whole, key) {
				return false
			}
		}
	}
	return len(part) > 0
}

// strip takes the brackets off a literal.
func strip(tokens []string) []string {
	if len(tokens) >= 2 && opens(tokens[0]) && closes(tokens[len(tokens)-1]) {
		return tokens[1 : len(tokens)-1]
	}
	return tokens
}

func subsetOf(part, whole []string) bool {
	for _, e := range split(strip(part)) {
		found := false
		for _, o := range split(strip(whole)) {
			found = found || equalTokens(e, o)
		}
		if !found {
			return false
		}
	}
	return len(part) > 0
}

// literalWithin reports whether a literal has another in it, or begins or ends
// with it.
func literalWithin(whole, part []string, r testmodel.Relation, name string) bool {
	text, ok := content(whole)
	sub, isText := content(part)
	switch {
	case ok && isText && r == testmodel.Prefix:
		if n := strings.ToLower(name); strings.Contains(n, "end") || strings.Contains(n, "suffix") {
			return strings.HasSuffix(text, sub)
		}
		return strings.HasPrefix(text, sub)
	case ok && isText:
		return strings.Contains(text, sub)
	default:
		return r == testmodel.Contains && len(part) > 0 && len(whole) > len(part) && isLiteral(whole) && contains(whole, part)
	}
}

// matches reports whether a literal matches a pattern that Go understands too.
func matches(value, pattern []string) bool {
	text, ok := content(value)
	expr, isText := content(pattern)
	if !ok || !isText || len(expr) > 1000 {
		return false
	}
	re, err := regexp.Compile(expr)
	return err == nil && re.MatchString(text)
}

// impliesPartly reports what follows from something less than equality.
func impliesPartly(i, w *testmodel.Assert) bool {
	switch i.Relation {
	case testmodel.CalledWith, testmodel.CalledN:
		n, isNumber := number(i.Expected)
		switch w.Relation {
		case testmodel.Called:
			return i.Relation == testmodel.CalledWith || isNumber && n > 0
		case testmodel.Subset:
			return i.Relation == testmodel.CalledWith && equalTokens(i.Expected, w.Expected)
		}
	case testmodel.Length, testmodel.Contains, testmodel.Matches, testmodel.Prefix, testmodel.Subset, testmodel.HasField,
		testmodel.Truthy, testmodel.TypeOf, testmodel.Compare, testmodel.OneOf, testmodel.Approx:
		if w.Relation == testmodel.NotNil {
			return i.Relation != testmodel.OneOf
		}
		return impliesTruth(i, w)
	case testmodel.Nil:
		return w.Relation == testmodel.Falsy || exact(w.Relation) && isNull(w.Expected) && len(i.Expected) == 0
	}
	return false
}

func impliesTruth(i, w *testmodel.Assert) bool {
	n, isNumber := number(i.Expected)
	switch {
	case i.Relation == testmodel.Length && w.Relation == testmodel.Truthy:
		return isNumber && n > 0
	case i.Relation == testmodel.Length && w.Relation == testmodel.Compare && strings.HasPrefix(w.Name, "len "):
		plain := *w
		plain.Name = strings.TrimPrefix(w.Name, "len ")
		equal := testmodel.Assert{Relation: testmodel.Equal, Subject: i.Subject, Expected: i.Expected}
		return tighter(&equal, &plain)
	case w.Relation == testmodel.Truthy:
		return i.Relation == testmodel.Contains || i.Relation == testmodel.HasField && len(i.Expected) > 0
	default:
		return false
	}
}

// tighter reports whether a comparison with, or equality to, a number implies
// a comparison with another.
func tighter(i, w *testmodel.Assert) bool {
	a, ok := number(i.Expected)
	b, isNumber := number(w.Expected)
	if !ok || !isNumber || math.IsNaN(a) || math.IsNaN(b) || i.Negated || w.Negated {
		return false
	}
	op := strings.TrimPrefix(w.Name, "len ")
	if i.Relation == testmodel.Compare {
		own := strings.TrimPrefix(i.Name, "len ")
		if strings.HasPrefix(i.Name, "len ") != strings.HasPrefix(w.Name, "len ") || own == "" || op == "" || own[0] != op[0] {
			return false
		}
		if own == op || own == op[:1] { // the same, or strict where the other is not
			return a == b || (a > b) == (op[0] == '>')
		}
		return a != b && (a > b) == (op[0] == '>')
	}
	switch op {
	case "<":
		return a < b
	case "<=":
		return a <= b
	case ">":
		return a > b
	case ">=":
		return a >= b
	default:
		return false
	}
}
