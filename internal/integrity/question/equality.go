package question

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/code"
	"workflow-reviewer/internal/integrity/workaround/literal"
	"workflow-reviewer/internal/lazyregexp"
)

// equalities are the names of functions that decide what counts as equal, contained or true.
var equalities = lazyregexp.New(`^(?:__(?:eq|ne|bool|contains|instancecheck|subclasscheck|getattr|getattribute|lt|le|gt|ge)__|==|!=|` +
	`===|eql\?|equal\?|<=>|=~|` +
	`equals|Equals?|hashCode|GetHashCode|compareTo|CompareTo|method_missing|asymmetricMatch|toJSON|valueOf|Symbol\.toPrimitive|Is|As|eq|` +
	`ne|cmp|partial_cmp)$`)

// ordinary: an equality that returns only comparisons in which a member of the
// object meets the same member of the other, or what is no equality at all.
func ordinary(fn *code.Node) bool {
	if len(fn.Kids) == 0 {
		return true
	}
	outcomes := code.Outcomes(fn)
	if answersAny.MatchString(fn.Text) {
		return !slices.ContainsFunc(outcomes, func(o code.Outcome) bool {
			return !o.Raises && o.Value != nil && !passesOn(o.Value, fn.Def.Params)
		})
	}
	compares := false
	for _, o := range outcomes {
		v := o.Value
		switch {
		case o.Raises, v == nil, v.Is(code.Name) && v.Text == "NotImplemented", v.Is(code.Literal) && v.Value.Type == code.None,
			v.Is(code.Literal) && v.Value == code.Value{Type: code.Bool, Text: "false"}:
		case v.Is(code.Literal) && v.Value.True():
			if !slices.ContainsFunc(o.Guards, func(g code.Guard) bool { return g.Mentions(sameMembers) }) {
				return false
			}
		case v.Any(sameMembers), v.Any(func(n *code.Node) bool { // or left to the base class, or a function of the same kind
			return n.Is(code.Call) && (strings.Contains(code.Dotted(n.Kid(0)), "super") || equalities.MatchString(code.Method(n)))
		}):
			compares = true
		case slices.Contains([]string{"hashCode", "GetHashCode", "toJSON", "valueOf"}, fn.Text):
			compares = compares || literal.Of(v) == "" // a hash that is computed
		default:
			return false
		}
	}
	return compares
}

// answersAny are methods that are asked for what an object does not have.
var answersAny = lazyregexp.New(`^(?:__getattr__|__getattribute__|method_missing)$`)

// passesOn reports whether a value depends on what was asked for.
func passesOn(v *code.Node, params []string) bool {
	return len(params) == 0 && v.Is(code.Call) || v.Any(func(n *code.Node) bool {
		return n.Is(code.Name) && (slices.Contains(params, n.Text) || n.Text == "super") ||
			n.Is(code.Call) && strings.HasPrefix(code.Dotted(n.Kid(0)), "super")
	})
}

// sameMembers: a.x == b.x, a.x.equals(b.x), self == other, or both at once.
func sameMembers(n *code.Node) bool {
	var l, r *code.Node
	switch {
	case n.Is(code.Binary) && slices.Contains([]string{"==", "!=", "<", ">", "<=", ">=", "<=>", "is"}, n.Text):
		l, r = n.Kid(0), n.Kid(1)
	case n.Is(code.Call) && n.Kid(0).Is(code.Member) && len(n.Args()) == 1:
		l, r = n.Kid(0).Kid(0), n.Args()[0]
	case n.Is(code.Call) && len(n.Args()) == 2:
		l, r = n.Args()[0], n.Args()[1]
	}
	if measure.MatchString(tail(l)) {
		return false
	}
	return tail(l) == tail(r) && l.Is(code.Member, code.Index, code.Call) ||
		l.Is(code.Name) && tail(r) == l.Text && r.Is(code.Member, code.Call) || l.Is(code.Name) && r.Is(code.Name) && l.Text == "self"
}

// measure ends a chain that asks only how much of something there is.
var measure = lazyregexp.New(`(?:^|\.)(?:len|length|size|count|Count|Length)$`)

// tail is what a chain asks of its first name.
func tail(n *code.Node) string {
	d := code.Dotted(n)
	if _, rest, ok := strings.Cut(d, "."); ok {
		return strings.TrimSuffix(rest, "()")
	}
	if n == nil {
		return d
	}
	return d + n.Src.Text()
}
