package main_test

import (
	"strings"
	"testing"
)

// TestRefusedSpecStays: the approval of an implementation does nothing to a spec that the
// same run refuses, nor to one whose tasks are not done.
func TestRefusedSpecStays(t *testing.T) {
	t.Parallel()
	const kit = "specs/001-login/"
	draft := strings.Replace(goodSpec, "\n\n", "\n\n**Status**: Draft\n\n", 1)
	done := strings.ReplaceAll(tasks, "[ ]", "[x]")
	for name, c := range map[string]struct {
		base, head map[string]string
		code       int
		holds      string // "path: text"
	}{
		"a folder": {nil, map[string]string{"specs/doing/login.md": "# Login\n\nTBD\n"}, 1, "specs/doing/login.md: TBD"},
		"a folder, approved": {
			nil, map[string]string{"specs/doing/login.md": goodSpec}, 0, "specs/done/login.md: # Spec",
		},
		"a line": {
			map[string]string{".specify/a": "b\n"},
			map[string]string{kit + "spec.md": "# Login\n\n**Status**: Draft\n\nTBD\n"},
			1, kit + "spec.md: **Status**: Draft",
		},
		"tasks are left": {
			map[string]string{".specify/a": "b\n", kit + "spec.md": draft, kit + "tasks.md": tasks},
			map[string]string{kit + "tasks.md": strings.Replace(tasks, "[ ]", "[x]", 1)},
			0, kit + "spec.md: **Status**: Draft",
		},
		"no task is left": {
			map[string]string{".specify/a": "b\n", kit + "spec.md": draft, kit + "tasks.md": tasks},
			map[string]string{kit + "tasks.md": done},
			0, kit + "spec.md: **Status**: Complete",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := worktreeClone(t, with(map[string]string{"README.md": "# A\n", ".workflow/config.json": config}, c.base),
				with(c.head, map[string]string{"app/auth.py": loginCode, "tests/test_auth.py": loginTest}))
			gitIn(t, dir, "switch", "-qc", "feature/login")
			gitIn(t, dir, "add", "-A")
			gitIn(t, dir, "commit", "-qm", "Sign in")
			code, stdout, stderr := local(t, dir, "--base", "origin/main", "--engine", "rules", "--apply")
			if code != c.code {
				t.Fatalf("status %d\n%s\n%s", code, stdout, stderr)
			}
			path, text, _ := strings.Cut(c.holds, ": ")
			if got := gitIn(t, dir, "show", "HEAD:"+path); !strings.Contains(got, text) {
				t.Errorf("%s:\n%s\n%s", path, got, stdout)
			}
		})
	}
}
