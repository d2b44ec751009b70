package workaround

import (
	"fmt"
	"strings"

	"workflow-reviewer/internal/code"
	"workflow-reviewer/internal/integrity/workaround/literal"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// operatorOverload looks for what docs/integrity-rules.md says under operator-overload. An object
// whose equality says yes to everything passes every assertion of equality.
func operatorOverload(p *pass) {
	for _, fn := range p.Funcs {
		p.operator(fn, fn.Text, fn.Outer(code.Class) != nil || fn.Def.Type != "" || p.lang(syntax.Ruby) || fn.Text == "asymmetricMatch")
	}
	p.Root.Walk(func(n *code.Node) bool { // __eq__ = lambda self, other: True
		fns := n.Kids[min(1, len(n.Kids)):]
		if len(fns) == 1 && fns[0].Is(code.Name) {
			fns = p.Named(fns[0].Text)
		}
		for _, fn := range fns {
			if fn.Is(code.Func) && n.Is(code.Assign) && p.lang(syntax.Python) {
				p.operator(fn, n.Kid(0).Text, n.Outer(code.Class) != nil || n.Kid(0).Is(code.Member))
			}
		}
		return true
	})
	for _, s := range p.Strings {
		if p.script() && s.Value.Text == "jest.asymmetricMatcher" && !forTesting(p.Path) {
			p.report(s.Line, "the object asks the test framework to compare it by its own rules")
		}
	}
}

// compareName are functions that order.
var compareName = lazyregexp.New(`^(?:__(?:lt|le|gt|ge)__|<=>|<=?|>=?|compare(?:To)?|Compare(?:To)?|Cmp|Less|cmp|partial_cmp)$`)

// operators are the names of functions that compare, and the constants by which each kind agrees with everything.
var operators = []struct {
	names  *lazyregexp.Regexp
	agrees *lazyregexp.Regexp
}{
	{whole("equality"), lazyregexp.New(`^true$`)},
	{lazyregexp.New(`^(?:__ne__|!=|ne)$`), lazyregexp.New(`^false$`)},
	{compareName, lazyregexp.New(`^(?:true|-?\d+|Equal|Less|Greater)$`)},
}

// operator reports a function that agrees with everything under a name that it has in a type.
func (p *pass) operator(fn *code.Node, name string, ofType bool) {
	byCompiler := p.lang(syntax.Rust, syntax.Go) // that both operands are of the type
	if !ofType || (byCompiler || name == "===" || compareName.MatchString(name)) && p.isEmpty(fn) {
		return
	}
	for _, op := range operators {
		if !op.names.MatchString(name) {
			continue
		}
		if constant, line := onlyConstant(fn); op.agrees.MatchString(constant) {
			p.report(fn.Def.Line, fmt.Sprintf("the operator “%s” answers %s to everything", name, constant), line, fn.Line)
		}
	}
}

// onlyConstant is the constant that a function ends in whatever it is given, ""
// if there is none: "true", a number, or the name of an ordering.
func onlyConstant(fn *code.Node) (constant string, line int) {
	whole := false
	for _, o := range code.Outcomes(fn) {
		v := literal.Bare(o.Value)
		c := ""
		switch {
		case o.Raises:
			return "", 0
		case v.Is(code.Literal):
			c = v.Value.Text
		case v.Is(code.Member) && (code.Dotted(v.Kid(0)) == "Ordering" || strings.HasSuffix(code.Dotted(v.Kid(0)), ".Ordering")):
			c = v.Text
		}
		if c == "" || constant != "" && c != constant {
			return "", 0
		}
		whole = whole || len(o.Guards) == 0
		constant, line = c, o.Line
	}
	if !whole {
		return "", 0
	}
	return constant, line
}

// isEmpty reports whether a method's type has nothing in which two of its values
// could differ, as far as the file tells.
func (p *pass) isEmpty(fn *code.Node) bool {
	class := fn.Outer(code.Class)
	name := fn.Def.Type
	if class != nil {
		name = class.Text
		if len(class.Def.Params)+len(class.Def.Bases) > 0 {
			return false
		}
	}
	for _, c := range p.Classes {
		if c.Text == name && c.Any(isField) {
			return false
		}
	}
	for s := range p.Root.Src.All("type_spec", "struct_item", "constructor_declaration") {
		if s.Field("name").Text() == name && s.Has("field_declaration", "ordered_field_declaration_list", "formal_parameter", "parameter") {
			return false
		}
	}
	return name != ""
}

// isField: an assignment to a member of self, or a declaration within a class.
func isField(n *code.Node) bool {
	if n.Is(code.Call) {
		return strings.HasPrefix(code.Dotted(n.Kid(0)), "attr_")
	}
	if n.Is(code.Other) {
		return n.Src.Is("property_declaration", "property_identifier")
	}
	if !n.Is(code.Assign) {
		return false
	}
	for _, t := range code.Targets(n.Kid(0)) {
		if t.Is(code.Member) && t.Kid(0).Is(code.Name) && t.Kids[0].Text == "self" {
			return true
		}
	}
	return n.Outer(code.Func) == nil && !(n.Def != nil && n.Def.Has("static"))
}
