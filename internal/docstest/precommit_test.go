package docstest

import (
	"os"
	"path/filepath"
	"testing"

	"go.yaml.in/yaml/v3"

	"workflow-reviewer/internal/programtest"
)

// TestPreCommitHooks: what .pre-commit-hooks.yaml has run is a command of ours, which works in a new repository.
func TestPreCommitHooks(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, ".pre-commit-hooks.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var hooks []struct {
		ID, Name, Description, Entry, Language string
		Stages                                 []string
	}
	if err := yaml.Unmarshal(data, &hooks); err != nil || len(hooks) == 0 {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if _, err := programtest.Build(bin, "workflow-reviewer"); err != nil {
		t.Fatal(err)
	}
	for _, h := range hooks {
		if h.ID == "" || h.Name == "" || h.Language != "system" || len(h.Stages) != 1 || h.Stages[0] != "pre-push" {
			t.Errorf("%+v", h)
		}
		runInEmptyRepository(t, bin, ".pre-commit-hooks.yaml", h.Entry)
	}
}
