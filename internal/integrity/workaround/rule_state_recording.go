package workaround

import (
	"workflow-reviewer/internal/code"
	"workflow-reviewer/internal/integrity/workaround/literal"
)

// stateRecording looks for what docs/integrity-rules.md says under state-recording. Tests call in a
// known order, so an implementation can count the calls and answer from a script.
func stateRecording(p *pass) {
	for _, s := range p.Steps() {
		if s.Shared {
			p.counted(s)
		}
	}
}

// counted reports a counter that chooses among constants.
func (p *pass) counted(s code.Step) {
	flow := s.Follow(p.File)
	for _, o := range code.Outcomes(s.Fn) {
		if o.Raises {
			continue
		}
		v := literal.Bare(o.Value)
		if v.Is(code.Index) && flow.Has(v.Kid(1)) && len(literal.Listed(p.File, v.Kid(0))) > 1 &&
			!v.Kid(1).Any(func(n *code.Node) bool { return n.Is(code.Binary) && n.Text == "%" }) { // round robin
			p.report(o.Line, "each call is answered with the next of a list of constants", s.Node.Line)
			p.report(s.Node.Line, "the calls are counted, and the count chooses among constants", o.Line)
			return
		}
		k := literal.Of(o.Value)
		for _, g := range o.Guards {
			number, line := g.Demands(flow)
			if number != "" && k != "" && k[0] != 'b' && k[0] != 'z' && k != "n:0" && k != "s:" { // a number or text, and not nothing
				p.report(line, "the number of the call (“"+s.Name+"”) decides which constant is returned", s.Node.Line)
				p.report(s.Node.Line, "the calls are counted (“"+s.Name+"”), and the count decides which constant is returned", line)
				return
			}
		}
	}
}
