// Package conventions is the one place for what languages and their usual test
// runners agree on: which extensions a language has, what a test file is
// called, which folders belong to tests. It is data with the few questions that
// are asked of it.
package conventions

import (
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
	name       string
	extensions string
	tests      *lazyregexp.Regexp // of a test file's name without extension; nil: none
}

var (
	snake  = lazyregexp.New(`^test_|[_-](?:unit)?tests?$|^tests?$`)
	script = lazyregexp.New(`\.(?:test|spec|tests|specs|e2e|e2e-spec|cy|test-d|unit|integration)$|[_-](?:test|spec)$`)
	camel  = lazyregexp.New(`(?:Tests?\d*|TestCase|Specs?)$|(?:[\p{Ll}\p{N}]|^)(?:IT|ITCase)$|^Tests?\p{Lu}`)
	suffix = lazyregexp.New(`_test$`)
	spec   = lazyregexp.New(`_(?:spec|test)$|^test_`)
	rust   = lazyregexp.New(`_tests?$|^tests?$`)
	mixed  = lazyregexp.New(`^test_|_(?:unit)?tests?$|\p{Ll}Tests?$`)
	dotT   = lazyregexp.New(`\.t$`)
	always = lazyregexp.New(``)
)

var languages = []language{
	{"Python", ".py .pyi- .pyw- .pyx-", snake},
	{"Go", ".go", suffix},
	{"TypeScript", ".ts .mts .cts .tsx", script},
	{"JavaScript", ".js .jsx .mjs .cjs", script},
	{"JavaScript component", ".vue .svelte .astro-", script},
	{"Java", ".java", camel},
	{"Kotlin", ".kt .kts", camel},
	{"Scala", ".scala .sc-", camel},
	{"Groovy", ".groovy .gradle-", camel},
	{"Clojure", ".clj .cljs .cljc", spec},
	{"Rust", ".rs", rust},
	{"Ruby", ".rb .rake- .erb- .gemspec-", spec},
	{"C#", ".cs .csx- .razor- .cshtml-", camel},
	{".NET", ".fs .fsx- .vb", camel},
	{"Swift", ".swift", camel},
	{"Objective-C", ".m .mm", mixed},
	{"C", ".c .h", mixed},
	{"C++", ".cc .cpp .cxx .hh- .hpp .hxx- .ino- .cu-", mixed},
	{"PHP", ".php .phtml-", camel},
	{"shell", ".sh .bash .zsh- .ksh- .fish-", mixed},
	{"shell", ".bats", always},
	{"Windows shell", ".ps1 .psm1- .bat- .cmd-", mixed},
	{"SQL", ".sql", nil},
	{"Perl", ".pl .pm-", mixed},
	{"Lua", ".lua", spec},
	{"R", ".r", mixed},
	{"Julia", ".jl", mixed},
	{"Dart", ".dart", spec},
	{"Elixir", ".ex .exs .heex-", spec},
	{"Erlang", ".erl .hrl", nil},
	{"Haskell", ".hs", camel},
	{"OCaml", ".ml .mli", nil},
	{"Elm", ".elm", nil},
	{"Nim", ".nim", mixed},
	{"Zig", ".zig", mixed},
	{"hardware description", ".v .sv .vhd .vhdl", nil},
	{"Solidity", ".sol", dotT},
	{"Fortran", ".f90 .f .f95 .for", nil},
	{"program", ".cr", spec},
	{"program", ".pas .adb .ads .cob .cbl .asm .s .lisp .cl .el .scm .rkt .tcl .coffee .d .hx .move", nil},
	{"Terraform", ".tf", nil},
	{"Protocol Buffers", ".proto", nil},
	{"notebook", ".ipynb", nil},
}

// rowOf is the row of a path's extension.
func rowOf(p string) (row language, testable bool) {
	ext := byExtension()[strings.ToLower(path.Ext(p))]
	return ext.language, ext.testable
}

type extension struct {
	language
	testable bool
}

var byExtension = sync.OnceValue(func() map[string]extension {
	out := map[string]extension{}
	for _, l := range languages {
		for _, e := range strings.Fields(l.extensions) {
			name, without := strings.CutSuffix(e, "-")
			out[name] = extension{l, !without}
		}
	}
	return out
})

// Language names the programming language of a path by its extension, "" if it
// is none. Markup, style sheets and data are no source.
func Language(p string) string {
	row, _ := rowOf(p)
	return row.name
}

// IsScript reports whether a file is of JavaScript's family, components
// included.
func IsScript(p string) bool { return Family(p) == "script" }

// ScriptExtensions are the extensions of JavaScript's modules in the order in
// which Node and bundlers try them.
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

// IsJVM reports whether a file is of a language whose tests JUnit's runners
// collect.
func IsJVM(p string) bool { return Family(p) == "JVM" }

// Family names the languages that share test runners: "script", "JVM", ".NET";
// of any other, the language itself.
func Family(p string) string {
	row, testable := rowOf(p)
	switch {
	case testable && row.tests == script:
		return "script"
	case testable && slices.Contains([]string{"Java", "Kotlin", "Scala", "Groovy"}, row.name):
		return "JVM"
	case testable && (row.name == "C#" || row.name == ".NET"):
		return ".NET"
	default:
		return row.name
	}
}
