package approval_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/integrity/approval"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata")

// TestCollect collects from the trees in testdata/collect. The comment of an
// archive names the tests and the protected globs; "want" lists each file of
// the tree with its role, or "-".
func TestCollect(t *testing.T) {
	files, err := filepath.Glob("testdata/collect/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(f)
			if err != nil {
				t.Fatal(err)
			}
			got, want := collectArchive(t, archive)
			if *update {
				archive.Files[len(archive.Files)-1].Data = []byte(got)
				if err := os.WriteFile(f, txtar.Format(archive), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("roles (-want +got):\n%s", d)
			}
		})
	}
}

func collectArchive(t *testing.T, a *txtar.Archive) (got, want string) {
	t.Helper()
	last := len(a.Files) - 1
	if a.Files[last].Name != "want" {
		a.Files = append(a.Files, txtar.File{Name: "want"})
		last++
	}
	tree := map[string]string{}
	for _, f := range a.Files[:last] {
		tree[f.Name] = string(f.Data)
	}
	var o approval.Options
	for line := range strings.Lines(string(a.Comment)) {
		key, rest, _ := strings.Cut(line, ":")
		if key == "tests" {
			o.Tests = strings.Fields(rest)
		} else {
			o.Protect = strings.Fields(rest)
		}
	}
	files, notices, err := approval.Collect(t.Context(), changetest.Tree("c0ffee", tree), o)
	if err != nil || len(notices) > 0 {
		t.Fatalf("Collect: %v, notices %+v", err, notices)
	}
	roles := map[string]approval.Role{}
	for _, f := range files {
		roles[f.Path] = f.Role
	}
	var b strings.Builder
	for _, f := range a.Files[:last] {
		role := roles[f.Name]
		if role == "" {
			role = "-"
		}
		fmt.Fprintf(&b, "%-7s %s\n", role, f.Name)
	}
	return b.String(), string(a.Files[last].Data)
}

func TestCollectRecordsModeAndDigest(t *testing.T) {
	tree := changetest.Tree("c0ffee", map[string]string{
		"tests/test_a.py":      "from helpers import x\n",
		"tests/helpers.py":     changetest.Symlink("../elsewhere.py"),
		"tests/run":            changetest.Executable("x"),
		"tests/conftest.py":    changetest.Executable("import os\n"),
		"elsewhere.py":         "x = 1\n",
		"tests/test_second.py": "def test_b(): pass\n",
	})
	got, notices, err := approval.Collect(t.Context(), tree, approval.Options{Tests: []string{"tests/test_a.py", "tests/gone.py"}})
	if err != nil {
		t.Fatal(err)
	}
	want := []approval.File{
		{
			Path: "tests/conftest.py", Mode: change.ModeExecutable, Blob: changetest.Blob("import os\n"),
			SHA256: "87d4625bc5643f5f61b05ad3af2af9c6bbb4d6fbeba6b2ef10ab7be0c8c8e3b0", Role: approval.Support,
		},
		{
			Path: "tests/helpers.py", Mode: change.ModeSymlink, Blob: changetest.Blob("../elsewhere.py"), SHA256: approval.NoDigest,
			Role: approval.Support,
		},
		{Path: "tests/test_a.py", Mode: change.ModeRegular, Blob: changetest.Blob("from helpers import x\n"), Role: approval.Test},
	}
	for i := range got {
		if got[i].SHA256 != approval.NoDigest && len(got[i].SHA256) != 64 {
			t.Errorf("sha256 of %s is %q", got[i].Path, got[i].SHA256)
		}
		if i < len(want) && want[i].SHA256 != approval.NoDigest {
			want[i].SHA256 = got[i].SHA256
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("files (-want +got):\n%s", d)
	}
	if len(notices) != 1 || notices[0].File != "tests/gone.py" || !notices[0].Warns() {
		t.Errorf("notices: %+v", notices)
	}
}

func TestCollectIsBounded(t *testing.T) {
	files := map[string]string{"tests/test_a.py": "open('tests/data')\n"}
	for i := range 600 {
		files[fmt.Sprintf("tests/data/%03d.json", i)] = "{}"
	}
	got, notices, err := approval.Collect(t.Context(), changetest.Tree("c0ffee", files),
		approval.Options{Tests: []string{"tests/test_a.py"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 501 || len(notices) == 0 {
		t.Errorf("%d files, notices %+v", len(got), notices)
	}
}

func TestCollectStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err := approval.Collect(ctx, changetest.Tree("c0ffee", map[string]string{"test_a.py": ""}),
		approval.Options{Tests: []string{"test_a.py"}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
}

// brokenTree fails to read.
type brokenTree struct{ change.Tree }

var errBroken = errors.New("object is missing")

func (brokenTree) ReadFile(string) ([]byte, error) { return nil, errBroken }

func TestCollectFailsWithTheTree(t *testing.T) {
	tree := brokenTree{changetest.Tree("c0ffee", map[string]string{"test_a.py": "x"})}
	if _, _, err := approval.Collect(t.Context(), tree, approval.Options{Tests: []string{"test_a.py"}}); !errors.Is(err, errBroken) {
		t.Errorf("err = %v", err)
	}
}
