package ruby

import (
	"strings"

	"workflow-reviewer/internal/syntax"
)

// writer makes the canonical tokens of nodes: without comments and layout, and
// with one spelling of what can be spelled in several ways.
type writer struct {
	out   []string
	docs  map[syntax.Node]string // what heredocs hold, by where they are begun
	leave map[syntax.Node]bool
}

// tokens are the canonical tokens of nodes.
func (m *model) tokens(ns ...syntax.Node) []string {
	w := writer{docs: m.docs}
	for _, n := range ns {
		n.Walk(w.visit)
	}
	return w.close()
}

// without are the tokens of a node without those of some nodes in it.
func (m *model) without(n syntax.Node, leave ...syntax.Node) []string {
	w := writer{docs: m.docs, leave: make(map[syntax.Node]bool, len(leave))}
	for _, l := range leave {
		w.leave[l] = true
	}
	n.Walk(w.visit)
	return w.close()
}

// list are the tokens of nodes with commas between.
func (m *model) list(ns []syntax.Node) []string {
	var out []string
	for i, n := range ns {
		if i > 0 {
			out = append(out, ",")
		}
		out = append(out, m.tokens(n)...)
	}
	return out
}

// visit appends a node's token if it is a leaf of the tree or counts as one.
// Arguments are put in brackets, whether they stand in some or not.
func (w *writer) visit(n syntax.Node) bool {
	kind := n.Kind()
	if strings.Contains(kind, "comment") || kind == "heredoc_body" || len(w.leave) > 0 && w.leave[n] {
		return false
	}
	switch kind {
	case "string":
		w.add(quoted(n))
		return false
	case "bare_string", "bare_symbol":
		w.element(n, kind)
		return false
	case "chained_string", "regex", "subshell", "delimited_symbol":
		w.add(n.Text())
		return false
	case "heredoc_beginning":
		w.add("<<" + w.docs[n])
		return false
	case "argument_list":
		w.arguments(n)
		return false
	case "hash_key_symbol":
		w.add(":" + n.Text())
		return false
	case "integer", "float":
		w.add(strings.ReplaceAll(n.Text(), "_", ""))
		return false
	}
	if n.FirstChild().IsZero() {
		w.leaf(n)
	}
	return true
}

// element is one word of %w[a b], as it would stand in ["a", "b"].
func (w *writer) element(n syntax.Node, kind string) {
	if len(w.out) > 0 && w.out[len(w.out)-1] != "[" {
		w.add(",")
	}
	if kind == "bare_symbol" {
		w.add(":" + n.Text())
		return
	}
	w.add(`"` + n.Text() + `"`)
}

func (w *writer) arguments(n syntax.Node) {
	args := n.Named()
	if len(args) == 0 {
		return
	}
	inner := writer{docs: w.docs, leave: w.leave}
	for i, a := range args {
		if i > 0 {
			inner.out = append(inner.out, ",")
		}
		if a.Is("parenthesized_statements") && len(a.Named()) == 1 && len(args) == 1 && n.FirstChild() == a {
			a = a.Named()[0]
		}
		if n := depthOf(a); n > maxNesting { // hostile: no brackets are looked for
			inner.add(a.Text())
			continue
		}
		a.Walk(inner.visit)
	}
	w.out = append(append(append(w.out, "("), inner.out...), ")")
}

// maxNesting is how deep calls in arguments are taken apart.
const maxNesting = 200

// depthOf is how deep a node stands in argument lists.
func depthOf(n syntax.Node) int {
	depth := 0
	for p := n.Parent(); !p.IsZero() && depth <= maxNesting; p = p.Parent() {
		depth++
	}
	return depth
}

func (w *writer) leaf(n syntax.Node) {
	text := strings.TrimSpace(n.Text())
	p := n.Parent()
	switch text {
	case "", ";", "then":
		return
	case "do":
		text = "{"
	case "end":
		if p.Is("do_block") {
			text = "}"
		}
	case "]", "}":
		if last := len(w.out) - 1; last >= 0 && w.out[last] == "," {
			w.out = w.out[:last]
		}
	case ":":
		if p.Is("pair") {
			text = "=>"
		}
	case "%w[", "%i[", "%w(", "%i(":
		text = "["
	case ")":
		if p.Is("string_array", "symbol_array") {
			text = "]"
		}
	}
	w.add(text)
}

func (w *writer) add(token string) {
	if token != "" {
		w.out = append(w.out, token)
	}
}

func (w *writer) close() []string { return w.out }

// quoted is a string in double quotes if that changes nothing.
func quoted(n syntax.Node) string {
	text := n.Text()
	if len(text) < 2 {
		return text
	}
	inner := text[1 : len(text)-1]
	if n.FieldName() == "key" && n.NextSibling().Is(":") { // {"a": 1}
		return ":" + inner
	}
	if text[0] == '\'' && !strings.ContainsAny(inner, `"\#`) {
		return `"` + inner + `"`
	}
	return text
}

// unquoted is the text of a string or symbol; of another expression its
// tokens.
func (m *model) unquoted(n syntax.Node) string {
	text := n.Text()
	switch n.Kind() {
	case "string":
		if len(text) >= 2 {
			return text[1 : len(text)-1]
		}
	case "simple_symbol":
		return strings.TrimPrefix(text, ":")
	}
	return strings.Join(m.tokens(n), " ")
}

// heredocs finds what the file's heredocs hold, by where they are begun.
func heredocs(root syntax.Node) map[syntax.Node]string {
	out := map[syntax.Node]string{}
	var begun []syntax.Node
	for n := range root.All("heredoc_beginning", "heredoc_body") {
		if n.Is("heredoc_beginning") {
			begun = append(begun, n)
			continue
		}
		if len(begun) > 0 {
			out[begun[0]] = document(begun[0].Text(), n)
			begun = begun[1:]
		}
	}
	return out
}

// document is the text of a heredoc, without its indentation if it is begun
// with <<~.
func document(beginning string, body syntax.Node) string {
	end := body.Child("heredoc_end")
	text := strings.TrimPrefix(strings.TrimSuffix(body.Text(), end.Text()), "\n")
	if !strings.HasPrefix(beginning, "<<~") {
		return text
	}
	lines := strings.Split(strings.TrimRight(text, " \t"), "\n")
	least := -1
	for _, l := range lines {
		if indent := len(l) - len(strings.TrimLeft(l, " \t")); strings.TrimSpace(l) != "" && (least < 0 || indent < least) {
			least = indent
		}
	}
	for i, l := range lines {
		lines[i] = l[min(max(least, 0), len(l)):]
	}
	return strings.Join(lines, "\n")
}
