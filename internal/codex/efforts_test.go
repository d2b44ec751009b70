package codex_test

import (
	"encoding/json"
	"os/exec"
	"slices"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/config"
)

// TestEfforts: every effort that the pinned codex lists for a model is a known one.
func TestEfforts(t *testing.T) {
	home := t.TempDir()
	cmd := exec.Command(codextest.Binary(t), "debug", "models", "--bundled")
	cmd.Env = []string{"HOME=" + home, "CODEX_HOME=" + home}
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var catalog struct {
		Models []struct {
			Slug   string
			Levels []struct{ Effort string } `json:"supported_reasoning_levels"`
		}
	}
	if err := json.Unmarshal(out, &catalog); err != nil || len(catalog.Models) == 0 {
		t.Fatalf("%d models, %v", len(catalog.Models), err)
	}
	for _, m := range catalog.Models {
		for _, l := range m.Levels {
			if !slices.Contains(config.Efforts(), l.Effort) {
				t.Errorf("%s takes the effort %q, which config.Efforts lacks", m.Slug, l.Effort)
			}
		}
	}
}
