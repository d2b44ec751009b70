package kernel

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// importOf reads an import statement.
func (t *Tree) importOf(n *Node) imported {
	var out imported
	switch t.Lang {
	case syntax.Python:
		out = pythonImport(n)
	case syntax.Go:
		out = goImport(n)
	case syntax.Java:
		out = javaImport(n)
	case syntax.CSharp:
		return csharpImport(n)
	case syntax.Rust:
		out = rustImport(n)
	default:
		out = scriptImport(n)
	}
	out.star = out.star || len(out.binds) == 0 && t.Lang != syntax.Go && t.Lang != syntax.Java
	return out
}

// csharpImport: two namespaces that both have what the file means are an error, but for what stands
// in one.
func csharpImport(n *Node) imported {
	out := imported{star: true}
	switch {
	case n.Child("name") != nil:
		out.binds, out.star = []string{n.Child("name").joined()}, n.Kids[0].Text == "global"
	case len(n.Kids) == 2 && n.Up.Is("compilation_unit"):
		first := slices.IndexFunc(n.Up.Kids, func(k *Node) bool { return k.Is("file_scoped_namespace_declaration") })
		out.star = first >= 0 && first < slices.Index(n.Up.Kids, n)
	}
	return out
}

// split makes of an import of several names one import each, so that their
// order says nothing and one more or less is seen as such.
func (b *builder) split(n *Node) []*Node {
	var out []*Node
	with := func(kids ...*Node) {
		c := *n
		c.Kids = kids
		out = append(out, &c)
	}
	switch {
	case n.Is("import_from_statement", "import_statement") && b.Lang == syntax.Python:
		var head []*Node
		for _, k := range n.Kids {
			switch {
			case k.Field == "name":
				with(append(slices.Clone(head), k)...)
			case k.Text != "," && k.Text != "(" && k.Text != ")":
				head = append(head, k)
			}
		}
	case n.Is("import_statement"):
		for i, k := range n.Kids {
			if !k.Is("import_clause") {
				continue
			}
			for _, name := range k.names() {
				clause := *k
				clause.Kids = []*Node{name}
				kids := slices.Clone(n.Kids)
				kids[i] = &clause
				with(kids...)
			}
		}
	case n.Is("use_declaration"):
		b.splitUse(n, with)
	}
	if len(out) == 0 {
		return []*Node{n}
	}
	return out
}

// names are the names in JavaScript's import clause.
func (n *Node) names() []*Node {
	var out []*Node
	for _, k := range n.Kids {
		switch {
		case k.Is("named_imports"):
			out = append(out, values(k)...)
		case k.Text != ",":
			out = append(out, k)
		}
	}
	return out
}

// splitUse splits Rust's "use a::{b, c}", if its elements are plain names.
func (b *builder) splitUse(n *Node, with func(kids ...*Node)) {
	arg := n.Child("argument")
	list := arg.Child("list")
	if !arg.Is("scoped_use_list") || list == nil {
		return
	}
	names := values(list)
	for _, k := range names {
		if !k.Is("identifier") {
			return
		}
	}
	for _, k := range names {
		name, scoped := *k, *arg
		name.Field = "name"
		scoped.Kind, scoped.Kids = "scoped_identifier", append(slices.Clone(arg.Kids[:len(arg.Kids)-1]), &name)
		kids := slices.Clone(n.Kids)
		kids[slices.Index(kids, arg)] = &scoped
		with(kids...)
	}
}

func (n *Node) joined() string { return strings.ReplaceAll(n.Normalized(), " ", "") }

// pythonImport is the module and the names that an import binds; a star binds what it finds.
func pythonImport(n *Node) imported {
	out := imported{module: n.Child("module_name").text()}
	for _, k := range n.Kids {
		switch {
		case k.Is("wildcard_import"):
			out.star = true
		case k.Field == "name" && k.Is("aliased_import"):
			out.binds = append(out.binds, k.Child("alias").text())
			if out.module == "" {
				out.module = k.Child("name").text()
			}
		case k.Field == "name" && n.Is("import_statement"):
			first, _, _ := strings.Cut(k.text(), ".")
			out.binds = append(out.binds, first)
			out.module = k.text()
		case k.Field == "name":
			out.binds = append(out.binds, k.text())
		}
	}
	out.star = out.star || out.module == "__future__"
	return out
}

// text is the source of a node, "" for nil.
func (n *Node) text() string {
	if n == nil {
		return ""
	}
	return n.joined()
}

// goImport is the package and the name that an import binds: the last part of its path where none
// is given.
func goImport(n *Node) imported {
	path := strings.Trim(n.Child("path").text(), "\"`")
	out := imported{module: path}
	switch name := n.Child("name").text(); name {
	case "_", ".":
		out.star = true
	case "":
		last := path[strings.LastIndex(path, "/")+1:]
		if !otherName.MatchString(last) { // where it is another, a clash does not compile
			out.binds = []string{last}
		}
	default:
		out.binds = []string{name}
	}
	return out
}

// otherName matches the last part of a path that is no package's name: a version, or what cannot be one.
var otherName = lazyregexp.New(`^(?:v\d+)?$|[.~-]`)

// javaImport is the class, or the package with a star, that an import binds.
func javaImport(n *Node) imported {
	var out imported
	for _, k := range n.Kids {
		if k.Is("asterisk") { // what one package and another have is an error, but for methods
			out.star = n.Any(func(l *Node) bool { return l.Text == "static" })
			out.binds = nil
		}
		if k.Is("scoped_identifier", "identifier") {
			out.module = k.text()
			out.binds = []string{out.module[strings.LastIndex(out.module, ".")+1:]}
		}
	}
	return out
}

// rustImport collects the names of all paths of a use.
func rustImport(n *Node) imported {
	out := imported{module: n.Child("argument").text()}
	out.star = n.Any(func(k *Node) bool { return k.Is("use_wildcard") })
	var collect func(k *Node)
	collect = func(k *Node) {
		switch {
		case k == nil:
		case k.Is("use_list"):
			for _, e := range k.Kids {
				collect(e)
			}
		case k.Is("scoped_use_list"):
			collect(k.Child("list"))
		case k.Is("use_as_clause"):
			out.binds = append(out.binds, k.Child("alias").text())
		case k.Is("scoped_identifier"):
			out.binds = append(out.binds, k.Child("name").text())
		case k.Is("identifier"):
			out.binds = append(out.binds, k.Text)
		}
	}
	collect(n.Child("argument"))
	return out
}

// scriptImport reads an import of JavaScript, or a constant that require gives.
func scriptImport(n *Node) imported {
	out := imported{module: strings.Trim(n.Child("source").text(), `'"`)}
	n.Walk(func(k *Node) bool {
		switch {
		case k.Is("import_specifier"):
			name := k.Child("alias")
			if name == nil {
				name = k.Child("name")
			}
			out.binds = append(out.binds, name.text())
			return false
		case k.Is("namespace_import", "import_clause"):
			for _, id := range k.Kids {
				if id.Is("identifier") {
					out.binds = append(out.binds, id.Text)
				}
			}
		}
		return true
	})
	return out
}
