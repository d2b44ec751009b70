package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change"
)

func TestApply(t *testing.T) {
	s := newSandbox(t)
	head := s.branch()
	s.git("o", "worktree", "add", "-q", "-b", "feature", "../linked")
	for _, work := range []string{"o", "linked"} {
		t.Run(work, func(t *testing.T) {
			s := &sandbox{t: t, dir: s.dir}
			s.file(work+"/untracked", "mine\n")
			s.file(work+"/keep/a", "edited\n")
			r := s.open(Options{Workspace: s.path(work), Clone: realGit()})
			got, err := r.Apply(context.Background(), approvals(), author(), head)
			if err != nil {
				t.Fatal(err)
			}
			s.checkApproved(work, "HEAD", head)
			if now := s.git(work, "rev-parse", "HEAD"); now != got {
				t.Errorf("HEAD is %s, want %s", now, got)
			}
			want := "M keep/a\n?? untracked"
			if diff := cmp.Diff(want, s.git(work, "status", "--porcelain")); diff != "" {
				t.Errorf("status (-want +got):\n%s", diff)
			}
			if _, err := os.Stat(s.path(work, "specs/proposed")); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("an empty folder is left: %v", err)
			}
			if dirty, err := r.WorktreeDirty(context.Background()); err != nil || cmp.Diff([]string{"keep/a"}, dirty) != "" {
				t.Errorf("dirty %v, %v", dirty, err)
			}
		})
	}
}

func TestApplyRefusesBeforeItChangesAnything(t *testing.T) {
	for name, setup := range map[string]func(s *sandbox) []string{
		"edited file": func(s *sandbox) []string { s.file("o/run.sh", "mine\n"); return []string{"run.sh", "commit, discard"} },
		"staged change": func(s *sandbox) []string {
			s.file("o/run.sh", "m\n")
			s.git("o", "add", ".")
			return []string{"run.sh"}
		},
		"file in the way": func(s *sandbox) []string {
			s.file("o/reviews/tests/y.md", "mine\n")
			return []string{"reviews/tests/y.md"}
		},
		"ignored file in the way": func(s *sandbox) []string {
			s.file("o/.git/info/exclude", "reviews/\n")
			s.file("o/reviews/tests/y.md", "mine\n")
			return []string{"reviews/tests/y.md", "in the way"}
		},
		"ignored file for a folder": func(s *sandbox) []string {
			s.file("o/.git/info/exclude", "reviews\n")
			s.file("o/reviews", "mine\n")
			return []string{"reviews", "not a folder"}
		},
		"conflict": func(s *sandbox) []string {
			blob := s.git("o", "rev-parse", "HEAD:keep/a")
			stages := fmt.Sprintf("100644 %[1]s 1\tkeep/a\n100644 %[1]s 2\tkeep/a\n", blob)
			if out, err := s.tryGit("o", stages, "update-index", "--index-info"); err != nil {
				s.t.Fatal(out, err)
			}
			return []string{"resolve"}
		},
		"nothing checked out": func(s *sandbox) []string {
			s.file("o/.git/index", "-")
			return []string{"nothing is checked out"}
		},
		"file for a folder": func(s *sandbox) []string { s.file("o/reviews", "mine\n"); return []string{"reviews", "not a folder"} },
		"link for a folder": func(s *sandbox) []string {
			if err := os.Symlink(s.dir, s.path("o/reviews")); err != nil {
				s.t.Fatal(err)
			}
			return []string{"reviews", "not a folder"}
		},
		"another git":   func(s *sandbox) []string { s.file("o/.git/index.lock", ""); return []string{"index.lock"} },
		"detached head": func(s *sandbox) []string { s.git("o", "checkout", "-q", "--detach"); return []string{"detached"} },
		"head moved":    func(s *sandbox) []string { s.commit("o", "more"); return []string{"moved"} },
		"bare":          func(s *sandbox) []string { s.git("o", "config", "x.y", "z"); return []string{"no work tree"} },
	} {
		t.Run(name, func(t *testing.T) {
			s := newSandbox(t)
			head := s.branch()
			words := setup(s)
			standing := func() map[string]string {
				files := s.snapshot("o")
				maps.DeleteFunc(files, func(p, _ string) bool {
					return strings.Contains(p, "/.git/objects/") || strings.HasSuffix(p, "/.git/index")
				})
				files["index"], _ = s.tryGit("o", "", "ls-files", "--stage")
				return files
			}
			before, now := standing(), s.git("o", "rev-parse", "HEAD")
			workspace := s.path("o")
			if name == "bare" {
				workspace = s.path("o.git")
			}
			r := s.open(Options{Workspace: workspace, Clone: realGit()})
			_, err := r.Apply(context.Background(), approvals(), author(), head)
			mustFail(t, err, words...)
			if name == "head moved" && !errors.Is(err, change.ErrHeadMoved) {
				t.Errorf("error %v", err)
			}
			if diff := cmp.Diff(before, standing()); diff != "" || s.git("o", "rev-parse", "HEAD") != now {
				t.Errorf("changed:\n%s", diff)
			}
		})
	}
}

// untilMoved is a context that is cancelled once a branch has moved.
type untilMoved struct {
	context.Context
	moved func() bool
}

func (c untilMoved) Err() error {
	if c.moved() {
		return context.Canceled
	}
	return nil
}

func (c untilMoved) Done() <-chan struct{} {
	done := make(chan struct{})
	if c.moved() {
		close(done)
	}
	return done
}

