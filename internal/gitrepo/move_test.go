package gitrepo

import (
	"os"
	"strings"
	"testing"
)

// TestMove: a file of the work tree stands elsewhere afterwards, with its mode;
// what changed meanwhile, is in the way or leads outside is refused whole.
func TestMove(t *testing.T) {
	s := newSandbox(t)
	s.init("work")
	s.commit("work", "Begin", "specs/proposed/a.md", "a\n", "specs/todo/taken.md", "x\n", "file", "x\n", "old/link/x", "x\n")
	must(t, os.Symlink(s.dir, s.path("work", "away")))
	must(t, os.Chmod(s.path("work", "specs/proposed/a.md"), 0o755))
	r := s.open(Options{Workspace: s.path("work")})
	for to, says := range map[string]string{
		"specs/todo/taken.md": "is in the way", "../a.md": "may not be written", ".git/hooks/x": "may not be written",
		"away/a.md": "not a folder", "file/a.md": "not a folder",
	} {
		if err := r.Move("specs/proposed/a.md", to, []byte("a\n"), []byte("a\n")); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("to %s: %v, want %q", to, err, says)
		}
	}
	if err := r.Move("specs/proposed/a.md", "specs/todo/a.md", []byte("what was read\n"), nil); err == nil ||
		!strings.Contains(err.Error(), "has changed") {
		t.Errorf("changed meanwhile: %v", err)
	}
	if err := r.Move("away", "specs/todo/a.md", nil, nil); err == nil {
		t.Error("a link was moved")
	}
	must(t, r.Move("specs/proposed/a.md", "specs/todo/deep/a.md", []byte("a\n"), []byte("b\n")))
	info, err := os.Stat(s.path("work", "specs/todo/deep/a.md"))
	must(t, err)
	if data, _ := os.ReadFile(s.path("work", "specs/todo/deep/a.md")); string(data) != "b\n" || info.Mode().Perm()&0o100 == 0 ||
		r.Exists("specs/proposed/a.md") {
		t.Errorf("%q, mode %v", data, info.Mode())
	}
	if r.Exists("away/work") || r.Exists("../work") || !r.Exists("specs") {
		t.Error("Exists looks through links or outside")
	}
}
