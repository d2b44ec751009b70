package gitrepo

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"

	"workflow-reviewer/internal/change"
)

// TestPackOfManyCommits: git takes a pack of commits that each change one file of
// a large folder, and it grows with the changes and not with the folder.
func TestPackOfManyCommits(t *testing.T) {
	s := newSandbox(t)
	s.git("", "init", "-q", "--bare", "o.git")
	r := packed(t)
	b := r.builder(filepath.Join(r.opt.Dir, "objects"))
	files := change.Commit{Subject: "Begin"}
	for i := range 500 {
		files.Writes = append(files.Writes, change.Write{Path: fmt.Sprintf("many/%d", i), Content: fmt.Append(nil, i)})
	}
	commits := []change.Commit{files}
	for i := range 60 {
		text := fmt.Append(nil, "changed ", i)
		commits = append(commits, change.Commit{
			Subject: "Change", Writes: []change.Write{{Path: fmt.Sprintf("many/%d", 7*i), Render: func() []byte { return text }}},
		})
	}
	head, err := b.commits(plumbing.ZeroHash, commits, author())
	if err != nil {
		t.Fatal(err)
	}
	for _, refDeltas := range []bool{false, true} {
		pack, err := io.ReadAll(r.packOf(b.made, refDeltas))
		if err != nil {
			t.Fatal(err)
		}
		if limit := 120 << 10; len(pack) > limit { // without deltas 700 kB
			t.Errorf("the pack takes %d bytes, want at most %d", len(pack), limit)
		}
		s.gitIn("o.git", string(pack), "index-pack", "--stdin", "--strict")
		if text := s.git("o.git", "show", head.String()+":many/413"); text != "changed 59" {
			t.Errorf("many/413 is %q", text)
		}
	}
}

// TestPackOfMissing: what cannot be read is an error, never a shorter pack.
func TestPackOfMissing(t *testing.T) {
	pack := packed(t).packOf([]plumbing.Hash{{1}}, false)
	if _, err := io.ReadAll(pack); !errors.Is(err, plumbing.ErrObjectNotFound) {
		t.Errorf("error %v", err)
	}
}

// packed is a Repo without a workspace.
func packed(t *testing.T) *Repo {
	t.Helper()
	r, err := Open(t.Context(), Options{Dir: filepath.Join(t.TempDir(), "store")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}
