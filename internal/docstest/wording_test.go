package docstest

import (
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// sentences are the fields that hold our own sentences, by their types in package workflow.
var sentences = map[string][]string{
	"Finding": {"Title", "Text", "Trigger", "Fix", "Reason"}, "Check": {"Summary"}, "Failure": {"Message", "Action"},
	"Requirement": {"Changed", "Reason"}, "Previous": {"Note"}, "Integrity": {"Compared", "Harmless", "NotAnalysed"},
}

const vocabulary = "workflow-reviewer/internal/workflow"

// readers are the functions by which a text is taken apart; of regular expressions all methods that match.
var readers = map[string]bool{
	"HasPrefix": true, "HasSuffix": true, "Contains": true, "Cut": true, "CutPrefix": true, "CutSuffix": true, "TrimPrefix": true,
	"TrimSuffix": true, "Index": true, "Split": true, "MatchString": true, "FindString": true, "FindStringSubmatch": true,
	"FindAllString": true,
}

// TestNoSentenceIsReadBack: what a finding, a check or a notice says is for people. What decides is its kind, place and
// code; a sentence that is taken apart again can no longer be worded better. Whether it names a path or an id that is
// known otherwise may be asked, and punctuation and line ends are no words.
func TestNoSentenceIsReadBack(t *testing.T) {
	const form = "{{.ImportPath}}\t{{.Export}}\t{{.Dir}}\t{{join .GoFiles \" \"}}\t{{join .Imports \" \"}}"
	list := exec.CommandContext(t.Context(), "go", "list", "-export", "-deps", "-f", form, "./internal/...", "./cmd/...")
	list.Dir = filepath.Join("..", "..")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	exports, fset, looked := map[string]string{}, token.NewFileSet(), 0
	compiled := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for line := range strings.Lines(string(out)) { // each package after those that it imports
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		exports[f[0]] = f[1]
		if !slices.Contains(strings.Fields(f[4]), vocabulary) {
			continue
		}
		var files []*ast.File
		for _, name := range strings.Fields(f[3]) {
			file, err := parser.ParseFile(fset, filepath.Join(f[2], name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
		info := &types.Info{
			Selections: map[*ast.SelectorExpr]*types.Selection{}, Types: map[ast.Expr]types.TypeAndValue{},
		}
		p, err := (&types.Config{Importer: compiled, FakeImportC: true}).Check(f[0], fset, files, info)
		if err != nil {
			t.Fatalf("%s: %v", f[0], err)
		}
		own := sentencesOf(p)
		for _, file := range files {
			ast.Inspect(file, func(n ast.Node) bool {
				if looked++; n != nil && readsBack(info, own, n) {
					t.Errorf("%s reads one of our sentences back", fset.Position(n.Pos()))
				}
				return true
			})
		}
	}
	if looked < 100_000 {
		t.Errorf("%d nodes looked at", looked)
	}
}

// sentencesOf are the fields that hold our own sentences, as a package sees them.
func sentencesOf(p *types.Package) map[types.Object]bool {
	out := map[types.Object]bool{}
	for _, of := range append(p.Imports(), p) {
		if of.Path() != vocabulary {
			continue
		}
		for name, fields := range sentences {
			s, ok := of.Scope().Lookup(name).Type().Underlying().(*types.Struct)
			for i := 0; ok && i < s.NumFields(); i++ {
				if slices.Contains(fields, s.Field(i).Name()) {
					out[s.Field(i)] = true
				}
			}
		}
	}
	return out
}

// readsBack reports whether an expression takes a sentence apart, or compares it with words.
func readsBack(info *types.Info, own map[types.Object]bool, n ast.Node) bool {
	var read ast.Node
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if n.Op != token.EQL && n.Op != token.NEQ || !hasWords(info.Types[n.Y].Value) {
			return false
		}
		read = n.X
	case *ast.CallExpr:
		function, ok := n.Fun.(*ast.SelectorExpr)
		if !ok || !readers[function.Sel.Name] || len(n.Args) == 0 || len(n.Args) > 1 && !hasWords(info.Types[n.Args[1]].Value) {
			return false
		}
		read = n.Args[0]
	default:
		return false
	}
	found := false
	ast.Inspect(read, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		found = found || ok && info.Selections[s] != nil && own[info.Selections[s].Obj()]
		return !found
	})
	return found
}

// hasWords reports whether a constant holds letters; what is no constant is a fact from elsewhere.
func hasWords(v constant.Value) bool {
	return v != nil && v.Kind() == constant.String && strings.ContainsFunc(constant.StringVal(v), unicode.IsLetter)
}
