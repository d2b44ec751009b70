package javascript

import (
	"slices"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// learn finds out what the file's names mean: from its imports, its aliases,
// and from what it binds to a framework's name itself.
func (m *model) learn(root syntax.Node) {
	root.Walk(func(n syntax.Node) bool {
		switch n.Kind() {
		case "import_statement":
			m.importNames(n)
		case "variable_declarator":
			m.declared(n)
		case "function_declaration", "class_declaration":
			m.shadow(n.Field("name").Text())
		}
		return true
	})
}

// shadow notes that a name is the file's own.
func (m *model) shadow(name string) {
	if _, ok := global(name); ok {
		m.names[name] = meaning{}
	}
}

// name is what a name means.
func (m *model) name(name string) meaning {
	if found, ok := m.names[name]; ok {
		return found
	}
	found, _ := global(name)
	return found
}

func (m *model) importNames(n syntax.Node) {
	for _, i := range imported(n) {
		m.imports[i.local] = true
		if found, ok := exported(i.module, i.name); ok {
			m.names[i.local] = found
		}
	}
}

// declared learns from const x = …: a require, a part of a known thing, an
// alias, or a name of the file's own.
func (m *model) declared(n syntax.Node) {
	value := n.Field("value")
	_, _, isImport := required(chainOf(value))
	for _, b := range bindings(n.Field("name"), nil) {
		m.imports[b.local] = m.imports[b.local] || isImport
		if found, ok := m.alias(value, b.key); ok {
			m.names[b.local] = found
		} else if !value.IsZero() && !isImport {
			m.shadow(b.local)
		}
	}
}

// alias is what a value, or the property of it with that name, means.
func (m *model) alias(value syntax.Node, key []string) (meaning, bool) {
	value = bare(value)
	if value.Is("ternary_expression") {
		return m.alias(value.Field("consequence"), key)
	}
	c := chainOf(value)
	path := key
	if module, rest, ok := required(c); ok {
		path = slices.Concat(rest, key)
		switch len(path) {
		case 0:
			return exported(module, "")
		case 1:
			return exported(module, path[0])
		default:
			return meaning{}, false
		}
	}
	return m.aliasOf(c, path)
}

// aliasOf is what a member of a known thing means: chai.expect, it.skip.
func (m *model) aliasOf(c chain, key []string) (meaning, bool) {
	of := c.root.Text()
	if !c.root.Is("identifier") {
		return meaning{}, false
	}
	found := m.name(of)
	host := slices.Contains([]string{"globalThis", "global", "window", "self", "Deno", "QUnit"}, of)
	var path []string
	for _, l := range c.links {
		path = append(path, l.name)
	}
	path = append(path, key...)
	switch {
	case (host || found.sort == chai) && len(path) == 1:
		g, ok := global(path[0])
		if found.sort == chai {
			g.flavor = ofChai
		}
		return g, ok
	case found.sort == assert && len(path) == 1 && path[0] == "strict":
		return meaning{sort: assert, flavor: strict}, true
	case found.sort == assert && len(path) == 1:
		return meaning{sort: assertion, flavor: found.flavor, method: path[0]}, true
	case found.sort == test || found.sort == suite || found.sort == expect && len(path) == 0:
		found.effect = firstEffect(found.effect, path)
		return found, true
	default:
		return meaning{}, false
	}
}

// firstEffect is the effect of it.skip and its like.
func firstEffect(effect testmodel.Effect, path []string) testmodel.Effect {
	for _, name := range path {
		if e := modifier(name); effect == "" {
			effect = e
		}
	}
	return effect
}
