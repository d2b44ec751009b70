// Package csharp models test files that are written in C#: xUnit, NUnit and
// MSTest, with the assertions of these, of FluentAssertions and Shouldly, and
// with Moq and NSubstitute.
package csharp

import (
	"regexp"
	"strings"

	"workflow-reviewer/internal/integrity/extract/clike"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// Model is what the test file at path demands. It never fails: what it does
// not understand stays in the model as plain statements.
func Model(t *syntax.Tree, path string) testmodel.File {
	f := &file{
		Source: clike.New(t, testmodel.Options{Drop: dropped}),
		used:   map[string]int{}, types: map[string]bool{}, constant: map[string]syntax.Node{}, provided: map[string][]string{},
	}
	f.learn(t.Root())
	module := testmodel.Unit{Role: testmodel.Module, Line: 1, End: len(f.Lines), Text: f.Lines.At(1)}
	module.Body = f.members(class{file: f}, t.Root())
	if len(module.Body) > 0 {
		f.units = append([]testmodel.Unit{module}, f.units...)
	}
	clike.Provide(f.units, f.provided)
	return testmodel.File{Path: path, Imports: f.imported, Units: clike.Unique(f.units)}
}

// dropped are the parts of the source that say nothing about what it does.
func dropped(n syntax.Node) bool {
	switch n.Kind() {
	case "preproc_region", "preproc_endregion", "preproc_nullable", "preproc_pragma", "preproc_line":
		return true
	case "modifier":
		return n.Text() == "readonly"
	default:
		return false
	}
}

// framework is what runs the tests of a file.
type framework int

// The frameworks; the zero value is none that is known.
const (
	xunit framework = iota + 1
	nunit
	mstest
)

// file is a file that is being modelled.
type file struct {
	clike.Source
	imported  []testmodel.Import
	units     []testmodel.Unit
	framework framework
	used      map[string]int  // how often a name occurs
	types     map[string]bool // that the file declares or gives another name
	constant  map[string]syntax.Node
	provided  map[string][]string // methods that return the cases of a test, by its name
}

// learn reads the attributes and the use of names.
func (f *file) learn(root syntax.Node) {
	for n := range root.All("identifier", "attribute", "field_declaration", "class_declaration", "struct_declaration", "using_directive") {
		switch n.Kind() {
		case "identifier":
			f.used[n.Text()]++
		case "class_declaration", "struct_declaration", "using_directive":
			if name := n.Field("name"); !frameworkType.MatchString(n.Text()) {
				f.types[name.Text()] = true
			}
		case "attribute":
			f.learnFramework(attributeName(n))
		default:
			for d := range n.All("variable_declarator") {
				if named := d.Named(); len(named) == 2 {
					f.constant[named[0].Text()] = named[1]
				}
			}
		}
	}
}

func (f *file) learnFramework(attribute string) {
	switch attribute {
	case "Fact", "Theory", "InlineData":
		f.framework = xunit
	case "Test", "TestCase", "TestFixture", "TestCaseSource", "SetUp":
		f.framework = nunit
	case "TestMethod", "TestClass", "DataRow", "DataTestMethod":
		f.framework = mstest
	}
}

// frameworkType are aliases of the frameworks' own types.
var frameworkType = regexp.MustCompile(`^(global\s+)?using\s+\w+\s*=\s*(Xunit|NUnit|Microsoft\.VisualStudio)\.`)

// use adds what a using directive brings in.
func (f *file) use(n syntax.Node) {
	local, source := "*", ""
	for _, c := range n.Named() {
		if c.FieldName() == "name" {
			local = c.Text()
			continue
		}
		source = c.Text()
	}
	f.imported = append(f.imported, testmodel.Import{Local: local, Source: source, Line: n.StartLine(), Text: f.Lines.At(n.StartLine())})
}

// body reads the statements of a member.
func (f *file) body(n syntax.Node) *clike.Body {
	b := clike.NewBody(f.Source, dialect{f}, n)
	b.Constants = f.constant
	return b
}

// attributes are those of a declaration.
func attributes(n syntax.Node) []syntax.Node {
	var out []syntax.Node
	for c := range n.Children() {
		if c.Is("attribute_list") {
			for _, a := range c.Named() {
				if a.Is("attribute") {
					out = append(out, a)
				}
			}
		}
	}
	return out
}

// attributeName is an attribute's name without namespace and suffix.
func attributeName(a syntax.Node) string {
	name := a.Field("name")
	if generic := name.Child("identifier"); name.Is("generic_name") {
		name = generic
	}
	text := name.Text()
	return strings.TrimSuffix(text[strings.LastIndexByte(text, '.')+1:], "Attribute")
}

// has reports whether a declaration has an attribute.
func has(n syntax.Node, name string) bool {
	for _, a := range attributes(n) {
		if attributeName(a) == name {
			return true
		}
	}
	return false
}

// modifier reports whether a declaration has a modifier.
func modifier(n syntax.Node, name string) bool {
	for c := range n.Children() {
		if c.Is("modifier") && c.Text() == name {
			return true
		}
	}
	return false
}
