// Package lang holds what is known of each programming language as data: a folder a language, in it
// queries (package query) a subject. A language that a folder lacks a query for is not looked at
// for that subject.
//
//	tests.scm       @test, @name, @body: what the usual runners collect
//	definitions.scm @definition or @variable with @name: what others may name; a @variable counts outside of functions
//	focus.scm       @focus: what makes a runner leave out every other test
//	tautology.scm   @assertion: an assertion of constants that holds
//	assertions.scm  @assertion: whatever may fail a test
//	sql.scm, html.scm, eval.scm, shell.scm
//	                @sink with @value, which is run or shown as that
//	debug.scm       @debug: what stops or prints for whoever debugs
//	any.scm         @any: a type that says nothing
//	declares.scm    @name: what the files of a package or namespace can name without importing it
package lang

import (
	"embed"
	"sync"

	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/syntax/query"
)

//go:embed */*.scm
var files embed.FS

// folders are the languages' own; the dialects of a language share one.
var folders = map[syntax.Language]string{
	syntax.Python: "python", syntax.Go: "go", syntax.Java: "java", syntax.Rust: "rust", syntax.Ruby: "ruby",
	syntax.CSharp: "csharp", syntax.JavaScript: "javascript", syntax.TypeScript: "javascript", syntax.TSX: "javascript",
}

var compiled sync.Map // of a query's path, *query.Query

// Query is a language's query for a subject, nil if it has none.
func Query(language syntax.Language, subject string) *query.Query {
	path := folders[language] + "/" + subject + ".scm"
	if known, ok := compiled.Load(path); ok {
		q, _ := known.(*query.Query) // nothing else is stored
		return q
	}
	text, err := files.ReadFile(path)
	if err != nil {
		return nil
	}
	q := query.MustCompile(string(text)) // a test compiles all of them
	compiled.Store(path, q)
	return q
}
