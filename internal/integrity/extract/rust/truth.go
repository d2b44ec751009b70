package rust

import (
	"slices"

	"workflow-reviewer/internal/integrity/testmodel"
)

// length makes an equality about x.len() one about the length of x.
func length(a testmodel.Assert) testmodel.Assert {
	if n := len(a.Subject); n > 4 && slices.Equal(a.Subject[n-4:], []string{".", "len", "(", ")"}) {
		a.Relation, a.Subject = testmodel.Length, a.Subject[:n-4]
	}
	return a
}

// maxTerms bounds how many assertions one condition is taken for.
const maxTerms = 100

// truths are the assertions that a condition holds, or that it does not.
func truths(cond []string, negated bool) []testmodel.Assert {
	type part struct {
		ts      []string
		negated bool
	}
	var out []testmodel.Assert
	for parts := []part{{cond, negated}}; len(parts) > 0; {
		p := parts[len(parts)-1]
		parts = parts[:len(parts)-1]
		p.ts = unwrap(p.ts)
		word := "&&"
		if p.negated {
			word = "||"
		}
		terms := split(p.ts, word)
		mixed := p.negated && operator(p.ts, "&&") > 0 || !p.negated && operator(p.ts, "||") > 0
		switch {
		case len(terms) > 1 && !mixed && len(out)+len(parts)+len(terms) < maxTerms:
			for _, t := range slices.Backward(terms) {
				parts = append(parts, part{t, p.negated})
			}
		case len(p.ts) > 1 && p.ts[0] == "!" && p.ts[1] != "!" && operator(p.ts, "==", "!=", "<", "<=", ">", ">=", "&&", "||") < 0:
			parts = append(parts, part{p.ts[1:], !p.negated})
		default:
			a := condition(p.ts)
			a.Negated = a.Negated != p.negated
			out = append(out, a)
		}
	}
	return out
}

// condition is the assertion that one condition holds.
func condition(ts []string) testmodel.Assert {
	a := testmodel.Assert{Relation: testmodel.Truthy, Name: "assert", Subject: ts}
	if operator(ts, "&&", "||") > 0 {
		return a
	}
	if i := operator(ts, "==", "!=", "<", "<=", ">", ">="); i > 0 {
		a.Name, a.Subject, a.Expected = ts[i], ts[:i], ts[i+1:]
		a.Relation = testmodel.Compare
		if ts[i] == "==" || ts[i] == "!=" {
			a.Relation, a.Negated = testmodel.Equal, ts[i] == "!="
			return length(a)
		}
		return absolute(a)
	}
	if len(ts) > 4 && ts[0] == "matches" && ts[1] == "!" {
		args := split(ts[3:len(ts)-1], ",")
		a.Subject, a.Expected = args[0], joined(args[1:])
		return matched(a)
	}
	return method(a, ts)
}

// matched is an assertion that a value is of a pattern; one of errors alone,
// or of any value that is there, says so.
func matched(a testmodel.Assert) testmodel.Assert {
	a.Relation = testmodel.Matches
	n := len(a.Expected)
	if n < 4 || a.Expected[1] != "(" || a.Expected[n-1] != ")" || operator(a.Expected, "|", "if") > 0 {
		return a
	}
	inner := a.Expected[2 : n-1]
	if len(inner) == 1 && (inner[0] == "_" || inner[0] == "..") {
		inner = nil
	}
	switch name := a.Expected[0]; {
	case name == "Err":
		a.Relation, a.Expected = testmodel.Throws, inner
	case (name == "Ok" || name == "Some") && inner == nil:
		a.Relation, a.Expected = testmodel.Succeeds, nil
	}
	return a
}

// absolute makes (a - b).abs() < epsilon an approximate equality.
func absolute(a testmodel.Assert) testmodel.Assert {
	n := len(a.Subject)
	if n < 8 || a.Name[0] != '<' || !slices.Equal(a.Subject[n-4:], []string{".", "abs", "(", ")"}) {
		return a
	}
	inner := unwrap(a.Subject[:n-4])
	i := operator(inner, "-")
	if i < 0 || len(inner) == n-4 {
		return a
	}
	t, rest := tolerance([][]string{a.Expected})
	return testmodel.Assert{Relation: testmodel.Approx, Name: a.Name, Subject: inner[:i], Expected: inner[i+1:], Tolerance: t, ToleranceTokens: rest}
}

// method is a condition that ends in a call of a method.
func method(a testmodel.Assert, ts []string) testmodel.Assert {
	if len(ts) < 4 || ts[len(ts)-1] != ")" {
		return a
	}
	open, level := -1, 0
	for i, t := range slices.Backward(ts) {
		switch t {
		case ")", "]", "}":
			level++
		case "(", "[", "{":
			level--
		}
		if level == 0 {
			open = i
			break
		}
	}
	if open < 3 || ts[open-2] != "." {
		return a
	}
	subject, args := ts[:open-2], ts[open+1:len(ts)-1]
	switch ts[open-1] {
	case "is_ok", "is_some":
		a.Relation = testmodel.Succeeds
	case "is_err":
		a.Relation = testmodel.Throws
	case "is_none":
		a.Relation = testmodel.Nil
	case "is_empty":
		a.Relation, a.Expected = testmodel.Length, []string{"0"}
	case "contains", "contains_key":
		a.Relation, a.Expected = testmodel.Contains, args
		if subject[0] == "[" || subject[0] == "vec" {
			a.Relation, subject, a.Expected = testmodel.OneOf, args, subject
		}
	case "starts_with", "ends_with":
		a.Relation, a.Expected = testmodel.Prefix, args
	case "eq":
		a.Relation, a.Expected = testmodel.Equal, args
	case "is_match":
		a.Relation, subject, a.Expected = testmodel.Matches, args, subject
	default:
		return a
	}
	a.Subject = subject
	return a
}
