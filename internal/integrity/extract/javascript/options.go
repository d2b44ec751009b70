package javascript

import (
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// options are the marks of the arguments besides name and function: { skip:
// true }, a timeout, retries.
func (m *model) options(d definition) []testmodel.Mark {
	fn := d.function()
	var marks []testmodel.Mark
	for i, a := range d.last.args {
		a = bare(a)
		switch {
		case a == fn || i == 0 && !a.Is("object") || d.sort == setup && fn.IsZero():
		case a.Is("object"):
			marks = append(marks, m.objectOptions(a, fn)...)
		case fn.IsZero():
		default:
			marks = append(marks, m.Mark("", a, append([]string{"timeout"}, tokens(a)...)))
		}
	}
	return marks
}

func (m *model) objectOptions(o, fn syntax.Node) []testmodel.Mark {
	var marks []testmodel.Mark
	for _, p := range o.Named() {
		key := p.Field("key").Text()
		value := bare(p.Field("value"))
		if key == "name" || p == fn || value == fn && !fn.IsZero() {
			continue
		}
		if p.Is("shorthand_property_identifier") {
			key = p.Text()
		}
		marks = append(marks, m.Mark(optionEffect(key, value), p, tokens(p)))
	}
	return marks
}

// optionEffect is the effect of { key: value }.
func optionEffect(key string, value syntax.Node) testmodel.Effect {
	switch value.Text() {
	case "false", "0", "undefined", "null":
		return ""
	}
	return modifier(strings.Trim(key, `"'`))
}

// table reads the rows of it.each(…) and it.each`…`; rest are the tokens of
// what is no list.
func (m *model) table(l link) (rows []testmodel.Row, rest []string) {
	if !l.template.IsZero() {
		return m.templateRows(l.template)
	}
	if len(l.args) == 0 {
		return nil, nil
	}
	return m.rowsOf(l.args[0])
}

// rowsOf are the elements of a list; rest are the tokens of what is around it,
// or of the whole expression if it is none.
func (m *model) rowsOf(n syntax.Node) (rows []testmodel.Row, rest []string) {
	n = bare(n)
	list := n
	if c := chainOf(n); c.root != n && c.root.Is("array", "object") {
		list = c.root
	} else if c.root.Is("identifier") && c.root.Text() == "Object" && len(c.links) > 0 {
		list = bare(c.links[0].arg(0))
	}
	if !list.Is("array", "object") {
		return nil, tokens(n)
	}
	for _, e := range list.Named() {
		rows = append(rows, m.Row(e, tokens(e)))
	}
	if list == n {
		return rows, nil
	}
	return rows, tokensWithout(n, list)
}

// templateRows are the rows of a table in a template string: names divided by
// bars, and below as many values in each row.
func (m *model) templateRows(t syntax.Node) (rows []testmodel.Row, rest []string) {
	src := t.Text()
	head, _, _ := strings.Cut(strings.TrimLeft(strings.TrimPrefix(src, "`"), " \t\r\n"), "\n")
	if i := strings.Index(head, "${"); i >= 0 {
		head = head[:i]
	}
	columns := strings.Count(head, "|") + 1
	var values []syntax.Node
	for _, c := range t.Named() {
		if !c.Is("template_substitution") {
			continue
		}
		values = append(values, c)
		if len(values) == columns {
			rows = append(rows, m.Row(values[0], tokens(values...)))
			values = nil
		}
	}
	if len(values) > 0 {
		rows = append(rows, m.Row(values[0], tokens(values...)))
	}
	return rows, append(strings.Fields(strings.ReplaceAll(head, "|", " | ")), m.templateText(t)...)
}

// templateText is what a table says outside of its head and values besides
// bars and layout.
func (m *model) templateText(t syntax.Node) []string {
	var out []string
	seen := false
	for _, c := range t.Named() {
		if c.Is("template_substitution") {
			seen = true
		} else if text := strings.Trim(strings.ReplaceAll(c.Text(), "|", " "), " \t\r\n"); seen && text != "" {
			out = append(out, text)
		}
	}
	return out
}
