package javascript

import (
	"workflow-reviewer/internal/syntax"
)

// maxClimb is how far up the tree a function is looked for.
const maxClimb = 400

// survey finds the functions that assert something or define tests, and the
// lists that are only iterated.
func (m *model) survey(root syntax.Node) {
	uses := map[string]*use{}
	for n := range root.All("identifier", "member_expression", "throw_statement") {
		if n.Is("identifier") {
			m.count(n, uses)
			switch m.name(n.Text()).sort {
			case expect, assert, assertion, should:
				m.climb(n, m.demands)
			case test, suite:
				m.climb(n, m.defines)
			}
		} else if n.Is("member_expression") && n.Field("property").Text() == "should" || n.Is("throw_statement") && isGuarded(n) {
			m.climb(n, m.demands)
		}
	}
	for name, u := range uses {
		m.tables[name] = u.declared == 1 && u.iterated > 0 && u.other == 0
	}
}

// isGuarded reports whether a throw is all that an if does.
func isGuarded(n syntax.Node) bool {
	p := n.Parent()
	return p.Is("if_statement") || p.Is("statement_block") && p.Parent().Is("if_statement")
}

// climb notes the functions around a node, up to one that is noted.
func (m *model) climb(n syntax.Node, found map[syntax.Node]bool) {
	for range maxClimb {
		if n = n.Parent(); n.IsZero() {
			return
		}
		if !n.Is("arrow_function", "function_expression", "function_declaration", "generator_function",
			"generator_function_declaration", "method_definition") {
			continue
		}
		if found[n] {
			return
		}
		found[n] = true
		if name := functionName(n); name != "" {
			m.helpers[name] = m.helpers[name] || m.demands[n]
		}
	}
}

// functionName is the name that a function literal or declaration has.
func functionName(n syntax.Node) string {
	if name := n.Field("name"); !name.IsZero() {
		return name.Text()
	}
	if p := n.Parent(); p.Is("variable_declarator") {
		return p.Field("name").Text()
	}
	return ""
}

// use is how often a name is used, and for what.
type use struct{ declared, iterated, other int }

func (m *model) count(n syntax.Node, uses map[string]*use) {
	u := uses[n.Text()]
	if u == nil {
		u = &use{}
		uses[n.Text()] = u
	}
	p := n.Parent()
	switch {
	case p.Is("variable_declarator") && n.FieldName() == "name":
		u.declared++
	case isIterated(n, p):
		u.iterated++
	default:
		u.other++
	}
}

// isIterated reports whether an identifier stands where its elements are gone
// through: for (… of x), x.forEach(…), it.each(x), Object.entries(x); also
// where only some of them are, x.slice(1).
func isIterated(n, p syntax.Node) bool {
	for range maxClimb {
		switch p.Kind() {
		case "for_in_statement":
			return n.FieldName() == "right"
		case "member_expression":
			if n.FieldName() != "object" {
				return false
			}
			if p.Field("property").Text() == "forEach" {
				return true
			}
		case "call_expression":
			if n.FieldName() != "function" {
				return false
			}
		case "arguments":
			name, object := member(p.Parent().Field("function"))
			if name.text == "each" || name.text == "for" {
				return true
			}
			if object.Text() != "Object" {
				return false
			}
			p = p.Parent()
		default:
			return false
		}
		n, p = p, p.Parent()
	}
	return false
}
