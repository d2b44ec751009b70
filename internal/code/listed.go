package code

import (
	"slices"

	"workflow-reviewer/internal/lazyregexp"
)

// Listed reports whether a name, member or element stands only where it was
// compared with literals, found in a list of them, or matched with a pattern.
func (f *File) Listed(n *Node) bool {
	text := n.Src.Text()
	for at := n; at.Up != nil; at = at.Up {
		up := at.Up
		switch {
		case up.Is(If, Ternary) && up.Kid(1) == at && f.among(up.Kid(0), text),
			up.Is(Binary) && up.Text == "&&" && up.Kid(1) == at && f.among(up.Kid(0), text),
			up.Is(Case) && up.Kids[0] != at && is(up.Up.Kid(0), text) && up.Kids[0].Is(Literal):
			return true
		case up.Is(Block, Func, Handler, Try):
			own := slices.Index(up.Kids, at)
			for _, before := range up.Kids[max(0, own-maxBack):max(0, own)] {
				if before.Is(If) && leaves(before.Kid(1)) && f.excludes(before.Kid(0), text) {
					return true
				}
			}
		}
		if up.Is(Func) && up.Def.Locals[First(n).Text] {
			return false
		}
	}
	return false
}

var (
	finds   = lazyregexp.New(`^(?:includes|has|contains|Contains|include\?|ContainsKey|containsKey|member\?|key\?|hasOwnProperty)$`)
	matches = lazyregexp.New(`^(?:test|match|fullmatch|match\?|matches|MatchString|IsMatch|is_match|isdigit|isalnum|isidentifier` +
		`|isInteger|isSafeInteger)$`)
	constant = lazyregexp.New(`^[A-Z][A-Z0-9_]*$`)
)

func is(n *Node, text string) bool { return n.Is(Name, Member, Index) && n.Src.Text() == text }

// among reports whether a condition holds only for a name of known values.
func (f *File) among(cond *Node, name string) bool {
	l, r := cond.Kid(0), cond.Kid(1)
	switch {
	case cond.Is(Binary) && cond.Text == "&&":
		return f.among(l, name) || f.among(r, name)
	case cond.Is(Binary) && cond.Text == "||":
		return f.among(l, name) && f.among(r, name)
	case cond.Is(Binary) && cond.Text == "==":
		return is(l, name) && r.Is(Literal) || is(r, name) && l.Is(Literal)
	case cond.Is(Binary) && cond.Text == "in":
		return is(l, name) && f.fixed(r)
	case cond.Is(Index):
		return is(r, name) && f.fixed(l)
	case cond.Is(Call) && cond.Kid(0).Is(Member):
		return finds.MatchString(l.Text) && is(r, name) && f.fixed(l.Kid(0)) ||
			matches.MatchString(l.Text) && (slices.ContainsFunc(cond.Args(), func(a *Node) bool { return is(a, name) }) ||
				is(l.Kid(0), name))
	}
	return false
}

// excludes reports whether a condition holds for every other value of a name.
func (f *File) excludes(cond *Node, name string) bool {
	l, r := cond.Kid(0), cond.Kid(1)
	switch {
	case cond.Is(Unary) && cond.Text == "not":
		return f.among(l, name)
	case cond.Is(Binary) && cond.Text == "||":
		return f.excludes(l, name) || f.excludes(r, name)
	case cond.Is(Binary) && cond.Text == "&&":
		if l.Is(Assign) && l.Kid(1).Is(Index) { // Go: _, ok := known[name]; !ok
			return is(l.Kid(1).Kid(1), name) && f.fixed(l.Kid(1).Kid(0))
		}
		return f.excludes(l, name) && f.excludes(r, name)
	case cond.Is(Binary) && cond.Text == "!=":
		return is(l, name) && r.Is(Literal) || is(r, name) && l.Is(Literal)
	case cond.Is(Binary) && cond.Text == "not in":
		return is(l, name) && f.fixed(r)
	}
	return false
}

// fixed reports whether a list or table has nothing but literals for its keys, or is a constant.
func (f *File) fixed(n *Node) bool {
	if n == nil {
		return false
	}
	set := f.Assigned(n.Text)
	return n.Is(Name, Member) && constant.MatchString(n.Text) || literals(n) || n.Is(Name) && len(set) > 0 &&
		!slices.ContainsFunc(set, func(a *Node) bool { return a.Text != "=" || !a.Kid(0).Is(Name) || !literals(a.Kid(1)) })
}

func literals(n *Node) bool {
	switch n.Kind {
	case Literal:
		return true
	case Pair:
		return n.Kid(0).Is(Literal, Name)
	case Call:
		return (n.Text != "" || fixes.MatchString(Method(n))) && !slices.ContainsFunc(n.Args(), func(k *Node) bool { return !literals(k) })
	case List, Dict:
		return !slices.ContainsFunc(n.Kids, func(k *Node) bool { return !literals(k) })
	}
	return false
}

// fixes is what makes a list of its arguments.
var fixes = lazyregexp.New(`^(?:Set|set|frozenset|of|asList|freeze|List|HashSet|tuple|list|vec)$`)

// leaves reports whether a block ends by leaving what it stands in.
func leaves(b *Node) bool {
	if !b.Is(Block) || len(b.Kids) == 0 {
		return b.Is(Return, Raise)
	}
	last := b.Kids[len(b.Kids)-1]
	return last.Is(Return, Raise) || last.Src.Is("continue_statement", "break_statement") || last.Is(Call) && Method(last) == "exit"
}
