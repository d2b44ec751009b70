package python

import (
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// imports adds the names that an import statement binds.
func (m *modeler) imports(n syntax.Node) {
	for _, i := range bindings(n) {
		i.Line, i.Text = n.StartLine(), m.text(n)
		m.file.Imports = append(m.file.Imports, i)
	}
}

// bindings are an import statement's names, without their lines.
func bindings(n syntax.Node) []testmodel.Import {
	var out []testmodel.Import
	from, star := n.Field("module_name").Text(), false
	if n.Is("future_import_statement") {
		from = "__future__"
	}
	for c := range n.Children() {
		star = star || c.Is("wildcard_import")
		if c.FieldName() == "name" {
			out = append(out, binding(c, from))
		}
	}
	if star {
		out = append(out, testmodel.Import{Local: "*", Source: from})
	}
	return out
}

func binding(name syntax.Node, from string) testmodel.Import {
	whole, local := name, ""
	if name.Is("aliased_import") {
		whole, local = name.Field("name"), name.Field("alias").Text()
	}
	if from == "" {
		if local == "" {
			local = whole.FirstChild().Text()
		}
		return testmodel.Import{Local: local, Source: whole.Text()}
	}
	if local == "" {
		local = whole.Text()
	}
	if from[len(from)-1] != '.' {
		from += "."
	}
	return testmodel.Import{Local: local, Source: from + whole.Text()}
}
