// Package golang models test files that are written in Go: functions of the
// testing package, testify suites, Ginkgo trees, and the assertions of the
// libraries that are in common use.
package golang

import (
	"bytes"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/extract/clike"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// Model is what the test file at path demands. It never fails: what it does
// not understand stays in the model as plain statements.
func Model(t *syntax.Tree, path string) testmodel.File {
	f := newFile(t)
	module := testmodel.Unit{Role: testmodel.Module, Line: 1, End: len(f.Lines), Text: f.Lines.At(1)}
	module.Marks = f.constraints(t.Root())
	top := f.scope(t.Root(), "")
	for _, n := range t.Root().Named() {
		switch n.Kind() {
		case "import_declaration":
			f.imports(n)
		case "function_declaration", "method_declaration":
			f.units = append(f.units, f.function(n)...)
		case "type_declaration":
			f.types(n)
		case "var_declaration", "expression_statement":
			if tree := f.specs(n); tree != nil {
				f.units = append(f.units, tree...)
				continue
			}
			module.Body = append(module.Body, top.statement(n)...)
		default:
			module.Body = append(module.Body, top.statement(n)...)
		}
	}
	units := slices.DeleteFunc(f.units, func(u testmodel.Unit) bool { return u.Role == "" })
	if len(module.Body) > 0 || len(module.Marks) > 0 {
		units = append([]testmodel.Unit{module}, units...)
	}
	return testmodel.File{Path: path, Imports: f.imported, Units: clike.Unique(units)}
}

// file is what is known about a file before its functions are read.
type file struct {
	clike.Source
	imported []testmodel.Import
	units    []testmodel.Unit

	libs      map[string]library     // by the name of an import in the file
	dots      map[library]bool       // whose names are imported without qualifier
	packages  map[string]bool        // all names of imports
	objects   map[string]library     // names bound to assert.New(t) and the like
	suites    map[string]bool        // types with test methods
	declared  map[string]syntax.Node // what the file declares, by name
	used      map[string]int         // how often a name occurs
	embeds    map[int]string         // //go:embed by the line it is on
	recorders bool                   // EXPECT() is called somewhere
}

func newFile(t *syntax.Tree) *file {
	f := &file{
		Source: clike.New(t, testmodel.Options{}),
		libs:   map[string]library{}, dots: map[library]bool{}, packages: map[string]bool{},
		objects: map[string]library{}, suites: map[string]bool{},
		declared: map[string]syntax.Node{}, used: map[string]int{}, embeds: map[int]string{},
	}
	f.recorders = bytes.Contains(t.Source(), []byte("EXPECT()"))
	f.learnImports(t.Root())
	f.learn(t.Root())
	return f
}

// imports adds what an import declaration brings in.
func (f *file) imports(n syntax.Node) {
	for spec := range n.All("import_spec") {
		path := clike.Unquote(spec.Field("path").Text())
		f.imported = append(f.imported, testmodel.Import{
			Local: localName(spec, path), Source: path, Line: spec.StartLine(), Text: f.Lines.At(spec.StartLine()),
		})
	}
}

// localName is the name that an import has in the file: "*" for a dot import,
// "" for one that binds nothing.
func localName(spec syntax.Node, path string) string {
	switch name := spec.Field("name"); {
	case name.Is("dot"):
		return "*"
	case name.Is("blank_identifier"), name.Text() == "_":
		return ""
	case !name.IsZero():
		return name.Text()
	}
	return packageName(path)
}

// packageName guesses a package's name from its import path.
func packageName(path string) string {
	parts := strings.Split(path, "/")
	last := parts[len(parts)-1]
	if len(parts) > 1 && len(last) > 1 && last[0] == 'v' && strings.Trim(last[1:], "0123456789") == "" {
		last = parts[len(parts)-2]
	}
	last, _, _ = strings.Cut(last, ".v")
	return strings.TrimSuffix(strings.TrimPrefix(last, "go-"), "-go")
}

// types adds the types that a declaration makes. A suite's type stands for the
// suite, every other is something that tests may use.
func (f *file) types(n syntax.Node) {
	for _, spec := range n.Named() {
		name := spec.Field("name")
		role := testmodel.Helper
		if f.suites[name.Text()] {
			role = testmodel.Suite
		}
		u := f.Unit(role, name.Text(), name, spec)
		u.Body = []testmodel.Stmt{f.Whole(testmodel.Plain, spec)}
		f.units = append(f.units, u)
	}
}
