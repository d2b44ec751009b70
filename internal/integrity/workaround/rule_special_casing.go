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
		if len(l.Pairs) > 0 && !l.Pairs[0].Input.InTestOfRust() {
			p.listing(l)
		}
	}
}

// containing is what looks for a part of a text.
var containing = lazyregexp.New(`(?i)^(?:contains|includes?\??|(?:has|starts|ends)_?(?:with|prefix|suffix)?\??)$`)

// listing reports the pairs of a listing that holds nothing but inputs and answers of the tests, several, one
// input rare; else single branches of which input and answer are rare.
func (p *pass) listing(l literal.Listing) {
	var tested []literal.Pair
	pairs := len(l.Pairs)
	rareInput := false
	for _, e := range l.Pairs {
		switch keys, answer := e.Keys(), literal.Of(e.Answer); {
		case answer == "c:", answer == "s:": // it is empty, and filled later or none
			pairs--
		case (containing.MatchString(code.Method(e.Input.Up)) || e.Input.Up.Is(code.Binary) && e.Input.Up.Text == "in" &&
			e.Input.Up.Kid(0) == e.Input) && p.Tests.Part(keys[0], answer): // a word of the input, or its row's title
		case !slices.Contains(keys, answer) && p.Tests.Together(append(keys, answer)...):
			tested = append(tested, e)
			rareInput = rareInput || slices.ContainsFunc(keys, literal.Rare)
		}
	}
	whole := len(tested) == pairs && len(tested) > 1 && rareInput && (l.At == nil || p.LooksUp(l.At, p.looksUpElsewhere))
	for _, e := range tested {
		if whole || !l.Table && literal.Rare(literal.Of(e.Answer)) && slices.ContainsFunc(e.Keys(), literal.Rare) {
			p.report(e.Input.Line, fmt.Sprintf("an input of an approved test (%s) is recognised and answered with what the test expects",
				literal.Shorten(e.Input.Src.Text(), 80)), e.Answer.Line)
		}
	}
}

// looksUpElsewhere reports whether another file of the change looks something up in what has a name here.
func (p *pass) looksUpElsewhere(name string) bool {
	name = lazyregexp.Quote(name)
	use := lazyregexp.New(`(?:\b(?:in|of|range)\s+|\b(?:dict|Map|Set|fromEntries)\()(?:\w+\.)*` + name + `\b|\b` + name +
		`(?:\)?\s*\[|(?:\(\))?\.(\w+)|\s+as\s+)`)
	return slices.ContainsFunc(p.Files, func(c Changed) bool {
		return c.Path != p.Path && slices.ContainsFunc(use.FindAllStringSubmatch(string(c.After), -1), func(m []string) bool {
			return m[1] == "" || !code.ShowsAll(m[1])
		})
	})
}
