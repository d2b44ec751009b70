package workaround

import (
	"fmt"
	"slices"

	"workflow-reviewer/internal/code"
	"workflow-reviewer/internal/integrity/workaround/literal"
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
		keys, answer := e.Keys(), literal.Of(e.Answer)
		if !slices.Contains(keys, answer) && p.Tests.Together(append(keys, answer)...) {
			tested = append(tested, e)
			rareInput = rareInput || slices.ContainsFunc(keys, literal.Rare)
		}
	}
	whole := len(tested) == len(l.Pairs) && len(tested) > 1 && rareInput
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
