package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"
)

// Folders returns the workspace's work tree and its own git folder, which a linked work tree
// and a submodule have elsewhere. It is an error if there is no work tree.
func (r *Repo) Folders() (root, gitDir string, err error) {
	if r.work == nil || r.work.bare {
		return "", "", errors.New("the repository has no work tree")
	}
	return r.work.root, r.work.gitDir, nil
}

// maxRaw bounds a file that is put back into a work tree, in bytes.
const maxRaw = 1 << 30

// Raw reads a blob as git stores it, to put a file back into the work tree: a large one too, and of
// Git LFS the pointer.
func (r *Repo) Raw(id string) ([]byte, error) {
	hash, err := parseSHA(id)
	if err != nil {
		return nil, err
	}
	_, data, err := r.db.Read(hash, maxRaw)
	if err != nil {
		return nil, fmt.Errorf("read blob %s: %w", id, err)
	}
	return data, nil
}

// Untracked lists the files of the work tree that git neither tracks nor ignores.
func (r *Repo) Untracked(ctx context.Context) ([]string, error) {
	idx, err := r.work.readIndex(ctx)
	if err != nil {
		return nil, r.work.noIndex(err)
	}
	tracked := make(map[string]bool, len(idx.Entries))
	for _, e := range idx.Entries {
		tracked[e.Name] = true
	}
	root, err := os.OpenRoot(r.work.root)
	if err != nil {
		return nil, err
	}
	defer root.Close() //nolint:errcheck // read only
	var out []string
	err = r.work.untracked(ctx, root, tracked, func(p string, _ fs.FileInfo) error {
		out = append(out, p)
		return nil
	})
	return out, err
}

// untracked calls each for the files of a work tree that are neither tracked nor ignored.
func (l *local) untracked(
	ctx context.Context, root *os.Root, tracked map[string]bool, each func(p string, info fs.FileInfo) error,
) error {
	exclude, err := os.ReadFile(filepath.Join(l.common, "info", "exclude"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	w := untrackedWalk{root, tracked, each}
	return w.folder(ctx, ".", patterns(exclude, nil))
}

// untrackedWalk calls each for the files of a work tree that the index does not track.
type untrackedWalk struct {
	root    *os.Root
	tracked map[string]bool
	each    func(p string, info fs.FileInfo) error
}

// folder visits what is below a folder. Another repository in it is none of its files.
func (w untrackedWalk) folder(ctx context.Context, dir string, above []gitignore.Pattern) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, err := fs.ReadDir(w.root.FS(), dir)
	if err != nil {
		return err
	}
	domain := strings.Split(dir, "/")
	if dir == "." {
		domain = nil
	}
	ignores := slices.Clone(above)
	if rules, err := w.root.ReadFile(path.Join(dir, ".gitignore")); err == nil {
		ignores = append(ignores, patterns(rules, domain)...)
	}
	matcher := gitignore.NewMatcher(ignores)
	for _, e := range entries {
		p := path.Join(dir, e.Name())
		switch {
		case strings.EqualFold(e.Name(), ".git") || w.tracked[p] && !e.IsDir() ||
			matcher.Match(append(slices.Clone(domain), e.Name()), e.IsDir()):
		case e.IsDir():
			if _, err := w.root.Lstat(path.Join(p, ".git")); err == nil {
				continue
			}
			if err := w.folder(ctx, p, ignores); err != nil {
				return err
			}
		default:
			info, err := e.Info()
			if errors.Is(err, fs.ErrNotExist) {
				continue // it has just gone
			}
			if err == nil {
				err = w.each(p, info)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// patterns reads the rules of an ignore file that stands in a folder.
func patterns(rules []byte, domain []string) (out []gitignore.Pattern) {
	for l := range strings.Lines(string(rules)) {
		if l = strings.TrimRight(l, "\r\n"); l != "" && !strings.HasPrefix(l, "#") {
			out = append(out, gitignore.ParsePattern(l, domain))
		}
	}
	return out
}
