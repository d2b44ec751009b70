// Package literal reads the constants of approved tests, by the assertion or row
// in which they stand together, and finds them again in other code.
package literal

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/code"
	"workflow-reviewer/internal/lazyregexp"
)

// Key is a literal, or several that stand together, spelled alike in all languages.
type Key string

const (
	maxGroup    = 40  // literals that are taken to belong together
	maxCompound = 200 // literals in one compound value
	maxGroups   = 20000
)

// Of is the key of a constant: a literal, or a list, object or call with
// nothing but literals in it; "" for anything else.
func Of(n *code.Node) Key {
	n = Bare(n)
	if n.Is(code.Literal) {
		return OfValue(n.Value)
	}
	if !n.Is(code.List, code.Dict, code.Call) {
		return ""
	}
	var parts []string
	constant := true
	var visit func(*code.Node)
	visit = func(c *code.Node) {
		c = Bare(c)
		switch {
		case !constant || len(parts) > maxCompound:
			constant = false
		case c.Is(code.Literal):
			parts = append(parts, string(OfValue(c.Value)))
		case c.Is(code.Pair):
			if c.Kid(0).Is(code.Literal) && c.Text != "kw" && c.Up.Is(code.Dict) && c.Kid(0).Value.Type != code.String {
				visit(c.Kid(0))
			}
			visit(c.Kid(1))
		case c.Is(code.List, code.Dict):
			for _, k := range c.Kids {
				visit(k)
			}
		case c.Is(code.Call) && constructs(c):
			for _, k := range c.Args() {
				visit(k)
			}
		default:
			constant = false
		}
	}
	visit(n)
	if !constant || len(parts) == 0 && n.Is(code.Call) {
		return ""
	}
	if len(parts) == 1 && n.Is(code.Call) {
		return Key(parts[0])
	}
	slices.Sort(parts)
	return Key("c:" + strings.Join(parts, ","))
}

// constructs reports whether a call makes a value of its arguments, as far as its name tells.
func constructs(c *code.Node) bool {
	if c.Text == "new" || c.Src.Is("composite_literal", "struct_expression") {
		return true
	}
	root := code.First(c.Kid(0))
	if !root.Is(code.Name) || code.ScopeOf(root, root.Text) != nil {
		return false
	}
	return constructors.MatchString(code.Dotted(c.Kid(0))) ||
		root.Text != "" && strings.ToUpper(root.Text[:1]) == root.Text[:1] && root.Text[0] != '_'
}

// Functions that make a value, and methods and functions that only convert or copy one.
var (
	constructors = lazyregexp.New(`^(?:(?:datetime\.)?(?:date|datetime|timedelta)|decimal\.Decimal|complex|bytes|vec|set|list|tuple|` +
		`dict|frozenset|BigInt|big\.NewInt|time\.Date)$`)
	copying  = lazyregexp.New(`^(?:to_string|to_owned|into|freeze|clone|to_vec|as_const|dup|copy|[Tt]oList)$`)
	wrapping = lazyregexp.New(`^(?:String\.from|Some|Ok|Box\.new|str|int|float|Decimal|BigDecimal|BigInt|` +
		`.*\.(?:freeze|Just)|Optional\.of|Integer\.valueOf|Promise\.resolve|list|tuple|frozenset|set|dict)$`)
)

// Bare takes a value out of calls that only convert or copy it.
func Bare(n *code.Node) *code.Node {
	for n.Is(code.Call) {
		switch callee := n.Kid(0); {
		case copying.MatchString(code.Method(n)) && callee.Is(code.Member) && len(n.Kids) == 1:
			n = callee.Kid(0)
		case wrapping.MatchString(code.Dotted(callee)) && len(n.Kids) == 2:
			n = n.Kids[1]
		default:
			return n
		}
	}
	return n
}

// Leaves are the literals in a constant.
func Leaves(n *code.Node) []*code.Node {
	var out []*code.Node
	if Of(n) == "" {
		return nil
	}
	n.Walk(func(c *code.Node) bool {
		if c.Is(code.Literal) {
			out = append(out, c)
		}
		return true
	})
	return out
}

// OfValue is the key of one literal, "" for a regular expression.
func OfValue(v code.Value) Key {
	switch v.Type {
	case code.Number:
		return Key("n:" + v.Text)
	case code.String:
		return Key("s:" + v.Text)
	case code.Bool:
		return Key("b:" + v.Text)
	case code.None:
		return "z:"
	default:
		return ""
	}
}

// Listed are the constants of a list or table, or of the variable that holds one; nil if they are not all constants.
func Listed(f *code.File, n *code.Node) []*code.Node {
	if n = Bare(n); n.Is(code.Name, code.Member) {
		as := f.Assigned(n.Text)
		if len(as) != 1 {
			return nil
		}
		n = Bare(as[0].Kid(1))
	}
	for n.Is(code.Call) && len(n.Kids) == 2 && (n.Kids[1].Is(code.List, code.Dict) || n.Text == "new" && n.Kids[1].Is(code.Call)) {
		n = n.Kids[1]
	}
	kids := n.Args()
	if n.Is(code.List, code.Dict) {
		kids = n.Kids
	}
	var out []*code.Node
	for _, k := range kids {
		if k.Is(code.Pair) {
			k = k.Kid(1)
		}
		if Of(k) == "" {
			return nil
		}
		out = append(out, k)
	}
	return out
}
