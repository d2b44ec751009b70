package ruby

import (
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/extract/build"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// underTest finds the constants that the file tests: those that a suite is
// about, and those that the files it requires are named for.
func (m *model) underTest(root syntax.Node) {
	used := map[string]bool{}
	for n := range root.All("constant") {
		used[n.Text()] = true
	}
	for n := range root.All("call") {
		switch name := methodName(n); {
		case isRequire(n):
			if c := camel(path.Base(source(n, m))); used[c] {
				m.tests(n, c, source(n, m))
			}
		case unitSort(name) == suite && arg(n, 0).Is("constant", "scope_resolution"):
			m.tests(n, arg(n, 0).Text(), arg(n, 0).Text())
		}
	}
}

func (m *model) tests(n syntax.Node, constant, from string) {
	if m.tested[constant] == "" {
		m.tested[constant] = from
		m.Import(n, constant, from)
	}
}

// isRequire reports whether a call loads a file that it names.
func isRequire(n syntax.Node) bool {
	switch methodName(n) {
	case "require", "require_relative", "load":
		_, of := required(n)
		return arg(n, 0).Is("string") || of
	default:
		return false
	}
}

// required are the arguments of require File.expand_path("../x", __FILE__).
func required(n syntax.Node) (syntax.Node, bool) {
	a := arg(n, 0)
	base := arg(a, 1).Text()
	return a, methodName(a) == "expand_path" && a.Field("receiver").Text() == "File" && arg(a, 0).Is("string") &&
		(base == "__FILE__" || base == "__dir__")
}

// source is what a require loads: a path with dots if it is relative.
func source(n syntax.Node, m *model) string {
	if a, ok := required(n); ok {
		dir := "."
		if arg(a, 1).Text() == "__FILE__" {
			dir = "file"
		}
		return relative(path.Join(dir, m.unquoted(arg(a, 0))))
	}
	s := m.unquoted(arg(n, 0))
	if methodName(n) == "require_relative" {
		return relative(path.Clean(s))
	}
	return s
}

func relative(s string) string {
	if strings.HasPrefix(s, ".") {
		return s
	}
	return "./" + s
}

// camel is the constant that a file is named for by convention.
func camel(file string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(strings.TrimSuffix(file, ".rb"), "_") {
		if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

// reopened is the statement that a class is changed which is under test or
// which everything uses; nothing if it is a class of the file's own.
func (m *model) reopened(n syntax.Node, name string, s scope) []testmodel.Stmt {
	if m.tested[name] == "" && !isCore(name) || s.name != "" || s.depth > build.MaxDepth {
		return nil
	}
	st := m.Stmt(testmodel.Mocks, n, []string{n.Kind(), name})
	st.Mock = name
	return []testmodel.Stmt{st}
}

// isCore reports whether a class or module belongs to the language or to a
// test framework.
func isCore(name string) bool {
	first, _, _ := strings.Cut(name, "::")
	return slices.Contains([]string{
		"Object", "BasicObject", "Kernel", "Module", "Class", "String", "Symbol", "Integer", "Float", "Numeric", "Array", "Hash", "Range",
		"NilClass", "TrueClass", "FalseClass", "Comparable", "Enumerable", "Time", "Date", "DateTime", "Proc", "Method", "Exception", "File",
		"IO", "Dir", "Process", "Random", "Regexp", "Struct", "Set", "RSpec", "Minitest", "Test", "ActiveSupport",
	}, first)
}
