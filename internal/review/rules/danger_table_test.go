package rules_test

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"workflow-reviewer/internal/workflow"
)

// TestDangers: what reaches a danger from outside is found in all languages
// (dangers.txtar), and what only looks like it is not (harmless.txtar). The name of
// a file is the check, what it shows, and its path.
func TestDangers(t *testing.T) {
	for name, want := range map[string]int{"dangers": 1, "harmless": 0} {
		archive, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		if len(archive.Files) < 40 {
			t.Errorf("%s has %d files", name, len(archive.Files))
		}
		for _, f := range archive.Files {
			parts := strings.Split(f.Name, "|")
			in := input(workflow.Implementation, nil, one(parts[2], string(f.Data)), parts[2])
			if got := found(t, in, "code/"+parts[0]); len(got) != want {
				t.Errorf("%s, %s: %d findings, want %d\n%s", name, f.Name, len(got), want, f.Data)
			}
		}
	}
}
