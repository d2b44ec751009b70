package runner_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"workflow-reviewer/internal/integrity/runner"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata")

// TestCompare runs every pair of testdata/compare. An archive has the approved
// versions as before/PATH and each case as NAME/after/PATH; a case may bring
// its own NAME/before/PATH. A cheat must be found, an honest change must not.
// The file "want" says where: case, path, line, side and kind.
func TestCompare(t *testing.T) {
	files, err := filepath.Glob("testdata/compare/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".txtar"), func(t *testing.T) { compareArchive(t, f) })
	}
}

func compareArchive(t *testing.T, file string) {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string][]byte{}
	for _, f := range archive.Files {
		byName[f.Name] = f.Data
	}
	var got strings.Builder
	for _, f := range archive.Files {
		name, path, ok := strings.Cut(f.Name, "/after/")
		if !ok {
			continue
		}
		before, own := byName[name+"/before/"+path]
		if !own {
			before = byName["before/"+path]
		}
		after := f.Data
		if strings.TrimSpace(string(after)) == "(deleted)" {
			after = nil
		}
		check(t, &got, name, path, before, after)
	}
	if *update {
		rewrite(t, file, archive, got.String())
		return
	}
	if d := cmp.Diff(string(byName["want"]), got.String()); d != "" {
		t.Errorf("findings (-want +got):\n%s", d)
	}
}

// check compares one pair and writes a line for each finding.
func check(t *testing.T, got *strings.Builder, name, path string, before, after []byte) {
	t.Helper()
	base := runner.NewTree(func(string) []byte { return nil })
	base.Configs = func() []string { return nil }
	around := runner.Surroundings{Read: base, Unused: func(string) bool { return true }}
	r := runner.Compare(path, before, after, around)
	for _, v := range r.Violations {
		fmt.Fprintf(got, "%s %s: %s\n", name, place(v.File, v.Line, v.Side, v.Kind), v.Text)
	}
	switch honest := strings.HasPrefix(name, "honest"); { // what begins with "asks" is honest and needs a new approval
	case honest && len(r.Violations) > 0:
		t.Errorf("%s: an honest change was found to be %s: %s", name, r.Violations[0].Kind, r.Violations[0].Text)
	case honest && len(r.Harmless) == 0:
		t.Errorf("%s: nothing says why the change is harmless", name)
	case !honest && len(r.Violations) == 0:
		t.Errorf("%s: the cheat was not found; harmless: %q", name, r.Harmless)
	}
	for _, v := range r.Violations {
		if v.Category == "" || v.Text == "" || v.Line < 1 || v.Evidence == "" && !strings.Contains(name, "deleted") {
			t.Errorf("%s: incomplete finding %+v", name, v)
		}
	}
}

func place(file string, line int, side, kind string) string {
	return fmt.Sprintf("%s:%d/%s %s", file, line, side, kind)
}

func rewrite(t *testing.T, file string, a *txtar.Archive, want string) {
	t.Helper()
	for i := range a.Files {
		if a.Files[i].Name == "want" {
			a.Files = append(a.Files[:i], a.Files[i+1:]...)
			break
		}
	}
	a.Files = append(a.Files, txtar.File{Name: "want", Data: []byte(want)})
	if err := os.WriteFile(file, txtar.Format(a), 0o600); err != nil {
		t.Fatal(err)
	}
}
