package kernel

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/syntax"
)

// implied forgives an assertion of one value that became one of the same value and a constant from which the
// old one follows: "is not null" became "equals 3". The catalogue declares the pairs and what the constant must
// be. Likewise the truth of a comparison that became the assertion of that comparison.
func (c *comparer) implied(old, now assertion) bool {
	if old.negated || now.negated || !c.sameObject(old, now) {
		return false
	}
	oldArgs, oldMsg := old.split()
	newArgs, newMsg := now.split()
	for _, class := range c.catalogue.Implied(now.entry, old.entry) {
		ok := len(newArgs) == len(oldArgs)+1 && c.withoutConstant(oldArgs, newArgs, class) || c.unfolded(oldArgs, newArgs, class)
		if ok && c.harmlessMessage(oldMsg, newMsg, old.lazily()) {
			c.forgive("an assertion replaced by one that demands as much or more (" + old.name + " → " + now.name + ")")
			return true
		}
	}
	return false
}

// withoutConstant compares arguments but for one of the new ones, a constant of a class.
func (c *comparer) withoutConstant(old, now []*Node, class string) bool {
	for i, n := range now {
		rest := slices.Delete(slices.Clone(now), i, i+1)
		if c.ofClass(n, class) && c.attempt(func() bool { return c.sameAll(old, rest) }) {
			return true
		}
	}
	return false
}

// ofClass reports whether a node is a constant of a class.
func (c *comparer) ofClass(n *Node, class string) bool {
	for n.Is("argument", "expression_list") && len(n.Kids) == 1 {
		n = n.Kids[0]
	}
	text := n.joined()
	literal := len(n.Kids) == 0 && !n.variable || isPlainText(n)
	number, isNumber := number(n)
	nothing := slices.Contains([]string{"null", "None", "nil", "undefined", "NaN", "float64(0)", ""}, text)
	empty := n.isText() && len(strings.TrimLeft(text, "bBrRuUfF@$#")) <= 2 ||
		n.isText() && !n.Any(func(k *Node) bool { return len(k.Kids) == 0 && len(k.Text) > 2 })
	truth := n.Is("true") || text == "true" || text == "True"
	untruth := n.Is("false") || text == "false" || text == "False"
	switch class {
	case "const":
		return literal && !nothing && (isNumber || n.isText() || truth || untruth) || n.Is(composites...) && inert(c.table, n)
	case "true":
		return literal && !nothing && (isNumber && number.Sign() > 0 && c.table.lang != syntax.Go || truth || n.isText() && !empty &&
			c.table.lang != syntax.Go || c.table.lang == syntax.Go && truth)
	case "false":
		return untruth
	case "text":
		return isPlainText(n) && !empty
	case "type", "value":
		return inert(c.table, n)
	}
	return false
}

// isPlainText reports whether a node is one text without parts that are computed.
func isPlainText(n *Node) bool {
	return n.isText() && !n.Is("binary_expression", "binary_operator", "binary", "tokens") && !n.Any(func(k *Node) bool {
		return k.Is("interpolation", "template_substitution")
	})
}

// composites are kinds of literal that are never null.
var composites = []string{"list", "dictionary", "tuple", "set", "array", "object", "composite_literal", "hash"}

// unfolded compares the two sides of a comparison with two arguments.
func (c *comparer) unfolded(old, now []*Node, op string) bool {
	if len(now) < 2 {
		return false
	}
	at := slices.IndexFunc(old, func(n *Node) bool { return len(n.Kids) >= 3 })
	if at < 0 || len(now) != len(old)+1 {
		return false
	}
	if !c.sameAll(old[:at], now[:at]) {
		return false
	}
	both := old[at]
	for both.Is("argument") && len(both.Kids) == 1 {
		both = both.Kids[0]
	}
	if len(both.Kids) < 3 {
		return false
	}
	left, middle, right := both.Kids[0], "", both.Kids[len(both.Kids)-1]
	if both.Is("tokens") {
		i := slices.IndexFunc(both.Kids, func(k *Node) bool { return k.Text == op })
		if i <= 0 || i+1 >= len(both.Kids) {
			return false
		}
		if slices.ContainsFunc(both.Kids, func(k *Node) bool {
			return k.Text == "&&" || k.Text == "||" || k.Text == "!" || k.Text == "|"
		}) {
			return false
		}
		left, middle, right = group(both, both.Kids[:i]), op, group(both, both.Kids[i+1:])
	} else {
		if !both.Is("comparison_operator", "binary_expression", "binary") {
			return false
		}
		for _, k := range both.Kids[1 : len(both.Kids)-1] {
			middle += k.Text
		}
	}
	if middle != op {
		return false
	}
	a, b := now[at], now[at+1]
	for a.Is("argument") && len(a.Kids) == 1 && b.Is("argument") && len(b.Kids) == 1 {
		a, b = a.Kids[0], b.Kids[0]
	}
	pair := func(x, y *Node) bool {
		return c.attempt(func() bool { return c.sameValue(left, x) && c.sameValue(right, y) })
	}
	if c.table.lang == syntax.Java || c.table.lang == syntax.CSharp || c.table.lang == syntax.Go {
		// "==" may be identity there, unless it is of numbers, texts or truths
		if !c.ofClass(left, "const") && !c.ofClass(right, "const") || left.Is(composites...) || right.Is(composites...) ||
			c.table.lang == syntax.Java && (left.isText() || right.isText()) {
			return false
		}
	}
	return pair(a, b) || slices.Contains([]string{"==", "!=", "===", "is"}, op) && pair(b, a)
}

// sameValue compares two nodes wherever they stand.
func (c *comparer) sameValue(a, b *Node) bool {
	if a.Is("tokens") && b.Is("tokens") {
		return c.sameAll(a.Kids, b.Kids)
	}
	x, y := *a, *b
	x.Field, y.Field = "", ""
	return c.same(&x, &y)
}
