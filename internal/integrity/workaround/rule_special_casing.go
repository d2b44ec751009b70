package workaround

import (
	"fmt"
	"slices"

	"workflow-reviewer/internal/code"
	"workflow-reviewer/internal/integrity/workaround/literal"
	"workflow-reviewer/internal/lazyregexp"
)

// specialCasing looks for what docs/integrity-rules.md says under special-casing. A function that
// recognises the inputs of the tests and returns what they expect has not been written, only listed.
func specialCasing(p *pass) {
	for _, l := range literal.Listings(p.File) {
		if len(l.Pairs) > 0 && !ofRustTest(l.Pairs[0].Input) {
			p.listing(l)
		}
	}
}

// listing reports the pairs of a listing that holds nothing but inputs and
// answers of the tests, several, one input rare; else single branches of which
// input and answer are rare.
func (p *pass) listing(l literal.Listing) {
	var tested []literal.Pair
	rareInput := false
	for _, e := range l.Pairs {
		keys, answer := e.Keys(), literal.Of(e.Answer) // "c:" is an empty list, which is filled later
		if answer != "c:" && !slices.Contains(keys, answer) && p.Tests.Together(append(keys, answer)...) {
			tested = append(tested, e)
			rareInput = rareInput || slices.ContainsFunc(keys, literal.Rare)
		}
	}
	whole := len(tested) == len(l.Pairs) && len(tested) > 1 && rareInput && (l.At == nil || p.looksUp(l.At, map[string]bool{}))
	for _, e := range tested {
		if whole || !l.Table && literal.Rare(literal.Of(e.Answer)) && slices.ContainsFunc(e.Keys(), literal.Rare) {
			p.report(e.Input.Line, fmt.Sprintf("an input of an approved test (%s) is recognised and answered with what the test expects",
				literal.Shorten(e.Input.Src.Text(), 80)), e.Answer.Line)
		}
	}
}

// ofRustTest reports whether a node stands in what Rust compiles for tests only.
func ofRustTest(n *code.Node) bool {
	for n != nil && !n.TestOfRust() {
		n = n.Up
	}
	return n != nil
}

// wrapping matches what makes a table of its argument, shown what takes all of one.
var wrapping, shown = lazyregexp.New(`(?i)(?:^|[.:])(?:\w*map|\w*dict|hash\w*|freeze|list|set|array|vec|tuple|(?:list|map|set|array)?of` +
	`|from|\w*entries)$`), lazyregexp.New(`^(?:map|forEach|each|length|size|len|keys|values)$`)

// looksUp reports whether the file may recognise something by a table: it is indexed,
// asked, compared, gone through or handed on, as it is, under its name, or as what a
// function gives. A list that is only shown, exported or given out is data; a dictionary
// of the file that it does not use is there for others. known are names met.
func (p *pass) looksUp(table *code.Node, known map[string]bool) bool {
	for n := table; n.Up != nil; n = n.Up {
		up, name := n.Up, ""
		switch first := n == up.Kid(0); {
		case up.Is(code.Member):
			return !shown.MatchString(up.Text) || up.Up.Any(func(k *code.Node) bool {
				return k.Is(code.If, code.Ternary, code.Switch) || k.Is(code.Binary) && k.Text == "=="
			})
		case up.Is(code.Index, code.Binary, code.Loop), up.Is(code.Assign) && up.Text == "for", up.Is(code.If, code.Switch) && first,
			up.Is(code.Call) && up.Text != "new" && !first && !wrapping.MatchString(code.Dotted(up.Kid(0))):
			return true
		case up.Is(code.Assign) && !first:
			name = up.Kid(0).Text
		case up.Is(code.Func):
			name = up.Text
		}
		if name != "" && name != "exports" {
			uses, again := 0, known[name]
			known[name] = true
			used := func(k *code.Node) bool {
				is := k.Is(code.Name, code.Member) && k.Text == name && !(k.Up.Is(code.Assign) && k.Up.Kid(0) == k)
				if is {
					uses++
				}
				return is && p.looksUp(k, known)
			}
			return !again && (p.Root.Any(used) || p.looksUpElsewhere(name) ||
				uses == 0 && table.Is(code.Dict) && table.Outer(code.Func) == nil)
		}
	}
	return false
}

// looksUpElsewhere reports whether another file of the change looks something up in
// what has a name here.
func (p *pass) looksUpElsewhere(name string) bool {
	use := lazyregexp.New(`\bin\s+` + lazyregexp.Quote(name) + `\b|\b` + lazyregexp.Quote(name) + `(?:\)?\s*\[|(?:\(\))?\.(\w+))`)
	return slices.ContainsFunc(p.Files, func(c Changed) bool {
		return c.Path != p.Path && slices.ContainsFunc(use.FindAllStringSubmatch(string(c.After), -1), func(m []string) bool {
			return m[1] == "" || !shown.MatchString(m[1])
		})
	})
}
