package main_test

import (
	"strings"
	"testing"
)

// TestUnrecordableName: a file whose name no record holds ends the approval of its tests, and
// what to do is said in words for who named it.
func TestUnrecordableName(t *testing.T) {
	t.Parallel()
	base := map[string]string{"specs/doing/login.md": goodSpec, ".workflow/config.json": config}
	dir := worktreeClone(t, base, map[string]string{
		"app/auth.py": loginCode, "tests/test_auth.py": loginTest, `tests/fixtures/a\b.txt`: "x",
	})
	gitIn(t, dir, "switch", "-qc", "feature/login")
	gitIn(t, dir, "add", "-A")
	gitIn(t, dir, "commit", "-qm", "Test the sign-in")
	code, stdout, stderr := local(t, dir, "--base", "origin/main", "--engine", "rules", "--apply")
	said := strings.Join(strings.Fields(stdout), " ")
	if code == 0 || !strings.Contains(said, "or another character that must be renamed") || strings.Contains(said, "restore the file") {
		t.Errorf("status %d\n%s\n%s", code, stdout, stderr)
	}
}
