package golang

import (
	"strings"

	"workflow-reviewer/internal/integrity/extract/clike"
	"workflow-reviewer/internal/syntax"
)

// library is a library of assertions or mocks.
type library string

// The libraries whose calls are understood.
const (
	testify   library = "testify"
	gotest    library = "gotest.tools"
	quicktest library = "quicktest"
	check     library = "check"
	is        library = "is"
	gomega    library = "gomega"
	ginkgo    library = "ginkgo"
	convey    library = "convey"
	suite     library = "suite"
	monkey    library = "monkey"
	testing   library = "testing"
)

// libraryOf tells the library by import path.
func libraryOf(path string) library {
	switch {
	case path == "testing":
		return testing
	case strings.Contains(path, "testify") && (strings.HasSuffix(path, "/assert") || strings.HasSuffix(path, "/require")):
		return testify
	case strings.Contains(path, "testify") && strings.HasSuffix(path, "/suite"):
		return suite
	case strings.HasPrefix(path, "gotest.tools") && (strings.HasSuffix(path, "/assert") || strings.HasSuffix(path, "/assert/cmp")):
		return gotest
	case strings.Contains(path, "quicktest"):
		return quicktest
	case strings.Contains(path, "go-check/check") || strings.HasPrefix(path, "gopkg.in/check."):
		return check
	case path == "github.com/matryer/is" || strings.HasSuffix(path, "/is"):
		return is
	case strings.Contains(path, "onsi/gomega"):
		return gomega
	case strings.Contains(path, "onsi/ginkgo"):
		return ginkgo
	case strings.Contains(path, "goconvey/convey"):
		return convey
	case strings.Contains(path, "monkey") || strings.Contains(path, "mockey"):
		return monkey
	default:
		return ""
	}
}

func (f *file) learnImports(root syntax.Node) {
	for _, d := range root.Named() {
		if !d.Is("import_declaration") {
			continue
		}
		for spec := range d.All("import_spec") {
			path := clike.Unquote(spec.Field("path").Text())
			local, lib := localName(spec, path), libraryOf(path)
			f.packages[local] = true
			switch {
			case lib == "":
			case local == "*":
				f.dots[lib] = true
			default:
				f.libs[local] = lib
			}
		}
	}
}

// learn reads the file once for the names that give its calls their meaning.
func (f *file) learn(root syntax.Node) {
	for _, d := range root.Named() {
		switch {
		case d.Is("function_declaration"):
			f.declared[d.Field("name").Text()] = d
		case d.Is("var_declaration", "const_declaration", "type_declaration"):
			for spec := range d.All("var_spec", "const_spec", "type_spec") {
				f.declared[spec.Field("name").Text()] = spec
			}
		}
	}
	for n := range root.All("short_var_declaration", "var_spec", "call_expression", "type_spec", "identifier") {
		switch n.Kind() {
		case "identifier":
			f.used[n.Text()]++
		case "short_var_declaration", "var_spec":
			f.learnObject(n)
		case "call_expression":
			f.learnSuite(n)
		case "type_spec":
			f.learnType(n)
		}
	}
}

// isTesting reports whether a type is *testing.T or does for it.
func (f *file) isTesting(typ string) bool {
	pkg, name, qualified := strings.Cut(strings.TrimPrefix(typ, "*"), ".")
	if !qualified {
		pkg, name = "", pkg
	}
	switch name {
	case "TestingT", "TB", "GinkgoTInterface", "FullGinkgoTInterface", "CollectT":
		return true
	case "T", "B", "F":
		return f.libs[pkg] == testing || !qualified && f.dots[testing]
	case "C":
		return f.libs[pkg] == check || f.libs[pkg] == quicktest || !qualified && f.dots[check]
	default:
		return false
	}
}

// learnObject notes variables that stand for a library: a := assert.New(t).
func (f *file) learnObject(n syntax.Node) {
	names, values := n.Field("left").Named(), n.Field("right").Named()
	if n.Is("var_spec") {
		names, values = []syntax.Node{n.Field("name")}, n.Field("value").Named()
	}
	if len(names) != 1 || len(values) != 1 || !values[0].Is("call_expression") {
		return
	}
	c := callOf(values[0])
	lib := f.libs[c.object]
	if c.on.IsZero() {
		lib = f.dotted(c.name)
	}
	if lib != "" && strings.HasPrefix(c.name, "New") {
		f.objects[names[0].Text()] = lib
	}
}

// learnSuite notes types that suite.Run or check.Suite is given.
func (f *file) learnSuite(n syntax.Node) {
	c := callOf(n)
	if lib := f.libs[c.object]; (lib != suite || c.name != "Run") && (lib != check && !f.dots[check] || c.name != "Suite") {
		return
	}
	for typ := range n.Field("arguments").All("type_identifier", "identifier") {
		if f.declared[typ.Text()].Is("type_spec") {
			f.suites[typ.Text()] = true
		}
	}
}

// learnType notes types that embed a suite or assertions.
func (f *file) learnType(n syntax.Node) {
	for field := range n.Field("type").All("field_declaration") {
		if !field.Field("name").IsZero() {
			continue
		}
		if typ := field.Text(); strings.HasSuffix(typ, "Suite") || strings.HasSuffix(typ, ".Assertions") {
			f.suites[n.Field("name").Text()] = true
		}
	}
}
