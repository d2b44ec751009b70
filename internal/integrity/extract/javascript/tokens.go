package javascript

import (
	"strings"

	"workflow-reviewer/internal/syntax"
)

// tokens are the canonical tokens of nodes: without types, comments, layout,
// and with one spelling of what can be spelled in several ways.
func tokens(ns ...syntax.Node) []string {
	var w writer
	for _, n := range ns {
		n.Walk(w.visit)
	}
	return w.out
}

// tokensWithTypes keeps type arguments, for assertions about types.
func tokensWithTypes(n syntax.Node) []string {
	w := writer{types: true}
	n.Walk(w.visit)
	return w.out
}

// tokensWithout are the tokens of a node without those of some nodes in it.
func tokensWithout(n syntax.Node, leave ...syntax.Node) []string {
	w := writer{leave: make(map[syntax.Node]bool, len(leave))}
	for _, l := range leave {
		w.leave[l] = true
	}
	n.Walk(w.visit)
	return w.out
}

type writer struct {
	out   []string
	types bool
	leave map[syntax.Node]bool
}

// visit appends a node's token if it is a leaf of the tree or counts as one.
func (w *writer) visit(n syntax.Node) bool {
	kind := n.Kind()
	if strings.Contains(kind, "comment") || !w.types && isType(n, kind) || len(w.leave) > 0 && w.leave[n] {
		return false
	}
	switch kind {
	case "string":
		w.out = append(w.out, quoted(n))
		return false
	case "template_string":
		w.out = append(w.out, template(n.Text()))
		return false
	case "regex":
		w.out = append(w.out, n.Text())
		return false
	case "jsx_text":
		w.add(jsxText(n.Text()))
		return false
	case "shorthand_property_identifier":
		w.add(n.Text())
		w.add(":")
	}
	if n.FirstChild().IsZero() {
		w.leaf(n, kind)
	}
	return true
}

func (w *writer) leaf(n syntax.Node, kind string) {
	switch kind {
	case ";":
	case ")", "]", "}":
		if last := len(w.out) - 1; last >= 0 && w.out[last] == "," && !n.Parent().Is("array_pattern") && !isHole(n) {
			w.out = w.out[:last]
		}
		if !isOptional(n, kind) {
			w.add(kind)
		}
	case "(", "{", "return":
		if !isOptional(n, kind) {
			w.add(kind)
		}
	case "let", "const", "var":
		w.add("let")
	case "identifier":
		if n.FieldName() == "parameter" && n.Parent().Is("arrow_function") {
			w.out = append(w.out, "(", n.Text(), ")")
			return
		}
		w.add(n.Text())
	default:
		w.add(strings.TrimSpace(n.Text()))
	}
}

func (w *writer) add(token string) {
	if token != "" {
		w.out = append(w.out, token)
	}
}

// isHole reports whether the comma before a closing bracket makes an element
// of its own: [,] has one.
func isHole(closing syntax.Node) bool {
	return closing.Parent().Is("array") && len(closing.Parent().Named()) == 0
}

// isOptional reports whether a bracket or keyword could be left out: around
// what stands alone in brackets, and of a function's body that only returns.
func isOptional(n syntax.Node, kind string) bool {
	p := n.Parent()
	switch p.Kind() {
	case "parenthesized_expression":
		return isPlainBrackets(p)
	case "statement_block":
		return (kind == "{" || kind == "}") && isReturnOnly(p)
	case "return_statement":
		return isReturnOnly(p.Parent())
	default:
		return false
	}
}

func isPlainBrackets(n syntax.Node) bool {
	inner := n.Named()
	if len(inner) != 1 || inner[0].Is("sequence_expression") || n.Parent().Is("arrow_function") && isEmptyObject(inner[0]) {
		return false
	}
	return n.Parent().Is("arguments", "variable_declarator", "return_statement", "expression_statement", "arrow_function",
		"assignment_expression", "pair", "array", "parenthesized_expression", "template_substitution", "throw_statement",
		"if_statement", "while_statement", "switch_statement")
}

// isReturnOnly reports whether a block is an arrow function's body that only
// returns a value.
func isReturnOnly(block syntax.Node) bool {
	if !block.Is("statement_block") || !block.Parent().Is("arrow_function") {
		return false
	}
	body := block.Named()
	if len(body) != 1 || !body[0].Is("return_statement") {
		return false
	}
	value := body[0].Named()
	return len(value) == 1 && !isEmptyObject(bare(value[0]))
}

// isEmptyObject reports whether a node is {}, which looks like a body of no
// statements.
func isEmptyObject(n syntax.Node) bool { return n.Is("object") && len(n.Named()) == 0 }

// isType reports whether a node is there for the type checker alone.
func isType(n syntax.Node, kind string) bool {
	switch kind {
	case "type_annotation", "type_arguments", "type_parameters", "implements_clause", "override_modifier",
		"asserts_annotation", "type_predicate_annotation", "opting_type_annotation", "omitting_type_annotation",
		"interface_declaration", "type_alias_declaration", "ambient_declaration", "function_signature",
		"abstract_method_signature", "method_signature", "index_signature", "readonly", "declare", "abstract":
		return true
	case "accessibility_modifier":
		return !n.Parent().Is("required_parameter", "optional_parameter")
	case "as", "satisfies":
		return n.Parent().Is("as_expression", "satisfies_expression")
	case "!":
		return n.Parent().Is("non_null_expression", "variable_declarator", "public_field_definition")
	case "?":
		return n.Parent().Is("optional_parameter", "public_field_definition", "method_definition")
	case "import_statement", "import_specifier", "export_specifier":
		return isTypeImport(n)
	default:
		p := n.Parent()
		return p.Is("as_expression", "satisfies_expression") && p.FirstChild() != n
	}
}

// isTypeImport reports whether an import, or one name of it, is of a type.
func isTypeImport(n syntax.Node) bool {
	for c := range n.Children() {
		if c.Is("type") && c.FieldName() == "" {
			return true
		}
	}
	return false
}

// quoted is a string in double quotes, or a property's name without quotes, if
// that changes nothing.
func quoted(n syntax.Node) string {
	text := n.Text()
	if len(text) < 2 {
		return text
	}
	inner := text[1 : len(text)-1]
	switch {
	case n.FieldName() == "key" && isName(inner):
		return inner
	case text[0] == '\'' && !strings.ContainsAny(inner, `"\`):
		return `"` + inner + `"`
	default:
		return text
	}
}

// template is a template string, as a plain one if it is no more than that.
func template(text string) string {
	if len(text) < 2 || strings.ContainsAny(text, "$\\\"\n") {
		return text
	}
	return `"` + text[1:len(text)-1] + `"`
}

func isName(s string) bool {
	for i, r := range s {
		if r != '_' && r != '$' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

// jsxText is text between elements as React shows it: line breaks and what
// surrounds them are layout.
func jsxText(text string) string {
	if !strings.Contains(text, "\n") {
		return text
	}
	lines := strings.Split(text, "\n")
	var kept []string
	for i, line := range lines {
		if i > 0 {
			line = strings.TrimLeft(line, " \t\r")
		}
		if i < len(lines)-1 {
			line = strings.TrimRight(line, " \t\r")
		}
		if line != "" {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, " ")
}
