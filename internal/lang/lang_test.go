package lang

import (
	"io/fs"
	"path"
	"strings"
	"testing"
)

// TestRegistry: what is looked up by a file's extension or by a parser is what the folders say.
func TestRegistry(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]File{
		"a.py":    {Language: Language{Name: "Python"}, Testable: true, Parser: "Python"},
		"a.pyi":   {Language: Language{Name: "Python"}, Parser: "Python"},
		"a.tsx":   {Language: Language{Name: "TypeScript", Family: "script"}, Testable: true, Parser: "TSX"},
		"A.SCALA": {Language: Language{Name: "Scala", Family: "JVM"}, Testable: true},
		"a.md":    {},
	} {
		got := Of(file)
		if got.Name != want.Name || got.Family != want.Family || got.Testable != want.Testable || got.Parser != want.Parser {
			t.Errorf("%s: %+v", file, got)
		}
	}
	if _, ok := Read("Python", "nothing.scm"); ok {
		t.Error("a file that is not there")
	}
	if _, ok := Read("TSX", "tests.scm"); !ok {
		t.Error("a dialect has the folder of its language")
	}
}

// TestFolders: each folder describes a language, all names of test files are in the table, and no
// extension is of two languages.
func TestFolders(t *testing.T) {
	t.Parallel()
	var table struct{ Names map[string]string }
	read("languages.json", &table)
	queries, err := fs.Glob(files, "*/*.scm")
	if err != nil || len(queries) == 0 {
		t.Fatal(queries, err)
	}
	for _, q := range queries {
		if _, err := files.ReadFile(path.Dir(q) + "/language.json"); err != nil {
			t.Error(err)
		}
	}
	seen := map[string]string{}
	all, _ := fs.Glob(files, "*/language.json")
	for _, file := range all {
		var rows []Language
		read(file, &rows)
		for _, l := range rows {
			if _, ok := table.Names[l.Tests]; !ok && l.Tests != "" {
				t.Errorf("%s: no name of tests is called %q", file, l.Tests)
			}
			for _, e := range strings.Fields(l.Extensions) {
				if seen[e] != "" {
					t.Errorf("%s is of %s and %s", e, seen[e], l.Name)
				}
				seen[e] = l.Name
			}
		}
	}
}
