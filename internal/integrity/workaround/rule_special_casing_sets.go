package workaround

import (
	"slices"

	"workflow-reviewer/internal/integrity/workaround/code"
	"workflow-reviewer/internal/integrity/workaround/literal"
)

// memberships judges sets of inputs that are answered with true.
func (p *pass) memberships(fn *code.Node) {
	for _, o := range code.Outcomes(fn) {
		var set []*code.Node
		switch {
		case o.Raises || o.Value == nil:
			continue
		case o.Value.Is(code.Literal) && o.Value.Value.True():
			ways, _ := p.equalities(o.Guards)
			for _, w := range ways {
				if len(w) == 1 {
					set = append(set, w[0])
				}
			}
		default:
			all, anyOf := equated(o.Value)
			set = slices.Concat(all, anyOf)
			if o.Value.Is(code.Binary) && o.Value.Text == "&&" {
				set = nil
			}
			if len(set) == 0 {
				set = p.namedSet(o.Value)
			}
		}
		p.set(set)
	}
}

// namedSet are the elements of a constant set that a value asks for membership.
func (p *pass) namedSet(v *code.Node) []*code.Node {
	var name *code.Node
	switch {
	case v.Is(code.Binary) && v.Text == "in":
		name = v.Kid(1)
	case v.Is(code.Call) && v.Kid(0).Is(code.Member) && len(v.Kids) == 2:
		switch v.Kid(0).Text {
		case "includes", "contains", "Contains", "include?", "has", "member?":
			name = v.Kid(0).Kid(0)
		}
	case v.Is(code.Index): // Go: map[int]bool
		name = v.Kid(0)
	}
	if !name.Is(code.Name, code.Member) {
		return nil
	}
	for _, a := range p.Assigned(name.Text) {
		value := a.Kid(1)
		for value.Is(code.Call) && len(value.Kids) == 2 {
			value = value.Kids[1]
		}
		if value.Is(code.List) && len(value.Kids) <= maxEntries && !v.Is(code.Index) {
			return constantsOf(value)
		}
		if value.Is(code.Dict) && len(value.Kids) <= maxEntries {
			var out []*code.Node
			for _, k := range value.Kids {
				if k.Kid(0).Is(code.Literal) && k.Kid(1).Is(code.Literal) && k.Kid(1).Value.True() {
					out = append(out, k.Kids[0])
				}
			}
			return out
		}
	}
	return nil
}

func (p *pass) set(elements []*code.Node) {
	in, distinct := 0, 0
	for _, e := range elements {
		k := literal.OfValue(e.Value)
		if k == "" || !p.known.tests.Has(k) {
			continue
		}
		in++
		if weight(k) >= 1 {
			distinct++
		}
	}
	if in < 2 || distinct < 2 || float64(in) < 0.75*float64(len(elements)) {
		return
	}
	for _, e := range elements {
		if k := literal.OfValue(e.Value); p.known.tests.Has(k) && weight(k) >= 0.5 {
			p.report(e.Line, "the input "+literalsOf([]*code.Node{e})+" of an approved test is recognised and answered with true")
		}
	}
}
