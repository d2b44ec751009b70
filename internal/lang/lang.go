// Package lang holds what is known of programming languages as data: a folder a language, and
// languages.json for those of which only names are known. Everything else asks here. What a folder
// lacks is not looked at in its language.
//
//	language.json   names, extensions, how its test files are called, and how it is parsed
//	tests.scm       @test, @name, @body: what the usual runners collect; a name that is also
//	                @unique replaces an earlier one beside it
//	suites.scm      what stands between a test and the file; see package testcount
//	titles.scm      @test and @suite with @word, a function, or @name: see package testtitle
//	skips.scm       @skip: what is skipped, or may skip the test that it is in
//	functions.scm, stubs.scm
//	                what functions are, and what does no work; see package functions
//	definitions.scm @definition or @variable with @name: what others may name; a @variable counts
//	                outside of functions
//	focus.scm       @focus: what makes a runner leave out every other test
//	tautology.scm   @assertion: an assertion of constants that holds
//	assertions.scm  @assertion: whatever may fail a test
//	sql.scm, html.scm, eval.scm, shell.scm
//	                @sink with @value, which is run or shown as that
//	tricks.scm      what an implementation may do to please its tests; see package trick
//	debug.scm       @debug: what stops or prints for whoever debugs
//	any.scm         @any: a type that says nothing
//	declares.scm    @name: what a package's files can name without importing it
//	compare.txt     kinds of nodes by which versions of a test are compared; see package kernel
//
// A query is found by package query. To add a language, add its folder; its parser must be one of
// those that package syntax links.
package lang

import (
	"embed"
	"encoding/json"
	"io/fs"
	"path"
	"strings"
	"sync"

	"workflow-reviewer/internal/lazyregexp"
)

// Language is a row of a language.json.
type Language struct {
	Name   string
	Family string // of languages that share test runners; "" if it shares none
	// Extensions of its files, apart by spaces. One that ends in "-" has no tests of its own: type
	// stubs, templates, build scripts.
	Extensions string
	// how its test files are called, one of the table's names; "" if there are none
	Tests string
	// Parsed are the extensions that each parser reads. A language and its dialects have one
	// folder.
	Parsed map[string]string
	// Counted and Uncounted are expressions of the paths whose tests are counted, and of those that
	// may not run on every machine; "" for all, and for none.
	Counted, Uncounted string
}

// File is what the extension of a file says.
type File struct {
	Language
	Testable bool               // files of that extension may be tests
	TestName *lazyregexp.Regexp // of a test file, without its extension; nil: none
	Parser   string             // the name under which its source is parsed, "" if it is not
}

//go:embed languages.json */*.json */*.scm */*.txt
var files embed.FS

// registry is what all language.json files say.
type registry struct {
	byExtension map[string]File
	folders     map[string]string // by the name of a parser
	parsers     []string
}

var known = sync.OnceValue(func() registry {
	r := registry{byExtension: map[string]File{}, folders: map[string]string{}}
	var table struct {
		Names     map[string]string
		Languages []Language
	}
	read("languages.json", &table)
	names := map[string]*lazyregexp.Regexp{}
	for name, text := range table.Names {
		names[name] = lazyregexp.New(text)
	}
	r.add("", table.Languages, names)
	folders, _ := fs.Glob(files, "*/language.json") // the pattern is valid
	for _, file := range folders {
		var rows []Language
		read(file, &rows)
		r.add(path.Dir(file), rows, names)
	}
	return r
})

// read decodes an embedded file, in which an error is a defect of the program.
func read(file string, into any) {
	text, err := files.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		panic(file + ": " + err.Error())
	}
}

// add takes the languages of a folder into the registry.
func (r *registry) add(folder string, rows []Language, names map[string]*lazyregexp.Regexp) {
	for _, l := range rows {
		for _, e := range strings.Fields(l.Extensions) {
			extension, noTests := strings.CutSuffix(e, "-")
			r.byExtension[extension] = File{
				Language: l,
				Testable: !noTests,
				TestName: names[l.Tests],
			}
		}
		for parser, extensions := range l.Parsed {
			r.folders[parser] = folder
			r.parsers = append(r.parsers, parser)
			for _, e := range strings.Fields(extensions) {
				f := r.byExtension[e]
				f.Parser = parser
				r.byExtension[e] = f
			}
		}
	}
}

// Of is what a file's extension says of it, in any letter case; the zero File if it is no source.
// Markup, style sheets and data are none.
func Of(file string) File { return known().byExtension[strings.ToLower(path.Ext(file))] }

// Parsers are the names under which sources are parsed.
func Parsers() []string { return known().parsers }

// Read is a file of the folder of what a parser reads; false if the folder has none.
func Read(parser, name string) (string, bool) {
	folder, ok := known().folders[parser]
	if !ok {
		return "", false
	}
	text, err := files.ReadFile(folder + "/" + name)
	return string(text), err == nil
}
