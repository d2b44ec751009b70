package githubtest

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Repo is a bare git repository to test with, driven by the git command.
type Repo struct {
	Dir     string
	t       testing.TB
	commits *sync.Map // ids of commits that were seen: they stay
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
	r := &Repo{Dir: dir, t: t, commits: &sync.Map{}}
	if _, err := os.Stat(dir); err != nil {
		if err := initialise(dir); err != nil {
			t.Fatal(err)
		}
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

// initialise does as "git init --bare --initial-branch=main" does, without the process: tests make
// a repository each.
func initialise(dir string) error {
	for _, sub := range []string{"objects/info", "objects/pack", "refs/heads", "refs/tags"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "HEAD"), []byte("ref: refs/heads/main\n"),
		0o600); err != nil {
		return err
	}
	const config = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n"
	return os.WriteFile(filepath.Join(dir, "config"), []byte(config), 0o600)
}

// Git runs a git command in the repository and returns its output without the last newline; a
// failure ends the test.
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
	const octocat = "octocat <octocat@github.example>"
	return r.CommitAs(branch, message, files, octocat, octocat)
}

// CommitAs is Commit with the author and committer, "name <email>", that it is said to have.
func (r *Repo) CommitAs(
	branch, message string, files map[string][]byte, author, committer string,
) string {
	r.t.Helper()
	ref := "refs/heads/" + branch
	if err := r.commit(ref, r.Resolve(ref), message, files, author, committer); err != nil {
		r.t.Fatalf("commit to %s: %v", branch, err)
	}
	return r.Resolve(ref)
}

// commit puts files as one commit on a branch whose tip is parent, "" for one
// that does not exist. It fails if the branch moved meanwhile.
func (r *Repo) commit(
	ref, parent, message string,
	files map[string][]byte,
	author, committer string,
) error {
	const date = "1769860800 +0000"
	var in bytes.Buffer
	fmt.Fprintf(
		&in,
		"commit %s\nmark :1\nauthor %s %s\ncommitter %s %s\ndata %d\n%s\n",
		ref,
		author,
		date,
		committer,
		date,
		len(message),
		message,
	)
	if parent != "" {
		fmt.Fprintf(&in, "from %s\n", parent)
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if content := files[path]; content == nil {
			fmt.Fprintf(&in, "D %s\n", quote(path))
		} else {
			fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", quote(path), len(content),
				content)
		}
	}
	in.WriteString("get-mark :1\n")
	before := r.packs()
	key := strings.Join(append(before, in.String()), "\n")
	if old, found := imports.Load(key); found {
		return old.(*imported).again(r, ref, parent) //nolint:errcheck // nothing else is kept there
	}
	// The pack is kept: another process would unpack a small one.
	sha, err := r.run(nil, in.Bytes(), "-c", "fastimport.unpackLimit=1", "fast-import", "--quiet",
		"--date-format=raw")
	if err == nil && len(key) <= largestImport {
		err = r.remember(key, before, sha)
	}
	return err
}

// imports are the commits that fast-import made in any repository, by the packs that it found there
// and what it read: tests and rows of their tables begin alike.
var imports sync.Map

// imported is a commit with the pack that brought it.
type imported struct {
	commit, pack   string
	objects, index []byte
}

// largestImport is the most that is kept for other tests, in bytes.
const largestImport = 64 << 10

// packs are the packs of the repository, without the ends of their names.
func (r *Repo) packs() []string {
	files, _ := os.ReadDir(filepath.Join(r.Dir, "objects", "pack"))
	var packs []string
	for _, f := range files {
		if name, found := strings.CutSuffix(f.Name(), ".pack"); found {
			packs = append(packs, name)
		}
	}
	return packs
}

// remember keeps the one pack that was not there before. Where another process brought packs
// meanwhile, this one may lack what they hold.
func (r *Repo) remember(key string, before []string, commit string) error {
	added := slices.DeleteFunc(r.packs(), func(pack string) bool {
		return slices.Contains(before, pack)
	})
	if len(added) != 1 {
		return nil
	}
	i := &imported{commit: commit, pack: added[0]}
	at := filepath.Join(r.Dir, "objects", "pack", i.pack)
	var err, indexErr error
	i.objects, err = os.ReadFile(at + ".pack")
	i.index, indexErr = os.ReadFile(at + ".idx")
	if err = errors.Join(err, indexErr); err == nil {
		imports.Store(key, i)
	}
	return err
}

// again brings the commit into another repository.
func (i *imported) again(r *Repo, ref, parent string) error {
	at := filepath.Join(r.Dir, "objects", "pack", i.pack)
	err := os.WriteFile(at+".pack", i.objects, 0o400)
	if err == nil {
		err = os.WriteFile(at+".idx", i.index, 0o400) // git looks for it first
	}
	if err != nil {
		return err
	}
	return r.move(ref, i.commit, func(now string) bool { return now == parent })
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
	sha := r.Resolve("refs/heads/" + at)
	if sha == "" {
		sha = r.Resolve(at)
	}
	if sha == "" {
		r.t.Fatalf("no revision %q", at)
	}
	r.point("refs/heads/"+name, sha)
}

// point has a ref name a commit, whatever it names now.
func (r *Repo) point(ref, sha string) {
	r.t.Helper()
	if err := r.move(ref, sha, func(string) bool { return true }); err != nil {
		r.t.Fatalf("move %s: %v", ref, err)
	}
}

// move has a ref name a commit, under the lock that git itself takes, if what it names fits.
func (r *Repo) move(ref, sha string, fits func(now string) bool) error {
	file := filepath.Join(r.Dir, filepath.FromSlash(ref))
	err := os.MkdirAll(filepath.Dir(file), 0o755)
	if err != nil {
		return err
	}
	lock, err := os.OpenFile(file+".lock", os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if now := r.Resolve(ref); !fits(now) {
		err = fmt.Errorf("%s moved to %q", ref, now)
		return errors.Join(err, lock.Close(), os.Remove(lock.Name()))
	}
	_, err = lock.WriteString(sha + "\n")
	return errors.Join(err, lock.Close(), os.Rename(lock.Name(), file))
}

// Resolve is the commit id of a revision, "" if there is none. Refs are read
// from their files, and commits looked for once, which is much faster than a process.
func (r *Repo) Resolve(rev string) string {
	if _, seen := r.commits.Load(rev); seen {
		return rev
	}
	if strings.HasPrefix(rev, "refs/") {
		b, err := os.ReadFile(filepath.Join(r.Dir, filepath.FromSlash(rev)))
		if err == nil && len(b) == 41 {
			r.commits.Store(string(b[:40]), true)
			return string(b[:40])
		}
		if _, packed := os.Stat(filepath.Join(r.Dir, "packed-refs")); errors.Is(
			err, fs.ErrNotExist,
		) &&
			errors.Is(packed, fs.ErrNotExist) {
			return ""
		}
	}
	sha, err := r.run(nil, nil, "rev-parse", "--verify", "-q", rev+"^{commit}")
	if err == nil {
		r.commits.Store(sha, true)
	}
	return sha
}

// Clone copies the repository into a temporary folder of the test.
func (r *Repo) Clone(t testing.TB) *Repo {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "repo.git")
	if err := os.CopyFS(dir, os.DirFS(r.Dir)); err != nil {
		t.Fatal(err)
	}
	return &Repo{Dir: dir, t: t, commits: &sync.Map{}}
}
