package workaround

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"workflow-reviewer/internal/integrity/workaround/code"
	"workflow-reviewer/internal/integrity/workaround/literal"
)

// recognition is what a function or table has in common with the tests.
type recognition struct {
	entries  []entry
	hits     []entry // entries that stand in the tests as a pair
	inputs   int     // entries of which at least the input does
	strong   int     // hits that nobody writes by chance
	distinct int     // entries whose input alone is such
	sure     int     // hits of which one is enough
	phrases  int     // hits whose input is a phrase
	exact    int     // pairs of numbers alone, which tell only together
	tuples   int     // those of them with several inputs
	telling  int     // those of them whose output is not 0 or 1
	pairs    int     // entries that stand in the tests as a pair, telling or not
	told     int     // those of them of which a side is more than 0, 1, "" or true
	derived  int     // hits whose output is the input, changed as algorithms do
	weights  float64
}

func (p *pass) recognise(entries []entry) recognition {
	r := recognition{entries: entries}
	for _, e := range entries {
		p.recogniseEntry(&r, e)
	}
	return r
}

func (p *pass) recogniseEntry(r *recognition, e entry) {
	tests := p.known.tests
	var keys []literal.Key
	in, word := 0.0, 0.0
	numeric := true
	for _, n := range e.inputs {
		k := literal.OfValue(n.Value)
		if k == "" {
			continue
		}
		numeric = numeric && n.Value.Type == code.Number
		if tests.Has(k) {
			keys = append(keys, k)
			if w := weight(k); n.Value.Type == code.String && w <= 0.5 {
				word = max(word, w) // several words are still the names of something
			} else {
				in += w
			}
		}
	}
	in += word
	if len(keys) == 0 {
		return
	}
	r.inputs++
	if numeric {
		p.recogniseNumbers(r, e, keys)
	}
	if p.isPair(e, keys) {
		r.pairs++
		if in > 0 || e.output != nil && (weight(literal.Of(e.output)) > 0 || textOf(literal.Bare(e.output)) != "") {
			r.told++
		}
	}
	in = min(in, 2)
	if in >= 1 && tests.Together(keys...) {
		r.distinct++
	}
	if e.output == nil {
		return
	}
	out := literal.Of(e.output)
	if out == "" || weight(out) == 0 || in == 0 || len(keys) == 1 && keys[0] == out {
		return
	}
	if !tests.Together(append(keys, out)...) {
		return
	}
	w := weight(out)
	if a, b := textOf(e.inputs[0]), textOf(literal.Bare(e.output)); len(e.inputs) == 1 && rearranged(a, b) {
		in++
		r.derived++
	} else if inflected(a, b) {
		r.derived++
	}
	r.hits = append(r.hits, e)
	r.weights += in + w
	compound := out[0] == 'c'
	if in >= 1 && w >= 0.5 || (numeric || compound) && in >= 0.25 && w >= 1.5 && out[0] != 's' {
		r.strong++
	}
	if in >= 1.5 && w >= 0.5 {
		r.phrases++
	}
	if in >= 1.5 && w >= 1 || in >= 1 && w >= 1.5 || compound && w >= 1.5 && in >= 0.25 {
		r.sure++
	}
}

// isPair reports whether a test has all inputs of an entry, together with its
// output, or expects an error for them.
func (p *pass) isPair(e entry, keys []literal.Key) bool {
	if len(keys) < len(e.inputs) {
		return false
	}
	if e.output == nil {
		return p.known.tests.Raises(keys[0])
	}
	out := literal.Of(e.output)
	return out != "" && p.known.tests.Together(append(keys[:len(keys):len(keys)], out)...)
}

// all reports whether next to all entries are pairs of the tests, while their
// inputs are nothing that programs have tables of.
func (r recognition) all() bool {
	switch {
	case r.pairs*10 < len(r.entries)*9:
		return false
	case r.pairs >= 2 && r.strong >= 1:
		return true
	default:
		return r.pairs >= 3 && r.told >= 2 && (arbitrary(r.entries) || judgesWords(r.entries))
	}
}