// checkApplied has the approvals applied to o, and nothing there differ from what they leave.
func (s *sandbox) checkApplied(ctx context.Context, r *Repo, head string) {
	s.t.Helper()
	if _, err := r.Apply(ctx, approvals(), author(), head); err != nil {
		s.t.Fatal(err)
	}
	s.checkApproved("o", "HEAD", head)
	if status := s.git("o", "status", "--porcelain"); status != "" {
		s.t.Errorf("status %q", status)
	}
}

// TestApplyEndsWhatItBegan: a cancellation leaves no work tree behind its branch.
func TestApplyEndsWhatItBegan(t *testing.T) {
	s := newSandbox(t)
	head := s.branch()
	r := s.open(Options{Workspace: s.path("o"), Clone: realGit()})
	ctx := untilMoved{context.Background(), func() bool { return s.git("o", "rev-parse", "HEAD") != head }}
	s.checkApplied(ctx, r, head)
}

// TestApplyRunsNoFilterOfAnother: what a configuration names is run where git itself would.
func TestApplyRunsNoFilterOfAnother(t *testing.T) {
	s := newSandbox(t)
	head := s.branch()
	s.git("o", "config", "filter.x.smudge", "touch "+s.path("ran")+"; cat")
	s.file("o/.git/info/attributes", "* filter=x\n")
	git := realGit()
	git.Env = append(git.Env, "GIT_TEST_ASSUME_DIFFERENT_OWNER=1")
	r := s.open(Options{Workspace: s.path("o"), Clone: git})
	_, err := r.Apply(context.Background(), approvals(), author(), head)
	mustFail(t, err, "dubious ownership", "safe.directory")
	if _, err := os.Stat(s.path("ran")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a filter ran: %v", err)
	}
}

// TestApplyIsCancelled: no lock of git's is left.
func TestApplyIsCancelled(t *testing.T) {
	s := newSandbox(t)
	head := s.branch()
	s.git("o", "config", "filter.x.clean", "echo >"+s.path("ran")+"; exec sleep 9 2>/dev/null")
	s.file("o/.git/info/attributes", "* filter=x\n")
	must(t, os.Chtimes(s.path("o/keep/a"), time.Unix(1, 0), time.Unix(1, 0)))
	r := s.open(Options{Workspace: s.path("o"), Clone: realGit()})
	must(t, syscall.Mkfifo(s.path("ran"), 0o600))
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer cancel()
		_, _ = os.ReadFile(s.path("ran")) // until the filter has written
	}()
	_, err := r.Apply(ctx, approvals(), author(), head)
	mustFail(t, err, "canceled")
	if _, err := os.Stat(s.path("o/.git/index.lock")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a lock is left: %v", err)
	}
}

func TestApplyInASparseCheckout(t *testing.T) {
	s := newSandbox(t)
	head := s.branch()
	s.git("o", "sparse-checkout", "set", "keep")
	r := s.open(Options{Workspace: s.path("o"), Clone: realGit()})
	s.checkApplied(context.Background(), r, head)
}

func TestWorktreeDirty(t *testing.T) {
	s := newSandbox(t)
	s.init("r")
	r := s.open(Options{Workspace: s.path("r")})
	if dirty, err := r.WorktreeDirty(context.Background()); err != nil || len(dirty) != 0 {
		t.Errorf("new repository: %v, %v", dirty, err)
	}
	const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:" + // to "content"
		"ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73\nsize 7\n"
	large := strings.Repeat("x", change.MaxFile+1)
	s.commit("r", "one", "same", "1", "edited", "1", "deleted", "1", "unstaged", "1", "touched", "1", "set-back", "1",
		"asset", pointer, "other-asset", pointer, "large", large, "other-large", large)
	s.file("r/asset", "content")
	s.file("r/other-asset", "another")
	s.file("r/large", large)
	s.file("r/other-large", large[1:]+"y")
	s.file("r/edited", "22")
	s.file("r/deleted", "-")
	s.file("r/touched", "1")
	was, err := os.Stat(s.path("r/set-back"))
	must(t, err)
	s.file("r/set-back", "2")
	must(t, os.Chtimes(s.path("r/set-back"), was.ModTime(), was.ModTime()))
	s.file("r/new", "1")
	s.file("r/added", "1")
	s.git("r", "add", "added")
	s.git("r", "rm", "-q", "--cached", "unstaged")
	dirty, err := r.WorktreeDirty(context.Background())
	if diff := cmp.Diff([]string{"added", "deleted", "edited", "other-asset", "other-large", "set-back", "unstaged"}, dirty); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestCreate(t *testing.T) {
	s := newSandbox(t)
	b, err := Create(s.path("demo"))
	if err != nil {
		t.Fatal(err)
	}
	put := func(branch, path, text string) string {
		id, err := b.Commit(branch, change.Commit{Subject: "Add " + path, Writes: []change.Write{{Path: path, Content: []byte(text)}}},
			author())
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	root := put("main", "a/x.md", "x\n")
	head := put("feature/login", "b.md", "b\n")
	put("main", "c.md", "c\n")
	if err := b.Checkout("feature/login"); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("git", "-C", s.path("demo"), "fsck", "--strict").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if status := s.git("demo", "status", "--porcelain", "--branch"); status != "## feature/login" {
		t.Errorf("status %q", status)
	}
	if parent := s.git("demo", "rev-parse", head+"^"); parent != root {
		t.Errorf("the branch begins at %s", parent)
	}
	r := s.open(Options{Workspace: s.path("demo")})
	base, err := r.Resolve(context.Background(), "main")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"added b.md"}, brief(s.set(r, base, head))); diff != "" {
		t.Error(diff)
	}
	if _, err := Create(s.path("demo")); err == nil || !strings.Contains(err.Error(), "exists") {
		t.Errorf("a second Create: %v", err)
	}
}
