package gitrepo

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"workflow-reviewer/internal/change"
)

// gitEnv keeps the machine's own git configuration out of tests.
func gitEnv(when int) []string {
	date := fmt.Sprintf("@%d +0000", 1_700_000_000+when)
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=ann@example.com", "GIT_AUTHOR_DATE=" + date,
		"GIT_COMMITTER_NAME=Com", "GIT_COMMITTER_EMAIL=com@example.com", "GIT_COMMITTER_DATE=" + date,
		"LC_ALL=C", "GIT_PROTOCOL_FROM_USER=1",
	}
}

// sandbox is a folder in which the real git makes repositories.
type sandbox struct {
	t   testing.TB
	dir string
	now int
}

func newSandbox(t testing.TB) *sandbox {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &sandbox{t: t, dir: dir}
}

func (s *sandbox) path(elem ...string) string {
	return filepath.Join(append([]string{s.dir}, elem...)...)
}

// git runs git in a folder of the sandbox and returns its output, trimmed.
func (s *sandbox) git(folder string, args ...string) string {
	s.t.Helper()
	return s.gitIn(folder, "", args...)
}

func (s *sandbox) gitIn(folder, stdin string, args ...string) string {
	s.t.Helper()
	out, err := s.tryGit(folder, stdin, args...)
	if err != nil {
		s.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(out)
}

func (s *sandbox) tryGit(folder, stdin string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = s.path(folder)
	cmd.Env = gitEnv(s.now)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// init makes a repository with a work tree on branch main.
func (s *sandbox) init(name string) {
	s.t.Helper()
	s.git("", "init", "-q", "-b", "main", name)
}

// commit writes files, given as path and content in turns, and commits all; the
// content «-» deletes a file.
func (s *sandbox) commit(repo, message string, files ...string) string {
	s.t.Helper()
	s.now++
	for i := 0; i < len(files); i += 2 {
		s.file(filepath.Join(repo, files[i]), files[i+1])
	}
	s.git(repo, "add", "-A")
	s.git(repo, "commit", "-q", "--allow-empty", "-m", message)
	return s.git(repo, "rev-parse", "HEAD")
}

func (s *sandbox) file(name, content string) {
	s.t.Helper()
	path := s.path(name)
	if content == "-" {
		if err := os.Remove(path); err != nil {
			s.t.Fatal(err)
		}
		return
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// open opens a Repo whose store is in the sandbox.
func (s *sandbox) open(opt Options) *Repo {
	s.t.Helper()
	if opt.Dir == "" {
		opt.Dir = s.path(fmt.Sprintf("store-%d", time.Now().UnixNano()))
	}
	r, err := Open(context.Background(), opt)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		if err := r.Close(); err != nil {
			s.t.Error(err)
		}
	})
	return r
}

func (s *sandbox) set(r *Repo, base, head string) change.Set {
	s.t.Helper()
	set, err := r.Set(context.Background(), base, head)
	if err != nil {
		s.t.Fatal(err)
	}
	return set
}

func read(t testing.TB, tree change.Tree, path string) string {
	t.Helper()
	data, err := tree.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// fastImport makes a bare repository from a git fast-import stream.
func (s *sandbox) fastImport(name, stream string) {
	s.t.Helper()
	s.git("", "init", "-q", "--bare", "-b", "main", name)
	s.gitIn(name, stream, "fast-import", "--quiet", "--force")
}

// realGit is the git of this machine, with settings of its own alone.
func realGit() *Clone { return &Clone{Git: FindGit(os.Getenv("PATH")), Env: gitEnv(0)} }
