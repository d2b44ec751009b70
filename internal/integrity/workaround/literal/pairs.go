package literal

import (
	"workflow-reviewer/internal/code"
	"workflow-reviewer/internal/lazyregexp"
)

// Pair is an input that code recognises, and the constant beside it.
type Pair struct {
	Input  *code.Node // a literal, or a list of them
	Answer *code.Node // a constant
}

// Keys are the literals of the input.
func (p Pair) Keys() []Key {
	var out []Key
	for _, n := range Leaves(p.Input) {
		if k := OfValue(n.Value); k != "" {
			out = append(out, k)
		}
	}
	return out
}

// Listing is a place where code lists inputs with answers.
type Listing struct {
	Table bool       // a dictionary, list of pairs or map that is filled; else the branches of a function
	At    *code.Node // the table as it is written; nil where it is filled entry by entry
	Pairs []Pair
}

// mapping matches what takes keys and values by turns; values alone stand in lists as well.
var mapping = lazyregexp.New(`(?i)map|dict|hash|table|pairs|lookup`)

// Listings are the pairs of constants in a file, as far as they may be inputs and
// answers: branches on equality, switches, tables.
func Listings(f *code.File) []Listing {
	var out []Listing
	for _, fn := range f.Funcs {
		out = append(out, Listing{Pairs: branches(fn)})
	}
	puts := map[string]*Listing{}
	f.Root.Walk(func(n *code.Node) bool {
		l := Listing{Table: true, At: n}
		switch callee := n.Kid(0); {
		case n.Is(code.Dict, code.List):
			for _, k := range n.Kids {
				l.entry(k)
			}
		case n.Is(code.Call) && len(n.Args()) == 2 && callee.Is(code.Member) && n.Up.Is(code.Block, code.Func): // m.put(k, v)
			name := code.Dotted(callee.Kid(0))
			if puts[name] == nil {
				puts[name] = &Listing{Table: true}
			}
			puts[name].add(n.Kids[1], n.Kids[2])
		case n.Is(code.Call): // Map.of(k, v, k, v), Map.ofEntries(entry(k, v), …)
			args := n.Args()
			for i := 0; i+1 < len(args) && len(args)%2 == 0 && mapping.MatchString(code.Dotted(callee)); i += 2 {
				l.add(args[i], args[i+1])
			}
			for _, a := range args {
				l.entry(a)
			}
		}
		out = append(out, l)
		return true
	})
	for _, l := range puts {
		out = append(out, *l)
	}
	for _, lists := range parallel(f.Root) {
		l := Listing{Table: true, At: lists[0]}
		for i, in := range lists[0].Kids {
			l.add(in, lists[1].Kids[i])
		}
		out = append(out, l)
	}
	return out
}

// entry adds an element of a table: a pair, a list of two, a call with two.
func (l *Listing) entry(n *code.Node) {
	switch args := n.Args(); {
	case n.Is(code.Pair) && n.Text != "kw", n.Is(code.List) && len(n.Kids) == 2:
		l.add(n.Kid(0), n.Kid(1))
	case n.Is(code.Dict) && len(n.Kids) == 2 && n.Kids[0].Is(code.Pair) && n.Kids[1].Is(code.Pair): // {in: …, out: …}
		l.add(n.Kids[0].Kid(1), n.Kids[1].Kid(1))
	case len(args) == 2:
		l.add(args[0], args[1])
	}
}

func (l *Listing) add(in, answer *code.Node) {
	in = Bare(in)
	if in.Is(code.Name) && in.Up.Is(code.Pair) { // {TEN: 10}
		in = &code.Node{Kind: code.Literal, Value: code.Value{Type: code.String, Text: in.Text}, Line: in.Line, Up: in.Up, Src: in.Src}
	}
	if len(Leaves(in)) > 0 && Of(answer) != "" {
		l.Pairs = append(l.Pairs, Pair{in, answer})
	}
}

// branches are the constants that a function returns where something equals others.
func branches(fn *code.Node) []Pair {
	var l Listing
	for _, o := range code.Outcomes(fn) {
		if o.Raises || Of(o.Value) == "" {
			continue
		}
		for _, g := range o.Guards {
			for _, in := range compared(g) {
				l.add(in, o.Value)
			}
		}
	}
	return l.Pairs
}

// compared are the constants that a guard demands.
func compared(g code.Guard) []*code.Node {
	out := g.Patterns
	demands := func(n *code.Node) bool {
		positive := n.Text == "==" || n.Text == "in"
		return n.Is(code.Call) || n.Is(code.Binary) && (positive && !g.Negated || n.Text == "!=" && g.Negated)
	}
	g.Cond.Walk(func(n *code.Node) bool {
		if demands(n) {
			for _, k := range n.Kids {
				if n.Is(code.Call) && k.Is(code.Member) { // [..].includes(x), "x".equals(y)
					k = k.Kid(0)
				}
				if k = Bare(k); k.Is(code.Literal) {
					out = append(out, k)
				} else if k.Is(code.List) {
					out = append(append(out, k), k.Kids...)
				}
			}
		}
		return true
	})
	return out
}

// maxParallel bounds the lists of one length that are compared with each other.
const maxParallel = 10

// parallel are lists of constants of the same length in one file.
func parallel(root *code.Node) [][2]*code.Node {
	byLength := map[int][]*code.Node{}
	var out [][2]*code.Node
	root.Walk(func(n *code.Node) bool {
		if known := byLength[len(n.Kids)]; n.Is(code.List) && len(n.Kids) > 1 && len(Leaves(n)) == len(n.Kids) && len(known) < maxParallel {
			for _, first := range known {
				out = append(out, [2]*code.Node{first, n})
			}
			byLength[len(n.Kids)] = append(known, n)
		}
		return true
	})
	return out
}
