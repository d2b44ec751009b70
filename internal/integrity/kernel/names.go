package kernel

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"workflow-reviewer/internal/syntax"
)

// local is a name that a function binds.
type local struct {
	name  string
	in    *Node // the function or block
	from  int   // where it begins to be known, in bytes
	fixed bool
}

// scope is a function or block with the names that it binds.
type scope struct {
	node  *Node
	up    *scope
	names map[string]*local
	param map[string]bool
}

// resolve finds for each name that stands for a variable which local it is. Names that no function of the file
// binds stay free: they are compared as they are. A local with two declarations in one scope counts as one,
// which can only forbid a renaming, never allow one.
func (t *Tree) resolve() {
	if t.table.functions == nil {
		return
	}
	scopes := map[*Node]*scope{}
	t.bind(t.Root, nil, scopes)
	t.look(t.Root, nil, scopes)
}

// bind collects what functions bind.
func (t *Tree) bind(n *Node, in *scope, scopes map[*Node]*scope) {
	outer := in
	if t.table.functions[n.Kind] || t.table.scopes[n.Kind] {
		in = &scope{node: n, up: in, names: map[string]*local{}, param: map[string]bool{}}
		scopes[n] = in
	}
	for _, k := range n.Kids {
		for _, b := range t.table.binders {
			if b.kind == n.Kind && (b.field == "" || b.field == k.Field) {
				t.bound(k, b, t.holder(n, in), t.known(n, k))
			}
		}
		if n.Kind == "global_statement" || n.Kind == "nonlocal_statement" {
			t.fixed[k.Text] = true
		}
		if t.table.evals[k.Text] {
			t.fixed["*"] = true
		}
		t.fix(n, k)
		at := in
		if k.Field == "name" && t.table.functions[n.Kind] {
			at = outer
		}
		t.bind(k, at, scopes)
	}
}

// rebinding are kinds in which a name that is no variable of its own means, or
// gives another meaning to, a local of that name.
var rebinding = setOf(words["rebinding"]...)

// fix notes the names of locals that must stay, since something besides the uses that are found depends on them.
func (t *Tree) fix(n, k *Node) {
	switch {
	case len(k.Kids) > 0:
	case t.table.variables[k.Kind] && (rebinding[n.Kind] || n.Is("dotted_name") && n.Field != "module_name" &&
		(n.Up.Is("case_pattern") || t.table.imports[n.Up.Kind])) && n.Ancestor(t.table.functions) != nil:
		t.fixed[k.Text] = true
	case n.Is("pair") && k.Field == "key" && n.Child("value") == nil:
		t.fixed[strings.TrimSuffix(k.Text, ":")] = true
	case n.Is("interpolation") && k.Text == "=", n.Is("invocation_expression") && k.Text == "nameof", n.Is("macro_invocation") &&
		(k.Text == "stringify" || k.Text == "dbg"):
		n.Leaves(func(l *Node) bool {
			t.fixed[l.Text] = true
			return true
		})
	case t.Lang == syntax.Rust && k.Is("string_content", "raw_string_literal", "string_literal"):
		for _, part := range strings.Split(k.Text, "{")[1:] {
			t.fixed[part[:strings.IndexFunc(part+"}", func(r rune) bool {
				return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
			})]] = true
		}
	}
	if n.Is("field_declaration") || n.Kind == "block" && n.Up.Is("class_definition") {
		k.Walk(func(m *Node) bool {
			if t.table.functions[m.Kind] {
				return false
			}
			if m.Field == "name" || m.Field == "left" {
				m.Leaves(func(l *Node) bool {
					t.fixed[l.Text] = true
					return true
				})
			}
			return true
		})
	}
}

// holder is the scope that a declaration binds in: JavaScript's var binds in the function.
func (t *Tree) holder(n *Node, in *scope) *scope {
	if n.Is("variable_declarator") && n.Up.Is("variable_declaration") && t.table.scopes["statement_block"] {
		for in != nil && !t.table.functions[in.node.Kind] {
			in = in.up
		}
	}
	return in
}

