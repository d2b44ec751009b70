// Package syntax reads source code: it parses a file into a tree, says which functions the file
// has, and which of them are stubs. It is the only user of tree-sitter.
//
// Everything it reads may be hostile. Sources are bounded in size, trees in nodes, and the parser
// in steps; a program that reads foreign sources has them parsed in a process apart (WithParser,
// package child), since no bound keeps C code from a crash. A tree is plain Go data, so that
// nothing has to be closed and nothing recurses into the depth of its input.
package syntax

import (
	"path"
	"slices"
	"strings"
	"unsafe"

	csharp "github.com/tree-sitter/tree-sitter-c-sharp/bindings/go"
	golang "github.com/tree-sitter/tree-sitter-go/bindings/go"
	java "github.com/tree-sitter/tree-sitter-java/bindings/go"
	javascript "github.com/tree-sitter/tree-sitter-javascript/bindings/go"
	python "github.com/tree-sitter/tree-sitter-python/bindings/go"
	ruby "github.com/tree-sitter/tree-sitter-ruby/bindings/go"
	rust "github.com/tree-sitter/tree-sitter-rust/bindings/go"
	typescript "github.com/tree-sitter/tree-sitter-typescript/bindings/go"
)

// Language is a programming language that can be parsed, by its usual name.
type Language string

// The languages of the table.
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

// Languages lists the table.
func Languages() []Language {
	return []Language{Python, Go, TypeScript, TSX, JavaScript, Java, Rust, Ruby, CSharp}
}

// LanguageOf tells a file's language by the extension of its name, in any
// letter case; false if the table has none for it.
func LanguageOf(file string) (Language, bool) {
	switch strings.ToLower(path.Ext(file)) {
	case ".py", ".pyi", ".pyw":
		return Python, true
	case ".go":
		return Go, true
	case ".ts", ".mts", ".cts":
		return TypeScript, true
	case ".tsx":
		return TSX, true
	case ".js", ".jsx", ".mjs", ".cjs":
		return JavaScript, true
	case ".java":
		return Java, true
	case ".rs":
		return Rust, true
	case ".rb", ".rake":
		return Ruby, true
	case ".cs":
		return CSharp, true
	default:
		return "", false
	}
}

func (l Language) known() bool { return slices.Contains(Languages(), l) }

// grammar returns the language's parse table, nil for an unknown language.
func (l Language) grammar() unsafe.Pointer {
	switch l {
	case Python:
		return python.Language()
	case Go:
		return golang.Language()
	case TypeScript:
		return typescript.LanguageTypescript()
	case TSX:
		return typescript.LanguageTSX()
	case JavaScript:
		return javascript.Language()
	case Java:
		return java.Language()
	case Rust:
		return rust.Language()
	case Ruby:
		return ruby.Language()
	case CSharp:
		return csharp.Language()
	default:
		return nil
	}
}
