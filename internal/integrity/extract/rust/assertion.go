package rust

import (
	"slices"
	"strconv"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
)

// isAssertMacro reports whether a name is one of a macro that asserts.
func isAssertMacro(name string) bool {
	return strings.HasPrefix(name, "assert") || strings.HasPrefix(name, "debug_assert") || strings.HasPrefix(name, "prop_assert") ||
		name == "ensure" || name == "verify_that" || name == "expect_that" || name == "expect_eq" || name == "expect_true"
}

// asserted is what a macro asserts; nothing if it is no assertion.
func asserted(name string, inner []string) []testmodel.Assert {
	if !isAssertMacro(name) {
		return nil
	}
	args := split(inner, ",")
	word := name
	for _, prefix := range [...]string{"debug_", "prop_", "expect_", "assert"} {
		word = strings.TrimPrefix(word, prefix)
	}
	word = strings.TrimPrefix(word, "_")
	lost := strings.HasPrefix(name, "debug_")
	arg := func(i int) []string {
		if i < len(args) {
			return args[i]
		}
		return nil
	}
	var out []testmodel.Assert
	if word == "" || word == "true" || word == "false" || name == "ensure" {
		out = truths(arg(0), word == "false")
		for i := range out {
			if out[i].Relation != testmodel.Compare {
				out[i].Name = name
			}
		}
	} else {
		a := two(word, arg, args)
		a.Name = name
		if a.Relation == testmodel.Custom {
			a = custom(name, args)
		}
		out = []testmodel.Assert{a}
	}
	for i := range out {
		out[i].Lost = lost
	}
	return out
}

// two is an assertion about two values, or with a name of its own.
func two(word string, arg func(int) []string, args [][]string) testmodel.Assert {
	a := testmodel.Assert{Subject: arg(0), Expected: arg(1)}
	switch word {
	case "eq", "str_eq", "json_eq", "bits_eq":
		a.Relation = testmodel.Equal
		return length(a)
	case "ne":
		a.Relation, a.Negated = testmodel.Equal, true
	case "matches":
		a.Expected = joined(args[min(1, len(args)):min(2, len(args))])
		return matched(a)
	case "approx_eq", "relative_eq", "abs_diff_eq", "ulps_eq", "float_eq", "float_absolute_eq", "almost_eq", "near":
		a.Relation = testmodel.Approx
		a.Tolerance, a.ToleranceTokens = tolerance(args[min(2, len(args)):])
	case "lt", "le", "gt", "ge":
		a.Relation, a.Name = testmodel.Compare, word
	case "ok", "some", "ok_eq", "some_eq", "pending", "ready":
		a.Relation = testmodel.Succeeds
		if strings.HasSuffix(word, "_eq") {
			a.Relation = testmodel.Equal
		}
	case "err":
		a.Relation = testmodel.Throws
	case "none":
		a.Relation = testmodel.Nil
	case "contains":
		a.Relation = testmodel.Contains
	case "snapshot", "debug_snapshot", "yaml_snapshot", "json_snapshot", "display_snapshot", "ron_snapshot":
		a.Relation = testmodel.Snapshot
		a.Expected = joined(args[min(1, len(args)):])
	default:
		a.Relation = testmodel.Custom
	}
	return a
}

func joined(args [][]string) []string {
	var out []string
	for i, a := range args {
		if i > 0 {
			out = append(out, ",")
		}
		out = append(out, a...)
	}
	return out
}

// tolerance is the epsilon of a comparison of floats.
func tolerance(args [][]string) (*float64, []string) {
	ts := joined(args)
	for _, a := range args {
		if i := slices.Index(a, "="); i >= 0 {
			a = a[i+1:]
		}
		if len(a) == 1 {
			number := strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(a[0], "f64"), "f32"), "_")
			if v, err := strconv.ParseFloat(number, 64); err == nil && len(args) == 1 {
				return &v, nil
			}
		}
	}
	return nil, ts
}

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
