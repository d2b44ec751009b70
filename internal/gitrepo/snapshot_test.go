package gitrepo

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change"
)

// TestSnapshotIsWhatGitAdds compares the tree of a snapshot with the one that
// git itself makes of the same work tree.
func TestSnapshotIsWhatGitAdds(t *testing.T) {
	s := newSandbox(t)
	s.git("", "init", "-q", "-b", "main", s.path("work"))
	s.write("work", map[string]string{
		"kept.txt": "kept\n", "changed.txt": "before\n", "gone.txt": "gone\n", "folder/deep/a.txt": "a\n", "folder/b.txt": "b\n",
		"file-to-folder": "x\n", "folder-to-file/a": "x\n", "tool.sh": "#!/bin/sh\n", "link": "target\n",
		".gitignore":  "*.log\n/build/\n!keep.log\n",
		"tracked.log": "tracked though ignored\n", "uncached.txt": "no longer tracked\n",
	})
	s.git("work", "add", "-f", "-A")
	s.git("work", "commit", "-q", "-m", "Begin")
	var files []string
	open := func() (string, []string) {
		t.Helper()
		r := s.open(Options{Workspace: s.path("work")})
		id, left, err := r.Snapshot(t.Context(), Author{Name: "a", Email: "a@example.com"})
		if err != nil {
			t.Fatal(err)
		}
		if tree, err := r.Tree(id); err != nil {
			t.Fatal(err)
		} else if entries, err := tree.List(""); err != nil {
			t.Fatal(err)
		} else {
			files = nil
			for _, e := range entries {
				files = append(files, e.Mode+" blob "+e.Blob+"\t"+e.Path)
			}
		}
		return s.treeOf(r, id), left
	}
	if got, _ := open(); got != s.git("work", "rev-parse", "HEAD^{tree}") {
		t.Error("a clean work tree is not HEAD's tree")
	}

	s.write("work", map[string]string{
		"changed.txt": "after\n", "new.txt": "new\n", "folder/deep/new/c.txt": "c\n", "noise.log": "ignored\n", "keep.log": "kept\n",
		"build/out": "ignored\n", "tracked.log": "changed\n", "folder/.gitignore": "d.*\n", "folder/d.txt": "ignored\n",
		"sub/build/x": "not at the root\n",
	})
	for _, p := range []string{"gone.txt", "file-to-folder", "folder-to-file/a", "folder-to-file", "link"} {
		must(t, os.Remove(s.path("work", p)))
	}
	s.write("work", map[string]string{"file-to-folder/inside": "x\n", "folder-to-file": "x\n"})
	must(t, os.Symlink("/etc/passwd", s.path("work", "link")))
	must(t, os.Symlink("folder", s.path("work", "folder-link")))
	must(t, os.Chmod(s.path("work", "tool.sh"), 0o755))
	s.git("work", "rm", "-q", "--cached", "uncached.txt")
	s.git("work", "add", "new.txt")
	s.write("work", map[string]string{"new.txt": "changed after it was staged\n", "large.bin": strings.Repeat("x", change.MaxFile+1)})

	before := s.git("work", "status", "--porcelain")
	got, left := open()
	if diff := cmp.Diff([]string{"large.bin: file is larger than 8 MiB"}, left); diff != "" {
		t.Errorf("left out (-want +got)\n%s", diff)
	}
	if after := s.git("work", "status", "--porcelain"); after != before {
		t.Errorf("the snapshot changed the workspace:\n%s", after)
	}
	must(t, os.Remove(s.path("work", "large.bin")))
	s.git("work", "add", "-A")
	if want := s.git("work", "write-tree"); got != want {
		t.Errorf("tree %s, git makes %s (-git +ours)\n%s", got, want,
			cmp.Diff(strings.Split(s.git("work", "ls-tree", "-r", want), "\n"), files))
	}
}

func (s *sandbox) treeOf(r *Repo, commit string) string {
	s.t.Helper()
	id, err := parseSHA(commit)
	must(s.t, err)
	n, err := r.node(id)
	must(s.t, err)
	return n.tree.String()
}

// TestSnapshotOfWhatIsNoWorkTree: what cannot be taken is an error that says so.
func TestSnapshotOfWhatIsNoWorkTree(t *testing.T) {
	s := newSandbox(t)
	s.git("", "init", "-q", "--bare", s.path("bare"))
	s.git("", "init", "-q", s.path("empty"))
	s.git("", "init", "-q", s.path("unborn"))
	s.write("unborn", map[string]string{"a": "a"})
	s.git("unborn", "add", "a")
	for folder, says := range map[string]string{"bare": "no work tree", "empty": "nothing is checked out", "unborn": "no commit yet"} {
		r := s.open(Options{Workspace: s.path(folder)})
		if _, _, err := r.Snapshot(t.Context(), Author{}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", folder, err)
		}
	}
}

// TestSnapshotLeavesNestedRepositories: files of another repository are none of
// this one's.
func TestSnapshotLeavesNestedRepositories(t *testing.T) {
	s := newSandbox(t)
	s.git("", "init", "-q", s.path("work"))
	s.write("work", map[string]string{"a": "a\n"})
	s.git("work", "add", "a")
	s.git("work", "commit", "-q", "-m", "Begin")
	s.git("", "init", "-q", s.path("work", "other"))
	s.write("work", map[string]string{"other/secret.txt": "x\n", "b": "b\n"})
	r := s.open(Options{Workspace: s.path("work")})
	id, _, err := r.Snapshot(t.Context(), Author{Name: "a", Email: "a@example.com"})
	must(t, err)
	tree, err := r.Tree(id)
	must(t, err)
	entries, err := tree.List("")
	must(t, err)
	var paths []string
	for _, e := range entries {
		paths = append(paths, e.Path)
	}
	if !slices.Equal(paths, []string{"a", "b"}) {
		t.Errorf("files %q", paths)
	}
}

func (s *sandbox) write(folder string, files map[string]string) {
	s.t.Helper()
	for name, content := range files {
		s.file(folder+"/"+name, content)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestSnapshotReadsNoUnchangedFile: what stands as it is in the index is not read, so that its size and number do not
// matter.
func TestSnapshotReadsNoUnchangedFile(t *testing.T) {
	s := newSandbox(t)
	s.init("work")
	head := s.commit("work", "Begin", "large.bin", strings.Repeat("x", change.MaxFile+1))
	id, left, err := s.open(Options{Workspace: s.path("work")}).Snapshot(t.Context(), Author{})
	if err != nil || id != head || len(left) > 0 {
		t.Errorf("%s, left %q, %v", id, left, err)
	}
}

// TestSnapshotBesideWriters: files and folders that come and go meanwhile, as the reviews that
// another call saves, fail no snapshot.
func TestSnapshotBesideWriters(t *testing.T) {
	s := newSandbox(t)
	s.init("work")
	s.commit("work", "Begin", "kept.txt", "kept\n")
	done := make(chan struct{})
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-done:
				return
			default:
			}
			dir := s.path("work/reviews/specs")
			_ = os.MkdirAll(dir, 0o700)
			for _, name := range []string{"a.tmp", "b.tmp", "c.tmp"} {
				_ = os.WriteFile(dir+"/"+name, []byte("x\n"), 0o600)
			}
			_ = os.RemoveAll(s.path("work/reviews"))
		}
	}()
	for range 60 {
		r := s.open(Options{Workspace: s.path("work")})
		if _, _, err := r.Snapshot(t.Context(), Author{}); err != nil {
			t.Error(err)
			break
		}
	}
	close(done)
	<-stopped
}
