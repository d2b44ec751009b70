// Package conventions is the one place for what the usual test runners agree on: which folders
// belong to tests, and how test files are called. Names by language are the data of package lang.
package conventions

import (
	"cmp"
	"iter"
	"path"

	"workflow-reviewer/internal/lang"
)

// Language names the programming language of a path by its extension, "" if it
// is none. Markup, style sheets and data are no source.
func Language(p string) string { return lang.Of(p).Name }

// ScriptExtensions are the extensions of JavaScript's modules in the order in which Node and
// bundlers try them.
func ScriptExtensions() []string {
	return []string{".mjs", ".js", ".mts", ".ts", ".jsx", ".tsx", ".cjs", ".cts"}
}

// Above yields the folders of a path from the innermost to "." or "/".
func Above(p string) iter.Seq[string] {
	return func(yield func(string) bool) {
		dir := path.Dir(p)
		for yield(dir) && dir != "." && dir != "/" {
			dir = path.Dir(dir)
		}
	}
}

// IsJVM reports whether a file is of a language whose tests JUnit's runners collect.
func IsJVM(p string) bool { return Family(p) == "JVM" }

// Family names the languages that share test runners: "script", "JVM", ".NET"; of any other, the
// language itself.
func Family(p string) string {
	f := lang.Of(p)
	if !f.Testable {
		return f.Name
	}
	return cmp.Or(f.Family, f.Name)
}
