// Package gitrepo reads and writes git repositories without a git binary: it finds the commits of a
// change in the workspace or at its origin, compares them as objects, and commits and pushes back.
// Nothing is ever checked out from a change, no hook of the workspace is run, and its configuration
// is read for the origin's URL and the repository's format alone. A developer's own git is asked
// for an index in a form of git's own, for odd names, and to update a work tree by Apply.
//
// The files by what they do:
//   - repo, local, remote, owngit: what is opened, where objects come from, and what the
//     developer's git is asked for
//   - fetch, session, guard, thin: what is missing comes over http, within limits of size and time
//   - tree, reader, diff, rename, similarity, attributes, set: trees are read and compared
//   - commit, mergebase, brought, former, history, resolve: walks through history, which is
//     deepened where it is shallow
//   - build, push, pack, receive: commits are made and brought to the origin
//   - worktree, status, snapshot, apply, create: the work tree of somebody's clone
package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"

	"workflow-reviewer/internal/gitrepo/odb"
)

// Options say where commits are looked for.
type Options struct {
	// Workspace is a checkout or a bare repository; it may be empty, not exist,
	// or be no repository. Only Apply writes into it.
	Workspace string
	// Remote is used when the workspace has no origin, or one by ssh: an
	// https URL, an http URL of a loopback address, or a path. "" = none.
	Remote string
	// Token is sent as password of x-access-token, to AuthHost alone.
	Token string
	// AuthHost is the host, with its port if the URL has one, that may see the token; "" = the host
	// of Remote.
	AuthHost string
	// Dir is the folder of our own object store; it is created, and removed by Close.
	Dir string
	// MergeBase is asked where the history at hand does not answer; nil = no one is asked. It
	// returns a commit id.
	MergeBase func(ctx context.Context, base, head string) (string, error)
	// Transport carries the requests to a remote; nil = http.DefaultTransport.
	Transport http.RoundTripper
	// Clone is set where the workspace is a developer's own clone.
	Clone *Clone
	// Log receives one-line notices without secrets; nil = none.
	Log func(string)
}

// Repo is a view of one repository: the workspace's objects, those of an origin that is a path, and
// those fetched into our own store. It is safe for concurrent use.
type Repo struct {
	opt      Options
	db       *odb.DB
	work     *local // nil if the workspace is no repository
	remote   remote
	readOnly bool

	trees *odb.Cache[plumbing.Hash, []treeEntry]
	blobs *odb.Cache[plumbing.Hash, []byte]
	sizes *odb.Cache[plumbing.Hash, int64]
	nodes *odb.Cache[plumbing.Hash, *node]

	fetching sync.Mutex // one fetch at a time
}

// newRepo makes a repository without objects. Its caches hold at most 113 MB.
func newRepo(opt Options) *Repo {
	if opt.Log == nil {
		opt.Log = func(string) {}
	}
	if opt.Transport == nil {
		opt.Transport = http.DefaultTransport
	}
	return &Repo{
		opt:   opt,
		db:    odb.New(),
		trees: odb.NewCache[plumbing.Hash, []treeEntry](64 << 20),
		blobs: odb.NewCache[plumbing.Hash, []byte](16 << 20),
		sizes: odb.NewCache[plumbing.Hash, int64](1 << 20),
		nodes: odb.NewCache[plumbing.Hash, *node](32 << 20),
	}
}

// withSmallCaches is a view of the same objects that remembers little: of what is read
// once, such as the trees between many commits.
func (r *Repo) withSmallCaches() *Repo {
	return &Repo{
		opt: r.opt, db: r.db,
		trees: odb.NewCache[plumbing.Hash, []treeEntry](1 << 20),
		nodes: odb.NewCache[plumbing.Hash, *node](1 << 20),
	}
}

// Open prepares a store of our own and finds the workspace's repository. It fetches nothing and
// changes nothing in the workspace. The caller closes the Repo.
func Open(ctx context.Context, opt Options) (*Repo, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r := newRepo(opt)
	if err := r.findWorkspace(); err != nil {
		return nil, err
	}
	if err := initStore(opt.Dir); err != nil {
		return nil, fmt.Errorf("create object store %q: %w", opt.Dir, err)
	}
	if err := r.db.Add(filepath.Join(opt.Dir, "objects")); err != nil {
		return nil, fmt.Errorf("open object store %q: %w", opt.Dir, err)
	}
	if r.work == nil {
		return r, nil
	}
	if err := r.borrow(r.work.objects()); err != nil {
		r.opt.Log(fmt.Sprintf("cannot read the objects of %q: %v", opt.Workspace, err))
	}
	return r, nil
}

// OpenStore opens the store of another process' Repo for reading. Closing it leaves the store where
// it is.
func OpenStore(dir string) (*Repo, error) {
	r := newRepo(Options{Dir: dir})
	r.readOnly = true
	if err := r.db.Add(filepath.Join(dir, "objects")); err != nil {
		return nil, fmt.Errorf("open object store %q: %w", dir, err)
	}
	return r, nil
}

// Dir is the folder of the object store, for OpenStore.
func (r *Repo) Dir() string { return r.opt.Dir }

// Origin is the URL of the workspace's origin as configured, "" without one.
func (r *Repo) Origin() string {
	if r.work == nil {
		return ""
	}
	return r.work.origin()
}

// Close releases all files and removes the store.
func (r *Repo) Close() error {
	if r.readOnly {
		return nil
	}
	return os.RemoveAll(r.opt.Dir)
}

// findWorkspace reads the workspace's repository and where its origin is.
func (r *Repo) findWorkspace() error {
	r.remote = parseRemote(r.opt.Remote, "", r.opt)
	if r.opt.Workspace == "" {
		return nil
	}
	work, err := openLocal(r.opt.Workspace)
	if err != nil {
		return err
	}
	if work == nil {
		r.opt.Log(fmt.Sprintf("%q is no git repository", r.opt.Workspace))
		return nil
	}
	r.work, work.clone = work, r.opt.Clone
	if url := work.origin(); url != "" {
		r.remote = parseRemote(url, work.root, r.opt)
	}
	return nil
}

// borrow makes another repository's objects readable, for this process and for
// those that open the store, without copying them.
func (r *Repo) borrow(objects string) error {
	if err := r.db.Add(objects); err != nil {
		return err
	}
	var lines strings.Builder
	for _, folder := range r.db.Folders()[1:] {
		if strings.ContainsAny(folder, "\n\r") {
			return fmt.Errorf("path %q holds a line break", folder)
		}
		lines.WriteString(folder + "\n")
	}
	name := filepath.Join(r.opt.Dir, "objects", "info", "alternates")
	return os.WriteFile(name, []byte(lines.String()), 0o600)
}

// initStore makes an empty bare repository, which real git can read as well.
func initStore(dir string) error {
	if dir == "" {
		return errors.New("no folder given")
	}
	for _, sub := range []string{"objects/info", "objects/pack", "refs/heads"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			return err
		}
	}
	config := "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"
	if err := os.WriteFile(filepath.Join(dir, "config"), []byte(config), 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "HEAD"), []byte("ref: refs/heads/main\n"), 0o600)
}
