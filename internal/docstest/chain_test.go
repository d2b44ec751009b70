package docstest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"testing"
)

// opened is how many functions a reader may have to open to follow one artifact.
const opened = 40

var chainEntry = regexp.MustCompile("(?m)^   - `(internal/[a-z/]+\\.go)` `(?:([A-Za-z]+)\\.)?([A-Za-z]+)`")

// TestChain: the functions by which one spec goes from the event to the comment are few, stand where the page says, and
// each is called by one of those before it, so that none is left out between them.
func TestChain(t *testing.T) {
	page := readPage(t, filepath.Join(root, "docs/internals/architecture.md"))
	entries := chainEntry.FindAllStringSubmatch(string(page.source), -1)
	if len(entries) < opened/2 || len(entries) > opened {
		t.Errorf("the page lists %d functions; a reader is to open at most %d", len(entries), opened)
	}
	called := map[string]bool{"Main": true} // by cmd/action
	for _, e := range entries {
		file, typ, name := e[1], e[2], e[3]
		body := bodyOf(t, file, typ, name)
		if body == nil {
			t.Errorf("%s has no function %s of %q", file, name, typ)
			continue
		}
		if !called[name] {
			t.Errorf("%s of %s is called by none before it", name, file)
		}
		ast.Inspect(body, func(n ast.Node) bool {
			var f ast.Expr
			switch n := n.(type) {
			case *ast.CallExpr:
				f = n.Fun
			case *ast.KeyValueExpr: // a method that is handed on in a field
				f = n.Value
			}
			switch f := f.(type) {
			case *ast.Ident:
				called[f.Name] = true
			case *ast.SelectorExpr:
				called[f.Sel.Name] = true
			}
			return true
		})
	}
}

// bodyOf is the body of a function, of the method of a type if one is named; nil if the file has none.
func bodyOf(t *testing.T, file, typ, name string) *ast.BlockStmt {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, file), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range parsed.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == name && receiver(f) == typ {
			return f.Body
		}
	}
	return nil
}

// receiver is the type that a method is of, "" for a function.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	expr := f.Recv.List[0].Type
	if star, ok := expr.(*ast.StarExpr); ok {
		expr = star.X
	}
	id, _ := expr.(*ast.Ident)
	return id.Name
}
