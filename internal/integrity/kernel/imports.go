package kernel

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// imported is what an import does.
type imported struct {
	binds []string
	star  bool // binds names that are not written down, or none at all
}

// importOf reads an import statement: what it binds is the last name of each of its parts.
func (t *Tree) importOf(n *Node) (out imported) {
	has := func(is func(k *Node) bool) bool { return n.Any(is) }
	switch {
	case t.Lang == syntax.Go:
		return goImport(n)
	case t.Lang == syntax.CSharp:
		return csharpImport(n)
	case has(func(k *Node) bool { return k.Is("asterisk") }):
		// What one package of Java and another have is an error, but for methods.
		return imported{star: has(func(k *Node) bool { return k.Text == "static" })}
	}
	out.star = has(
		func(k *Node) bool {
			return k.Is("wildcard_import", "use_wildcard") || k.Text == "__future__"
		},
	)
	// The last identifier is an alias if there is one, else the name itself. Paths of JavaScript
	// are texts, keys of attributes other kinds of identifier.
	for _, part := range importParts(n) {
		var names []string
		part.Leaves(func(l *Node) bool {
			if l.Is("identifier", "type_identifier") {
				names = append(names, l.Text)
			}
			return true
		})
		switch plain := part.Child("name").Is("dotted_name"); {
		case len(names) == 0:
		case t.Lang == syntax.Python && n.Is("import_statement") && plain: // import a.b binds a
			out.binds = append(out.binds, names[0])
		default:
			out.binds = append(out.binds, names[len(names)-1])
		}
	}
	out.star = out.star || len(out.binds) == 0
	return out
}

// importParts are the elements of an import's lists, the import itself if it has none.
func importParts(n *Node) (out []*Node) {
	isList := func(k *Node) bool { return k.Is("use_list") }
	n.Walk(func(k *Node) bool {
		for _, e := range k.Kids {
			if isList(k) && !e.Any(isList) {
				out = append(out, e)
			}
		}
		return true
	})
	if len(out) == 0 {
		return []*Node{n}
	}
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
		first := slices.IndexFunc(n.Up.Kids,
			func(k *Node) bool { return k.Is("file_scoped_namespace_declaration") })
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
		scoped.Kind = "scoped_identifier"
		scoped.Kids = append(slices.Clone(arg.Kids[:len(arg.Kids)-1]), &name)
		kids := slices.Clone(n.Kids)
		kids[slices.Index(kids, arg)] = &scoped
		with(kids...)
	}
}

// joined is a node's text without the spaces of its normal form: "a.b", "" of nil.
func (n *Node) joined() string { return strings.ReplaceAll(n.Normalized(), " ", "") }

// goImport is the package and the name that an import binds: the last part of its path where none
// is given.
func goImport(n *Node) imported {
	path := strings.Trim(n.Child("path").joined(), "\"`")
	switch name := n.Child("name").joined(); name {
	case "_", ".":
		return imported{star: true}
	case "":
		last := path[strings.LastIndex(path, "/")+1:]
		if otherName.MatchString(last) { // where it is another, a clash does not compile
			return imported{}
		}
		return imported{binds: []string{last}}
	default:
		return imported{binds: []string{name}}
	}
}

// otherName matches the last part of a path that is no package's name: a version, or what cannot be
// one.
var otherName = lazyregexp.New(`^(?:v\d+)?$|[.~-]`)
