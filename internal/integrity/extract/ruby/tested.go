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
		case (name == "require" || name == "require_relative") && arg(n, 0).Is("string"):
			if c := camel(path.Base(m.unquoted(arg(n, 0)))); used[c] {
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

// source is what a require loads: a path with dots if it is relative.
func source(n syntax.Node, m *model) string {
	s := m.unquoted(arg(n, 0))
	if methodName(n) == "require_relative" && !strings.HasPrefix(s, ".") {
		s = "./" + s
	}
	return s
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
