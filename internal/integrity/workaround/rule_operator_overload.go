package workaround

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/integrity/workaround/code"
	"workflow-reviewer/internal/syntax"
)

func operatorOverload() rule {
	return rule{Rule: Rule{
		ID: "operator-overload", Kind: violation.OperatorOverload, Name: "Operator that always agrees",
		Explanation: `An object whose equality says yes to everything passes every assertion of equality. Reported: ==, !=, <, >, equals, eq, PartialEq, compareTo,
__contains__ and their like that answer with a constant, or whose answer does not compare the two operands with each other; truth and conversion
(__bool__, valueOf) that make a built-in type agree. Spared: NotImplemented and errors, checks of the type and of identity before a comparison,
sentinels without fields that equal their own kind, operators that build expressions (query builders), calls that are handed both operands.`,
		Example: Example{"python", "class Money:\n    def __eq__(self, other):\n        return True\n", "class Money:\n    def __eq__(self, other):\n        if not isinstance(other, Money):\n            return NotImplemented\n        return self.cents == other.cents\n"},
	}, check: func(p *pass) {
		for _, fn := range p.Funcs {
			if op := p.operatorOf(fn); op != 0 {
				p.operator(fn, op)
			}
		}
		p.assignedOperators()
	}}
}

// parameters is how many parameters a Go function has, named or not.
func parameters(fn *code.Node) int {
	n := 0
	for range fn.Src.Field("parameters").All("parameter_declaration", "variadic_parameter_declaration") {
		n++
	}
	return max(n, len(fn.Def.Params))
}

// operator reports an operator that does not do what it is there for.
func (p *pass) operator(fn *code.Node, kind operatorKind) {
	outcomes := code.Outcomes(fn)
	if len(outcomes) == 0 || len(fn.Kids) == 0 {
		return
	}
	why, at := p.agrees(fn, kind, outcomes)
	if why == "" {
		return
	}
	others := []int{at}
	for l := fn.Def.Line; l <= fn.EndLine(); l++ {
		others = append(others, l)
	}
	p.report(fn.Def.Line, fmt.Sprintf("the operator “%s” %s", fn.Text, why), others...)
}

// agrees tells what is wrong with an operator, "" if nothing.
func (p *pass) agrees(fn *code.Node, kind operatorKind, outcomes []code.Outcome) (why string, line int) {
	constant, line := sameConstant(outcomes)
	if !total(outcomes) {
		constant = ""
	}
	class := fn.Outer(code.Class)
	switch {
	case kind == truth:
		if constant == "true" && p.convertible(class) {
			return "is true whatever the value is", line
		}
		return "", 0
	case constant == "true" && kind == equality && p.lang(syntax.Rust, syntax.Go) && p.empty(fn):
		return "", 0 // the compiler sees to it that both are of the type
	case fn.Text == "===" && p.empty(fn):
		return "", 0 // in a case, a pattern that matches all
	case constant == "true" && kind != otherness && (kind != order || !p.empty(fn)):
		return "is true for everything", line
	case constant == "false" && kind == otherness:
		return "is false for everything", line
	case kind == order && constant != "" && constant != "false" && !p.empty(fn):
		return "gives the same answer for everything", line
	case kind == matcher || constant != "":
		return "", 0
	}
	if kind == equality || kind == otherness {
		return p.comparesNothing(fn, kind, outcomes)
	}
	return "", 0
}

// total reports whether the outcomes are all: one has no condition, or two
// have opposite ones.
func total(outcomes []code.Outcome) bool {
	for i, o := range outcomes {
		if len(o.Guards) == 0 {
			return true
		}
		for _, other := range outcomes[:i] {
			if len(o.Guards) == 1 && len(other.Guards) == 1 && o.Guards[0].Cond != nil && o.Guards[0].Cond == other.Guards[0].Cond {
				return true
			}
		}
	}
	return false
}

