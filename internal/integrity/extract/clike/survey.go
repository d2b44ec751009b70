package clike

import (
	"slices"

	"workflow-reviewer/internal/syntax"
)

// NewBody surveys a function; fields and file scope may be given as well.
func NewBody(s Source, d Dialect, n syntax.Node) *Body {
	b := &Body{Source: s, Dialect: d, Types: map[string]string{}, Values: map[string]syntax.Node{}, iterated: map[string]bool{}}
	for m := range n.All("formal_parameter", "spread_parameter", "parameter", "implicit_parameter", "variable_declarator", "catch_formal_parameter",
		"catch_declaration", "enhanced_for_statement", "foreach_statement", "resource", "lambda_expression", "type_pattern", "declaration_pattern",
		"declaration_expression", "instanceof_expression", "using_variable_declaration") {
		b.survey(m)
	}
	slices.Sort(b.Locals)
	b.Locals = slices.Compact(b.Locals)
	return b
}

// survey notes the names that a node binds, and what is iterated.
func (b *Body) survey(n syntax.Node) {
	typ := n.Field("type")
	switch n.Kind() {
	case "variable_declarator":
		typ = n.Parent().Field("type")
	case "implicit_parameter":
		b.Locals = append(b.Locals, n.Text())
	case "lambda_expression":
		if p := n.Field("parameters"); p.Is("identifier") {
			b.Locals = append(b.Locals, p.Text())
		} else if p.Is("inferred_parameters") {
			for _, id := range p.Named() {
				b.Locals = append(b.Locals, id.Text())
			}
		}
		return
	case "enhanced_for_statement":
		b.iterate(n.Field("value"))
	case "foreach_statement":
		b.iterate(n.Field("right"))
		if left := n.Field("left"); left.Is("identifier") && !typ.IsZero() {
			b.Locals = append(b.Locals, left.Text())
		}
	case "type_pattern":
		if id := n.Child("identifier"); !id.IsZero() {
			b.Locals = append(b.Locals, id.Text())
		}
	}
	if name := n.Field("name"); name.Is("identifier") {
		b.Locals = append(b.Locals, name.Text())
		if !typ.IsZero() {
			b.Types[name.Text()] = typ.Text()
		}
	}
}

// iterate notes the names in an expression that is iterated.
func (b *Body) iterate(n syntax.Node) {
	if n.Has(lambdas[:]...) {
		return
	}
	for id := range n.All("identifier") {
		b.iterated[id.Text()] = true
	}
}
