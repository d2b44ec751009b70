package codextest

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Binary returns the path of the pinned codex, installed on first use into the
// repository's ignored cache. A test that cannot have it fails.
func Binary(t testing.TB) string {
	t.Helper()
	_, here, _, ok := runtime.Caller(0)
	if !ok {
		t.Fatal("codextest: the repository's root is unknown")
	}
	script := filepath.Join(filepath.Dir(here), "..", "..", "..", "scripts", "install-codex.sh")
	var stderr strings.Builder
	cmd := exec.CommandContext(t.Context(), "sh", script)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("codex is needed for this test and cannot be had: %v: %s", err, strings.TrimSpace(stderr.String()))
	}
	return strings.TrimSpace(string(out))
}
