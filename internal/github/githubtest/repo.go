package githubtest

import (
	"bytes"
	"fmt"
	"maps"
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

// asGitHub lets clients do what GitHub lets them do.
const asGitHub = `
[uploadpack]
	allowAnySHA1InWant = true
	allowFilter = true
[http]
	receivepack = true
[gc]
	auto = 0
`

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
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		r.Git("init", "-q", "--bare", "--template=", "--initial-branch=main", ".")
	}
	config := filepath.Join(dir, "config")
	old, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(old, []byte(asGitHub)) {
		return r
	}
	if err := os.WriteFile(config, append(old, asGitHub...), 0o600); err != nil {
		t.Fatal(err)
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
	ref := "refs/heads/" + branch
	var in bytes.Buffer
	fmt.Fprintf(&in, "commit %s\ncommitter octocat <octocat@github.example> 1769860800 +0000\ndata %d\n%s\n", ref, len(message), message)
	if r.resolve(ref) != "" {
		fmt.Fprintf(&in, "from %s^0\n", ref)
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if content := files[path]; content == nil {
			fmt.Fprintf(&in, "D %s\n", quote(path))
		} else {
			fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", quote(path), len(content), content)
		}
	}
	if _, err := r.run(nil, in.Bytes(), "fast-import", "--quiet", "--date-format=raw"); err != nil {
		r.t.Fatalf("commit to %s: %v", branch, err)
	}
	return r.resolve(ref)
}

// quote is a path as fast-import reads it.
func quote(path string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(path) + `"`
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
	r.Git("update-ref", "refs/heads/"+name, at)
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

// resolve is the commit id of a revision, "" if there is none. Loose branches
// are read from their files, which is much faster than a process.
func (r *Repo) resolve(rev string) string {
	if strings.HasPrefix(rev, "refs/") {
		if b, err := os.ReadFile(filepath.Join(r.Dir, rev)); err == nil && len(b) == 41 {
			return string(b[:40])
		}
	}
	sha, _ := r.run(nil, nil, "rev-parse", "--verify", "-q", rev+"^{commit}")
	return sha
}

// Clone copies the repository into a temporary folder of the test.
func (r *Repo) Clone(t testing.TB) *Repo {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "repo.git")
	if err := os.CopyFS(dir, os.DirFS(r.Dir)); err != nil {
		t.Fatal(err)
	}
	return &Repo{Dir: dir, t: t}
}
