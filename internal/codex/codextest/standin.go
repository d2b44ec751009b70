package codextest

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"workflow-reviewer/internal/programtest"
)

// StandIn puts a program into an empty folder, and returns its path, that does in codex's place
// what a review without tools needs, at a tenth of the cost. It is for tests of what becomes of an
// answer. Its version and models are those that the pinned codex tells, less the models'
// instructions. TestStandInIsTakenForCodex holds it to codex; what the two do not have in common,
// such as tools, a test must try with Binary.
func StandIn(dir string) (string, error) {
	codex, err := install()
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "codex")
	err = programtest.Link("workflow-reviewer/internal/codex/codextest/standin", path)
	for file, args := range map[string][]string{"version": {"--version"}, "models": {
		"debug",
		"models", "--bundled",
	}} {
		cmd := exec.Command(codex, args...)
		cmd.Env = []string{"HOME=" + dir, "CODEX_HOME=" + dir}
		said, saidErr := cmd.Output()
		if file == "models" && saidErr == nil {
			said, saidErr = withoutInstructions(said)
		}
		err = errors.Join(err, saidErr, os.WriteFile(filepath.Join(dir, file), said, 0o600))
	}
	// It is only looked for.
	return path, errors.Join(
		err, os.WriteFile(filepath.Join(dir, "codex-code-mode-host"), nil, 0o600),
	)
}

// withoutInstructions is a catalog of models without the texts that each review replaces. They are
// 0.7 MB, which every run of a test would read and write.
func withoutInstructions(catalog []byte) ([]byte, error) {
	var c struct {
		Models []map[string]any `json:"models"`
	}
	if err := json.Unmarshal(catalog, &c); err != nil {
		return nil, fmt.Errorf("codex debug models: %w", err)
	}
	for _, m := range c.Models {
		delete(m, "base_instructions")
		delete(m, "model_messages")
	}
	return json.Marshal(c)
}
