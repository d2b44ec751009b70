//go:build e2e

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestServe: an independent client, over stdio, makes its ten calls to the image
// on a mounted work tree; what is written there belongs to its owner.
func TestServe(t *testing.T) {
	install := exec.Command("sh", filepath.Join(root, "scripts", "install-npm.sh"), "mcp-client")
	client, err := install.Output()
	if err != nil {
		t.Fatalf("the client is needed for this test and cannot be had: %v", err)
	}
	dir := filepath.Join(t.TempDir(), "work")
	git(t, ".", "init", "-q", "-b", "main", dir)
	for name, text := range map[string]string{
		"ROADMAP.md": roadmap, "specs/proposed/login.md": goodSpec,
		"src/login.py": "def login():\n    return 1\n",
	} {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if name == "ROADMAP.md" {
			git(t, dir, "add", name)
			git(t, dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "Begin")
		}
	}
	git(t, dir, "switch", "-q", "-c", "work")
	cmd := exec.Command("node", filepath.Join(strings.TrimSpace(string(client)), "session.mjs"),
		"docker", "run", "-i", "--rm", "--label", setup.label, "--network", "none", "-v", dir+":/work", "-w", "/work", setup.image,
		"serve", "--base", "main", "--engine", "rules")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lines := slices.DeleteFunc(strings.Split(strings.TrimSpace(string(out)), "\n"), func(l string) bool {
		// A client that is slow to read may handle an answer before the line told ahead of it.
		return strings.Contains(l, "progress notification for an unknown token")
	})
	if len(lines) != 11 || strings.Contains(strings.Join(lines, ""), `"protocol"`) ||
		!strings.Contains(lines[1], `"decision":"APPROVED"`) || !strings.Contains(lines[10], "specs/todo/login.md") {
		t.Fatalf("the calls came to\n%s", out)
	}
	if _, err := os.Stat(filepath.Join(dir, "specs/todo/login.md")); err != nil {
		t.Error(err)
	}
}
