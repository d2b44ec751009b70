// Package javascript models what a test file in JavaScript, TypeScript or TSX
// demands: of jest, vitest, mocha, node:test, ava and their like, with the
// assertions of jest, chai, should and node:assert.
package javascript

import (
	"strings"

	"workflow-reviewer/internal/integrity/extract/build"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// Model is what the file demands. It answers for any tree, with tokens where
// it does not understand; path is copied into the answer.
func Model(t *syntax.Tree, path string) testmodel.File {
	m := &model{
		Builder: build.New(t, path),
		names:   map[string]meaning{},
		demands: map[syntax.Node]bool{},
		defines: map[syntax.Node]bool{},
		imports: map[string]bool{},
		helpers: map[string]bool{},
		tables:  map[string]bool{},
	}
	root := t.Root()
	m.learn(root)
	m.survey(root)
	m.module(root)
	return m.File()
}

// model is a file on its way into a model.
type model struct {
	*build.Builder
	names   map[string]meaning
	imports map[string]bool      // names that imports bind
	demands map[syntax.Node]bool // functions that assert something
	defines map[syntax.Node]bool // functions that define tests
	helpers map[string]bool      // names of functions of the file that assert something
	tables  map[string]bool      // names of lists that are only iterated
}

// module adds the units of the file, its own first.
func (m *model) module(root syntax.Node) {
	unit := m.Open(testmodel.Module, "", root)
	s := scope{unit: unit}
	body := m.level(root.Named(), s)
	u := m.Unit(unit)
	u.Body = body
	u.Text = ""
	u.Line = 1
	u.Locals = m.declaredNames(root)
	u.Marks = append(u.Marks, m.docblock(root)...)
}

// docblock is the comment at the top of a file that chooses its environment.
func (m *model) docblock(root syntax.Node) []testmodel.Mark {
	var marks []testmodel.Mark
	for c := range root.Children() {
		if !c.IsComment() {
			break
		}
		for word := range strings.FieldsSeq(c.Text()) {
			if strings.HasPrefix(word, "@jest-") || strings.HasPrefix(word, "@vitest-") {
				marks = append(marks, m.Mark("", c, strings.Fields(strings.Trim(c.Text(), "/* \n"))))
				break
			}
		}
	}
	return marks
}

// declaredNames are the names that the top of a file or suite binds.
func (m *model) declaredNames(n syntax.Node) []string {
	var out []string
	for _, c := range n.Named() {
		if c.Is("export_statement") {
			continue
		}
		for _, d := range c.Named() {
			if d.Is("variable_declarator") {
				out = append(out, names(d.Field("name"))...)
			}
		}
	}
	return out
}

// locals are the names that a function binds, parameters included.
func locals(fn syntax.Node) []string {
	var out []string
	seen := map[string]bool{}
	add := func(names ...string) {
		for _, name := range names {
			if !seen[name] {
				seen[name] = true
				out = append(out, name)
			}
		}
	}
	fn.Walk(func(n syntax.Node) bool {
		switch n.Kind() {
		case "variable_declarator":
			add(names(n.Field("name"))...)
		case "formal_parameters":
			add(names(n)...)
		case "function_declaration", "class_declaration":
			if n != fn {
				add(n.Field("name").Text())
			}
		case "catch_clause", "arrow_function":
			add(names(n.Field("parameter"))...)
		case "for_in_statement":
			add(names(n.Field("left"))...)
		}
		return true
	})
	return out
}
