package javascript

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/syntax"
)

// importedName is one name of an import: name of module is called local.
type importedName struct {
	local, module string
	name          string // "" for the whole module
	node          syntax.Node
}

// source is the import's source as the model spells it.
func (i importedName) source() string {
	module := i.module
	if strings.HasPrefix(module, ".") {
		module = strings.TrimRight(module, "/")
	}
	if i.name == "" {
		return module
	}
	return module + "#" + i.name
}

// imported lists what an import statement brings, without types.
func imported(n syntax.Node) []importedName {
	if isTypeImport(n) {
		return nil
	}
	module := unquoted(n.Field("source"))
	clause := n.Child("import_clause")
	if r := n.Child("import_require_clause"); !r.IsZero() { // import x = require("y")
		return []importedName{{r.Child("identifier").Text(), unquoted(r.Field("source")), "", n}}
	}
	if clause.IsZero() {
		return []importedName{{"", module, "", n}}
	}
	var out []importedName
	for _, c := range clause.Named() {
		switch c.Kind() {
		case "identifier":
			out = append(out, importedName{c.Text(), module, "default", n})
		case "namespace_import":
			out = append(out, importedName{c.Child("identifier").Text(), module, "", n})
		case "named_imports":
			out = append(out, specifiers(c, module)...)
		}
	}
	return out
}

func specifiers(n syntax.Node, module string) []importedName {
	var out []importedName
	for _, s := range n.Named() {
		if isTypeImport(s) {
			continue
		}
		name, local := s.Field("name"), s.Field("alias")
		if local.IsZero() {
			local = name
		}
		out = append(out, importedName{local.Text(), module, unquoted(name), s})
	}
	return out
}

// required is the module and the path in it of require("m").a.b, and of await
// import("m").
func required(c chain) (module string, path []string, ok bool) {
	links := c.links
	if c.root.Is("await_expression") && len(c.root.Named()) == 1 {
		inner := chainOf(c.root.Named()[0])
		if !inner.root.Is("import") || len(inner.links) != 1 {
			return "", nil, false
		}
		links = append(slices.Clone(inner.links), links...)
	} else if !c.root.Is("identifier") || c.root.Text() != "require" {
		return "", nil, false
	}
	if len(links) == 0 || links[0].name != "" || len(links[0].args) != 1 || !isString(bare(links[0].args[0])) {
		return "", nil, false
	}
	for _, l := range links[1:] {
		if l.name == "" || l.called {
			return "", nil, false
		}
		path = append(path, l.name)
	}
	return unquoted(links[0].args[0]), path, true
}

// binding is a name that a pattern binds, and where in the value it comes
// from; key is nil for the value itself.
type binding struct {
	local string
	key   []string
}

// bindings lists the names of a pattern.
func bindings(n syntax.Node, key []string) []binding {
	if len(key) > 8 {
		return nil
	}
	switch n.Kind() {
	case "identifier", "shorthand_property_identifier_pattern":
		if n.Is("shorthand_property_identifier_pattern") {
			key = append(slices.Clone(key), n.Text())
		}
		return []binding{{n.Text(), key}}
	case "pair_pattern":
		return bindings(n.Field("value"), append(slices.Clone(key), unquoted(n.Field("key"))))
	case "assignment_pattern", "object_assignment_pattern":
		return bindings(n.Field("left"), key)
	case "required_parameter", "optional_parameter":
		return bindings(n.Field("pattern"), key)
	case "array_pattern", "rest_pattern":
		key = append(slices.Clone(key), "…")
	}
	var out []binding
	if n.Is("object_pattern", "array_pattern", "rest_pattern", "formal_parameters") {
		for _, c := range n.Named() {
			out = append(out, bindings(c, key)...)
		}
	}
	return out
}

// names are the names of a pattern.
func names(n syntax.Node) []string {
	var out []string
	for _, b := range bindings(n, nil) {
		out = append(out, b.local)
	}
	return out
}

// requires adds the imports of const x = require("m"); false if it is no such
// thing.
func (m *model) requires(n syntax.Node) bool {
	value := bare(n.Field("value"))
	module, path, ok := required(chainOf(value))
	if !ok || n.Field("name").Has("assignment_pattern", "object_assignment_pattern", "computed_property_name") {
		return false
	}
	for _, b := range bindings(n.Field("name"), nil) {
		name := strings.Join(append(slices.Clone(path), b.key...), ".")
		m.Import(n, b.local, importedName{module: module, name: name}.source())
	}
	return true
}
