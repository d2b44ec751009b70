package docstest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sentences are the fields of findings, checks and notices that hold our own sentences.
var sentences = []string{"Title", "Description", "Summary", "Recommendation", "Question", "Message"}

// readers are the functions by which a text is taken apart; of regular expressions all methods that match.
var readers = map[string]bool{
	"HasPrefix": true, "HasSuffix": true, "Contains": true, "CutPrefix": true, "CutSuffix": true, "TrimPrefix": true,
	"TrimSuffix": true, "Index": true, "MatchString": true, "FindString": true, "FindStringSubmatch": true, "FindAllString": true,
}

// foreign are texts of others: a document's headings, answers of a model or of GitHub, messages of another tool.
var foreign = []string{
	"advice/", "checks/placeholder/", "checks/scenario/", "codex/", "github/", "gitrepo/", "layout/", "markdown/", "redact/", "requirements/",
	"review/plaintext", "review/stands.go", "review/verdict/", "review/prompt/dependencies.go",
}

// TestNoSentenceIsReadBack: what a finding, a check or a notice says is for people. What decides is its kind, place and
// code; a sentence that is taken apart again can no longer be worded better.
func TestNoSentenceIsReadBack(t *testing.T) {
	root := filepath.Join("..", "..", "internal")
	var found []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, path)
		rel = filepath.ToSlash(rel)
		others := slices.ContainsFunc(foreign, func(f string) bool { return strings.HasPrefix(rel, f) })
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "testdata":
			return filepath.SkipDir
		case d.IsDir() || others || !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go"):
			return nil
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if field := readsBack(n); field != "" {
				found = append(found, fmt.Sprintf("%s:%d reads %s back", rel, files.Position(n.Pos()).Line, field))
			}
			return true
		})
		return nil
	})
	if err != nil || len(found) > 0 {
		t.Errorf("%v\n%s", err, strings.Join(found, "\n"))
	}
}

// readsBack is the field that a call takes apart, "" for any other node.
func readsBack(n ast.Node) string {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return ""
	}
	function, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !readers[function.Sel.Name] {
		return ""
	}
	field, ok := call.Args[0].(*ast.SelectorExpr)
	if !ok || !slices.Contains(sentences, field.Sel.Name) {
		return ""
	}
	if mark, ok := call.Args[len(call.Args)-1].(*ast.BasicLit); ok && mark.Value == `"."` {
		return "" // punctuation
	}
	return field.Sel.Name
}