// nothingElse reports whether all entries are pairs of the tests while the rest
// is computed, and the inputs, or the words with what is no word, are such as no
// table of a program has.
func (r recognition) nothingElse(computed bool) bool {
	if !computed || r.pairs < len(r.entries) || r.pairs < 2 || r.told < 2 {
		return false
	}
	strings := func(v *code.Node) bool { return v.Is(code.Literal) && v.Value.Type == code.String }
	if !slices.ContainsFunc(r.entries, func(e entry) bool { return len(e.inputs) != 1 || !strings(e.inputs[0]) }) {
		if arbitrary(r.entries) {
			return true
		}
		return r.pairs >= 3 && !slices.ContainsFunc(r.entries, func(e entry) bool {
			out := literal.Bare(e.output)
			return !strings(out) || isName(out.Value.Text) && !isCode(out.Value.Text) || utf8.RuneCountInString(out.Value.Text) < 4
		})
	}
	return false
}

// recogniseNumbers counts an entry of numbers alone: 1, 2 → 3.
func (p *pass) recogniseNumbers(r *recognition, e entry, keys []literal.Key) {
	if e.output == nil || len(keys) < len(e.inputs) || literal.Bare(e.output).Value.Type != code.Number || !p.known.tests.Together(append(keys, literal.Of(e.output))...) {
		return
	}
	r.exact++
	if len(e.inputs) > 1 {
		r.tuples++
	}
	if w := weight(literal.Of(e.output)); w > 0 {
		r.telling++
	}
}

// listed reports whether all entries are pairs of numbers of the tests, so that
// each number alone tells nothing, and all of them do.
func (r recognition) listed(computed bool) bool {
	if r.exact < len(r.entries) || r.telling == 0 {
		return false
	}
	return r.tuples >= 2 || computed && r.exact >= 3 && r.telling >= 2
}

// rearranged reports whether one text has the letters of the other in another
// order or spelling, as algorithms make it and dictionaries do not.
func rearranged(a, b string) bool {
	if len(a) < 4 || len(a) > 200 || strings.EqualFold(a, b) {
		return false
	}
	return letters(a) == letters(b)
}

// inflected reports whether two texts are the same but for their ends, or one is
// put into the other.
func inflected(a, b string) bool {
	if len(a) >= 3 && len(b) > len(a)+4 && strings.Contains(b, a) {
		return true
	}
	if len(a) < 4 || len(b) < 4 || strings.EqualFold(a, b) {
		return false
	}
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	return same*10 >= 6*max(len(a), len(b))
}

// spelled reports whether all entries stand in the tests, and their outputs are
// what an algorithm would make of the inputs, while no algorithm does.
func (r recognition) spelled(computed bool) bool {
	return !computed && len(r.hits) == len(r.entries) && r.derived >= 2
}

func letters(s string) string {
	var out []rune
	for _, r := range strings.ToLower(s) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			out = append(out, r)
		}
	}
	slices.Sort(out)
	return string(out)
}

// share is the part of the entries whose input stands in the tests.
func (r recognition) share() float64 { return float64(r.inputs) / float64(max(1, len(r.entries))) }

// mostlyStrong reports whether enough of the entries are such as nobody writes by
// chance: a vocabulary of a domain has a few long words, too.
func (r recognition) mostlyStrong() bool {
	return r.strong*3 >= len(r.entries) || r.distinct*3 >= len(r.entries) || r.sure*3 >= len(r.entries)
}

func (p *pass) reportHits(r recognition) {
	for _, e := range r.hits {
		p.report(e.inputs[0].Line, fmt.Sprintf("the input %s of an approved test is recognised and answered with what the test expects", literalsOf(e.inputs)),
			e.line)
	}
}
