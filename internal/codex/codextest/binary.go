package codextest

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Binary returns the path of the pinned codex, installed on first use into the
// repository's ignored cache. A test that cannot have it fails.
func Binary(t testing.TB) string {
	t.Helper()
	path, err := install()
	if err != nil {
		t.Fatalf("codex is needed for this test and cannot be had: %v", err)
	}
	return path
}

// install asks the script once a process.
var install = sync.OnceValues(func() (string, error) {
	mod, err := exec.Command("go", "env", "GOMOD").Output() // tests may be built without paths
	if err != nil {
		return "", fmt.Errorf("find the repository's root: %w", err)
	}
	script := filepath.Join(filepath.Dir(string(mod)), "scripts", "install-codex.sh")
	var stderr strings.Builder
	cmd := exec.Command("sh", script)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, strings.TrimSpace(stderr.String()))
	}
	return strings.TrimSpace(string(out)), nil
})
