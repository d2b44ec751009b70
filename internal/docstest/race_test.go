package docstest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// unraced are the packages with goroutines whose tests have nothing that the race
// detector could see, with the reason.
var unraced = map[string]string{
	"cmd/action":                    "runs the program, which is built without the detector, in other processes",
	"internal/e2e":                  "runs containers; a make target of its own",
	"internal/integrity/corpustest": "its parallel tests run programs in other processes, and count under one lock",
	"internal/programtest":          "installs and links programs for other tests, under one lock",
	"internal/imagetest":            "runs scripts and stand-ins for registries in other processes",
	"internal/integrity/soundnesstest": "its goroutines compare edits side by side, as reviews do in internal/review, and share " +
		"only tables that are made before",
}

// TestRaceDetectorSeesAllGoroutines holds the Makefile's list of packages that are
// tested with the race detector: it has each that starts goroutines, in its code or its
// tests. Of other packages the detector sees one goroutine; what they guard for others
// it sees in the tests of those.
func TestRaceDetectorSeesAllGoroutines(t *testing.T) {
	list := exec.Command("make", "-s", "raced")
	list.Dir, list.Env = root, append(os.Environ(), "MAKEFLAGS=")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	raced := strings.Fields(string(out))
	slices.Sort(raced)
	var want []string
	err = filepath.WalkDir(root, func(p string, e os.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		if name := e.Name(); p != root && (strings.HasPrefix(name, ".") || name == "testdata") {
			return filepath.SkipDir
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		if dir := filepath.ToSlash(rel); unraced[dir] == "" && concurrent(t, p) {
			want = append(want, dir)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, raced); d != "" {
		t.Errorf("the packages with goroutines are not those of RACED in the Makefile (-want +got)\n%s", d)
	}
}

// concurrent reports whether a file of a folder starts a goroutine.
func concurrent(t *testing.T, dir string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(file string) bool {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		found := slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool {
			return i.Path.Value == `"golang.org/x/sync/errgroup"`
		})
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				found = true
			case *ast.SelectorExpr:
				x, ok := n.X.(*ast.Ident)
				found = found || ok && slices.Contains([]string{
					"sync.WaitGroup", "context.AfterFunc", "time.AfterFunc", "httptest.NewServer", "httptest.NewUnstartedServer", "httptest.NewTLSServer",
				}, x.Name+"."+n.Sel.Name)
			}
			return !found
		})
		return found
	})
}