// known is where a name begins to mean what a declaration binds: behind it,
// where names can be declared again in inner blocks; else everywhere.
func (t *Tree) known(declaration, name *Node) int {
	switch {
	case t.table.scopes == nil:
		return 0
	case declaration.Is("let_declaration", "short_var_declaration", "var_spec", "const_spec", "variable_declarator", "range_clause"):
		return declaration.stop
	}
	return name.start
}

// bound adds the names in a pattern to a scope.
func (t *Tree) bound(n *Node, b binder, in *scope, from int) {
	if in == nil {
		return
	}
	if len(n.Kids) == 0 {
		if t.table.variables[n.Kind] || t.table.shorthands[n.Kind] {
			l := in.names[n.Text]
			if l == nil {
				l = &local{name: n.Text, in: in.node, from: from}
				in.names[n.Text] = l
			}
			l.from = min(l.from, from)
			if t.table.scopes != nil {
				n.bound = l
			}
			l.fixed = l.fixed || b.fixed || t.table.shorthands[n.Kind]
			in.param[n.Text] = in.param[n.Text] || b.param
		}
		return
	}
	if !t.table.pattern[n.Kind] {
		return
	}
	for _, k := range n.Kids {
		if k.Field == "value" && n.Kind != "pair_pattern" || k.Field == "type" || k.Field == "right" || k.Field == "key" {
			continue
		}
		t.bound(k, b, in, from)
	}
}

// look gives each variable its local.
func (t *Tree) look(n *Node, in *scope, scopes map[*Node]*scope) {
	if s := scopes[n]; s != nil {
		in = s
	}
	if len(n.Kids) == 0 {
		n.shorthand = t.table.shorthands[n.Kind]
		n.variable = n.shorthand || t.table.variables[n.Kind] && t.mayVary(n)
		if n.variable && n.bound == nil {
			n.bound = t.find(n, in)
		}
		if n.bound != nil && (t.fixed[n.Text] || t.fixed["*"] || len(n.Text) != utf8.RuneCountInString(n.Text)) {
			n.bound.fixed = true // Python takes two names for one if they are alike when normalized
		}
		return
	}
	for _, k := range n.Kids {
		at := in
		if s := scopes[n]; s != nil && k.Field == "name" {
			at = s.up
		}
		t.look(k, at, scopes)
	}
}

// find is the local that a name means in a scope, nil if it is none.
func (t *Tree) find(n *Node, in *scope) *local {
	var last *local
	name := n.Text
	for s := in; s != nil; s = s.up {
		l := s.names[name]
		if l == nil || n.start < l.from {
			continue
		}
		last = l
		if s.param[name] || !t.table.outer {
			break
		}
	}
	return last
}

// mayVary reports whether a leaf stands where a variable can stand.
func (t *Tree) mayVary(n *Node) bool {
	up := n.Up
	if up == nil {
		return true
	}
	if up.Kind == "token_tree" {
		return t.inTokens(n)
	}
	return !slices.ContainsFunc(t.table.notNames, func(p place) bool {
		return p.kind == up.Kind && (p.field == "" || p.field == n.Field)
	})
}

// inTokens: in the tokens of a macro a name is a variable unless its neighbours make it a field, a path or a key.
func (t *Tree) inTokens(n *Node) bool {
	kids := n.Up.Kids
	i := slices.Index(kids, n)
	text := func(i int) string {
		if i < 0 || i >= len(kids) {
			return ""
		}
		return kids[i].Text
	}
	before, after := text(i-1), text(i+1)
	return text(0) != "{" && before != "." && before != "::" && before != "'" && after != "::" && after != "!" && after != ":"
}

// rename notes that a local of the approved file is called otherwise in the
// head; false if that contradicts what was seen before.
func (c *comparer) rename(a, b *Node) bool {
	if a.bound == nil || b.bound == nil {
		return a.bound == b.bound && a.Text == b.Text
	}
	if a.shorthand != b.shorthand || (a.shorthand || a.bound.fixed || b.bound.fixed) && a.Text != b.Text {
		return false
	}
	to, from := c.to[a.bound], c.from[b.bound]
	if to == nil && from == nil {
		c.to[a.bound], c.from[b.bound] = b.bound, a.bound
		c.journal = append(c.journal, a.bound)
		if a.Text != b.Text {
			c.forgive("a local renamed consistently")
		}
		return true
	}
	return to == b.bound && from == a.bound
}
