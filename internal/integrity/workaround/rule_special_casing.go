package workaround

import (
	"fmt"
	"maps"
	"slices"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/integrity/workaround/code"
	"workflow-reviewer/internal/integrity/workaround/literal"
)

func specialCasing() rule {
	return rule{Rule: Rule{
		ID: "special-casing", Kind: violation.SpecialCasing, Name: "Tests' inputs recognised",
		Explanation: `A function that recognises the inputs of the tests and returns what they expect has not been written, only listed. Reported: branches, switches
and lookup tables that answer an input of an approved test with what the same assertion or row expects, if input and output are both such that nobody writes
them by chance, or if nothing but such pairs is listed, two at least, with two values of that sort among them or several inputs each. Such values are texts that are more than a name,
and numbers of four digits that tell. Spared: names, codes, small numbers, tables of which the tests try a part, values that are computed with. What is
spared here may still be asked about.`,
		Example: Example{"python", "if text == \"the quick brown fox\":\n    return \"the quick fox.\"\nreturn text\n", "SYMBOLS = {\"EUR\": \"€\", \"USD\": \"$\"}\n\ndef symbol(currency):\n    return SYMBOLS[currency]\n"},
	}, check: func(p *pass) {
		if p.known.tests.Count == 0 {
			return
		}
		for _, fn := range p.Funcs {
			p.reportHits(p.recognise(p.branches(fn)))
		}
		for _, t := range p.lookupTables() {
			p.table(t)
		}
		p.foreignTables()
	}}
}

// branches are the inputs that a function answers with constants, by its
// conditions and switches.
func (p *pass) branches(fn *code.Node) []entry {
	var entries []entry
	for _, o := range code.Outcomes(fn) {
		inputs, guarded := p.equalities(o.Guards)
		if o.Raises || !guarded || literal.Of(o.Value) == "" {
			continue
		}
		for _, in := range inputs {
			entries = append(entries, entry{inputs: in, output: o.Value, line: o.Line})
		}
	}
	return entries
}

// recognise are the entries that list the tests instead of computing, nil if
// the others show that they are a table of something.
func (p *pass) recognise(entries []entry) []entry {
	if len(entries) > maxEntries {
		return nil
	}
	var pairs, sure []entry
	rare := map[literal.Key]bool{} // inputs: honest tables have rare outputs
	tuples, known := 0, 0          // pairs with several inputs; entries whose inputs the tests have
	for _, e := range entries {
		keys := e.keys()
		out := literal.Of(e.output)
		if len(keys) > 0 && !slices.ContainsFunc(keys, func(k literal.Key) bool { return !p.known.tests.Has(k) }) {
			known++
			for _, k := range keys {
				rare[k] = literal.Rare(k)
			}
		}
		if len(keys) == 0 || slices.Contains(keys, out) || !p.known.tests.Together(append(keys, out)...) {
			continue
		}
		pairs = append(pairs, e)
		if len(keys) > 1 && out[0] == 'n' && literal.Tells(out) {
			tuples++
		}
		if slices.ContainsFunc(keys, literal.Rare) && literal.Rare(out) {
			sure = append(sure, e)
		}
	}
	several := len(pairs) / 3 // the third pair counts as a rare value: no table has only what the tests ask
	for _, is := range rare {
		if is {
			several++
		}
	}
	if known == len(entries) && known > 3 && len(pairs) > 1 && anyRare(rare) {
		return entries // no input but those of the tests
	}
	if len(pairs) == len(entries) && len(pairs) > 1 && anyRare(rare) && several > 1 || len(pairs) == len(entries) && tuples > 1 {
		return pairs
	}
	if 2*len(pairs) >= len(entries) {
		return sure
	}
	return nil
}

func anyRare(values map[literal.Key]bool) bool {
	for _, is := range values {
		if is {
			return true
		}
	}
	return false
}

// keys are the inputs of an entry.
func (e entry) keys() []literal.Key {
	var out []literal.Key
	for _, n := range e.inputs {
		if k := literal.OfValue(n.Value); k != "" {
			out = append(out, k)
		}
	}
	return out
}

// table judges a lookup table.
func (p *pass) table(t table) {
	hits := p.recognise(t.entries)
	switch {
	case len(hits) == 0:
	case p.answeredBy(t):
		p.reportHits(hits)
	case t.name != "" && t.node.Outer(code.Func) == nil && len(t.name) > 2 && !p.known.second && p.known.tables[t.name] == nil:
		own := *p
		own.found, own.seen = &t.pending, map[int]bool{}
		own.reportHits(hits)
		p.known.tables[t.name] = &t
	}
}

// foreignTables reports tables of other changed files from which this one
// returns what it looks up.
func (p *pass) foreignTables() {
	if !p.known.second {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(p.known.tables)) {
		if t := p.known.tables[name]; t.path != p.Path && p.brings(name) && p.answeredBy(table{name: name}) {
			*p.found = append(*p.found, t.pending...)
			t.pending = nil
		}
	}
}

func (p *pass) reportHits(hits []entry) {
	for _, e := range hits {
		p.report(e.inputs[0].Line, fmt.Sprintf("the input %s of an approved test is recognised and answered with what the test expects", literalsOf(e.inputs)), e.line)
	}
}
