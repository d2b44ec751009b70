// Package conventions is the one place for what languages and their usual test runners agree on:
// which extensions a language has, what a test file is called, which folders belong to tests. It is
// data with the few questions that are asked of it.
package conventions

import (
	_ "embed"
	"encoding/json"
	"iter"
	"path"
	"slices"
	"strings"
	"sync"

	"workflow-reviewer/internal/lazyregexp"
)

// language is a row of the table. An extension with a "-" has no tests of its
// own: type stubs, templates, build scripts.
type language struct {
	Name       string
	Extensions string
	Tests      string // how its test files are called, one of the table's names; "" if there are none
}

//go:embed languages.json
var table []byte

// rowOf is the row of a path's extension.
func rowOf(p string) extension { return byExtension()[strings.ToLower(path.Ext(p))] }

// extension is what a file's extension says: its language, and how its tests are called.
type extension struct {
	language
	testable bool
	name     *lazyregexp.Regexp // of a test file, without its extension; nil: none
}

var byExtension = sync.OnceValue(func() map[string]extension {
	var t struct {
		Names     map[string]string
		Languages []language
	}
	if err := json.Unmarshal(table, &t); err != nil {
		panic(err) // a part of the program
	}
	names := map[string]*lazyregexp.Regexp{}
	for name, text := range t.Names {
		names[name] = lazyregexp.New(text)
	}
	out := map[string]extension{}
	for _, l := range t.Languages {
		for _, e := range strings.Fields(l.Extensions) {
			name, without := strings.CutSuffix(e, "-")
			out[name] = extension{l, !without, names[l.Tests]}
		}
	}
	return out
})

// Language names the programming language of a path by its extension, "" if it
// is none. Markup, style sheets and data are no source.
func Language(p string) string {
	return rowOf(p).Name
}

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
	row := rowOf(p)
	switch {
	case row.testable && row.Tests == "script":
		return "script"
	case row.testable && slices.Contains([]string{"Java", "Kotlin", "Scala", "Groovy"}, row.Name):
		return "JVM"
	case row.testable && (row.Name == "C#" || row.Name == ".NET"):
		return ".NET"
	default:
		return row.Name
	}
}
