package testdiff

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/catalogue"
	"workflow-reviewer/internal/integrity/kernel"
)

// demandsLess reports whether it can be shown that the assertion demands less
// than was approved. What cannot be shown is «changed».
func (d *describer) demandsLess(diff kernel.Difference, was, is kernel.Assertion) bool {
	if was.Negated != is.Negated || looksAtLess(was, is) {
		return true
	}
	if was.Entry != nil && is.Entry != nil && was.Entry.Name != is.Entry.Name {
		return catalogue.Stronger(was.Entry, is.Entry) || equality(was.Entry) && !equality(is.Entry)
	}
	old, now := diff.OldStatement, diff.NewStatement
	return looserOperator(diff) || broaderError(diff) ||
		more(old, now, alternatives) || more(old, now, normalizers) || more(now, old, conjunctions)
}

// equality reports whether an assertion tells one value from all others.
func equality(e *catalogue.Entry) bool {
	low := strings.ToLower(e.Name)
	return e.Relation == "equality" && !strings.Contains(low, "not") && !strings.HasSuffix(low, "_ne")
}

// looksAtLess reports whether an assertion is left with fewer values: an
// equality that became a truth, a message that is not looked at any more.
func looksAtLess(was, is kernel.Assertion) bool {
	count := func(a kernel.Assertion) int {
		n := len(a.Values)
		if a.Object != nil {
			n++
		}
		for _, v := range a.Values {
			if isComparison(v) {
				n++
			}
		}
		return n
	}
	return count(is) < count(was)
}

func isComparison(n *kernel.Node) bool {
	return slices.ContainsFunc(n.Kids, func(k *kernel.Node) bool { return strictness[k.Text] > 0 })
}

// strictness ranks operators of which one takes what another does and more; those of one rank take
// something else each.
var strictness = map[string]int{
	"===": 4, "is": 4, "==": 3, "!=": 1, "!==": 1, "is not": 1, "not in": 1, "in": 2, "<": 2, ">": 2, "<=": 1, ">=": 1, "=~": 2, "match": 2,
}

// looserOperator reports whether an operator became another one that is no stricter.
func looserOperator(diff kernel.Difference) bool {
	was, is := operator(diff.Old), operator(diff.New)
	return was != "" && is != "" && was != is && strictness[is] <= strictness[was]
}

// operator is the comparison that a differing part is, or holds at its top.
func operator(n *kernel.Node) string {
	if n == nil {
		return ""
	}
	if strictness[n.Text] > 0 {
		return n.Text
	}
	for _, k := range n.Kids {
		if strictness[k.Text] > 0 {
			return k.Text
		}
	}
	return ""
}

// alternatives let a condition accept more: an «or», a value that stands for all,
// a tolerance; conjunctions let it accept less.
var (
	alternatives = []string{"or", "||", "?", "if", "??", "ANY", "anything", "any", "rel", "abs", "rel_tol", "abs_tol", "delta", "places"}
	conjunctions = []string{"and", "&&"}
)

// more reports whether the second of two statements holds more of some words.
func more(a, b *kernel.Node, words []string) bool {
	count := func(n *kernel.Node) int {
		found := 0
		n.Walk(func(k *kernel.Node) bool {
			if len(k.Kids) == 0 && slices.Contains(words, k.Text) {
				found++
			}
			return true
		})
		return found
	}
	return a != nil && b != nil && count(b) > count(a)
}

// broadErrors are the classes that every error of their language is of.
var broadErrors = []string{"Exception", "BaseException", "Throwable", "Error", "StandardError", "RuntimeException"}

// broaderError reports whether an expected error became one that covers more.
func broaderError(diff kernel.Difference) bool {
	if diff.Old == nil || diff.New == nil {
		return false
	}
	last := func(n *kernel.Node) string {
		text := strings.TrimSuffix(n.Normalized(), ".class")
		return text[strings.LastIndexAny(text, ".:")+1:]
	}
	if diff.New.Is("tuple") && !diff.Old.Is("tuple") { // one of several classes
		return slices.ContainsFunc(diff.New.Kids, func(k *kernel.Node) bool { return k.Normalized() == diff.Old.Normalized() })
	}
	return slices.Contains(broadErrors, last(diff.New)) && last(diff.Old) != last(diff.New)
}

// normalizers map different values to one, so that a comparison of what they return tells fewer
// values apart.
var normalizers = []string{
	"lower", "upper", "toLowerCase", "toUpperCase", "downcase", "upcase", "casefold", "ToLower", "ToUpper", "to_lowercase", "to_uppercase",
	"ToLowerInvariant",
	"strip", "trim", "TrimSpace", "Trim", "sorted", "sort", "set", "Set", "len", "length", "size", "Count", "abs", "round", "int", "bool",
	"Boolean", "type", "isinstance", "keys", "first", "startswith", "startsWith", "endswith", "endsWith", "includes", "contains",
	"Contains", "include?", "any", "some",
}
