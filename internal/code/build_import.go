package code

import (
	"strings"

	"workflow-reviewer/internal/syntax"
)

// imports makes an Import and notes what it brings into the file.
func (b *builder) imports(n syntax.Node) *Node {
	fields := strings.Fields(strings.TrimSuffix(n.Text(), ";"))
	full := fields[len(fields)-1]
	switch {
	case b.lang == syntax.Python:
		return b.pythonImport(n)
	case b.lang == syntax.Go:
		return b.goImport(n)
	case n.Is("use_declaration"):
		b.rustUse("", n.Field("argument"))
		full = n.Field("argument").Text()
	case n.Is("import_declaration"):
		b.put(lastOf(full), full)
	case n.Is("import_statement"):
		return b.scriptImport(n)
	}
	return b.named(Import, n, full)
}

func (b *builder) put(local, full string) { b.file.Imports[local] = full }

func lastOf(dotted string) string { return dotted[strings.LastIndexByte(dotted, '.')+1:] }

func (b *builder) pythonImport(n syntax.Node) *Node {
	module := n.Field("module_name").Text()
	out := b.named(Import, n, module)
	for c := range n.Children() {
		if c.FieldName() != "name" {
			continue
		}
		name, local := c.Text(), ""
		if c.Is("aliased_import") {
			name, local = c.Field("name").Text(), c.Field("alias").Text()
		}
		full := name
		if module == "" {
			out.Text = strings.TrimPrefix(out.Text+" "+name, " ")
		} else if full = strings.TrimSuffix(module, ".") + "." + name; local == "" {
			local = name
		}
		if local != "" {
			b.put(local, full)
		}
	}
	return out
}

func (b *builder) scriptImport(n syntax.Node) *Node {
	module := moduleName(text(n.Field("source")))
	for c := range n.Child("import_clause").All("identifier", "namespace_import", "import_specifier") {
		switch {
		case c.Is("import_specifier"):
			b.put(fieldOf(c, "alias", "name").Text(), module+"."+c.Field("name").Text())
		case c.Is("identifier") && c.Parent().Is("import_clause", "namespace_import"):
			b.put(c.Text(), module)
		}
	}
	return b.named(Import, n, module)
}

func (b *builder) goImport(n syntax.Node) *Node {
	out := b.named(Block, n, "several")
	for s := range n.All("import_spec") {
		path := text(s.Field("path"))
		if alias := s.Field("name"); !alias.IsZero() {
			b.put(alias.Text(), path[strings.LastIndexByte(path, '/')+1:])
		}
		out.Kids = append(out.Kids, b.named(Import, s, path))
	}
	return out
}

// rustUse notes the names of a use declaration.
func (b *builder) rustUse(prefix string, n syntax.Node) {
	defer b.leave()
	if !b.enter() {
		return
	}
	join := func(s string) string {
		return strings.TrimPrefix(prefix+"."+strings.ReplaceAll(s, "::", "."), ".")
	}
	switch n.Kind() {
	case "identifier", "scoped_identifier":
		full := join(n.Text())
		b.put(lastOf(full), full)
	case "use_as_clause":
		b.put(n.Field("alias").Text(), join(n.Field("path").Text()))
	case "scoped_use_list":
		b.rustUse(join(n.Field("path").Text()), n.Field("list"))
	case "use_list":
		for _, c := range n.Named() {
			if c.Is("self") {
				b.put(lastOf(prefix), prefix)
				continue
			}
			b.rustUse(prefix, c)
		}
	}
}
