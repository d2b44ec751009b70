// Package java models test files that are written in Java: JUnit 3 to 5 and
// TestNG, with the assertions of these, of AssertJ, Truth and Hamcrest, and
// with Mockito.
package java

import (
	"strings"

	"workflow-reviewer/internal/integrity/extract/clike"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// Model is what the test file at path demands. It never fails: what it does
// not understand stays in the model as plain statements.
func Model(t *syntax.Tree, path string) testmodel.File {
	f := &file{
		Source:  clike.New(t, testmodel.Options{Drop: dropped}),
		classes: map[string]string{}, static: map[string]string{}, used: map[string]int{}, methods: map[string]bool{}, constant: map[string]syntax.Node{}, provided: map[string][]string{},
	}
	f.learn(t.Root())
	module := testmodel.Unit{Role: testmodel.Module, Line: 1, End: len(f.Lines), Text: f.Lines.At(1)}
	for _, n := range t.Root().Named() {
		switch {
		case n.Is("import_declaration"):
		case isType(n):
			f.class(n, "")
		default:
			module.Body = append(module.Body, f.body(n).Statement(n)...)
		}
	}
	if len(module.Body) > 0 {
		f.units = append([]testmodel.Unit{module}, f.units...)
	}
	clike.Provide(f.units, f.provided)
	return testmodel.File{Path: path, Imports: f.imported, Units: clike.Unique(f.units)}
}

// dropped are the parts of the source that say nothing about what it does.
func dropped(n syntax.Node) bool {
	switch n.Kind() {
	case "final":
		return true
	case "marker_annotation", "annotation":
		switch n.Field("name").Text() {
		case "Override", "SuppressWarnings", "Nullable", "NonNull", "NotNull", "SafeVarargs", "DisplayName", "FunctionalInterface":
			return true
		}
	}
	return false
}

// file is a file that is being modelled.
type file struct {
	clike.Source
	imported []testmodel.Import
	units    []testmodel.Unit
	classes  map[string]string // imported classes by their simple name
	static   map[string]string // imported members: the class they are from
	wild     []string          // classes all of whose members are imported
	jupiter  bool              // JUnit 5
	testng   bool
	used     map[string]int  // how often a name occurs
	methods  map[string]bool // that the file declares
	constant map[string]syntax.Node
	provided map[string][]string // methods that return the cases of a test, by its name
}

// learn reads the imports and the use of names.
func (f *file) learn(root syntax.Node) {
	for _, n := range root.Named() {
		if n.Is("import_declaration") {
			f.learnImport(n)
		}
	}
	for n := range root.All("identifier", "field_declaration", "method_declaration", "class_declaration") {
		if n.Is("identifier") {
			f.used[n.Text()]++
			continue
		}
		if !n.Is("field_declaration") {
			f.methods[n.Field("name").Text()] = true
			continue
		}
		for d := range n.All("variable_declarator") {
			if v := d.Field("value"); !v.IsZero() && d.Parent() == n {
				f.constant[d.Field("name").Text()] = v
			}
		}
	}
}

func (f *file) learnImport(n syntax.Node) {
	var path string
	for c := range n.Children() {
		if c.Is("scoped_identifier", "identifier") {
			path = c.Text()
		}
	}
	static, wild := !n.Child("static").IsZero(), !n.Child("asterisk").IsZero()
	owner, last := cutLast(path)
	f.jupiter = f.jupiter || strings.HasPrefix(path, "org.junit.jupiter")
	f.testng = f.testng || strings.HasPrefix(path, "org.testng")
	local := last
	switch {
	case static && wild:
		f.wild = append(f.wild, path)
		local = "*"
	case static:
		f.static[last] = owner
	case wild:
		local = "*"
	default:
		f.classes[last] = path
	}
	f.imported = append(f.imported, testmodel.Import{Local: local, Source: path, Line: n.StartLine(), Text: f.Lines.At(n.StartLine())})
}

// cutLast splits a dotted name before its last part.
func cutLast(path string) (owner, last string) {
	i := strings.LastIndexByte(path, '.')
	return path[:max(i, 0)], path[i+1:]
}

// body reads the statements of a member.
func (f *file) body(n syntax.Node) *clike.Body {
	b := clike.NewBody(f.Source, dialect{f}, n)
	b.Constants = f.constant
	return b
}

// isType reports whether a node declares a type.
func isType(n syntax.Node) bool {
	return n.Is("class_declaration", "interface_declaration", "enum_declaration", "record_declaration", "annotation_type_declaration")
}
