package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/index"
)

// Clone is a clone that somebody works on. In the developer's own, commands help that would help
// nobody in CI.
type Clone struct {
	Git string   // the developer's git; "" if there is none
	Env []string // what it may see: where it and its settings are
	Tmp string   // folder for what it writes

	Workflow bool // a workflow's checkout step made it
}

// FindGit is the git that a PATH leads to, "" if it leads to none. Folders that are relative do not
// count.
func FindGit(pathEnv string) string {
	for _, folder := range filepath.SplitList(pathEnv) {
		if p, err := exec.LookPath(filepath.Join(folder, "git")); err == nil && filepath.IsAbs(p) {
			return p
		}
	}
	return ""
}

// gitLimit bounds the time that git has, gitPatience what it has to end once it is told to.
const (
	gitLimit    = 2 * time.Minute
	gitPatience = 5 * time.Second
)

// run runs git in a folder and returns what it prints; an error quotes what it complains of. Of the
// environment it sees its own settings and env. It asks for no password, fetches nothing, and runs
// no hook and no file system monitor that a repository's configuration names.
func (c *Clone) run(ctx context.Context, dir string, env []string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, gitLimit)
	defer cancel()
	safe := []string{"-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false"}
	args = append(safe, args...)
	cmd := exec.CommandContext(ctx, c.Git, args...) //nolint:gosec // of the user's own PATH
	cmd.Dir = dir
	cmd.Env = slices.Concat(c.Env, env, []string{
		"LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=",
	})
	var printed, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &printed, &said
	// It takes its locks away before it ends.
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = gitPatience
	if err := cmd.Run(); err != nil {
		return "", tidy(fmt.Errorf("git: %w: %s", err, said.Bytes()))
	}
	return printed.String(), nil
}

// errNoGit says that there is no developer's git to call.
var errNoGit = errors.New("there is no git on the PATH; install it, or run outside of the image")

// CanApply says why Apply could do nothing here, whatever it is given.
func (r *Repo) CanApply(ctx context.Context) error {
	if _, _, err := r.Folders(); err != nil {
		return err
	}
	if _, err := r.work.git(ctx, "rev-parse", "--git-dir"); err != nil {
		return err
	}
	_, err := r.work.readIndex(ctx) // without one git would check all out
	return err
}

// git runs the developer's git in the work tree. There it finds the repository by itself, so that
// it runs no filter of one that it takes for unsafe, such as another user's.
func (l *local) git(ctx context.Context, args ...string) (string, error) {
	if l.clone == nil || l.clone.Git == "" {
		return "", errNoGit
	}
	return l.clone.run(ctx, l.root, []string{"GIT_WORK_TREE=" + l.root}, args...)
}

// namedByGit is the commit that git knows by a name; zero if there is none, or no git to ask.
func (l *local) namedByGit(ctx context.Context, name string) plumbing.Hash {
	if name == "" || name[0] == '-' {
		return plumbing.ZeroHash
	}
	id, err := l.git(ctx, "--git-dir="+l.gitDir,
		"rev-parse", "--verify", "--quiet", name+"^{commit}")
	if err != nil {
		return plumbing.ZeroHash
	}
	return plumbing.NewHash(strings.TrimSpace(id))
}

// readIndex reads the index; fs.ErrNotExist if nothing was ever checked out. One that is split,
// sparse or without a checksum is read by the developer's git, which writes it whole into a copy.
func (l *local) readIndex(ctx context.Context) (*index.Index, error) {
	data, err := os.ReadFile(filepath.Join(l.gitDir, "index"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("nothing is checked out in %q: %w", l.root, fs.ErrNotExist)
	}
	if err != nil {
		return nil, err
	}
	idx := &index.Index{}
	if err = index.NewDecoder(bytes.NewReader(data)).Decode(idx); err == nil {
		return idx, nil
	}
	if l.clone != nil && l.clone.Git != "" {
		var whole []byte
		if whole, err = l.wholeIndex(ctx, data); err == nil {
			idx = &index.Index{}
			err = index.NewDecoder(bytes.NewReader(whole)).Decode(idx)
		}
	}
	if err != nil {
		help := plainIndexCommand(data)
		return nil, fmt.Errorf("read the index of %q: %w; run %q", l.root, err, help)
	}
	return idx, nil
}

// wholeIndex has git write an index with every entry and no extension that is needed to read it, in
// an empty work tree: with no file to look at no filter runs.
func (l *local) wholeIndex(ctx context.Context, data []byte) ([]byte, error) {
	folder, err := os.MkdirTemp(l.clone.Tmp, "index-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder) //nolint:errcheck // a temporary folder
	copied, empty := filepath.Join(folder, "index"), filepath.Join(folder, "empty")
	if err := os.WriteFile(copied, data, 0o600); err != nil { //nolint:gosec // in our own folder
		return nil, err
	}
	if err := os.Mkdir(empty, 0o700); err != nil {
		return nil, err
	}
	_, err = l.clone.run(ctx, empty,
		[]string{"GIT_DIR=" + l.gitDir, "GIT_WORK_TREE=" + empty, "GIT_INDEX_FILE=" + copied},
		"-c", "core.splitIndex=false", "-c", "index.sparse=false", "-c", "index.skipHash=false",
		"update-index", "--no-split-index", "--force-write-index")
	if err != nil {
		return nil, err
	}
	return os.ReadFile(copied) //nolint:gosec // in our own folder
}

// plainIndexCommand is the command that has git keep the index in a form that any program reads.
func plainIndexCommand(data []byte) string {
	// The extension of a sparse index, which has no content.
	if bytes.Contains(data, []byte("sdir\x00\x00\x00\x00")) {
		return "git sparse-checkout reapply --no-sparse-index"
	}
	return "git -c index.skipHash=false update-index --no-split-index --force-write-index"
}

// remedy names the way to an object that a clone lacks: a command in the developer's own, an input
// of the checkout in CI. history says that it is one of commits.
func (r *Repo) remedy(history bool) string {
	ci := r.opt.Clone == nil || r.opt.Clone.Workflow
	switch {
	case ci && history:
		return `check out with "fetch-depth: 0", or give access to the remote`
	case ci:
		return `check out without "filter", or give access to the remote`
	}
	var commands []string
	if _, err := os.Stat(filepath.Join(r.work.common, "shallow")); err == nil {
		commands = append(commands, "git fetch --unshallow")
	}
	if r.db.Partial() {
		commands = append(commands, "git fetch --refetch --no-filter")
	}
	return fmt.Sprintf("run %q", strings.Join(commands, " && "))
}

// sha1Copy is the command that copies a repository into one with ids that are read here.
func sha1Copy(root string) string {
	to := strings.TrimSuffix(filepath.Base(root), ".git") + "-sha1"
	return fmt.Sprintf("git init --object-format=sha1 ../%[1]s && "+
		"git fast-export --all | git -C ../%[1]s fast-import", to)
}
