// Package syntax reads source code: it parses a file into a tree. It is the only user of
// tree-sitter.
//
// Everything it reads may be hostile. Sources are bounded in size, trees in nodes, and the parser
// in steps; a program that reads foreign sources has them parsed in a process apart (WithParser,
// package child), since no bound keeps C code from a crash. A tree is plain Go data, so that
// nothing has to be closed and nothing recurses into the depth of its input.
package syntax

import (
	"unsafe"

	csharp "github.com/tree-sitter/tree-sitter-c-sharp/bindings/go"
	golang "github.com/tree-sitter/tree-sitter-go/bindings/go"
	java "github.com/tree-sitter/tree-sitter-java/bindings/go"
	javascript "github.com/tree-sitter/tree-sitter-javascript/bindings/go"
	php "github.com/tree-sitter/tree-sitter-php/bindings/go"
	python "github.com/tree-sitter/tree-sitter-python/bindings/go"
	ruby "github.com/tree-sitter/tree-sitter-ruby/bindings/go"
	rust "github.com/tree-sitter/tree-sitter-rust/bindings/go"
	typescript "github.com/tree-sitter/tree-sitter-typescript/bindings/go"

	"workflow-reviewer/internal/lang"
)

// Language is a programming language that can be parsed, by its usual name.
type Language string

// The languages of which something is written in Go; others are data alone.
const (
	Python     Language = "Python"
	Go         Language = "Go"
	TypeScript Language = "TypeScript"
	TSX        Language = "TSX"
	JavaScript Language = "JavaScript"
	Java       Language = "Java"
	Rust       Language = "Rust"
	Ruby       Language = "Ruby"
	CSharp     Language = "C#"
)

// Languages lists the languages that can be parsed.
func Languages() (all []Language) {
	for _, name := range lang.Parsers() {
		all = append(all, Language(name))
	}
	return all
}

// LanguageOf tells a file's language by the extension of its name, in any
// letter case; false if it cannot be parsed.
func LanguageOf(file string) (Language, bool) {
	parser := lang.Of(file).Parser
	return Language(parser), parser != ""
}

// grammars are the parse tables that are linked. One costs about 0.2 MB of the program.
var grammars = map[Language]func() unsafe.Pointer{
	Python: python.Language, Go: golang.Language, Java: java.Language, Rust: rust.Language,
	Ruby: ruby.Language, CSharp: csharp.Language, JavaScript: javascript.Language,
	TypeScript: typescript.LanguageTypescript, TSX: typescript.LanguageTSX,
	"PHP": php.LanguagePHP, // with the HTML around it
}
