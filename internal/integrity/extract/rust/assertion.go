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
