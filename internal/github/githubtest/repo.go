package githubtest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Repo is a bare git repository to test with, driven by the git command.
type Repo struct {
	Dir string
	t   testing.TB
}

// NewRepo makes an empty bare repository in a temporary folder.
func NewRepo(t testing.TB) *Repo {
	t.Helper()
	return OpenRepo(t, filepath.Join(t.TempDir(), "repo.git"))
}

// OpenRepo opens the bare repository in dir, or makes one. It lets clients
// fetch any commit by its id and push, as GitHub does.
func OpenRepo(t testing.TB, dir string) *Repo {
	t.Helper()
	r := &Repo{Dir: dir, t: t}
	if _, err := os.Stat(dir); err != nil {
		if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // a test's own folder
			t.Fatal(err)
		}
		r.Git("init", "-q", "--bare", "--initial-branch=main", ".")
	}
	for _, kv := range []string{"uploadpack.allowAnySHA1InWant=true", "uploadpack.allowFilter=true", "http.receivepack=true", "gc.auto=0"} {
		k, v, _ := strings.Cut(kv, "=")
		r.Git("config", k, v)
	}
	return r
}

// Git runs a git command in the repository and returns its output without
// the last newline; a failure ends the test.
func (r *Repo) Git(args ...string) string {
	r.t.Helper()
	out, err := r.run(nil, nil, args...)
	if err != nil {
		r.t.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	return out
}

func (r *Repo) run(env []string, stdin []byte, args ...string) (string, error) {
	cmd := exec.Command("git", append([]string{"-C", r.Dir}, args...)...)
	cmd.Env = append(os.Environ(), append([]string{
		"GIT_DIR=" + r.Dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_TERMINAL_PROMPT=0",
		"GIT_AUTHOR_NAME=octocat", "GIT_AUTHOR_EMAIL=octocat@github.example", "GIT_AUTHOR_DATE=2026-01-31T12:00:00Z",
		"GIT_COMMITTER_NAME=octocat", "GIT_COMMITTER_EMAIL=octocat@github.example", "GIT_COMMITTER_DATE=2026-01-31T12:00:00Z",
	}, env...)...)
	cmd.Stdin = bytes.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%w: %s", err, strings.TrimSpace(errs.String()))
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}

// Commit puts files on a branch as one commit and returns its id. A branch
// that does not exist starts with this commit, a nil content deletes a file.
func (r *Repo) Commit(branch, message string, files map[string][]byte) string {
	r.t.Helper()
	parent, _ := r.run(nil, nil, "rev-parse", "--verify", "-q", "refs/heads/"+branch)
	sha, err := r.commit(parent, message, files, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	r.Git("update-ref", "refs/heads/"+branch, sha)
	return sha
}

// Text is files of text for Commit.
func Text(files map[string]string) map[string][]byte {
	out := map[string][]byte{}
	for k, v := range files {
		out[k] = []byte(v)
	}
	return out
}

// Branch starts (or moves) a branch at a revision.
func (r *Repo) Branch(name, at string) {
	r.t.Helper()
	r.Git("update-ref", "refs/heads/"+name, r.Git("rev-parse", at+"^{commit}"))
}

// commit writes a commit object on top of parent, "" for a root.
func (r *Repo) commit(parent, message string, files map[string][]byte, env []string) (string, error) {
	index := filepath.Join(r.t.TempDir(), "index")
	env = append(slices.Clone(env), "GIT_INDEX_FILE="+index)
	args := []string{"commit-tree", "-F", "-"}
	if parent != "" {
		if _, err := r.run(env, nil, "read-tree", parent); err != nil {
			return "", err
		}
		args = append(args, "-p", parent)
	}
	for path, content := range files {
		if err := r.stage(env, path, content); err != nil {
			return "", err
		}
	}
	tree, err := r.run(env, nil, "write-tree")
	if err != nil {
		return "", err
	}
	return r.run(env, []byte(message), append(args, tree)...)
}

func (r *Repo) stage(env []string, path string, content []byte) error {
	if content == nil {
		if out, err := r.run(env, nil, "ls-files", "--", path); err != nil || out == "" {
			return fmt.Errorf("a path was requested for deletion which does not exist: %s", path)
		}
		_, err := r.run(env, nil, "rm", "--cached", "-q", "--", path)
		return err
	}
	blob, err := r.run(env, content, "hash-object", "-w", "--stdin")
	if err != nil {
		return err
	}
	_, err = r.run(env, nil, "update-index", "--add", "--cacheinfo", "100644,"+blob+","+path)
	return err
}

// resolve is the commit id of a revision, "" if there is none.
func (r *Repo) resolve(rev string) string {
	sha, _ := r.run(nil, nil, "rev-parse", "--verify", "-q", rev+"^{commit}")
	return sha
}
