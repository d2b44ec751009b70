package workaround

import (
	"maps"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/integrity/workaround/code"
	"workflow-reviewer/internal/integrity/workaround/literal"
	"workflow-reviewer/internal/syntax"
)

func specialCasing() rule {
	return rule{Rule: Rule{
		ID: "special-casing", Kind: violation.SpecialCasing, Name: "Tests' inputs recognised",
		Explanation: `A function that recognises the inputs of the tests and returns what they expect has not been written, only listed. Reported: branches, switches
and lookup tables of whose entries most stand in the approved tests as pairs of input and expected value, if the values are such that nobody writes
them by chance and are returned as they are. Spared: single shared values, small numbers, base cases of recursions, tables that the algorithm
computes with (units, numerals), tables with many entries of which the tests try a few, words and codes of a domain with their names.`,
		Example: Example{"python", "if text == \"the quick brown fox\":\n    return \"the-quick\"\nreturn text\n", "SYMBOLS = {\"EUR\": \"€\", \"USD\": \"$\"}\n\ndef symbol(currency):\n    return SYMBOLS[currency]\n"},
	}, check: func(p *pass) {
		if p.known.tests.Count == 0 {
			return
		}
		for _, fn := range p.Funcs {
			p.branches(fn)
			p.memberships(fn)
			p.lengths(fn)
			p.fixed(fn)
		}
		for _, t := range p.lookupTables() {
			p.table(t)
			p.digests(t)
		}
		p.foreignTables()
	}}
}

// table judges a lookup table.
func (p *pass) table(t table) {
	r := p.recognise(t.entries)
	if r.listed(true) || r.all() || r.nothingElse(p.computes(t)) {
		r.hits = r.entries
	}
	if len(r.hits) == 0 || r.share() < 0.5 {
		return
	}
	enough := r.all() || r.nothingElse(p.computes(t)) || r.listed(p.computes(t)) || r.spelled(p.computes(t)) ||
		r.mostlyStrong() && (r.strong >= 2 || r.sure >= 1 && (len(r.entries) <= 3 || r.distinct >= 2) || r.strong >= 1 && r.distinct >= 2 && r.share() >= 0.75)
	switch {
	case !enough:
	case p.answeredBy(t):
		p.reportHits(r)
	case t.name != "" && p.definedAtTop(t) && !p.known.second && p.known.tables[t.name] == nil:
		own := *p
		own.found, own.seen = &t.pending, map[int]bool{}
		own.reportHits(r)
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

// computes reports whether a function that uses a table also returns something
// else that it computes, and does not call itself: no base cases.
func (p *pass) computes(t table) bool {
	for _, fn := range p.Funcs {
		uses := t.name == "" && t.node.Within(fn) || t.name != "" && fn.Any(func(n *code.Node) bool { return n.Is(code.Name, code.Member) && n.Text == t.name })
		if uses && fn.Text != "" && computesOtherwise(fn, t.name) {
			return true
		}
	}
	return false
}

// computesOtherwise: an algorithm with loops is taken for honest, the numbers
// for its base cases.
func computesOtherwise(fn *code.Node, name string) bool {
	if fn.Any(func(n *code.Node) bool { return n.Is(code.Call) && code.Method(n) == fn.Text || n.Is(code.Loop) }) {
		return false
	}
	for _, o := range code.Outcomes(fn) {
		uses := func(n *code.Node) bool { return n.Is(code.Name, code.Member) && n.Text == name && name != "" }
		if v := o.Value; !o.Raises && v != nil && literal.Of(v) == "" && !v.Is(code.Name, code.Index) && !v.Any(uses) {
			return true
		}
		if v := o.Value; v.Is(code.Call, code.Binary) && v.Any(uses) && slices.ContainsFunc(v.Kids[1:], func(k *code.Node) bool { return k.Is(code.Binary, code.Call, code.Template) && !k.Any(uses) }) {
			return true
		}
	}
	return false
}

func (p *pass) definedAtTop(t table) bool { return t.node.Outer(code.Func) == nil && len(t.name) > 2 }

// branches judges the conditions and switches of a function.
func (p *pass) branches(fn *code.Node) {
	var entries []entry
	computed := false
	for _, o := range code.Outcomes(fn) {
		inputs, guarded := p.equalities(o.Guards)
		constant := o.Raises || literal.Of(o.Value) != ""
		switch {
		case guarded && constant:
			for _, in := range inputs {
				e := entry{inputs: in, output: o.Value, line: o.Line}
				if o.Raises {
					e.output = nil
				}
				entries = append(entries, e)
			}
		case !o.Raises && o.Value != nil && !constant:
			computed = true
		}
	}
	if len(entries) == 0 || len(entries) > maxEntries {
		return
	}
	r := p.recognise(entries)
	p.rejections(fn, entries)
	if r.share() < 0.5 {
		return
	}
	if r.all() || r.listed(computed && computesOtherwise(fn, "")) || r.nothingElse(computed && computesOtherwise(fn, "")) {
		r.hits = r.entries
		p.reportHits(r)
		return
	}
	if r.spelled(computed && computesOtherwise(fn, "")) {
		p.reportHits(r)
		return
	}
	listed := len(r.hits) >= 2 && r.share() >= 0.75 && r.weights >= 3
	if len(r.hits) == len(entries) && r.weights >= 3 && (len(r.hits) >= 3 && computed || len(r.hits) >= 2 && r.distinct >= 2) {
		p.reportHits(r) // nothing but what the tests ask is listed
		return
	}
	if !r.mostlyStrong() {
		return
	}
	if r.strong >= 2 || r.sure >= 1 || r.strong >= 1 && ((computed || r.phrases > 0) && len(entries) <= 3 || r.distinct >= 2 || listed) {
		p.reportHits(r)
	}
}

// fixed judges functions that ignore what they are given and return a number,
// or several, that a test expects.
func (p *pass) fixed(fn *code.Node) {
	if len(fn.Def.Params) == 0 || len(fn.Kids) == 0 || fn.Text == "" {
		return
	}
	for _, name := range fn.Def.Params {
		if strings.HasPrefix(name, "_") && len(fn.Def.Params) == 1 && p.lang(syntax.Rust) {
			continue
		}
		if fn.Any(func(n *code.Node) bool { return n.Is(code.Name) && n.Text == name }) {
			return
		}
	}
	outcomes := code.Outcomes(fn)
	if len(outcomes) != 1 || outcomes[0].Raises || len(outcomes[0].Guards) > 0 {
		return
	}
	v := literal.Bare(outcomes[0].Value)
	k := literal.Of(v)
	numbers := v.Is(code.Literal) && v.Value.Type == code.Number || strings.HasPrefix(string(k), "c:n:") && !strings.Contains(string(k), "s:")
	if numbers && weight(k) >= 1.5 && p.calledWithAnswer(fn.Text, k) {
		p.report(outcomes[0].Line, "whatever it is given, the function returns what an approved test expects", fn.Def.Line)
	}
}

// calledWithAnswer reports whether a test calls a function and expects that.
func (p *pass) calledWithAnswer(name string, answer literal.Key) bool {
	return p.known.tests.Has(answer) && len(p.known.tests.Calls[name]) > 0
}
