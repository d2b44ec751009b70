package code

import (
	"strings"

	"workflow-reviewer/internal/syntax"
)

// imports notes what imports bring into the file.
func (b *builder) imports(n syntax.Node) *Node {
	put := func(local, full string) { b.file.Imports[local] = full }
	switch n.Kind() {
	case "import_statement", "import_from_statement", "future_import_statement":
		if b.lang == syntax.Python {
			return b.pythonImport(n, put)
		}
		return b.jsImport(n, put)
	case "import_declaration":
		if b.lang == syntax.Go {
			return b.goImport(n, put)
		}
		fields := strings.Fields(strings.TrimSuffix(n.Text(), ";"))
		full := fields[len(fields)-1]
		put(lastOf(full), full)
		return b.text(Import, n, full)
	case "use_declaration":
		b.rustUse("", n.Field("argument"), put)
		return b.text(Import, n, n.Field("argument").Text())
	case "using_directive":
		full := strings.TrimSuffix(n.Text(), ";")
		full = full[strings.LastIndexByte(full, ' ')+1:]
		return b.text(Import, n, full)
	case "extern_crate_declaration", "package_clause", "package_declaration":
		return b.text(Other, n, n.Text())
	}
	return nil
}

func lastOf(dotted string) string { return dotted[strings.LastIndexByte(dotted, '.')+1:] }

func (b *builder) pythonImport(n syntax.Node, put func(local, full string)) *Node {
	module := n.Field("module_name").Text()
	out := b.text(Import, n, module)
	for c := range n.Children() {
		if c.FieldName() != "name" {
			continue
		}
		name, alias := c.Text(), ""
		if c.Is("aliased_import") {
			name, alias = c.Field("name").Text(), c.Field("alias").Text()
		}
		full := name
		if module != "" {
			full = strings.TrimSuffix(module, ".") + "." + name
		} else {
			out.Text = strings.TrimPrefix(out.Text+" "+name, " ")
		}
		switch {
		case alias != "":
			put(alias, full)
		case module != "":
			put(name, full)
		}
	}
	return out
}

func (b *builder) jsImport(n syntax.Node, put func(local, full string)) *Node {
	module := moduleName(text(n.Field("source")))
	clause := n.Child("import_clause")
	for c := range clause.All("identifier", "namespace_import", "import_specifier") {
		switch {
		case c.Is("import_specifier"):
			local := c.Field("name").Text()
			if a := c.Field("alias"); !a.IsZero() {
				local = a.Text()
			}
			put(local, module+"."+c.Field("name").Text())
		case c.Is("identifier") && c.Parent().Is("import_clause", "namespace_import"):
			put(c.Text(), module)
		}
	}
	return b.text(Import, n, module)
}

func (b *builder) goImport(n syntax.Node, put func(local, full string)) *Node {
	var kids []*Node
	for s := range n.All("import_spec") {
		path := text(s.Field("path"))
		name := path[strings.LastIndexByte(path, '/')+1:]
		if alias := s.Field("name"); !alias.IsZero() {
			put(alias.Text(), name)
		}
		kids = append(kids, b.text(Import, s, path))
	}
	return b.text(Block, n, "several", kids...)
}

// rustUse notes the names of a use declaration.
func (b *builder) rustUse(prefix string, n syntax.Node, put func(local, full string)) {
	if b.depth++; b.depth > maxDepth {
		b.tooDeep = true
		b.depth--
		return
	}
	defer func() { b.depth-- }()
	join := func(s string) string {
		s = strings.ReplaceAll(s, "::", ".")
		if prefix == "" {
			return s
		}
		return prefix + "." + s
	}
	switch n.Kind() {
	case "identifier", "scoped_identifier":
		full := join(n.Text())
		put(lastOf(full), full)
	case "use_as_clause":
		put(n.Field("alias").Text(), join(n.Field("path").Text()))
	case "scoped_use_list":
		b.rustUse(join(n.Field("path").Text()), n.Field("list"), put)
	case "use_list":
		for _, c := range n.Named() {
			if c.Is("self") {
				put(lastOf(prefix), prefix)
				continue
			}
			b.rustUse(prefix, c, put)
		}
	}
}