// sameConstant is the constant that all outcomes have in common, "" if there
// is none: "true", "false", or a number or name of an ordering.
func sameConstant(outcomes []code.Outcome) (constant string, line int) {
	for _, o := range outcomes {
		if o.Raises {
			continue
		}
		c := ""
		switch v := o.Value; {
		case v.Is(code.Literal) && v.Value.Type != code.None:
			c = v.Value.Text
		case v.Is(code.Member) && strings.Contains(code.Dotted(v), "Ordering."):
			c = v.Text
		case v.Is(code.Call) && code.Method(v) == "Some" && strings.Contains(code.Dotted(v.Kid(1)), "Ordering."):
			c = v.Kid(1).Text
		case v.Is(code.Binary) && v.Text == "||" && (v.Kid(1).Is(code.Literal) && v.Kid(1).Value.True() || v.Kid(0).Is(code.Literal) && v.Kid(0).Value.True()):
			c = "true"
		}
		if c == "" || constant != "" && c != constant {
			return "", 0
		}
		constant, line = c, o.Line
	}
	return constant, line
}

// comparesNothing tells whether an equality can be true without the operands
// having been compared with each other.
func (p *pass) comparesNothing(fn *code.Node, kind operatorKind, outcomes []code.Outcome) (why string, line int) {
	s := p.sides(fn)
	if s.earlier(fn) {
		return "", 0
	}
	compares := slices.ContainsFunc(outcomes, func(o code.Outcome) bool { return !o.Raises && s.compares(o.Value) })
	empty := p.empty(fn)
	for _, o := range outcomes {
		if o.Raises || o.Value == nil || isFalse(o.Value, kind) || notImplemented(o.Value) || s.compares(o.Value) || s.guarded(o.Guards) {
			continue
		}
		yes := isTrue(o.Value, kind)
		if (empty || compares) && !s.ofForeignType(o, yes, compares) {
			continue
		}
		switch {
		case yes && len(o.Guards) == 0 && len(outcomes) == 1:
			return "is true for everything", o.Line
		case yes:
			return "is true on a path that does not compare the two operands", o.Line
		case s.decidesAnything(o.Value):
			return "does not compare the two operands with each other", o.Line
		}
	}
	return "", 0
}

func isFalse(v *code.Node, kind operatorKind) bool {
	return v.Is(code.Literal) && (v.Value.Type != code.Bool || v.Value.True() == (kind == otherness))
}

func isTrue(v *code.Node, kind operatorKind) bool {
	return v.Is(code.Literal) && v.Value.Type == code.Bool && v.Value.True() == (kind == equality)
}

func notImplemented(v *code.Node) bool { return v.Is(code.Name) && v.Text == "NotImplemented" }

// constructed reports whether a class of Java or C# is made of something, be it
// that the constructor drops it.
func constructed(class *code.Node) bool {
	for c := range class.Src.All("constructor_declaration") {
		if name := c.Field("name").Text(); name == class.Text && len(c.Field("parameters").Named()) > 0 {
			return true
		}
	}
	return false
}

// assignedOperators looks for operators that are put into a class from outside.
func (p *pass) assignedOperators() {
	for _, a := range p.Assigns {
		if t := a.Kid(0); t.Is(code.Member) && pythonOperator(t.Text) == equality && p.lang(syntax.Python) && p.alwaysTrue(a.Kid(1)) {
			p.report(a.Line, "the operator “"+t.Text+"” is true for everything")
		}
	}
	for _, c := range p.Calls {
		if args := c.Args(); code.Dotted(c.Kid(0)) == "setattr" && len(args) == 3 && pythonOperator(textOf(args[1])) == equality && p.alwaysTrue(args[2]) {
			p.report(c.Line, "the operator “"+textOf(args[1])+"” is true for everything")
		}
	}
	for _, fn := range p.Funcs {
		if step := p.steppingConversion(fn); step != nil {
			p.report(fn.Def.Line, "the value of the object is another one each time it is compared", step.Line)
		}
	}
	for n := range p.jsMatchers() {
		p.report(n.Line, "the object asks the test framework to compare it by its own rules")
	}
}

func (p *pass) alwaysTrue(v *code.Node) bool {
	fn := v
	if v.Is(code.Name) && len(p.Named(v.Text)) == 1 {
		fn = p.Named(v.Text)[0]
	}
	if !fn.Is(code.Func) {
		return false
	}
	c, _ := sameConstant(code.Outcomes(fn))
	return c == "true"
}

// jsMatchers are the marks by which jest takes an object for a matcher.
func (p *pass) jsMatchers() map[*code.Node]bool {
	out := map[*code.Node]bool{}
	for _, s := range p.Strings {
		if p.script() && (s.Value.Text == "jest.asymmetricMatcher") && !forTesting(p.Path) {
			out[s] = true
		}
	}
	return out
}
