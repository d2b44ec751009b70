package gitrepo

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/format/config"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

// local is a repository on this machine.
type local struct {
	root   string // the work tree, or the repository folder if bare
	gitDir string // of this work tree
	common string // shared by all work trees: objects, refs, config
	bare   bool
	config *config.Config
	clone  *Clone // nil in CI
}

// openLocal finds the repository at a folder: a checkout, a linked work tree,
// or a bare repository. It is nil if there is none.
func openLocal(folder string) (*local, error) {
	root, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	l := &local{root: root, gitDir: filepath.Join(root, ".git")}
	if target, err := readLine(l.gitDir); err == nil {
		path, ok := strings.CutPrefix(target, "gitdir: ")
		if !ok {
			return nil, nil
		}
		l.gitDir = resolvePath(root, path)
	}
	if !isGitDir(l.gitDir) {
		l.gitDir, l.bare = root, true
	}
	if !isGitDir(l.gitDir) {
		return nil, nil
	}
	l.common = l.gitDir
	if path, err := readLine(filepath.Join(l.gitDir, "commondir")); err == nil {
		l.common = resolvePath(l.gitDir, path)
	}
	return l, l.readConfig()
}

// Root walks up from a folder to the repository that holds it, as git does; "" if there is none.
func Root(folder string) string {
	folder, err := filepath.Abs(folder)
	for err == nil {
		if l, openErr := openLocal(folder); l != nil || openErr != nil {
			return folder
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			break
		}
		folder = parent
	}
	return ""
}

// isGitDir looks for what every git folder has.
func isGitDir(path string) bool {
	if _, err := os.Stat(filepath.Join(path, "HEAD")); err != nil {
		return false
	}
	if _, err := os.Stat(filepath.Join(path, "commondir")); err == nil {
		return true
	}
	info, err := os.Stat(filepath.Join(path, "objects"))
	return err == nil && info.IsDir()
}

// readLine reads the first line of a small file, without the space at its end. No more than 8
// KiB is read.
func readLine(path string) (string, error) {
	f, err := os.Open(path) //nolint:gosec // a file of the repository that the caller chose
	if err != nil {
		return "", err
	}
	defer f.Close() //nolint:errcheck // read only
	data, err := io.ReadAll(io.LimitReader(f, 2*maxPath))
	line, _, _ := strings.Cut(string(data), "\n")
	return strings.TrimRight(line, "\r "), err
}

// resolvePath is a path below folder, or the path itself if it is absolute.
func resolvePath(folder, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(folder, path)
}

// readConfig reads the repository's own configuration and refuses formats in which objects or refs
// cannot be read.
func (l *local) readConfig() error {
	l.config = config.New()
	f, err := os.Open(filepath.Join(l.common, "config"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read configuration: %w", err)
	}
	defer f.Close() //nolint:errcheck // read only
	if err := config.NewDecoder(io.LimitReader(f, 1<<20)).Decode(l.config); err != nil {
		return fmt.Errorf("read configuration of %q: %w", l.root, err)
	}
	extensions := l.config.Section("extensions")
	if format := extensions.Option("objectformat"); format != "" && format != "sha1" {
		return fmt.Errorf("repository %q uses %s object ids, which are not supported: run %q in it",
			l.root, format, sha1Copy(l.root))
	}
	if format := extensions.Option("refstorage"); format != "" && format != "files" {
		return fmt.Errorf("repository %q keeps its refs in the %s format, which is not supported: "+
			"run git refs migrate --ref-format=files", l.root, format)
	}
	return nil
}

// origin is the URL of the remote of that name, as configured; "" without one.
func (l *local) origin() string {
	urls := l.config.Section("remote").Subsection("origin").OptionAll("url")
	if len(urls) == 0 {
		return ""
	}
	return urls[0]
}

func (l *local) objects() string { return filepath.Join(l.common, "objects") }

// filesystem is the git folder as go-git sees it. A linked work tree shares objects and refs with
// the common folder.
func (l *local) filesystem() billy.Filesystem {
	if l.common == l.gitDir {
		return osfs.New(l.gitDir)
	}
	return dotgit.NewRepositoryFilesystem(osfs.New(l.gitDir), osfs.New(l.common))
}

// storage is go-git's view of the repository: refs, and writing of objects.
// Objects are read through the Repo's own database.
func (l *local) storage() *filesystem.Storage {
	return filesystem.NewStorage(l.filesystem(), cache.NewObjectLRU(cache.MiByte))
}

// ref returns what a ref points to; the zero hash if there is no such ref.
func (l *local) ref(name string) (plumbing.Hash, error) {
	ref, err := storer.ResolveReference(l.storage(), plumbing.ReferenceName(name))
	if errors.Is(err, plumbing.ErrReferenceNotFound) {
		return plumbing.ZeroHash, nil
	}
	if err != nil {
		return plumbing.ZeroHash, fmt.Errorf("read ref %q of %q: %w", name, l.root, err)
	}
	return ref.Hash(), nil
}

// Branch is the branch that the workspace has checked out, "" if its head is detached or there is
// no workspace.
func (r *Repo) Branch() string {
	if r.work == nil {
		return ""
	}
	line, err := readLine(filepath.Join(r.work.gitDir, "HEAD"))
	name, ok := strings.CutPrefix(line, "ref: refs/heads/")
	if err != nil || !ok {
		return ""
	}
	return name
}
