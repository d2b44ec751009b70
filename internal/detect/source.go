package detect

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// sourceLanguage names the programming language of a path by its extension,
// "" if it is none. Markup, style sheets and data are no source.
func sourceLanguage(p string) string {
	switch strings.ToLower(path.Ext(p)) {
	case ".py", ".pyi", ".pyw", ".pyx":
		return "Python"
	case ".go":
		return "Go"
	case ".ts", ".mts", ".cts", ".tsx":
		return "TypeScript"
	case ".js", ".jsx", ".mjs", ".cjs":
		return "JavaScript"
	case ".vue", ".svelte", ".astro":
		return "JavaScript component"
	case ".java":
		return "Java"
	case ".kt", ".kts":
		return "Kotlin"
	case ".scala", ".sc":
		return "Scala"
	case ".groovy", ".gradle":
		return "Groovy"
	case ".clj", ".cljs", ".cljc":
		return "Clojure"
	case ".rs":
		return "Rust"
	case ".rb", ".rake", ".erb", ".gemspec":
		return "Ruby"
	case ".cs", ".csx", ".razor", ".cshtml":
		return "C#"
	case ".fs", ".fsx", ".vb":
		return ".NET"
	case ".swift":
		return "Swift"
	case ".m", ".mm":
		return "Objective-C"
	case ".c", ".h":
		return "C"
	case ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".ino", ".cu":
		return "C++"
	}
	return rarerLanguage(strings.ToLower(path.Ext(p)))
}

func rarerLanguage(ext string) string {
	switch ext {
	case ".php", ".phtml":
		return "PHP"
	case ".sh", ".bash", ".zsh", ".ksh", ".fish", ".bats":
		return "shell"
	case ".ps1", ".psm1", ".bat", ".cmd":
		return "Windows shell"
	case ".sql":
		return "SQL"
	case ".pl", ".pm":
		return "Perl"
	case ".lua":
		return "Lua"
	case ".r":
		return "R"
	case ".jl":
		return "Julia"
	case ".dart":
		return "Dart"
	case ".ex", ".exs", ".heex":
		return "Elixir"
	case ".erl", ".hrl":
		return "Erlang"
	case ".hs":
		return "Haskell"
	case ".ml", ".mli":
		return "OCaml"
	case ".elm":
		return "Elm"
	case ".nim":
		return "Nim"
	case ".zig":
		return "Zig"
	case ".v", ".sv", ".vhd", ".vhdl":
		return "hardware description"
	case ".sol":
		return "Solidity"
	case ".f90", ".f", ".f95", ".for":
		return "Fortran"
	case ".pas", ".adb", ".ads", ".cob", ".cbl", ".asm", ".s", ".lisp", ".cl", ".el", ".scm", ".rkt", ".tcl", ".coffee", ".cr", ".d", ".hx", ".move":
		return "program"
	case ".tf":
		return "Terraform"
	case ".proto":
		return "Protocol Buffers"
	case ".ipynb":
		return "notebook"
	default:
		return ""
	}
}

// noProduct says why a program is not part of what a project delivers, "" if it
// may be: configuration of its site, or a benchmark.
func noProduct(rel string) string {
	switch {
	case strings.Contains(rel, "bench") && benchmark.MatchString(rel):
		return "a benchmark"
	case slices.ContainsFunc([]string{"conf.py", "vitepress", "docusaurus", "sidebars"}, func(s string) bool { return strings.Contains(rel, s) }) &&
		siteConfig.MatchString(rel):
		return "configuration of the documentation's site"
	default:
		return ""
	}
}

var (
	siteConfig = regexp.MustCompile(`(?:^|/)docs?/(?:.*/)?conf\.py$|(?:^|/)\.vitepress/|(?:^|/)(?:docusaurus\.config|sidebars)\.[cm]?[jt]s$`)
	benchmark  = regexp.MustCompile(`(?:^|/)bench(?:es|marks?)?/|^bench(?:marks?)?\.\w+$`)
)

// maySay reports whether a path has no extension, so that only a first line
// like "#!/bin/sh" can tell that it is a program.
func maySay(p string) bool {
	name := path.Base(p)
	return path.Ext(name) == "" || strings.HasPrefix(name, ".") && strings.Count(name, ".") == 1
}
