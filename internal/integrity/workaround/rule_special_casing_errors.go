package workaround

import (
	"workflow-reviewer/internal/integrity/workaround/code"
	"workflow-reviewer/internal/integrity/workaround/literal"
)

// rejections judges errors that are raised for one input alone: the one that
// a test expects to be rejected.
func (p *pass) rejections(fn *code.Node, entries []entry) {
	for _, e := range entries {
		if e.output != nil || len(e.inputs) != 1 {
			continue
		}
		in := e.inputs[0]
		k := literal.OfValue(in.Value)
		if in.Value.Type == code.String && !plainWord(in.Value.Text) && len(in.Value.Text) >= 5 && !wellKnown(in.Value.Text) && p.known.tests.Raises(k) && !p.validates(fn, in) {
			p.report(in.Line, "only the input "+literalsOf(e.inputs)+" that an approved test expects to be rejected is rejected", e.line)
		}
		if in.Value.Type == code.Number && weight(k) >= 1 && p.known.tests.Raises(k) && !p.validates(fn, in) {
			p.report(in.Line, "only the input "+literalsOf(e.inputs)+" that an approved test expects to be rejected is rejected", e.line)
		}
	}
}

func plainWord(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_') {
			return false
		}
	}
	return true
}

func wellKnown(s string) bool {
	switch s {
	case "0.0.0.0", "127.0.0.1", "255.255.255.255", "about:blank", "::1", "localhost:8080", "__proto__", "__main__", "index.html", "[object Object]":
		return true
	}
	return false
}

// validates reports whether a function looks at its input in another way than
// by this comparison: a pattern, a range, another function than a constructor.
func (p *pass) validates(fn *code.Node, in *code.Node) bool {
	params := map[string]bool{}
	for _, name := range fn.Def.Params {
		params[name] = true
	}
	uses := func(n *code.Node) bool {
		return n.Any(func(c *code.Node) bool { return c.Is(code.Name) && params[c.Text] })
	}
	return fn.Any(func(n *code.Node) bool {
		switch {
		case in.Within(n) && n.Is(code.Binary, code.Call):
			return false
		case n.Is(code.Binary):
			switch n.Text {
			case "<", ">", "<=", ">=", "=~", "%", "in", "not in", "!=", "==", "is":
				return uses(n)
			}
		case n.Is(code.Call):
			callee := n.Kid(0)
			name := code.Method(n)
			if callee.Is(code.Member) && uses(callee.Kid(0)) {
				return true
			}
			if n.Text == "new" || name == "new" || isUpper(name) && !p.script() {
				return false
			}
			for _, a := range n.Args() {
				if uses(a) && !n.Up.Is(code.Raise) && !a.Is(code.Template) {
					return true
				}
			}
		case n.Is(code.Index), n.Is(code.Loop):
			return uses(n)
		}
		return false
	})
}
