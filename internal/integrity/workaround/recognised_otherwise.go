package workaround

import (
	"strconv"

	"workflow-reviewer/internal/integrity/workaround/code"
	"workflow-reviewer/internal/integrity/workaround/literal"
)

// Inputs of tests that are recognised by something else than themselves.

// lengths judges branches that know the tests' inputs by how long they are.
func (p *pass) lengths(fn *code.Node) {
	type hit struct{ at, line int }
	var hits []hit
	for _, o := range code.Outcomes(fn) {
		out := literal.Of(o.Value)
		if o.Raises || out == "" || weight(out) == 0 {
			continue
		}
		for _, g := range o.Guards {
			if n, line, ok := lengthAsked(g); ok && n > 2 && p.known.tests.Sized(n, out) {
				hits = append(hits, hit{line, o.Line})
			}
		}
	}
	if len(hits) < 2 {
		return
	}
	for _, h := range hits {
		p.report(h.at, "an input of an approved test is recognised by its length and answered with what the test expects", h.line)
	}
}

// lengthAsked is the length that a guard demands of something.
func lengthAsked(g code.Guard) (n, line int, ok bool) {
	var demanded *code.Node
	switch {
	case g.Negated:
	case g.Cond.Is(code.Binary) && g.Cond.Text == "==" && isLength(g.Cond.Kid(0)):
		demanded = g.Cond.Kid(1)
	case g.Cond.Is(code.Binary) && g.Cond.Text == "==" && isLength(g.Cond.Kid(1)):
		demanded = g.Cond.Kid(0)
	case g.Subject != nil && isLength(g.Subject) && len(g.Patterns) == 1:
		demanded = g.Patterns[0]
	}
	if !demanded.Is(code.Literal) || demanded.Value.Type != code.Number {
		return 0, 0, false
	}
	n, err := strconv.Atoi(demanded.Value.Text)
	return n, demanded.Line, err == nil
}

func isLength(n *code.Node) bool {
	name := ""
	switch {
	case n.Is(code.Call):
		name = code.Method(n)
	case n.Is(code.Member):
		name = n.Text
	}
	switch name {
	case "len", "length", "size", "Length", "Count", "count":
		return true
	}
	return false
}

// digests judges tables that know the tests' inputs by their hashes: what they
// answer is what the tests expect, what they are asked no one can read.
func (p *pass) digests(t table) {
	if len(t.entries) < 2 {
		return
	}
	for _, e := range t.entries {
		out := literal.Of(e.output)
		if len(e.inputs) != 1 || !isDigest(e.inputs[0].Value) || out == "" || weight(out) == 0 || !p.known.tests.Has(out) {
			return
		}
	}
	if !p.answeredBy(t) {
		return
	}
	for _, e := range t.entries {
		p.report(e.inputs[0].Line, "an input is recognised by its digest and answered with what an approved test expects", e.line)
	}
}

// isDigest reports whether a constant is written as hashes are.
func isDigest(v code.Value) bool {
	if v.Type == code.Number {
		return len(v.Text) >= 8
	}
	digits := 0
	for _, r := range v.Text {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r < 'a' || r > 'f':
			return false
		}
	}
	return v.Type == code.String && len(v.Text) >= 6 && digits > 0
}
