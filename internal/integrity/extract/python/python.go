// Package python models test files that are written in Python, for unittest and
// pytest.
package python

import (
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// Model is what the test file at path demands. It never fails: what it does
// not understand stays in the model as plain statements.
func Model(t *syntax.Tree, path string) testmodel.File {
	t = plainNames(t)
	m := &modeler{lines: testmodel.LinesOf(t.Source()), file: testmodel.File{Path: path}}
	m.file.Units = append(m.file.Units, testmodel.Unit{
		Role: testmodel.Module, Line: 1, End: len(m.lines), Text: m.lines.At(1),
	})
	m.scope(t.Root(), suite{unit: 0})
	m.replaced()
	m.unique()
	return m.file
}

// modeler gathers the model of one file.
type modeler struct {
	lines testmodel.Lines
	file  testmodel.File
	depth int // of nested statements
}

// maxDepth bounds the nesting of statements; what is deeper stays tokens.
const maxDepth = 60

// suite is the class or module around a definition.
type suite struct {
	unit       int    // index of its unit
	prefix     string // of the names in it
	class      bool
	collected  bool   // a runner looks for tests in it
	uncollects string // why a runner would not, although it looks like a suite
	sync       bool   // its runner does not await tests
}

func (m *modeler) text(n syntax.Node) string { return m.lines.At(n.StartLine()) }

// scope models what stands directly in a module or class.
func (m *modeler) scope(block syntax.Node, s suite) {
	for _, n := range block.Named() {
		m.member(n, nil, s)
	}
}

// member models one statement of a module or class.
func (m *modeler) member(n syntax.Node, decorators []syntax.Node, s suite) {
	switch n.Kind() {
	case "decorated_definition":
		var marks []syntax.Node
		for _, c := range n.Named() {
			if c.Is("decorator") {
				marks = append(marks, c)
			}
		}
		m.member(n.Field("definition"), marks, s)
	case "function_definition":
		m.function(n, decorators, s)
	case "class_definition":
		m.class(n, decorators, s)
	case "import_statement", "import_from_statement", "future_import_statement":
		m.imports(n)
	default:
		if m.looseMark(n, s) {
			return
		}
		body := m.statement(nil, n)
		u := &m.file.Units[s.unit]
		u.Body = append(u.Body, body...)
		if s.class {
			for _, b := range body {
				u.Locals = append(u.Locals, b.Binds...)
			}
		}
	}
}
