package gitrepo

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/gitrepo/odb"
)

// Author signs commits as author and committer.
type Author struct {
	Name, Email string
	When        time.Time
}

// builder makes commits as loose objects of one folder, which must be among those that the Repo
// reads.
type builder struct {
	repo    *Repo           // a view of its own
	objects string          // folder
	made    []plumbing.Hash // all that was written
}

// builder makes objects into a folder of objects. What it reads is cached apart from the
// repository's own caches, as it is read once.
func (r *Repo) builder(objects string) *builder {
	return &builder{repo: r.withSmallCaches(), objects: objects}
}

// write adds an object to the store and remembers it as made, for the push.
func (b *builder) write(kind odb.Type, data []byte) (plumbing.Hash, error) {
	id, err := odb.Write(b.objects, kind, data, Adopt(b.objects))
	b.made = append(b.made, id)
	return id, err
}

// commits stacks commits on a parent, which is zero for the first of all, and returns the last.
func (b *builder) commits(
	parent plumbing.Hash, commits []change.Commit, author Author,
) (plumbing.Hash, error) {
	for _, c := range commits {
		var err error
		if parent, err = b.commit(parent, c, author); err != nil {
			return plumbing.ZeroHash, fmt.Errorf("build commit %q: %w", c.Subject, err)
		}
	}
	return parent, nil
}

// commit makes a commit of the edits on top of parent, with the trees above them, and returns its
// id. A zero parent makes a first commit. Nothing but objects is written.
func (b *builder) commit(
	parent plumbing.Hash, c change.Commit, author Author,
) (plumbing.Hash, error) {
	var tree plumbing.Hash
	if !parent.IsZero() {
		n, err := b.repo.node(parent)
		if err != nil {
			return parent, err
		}
		tree = n.tree
	}
	edits, err := b.plan(tree, c)
	if err != nil {
		return parent, err
	}
	if tree, err = b.tree(tree, edits); err != nil {
		return parent, err
	}
	if tree.IsZero() {
		if tree, err = b.write(plumbing.TreeObject, nil); err != nil {
			return parent, err
		}
	}
	return b.write(plumbing.CommitObject, commitText(tree, parent, c, author))
}

// commitText is a commit object. Names, addresses and message lose what would end their field.
func commitText(tree, parent plumbing.Hash, c change.Commit, author Author) []byte {
	var text bytes.Buffer
	fmt.Fprintf(&text, "tree %s\n", tree)
	if !parent.IsZero() {
		fmt.Fprintf(&text, "parent %s\n", parent)
	}
	clean := strings.NewReplacer("<", "", ">", "", "\n", " ", "\x00", "").Replace
	who := fmt.Sprintf("%s <%s> %d %s", clean(author.Name), clean(author.Email),
		author.When.Unix(), author.When.Format("-0700"))
	fmt.Fprintf(&text, "author %s\ncommitter %s\n\n", who, who)
	subject := strings.Join(strings.Fields(c.Subject), " ")
	message := strings.TrimSpace(subject + "\n\n" + strings.TrimSpace(c.Body))
	text.WriteString(strings.ReplaceAll(message, "\x00", "") + "\n")
	return text.Bytes()
}

// tree applies edits to a tree and returns the new one; zero if nothing is left.
func (b *builder) tree(id plumbing.Hash, e *edit) (plumbing.Hash, error) {
	old, err := b.repo.readTree(id)
	if err != nil {
		return id, err
	}
	entries := slices.Clone(old)
	for name, child := range e.children {
		at := slices.IndexFunc(entries, func(e treeEntry) bool { return e.name == name })
		var before treeEntry
		if at >= 0 {
			before = entries[at]
			entries = slices.Delete(entries, at, at+1)
		}
		after, err := b.apply(before, child)
		if err != nil {
			return id, fmt.Errorf("%q: %w", name, err)
		}
		if after.exists() {
			after.name = name
			entries = append(entries, after)
		}
	}
	if len(entries) == 0 {
		return plumbing.ZeroHash, nil
	}
	slices.SortFunc(entries, compareEntries)
	text := treeText(entries)
	if id, err = b.write(plumbing.TreeObject, text); err == nil { // for the commit on top
		b.repo.keepTree(id, entries, len(text))
	}
	return id, err
}

// apply changes one entry, and returns the zero entry if that goes.
func (b *builder) apply(before treeEntry, e *edit) (treeEntry, error) {
	if e.children == nil {
		return e.entry, nil
	}
	if before.exists() && !before.isTree() {
		return before, errors.New("not a folder")
	}
	id, err := b.tree(before.id, e)
	if err != nil || id.IsZero() {
		return treeEntry{}, err
	}
	return treeEntry{mode: modeTree, id: id}, nil
}

// treeText is the text of a tree object of entries that are sorted as git sorts them.
func treeText(entries []treeEntry) []byte {
	var text bytes.Buffer
	for _, e := range entries {
		text.WriteString(strings.TrimPrefix(e.mode, "0") + " " + e.name + "\x00")
		text.Write(e.id[:])
	}
	return text.Bytes()
}

// edit changes one name of a tree: to the folder's content, or to the file, which the zero entry
// deletes. Names that no edit speaks of stay as they are.
type edit struct {
	children map[string]*edit
	entry    treeEntry
}

func newEdits() *edit { return &edit{children: map[string]*edit{}} }

// plan turns a commit into edits of a tree, and writes its files. A file that moves keeps its mode.
func (b *builder) plan(tree plumbing.Hash, c change.Commit) (*edit, error) {
	edits := newEdits()
	moved := map[plumbing.Hash]string{} // mode by content of what is deleted
	for _, p := range c.Deletes {
		before, err := b.repo.lookup(tree, p)
		if err == nil && (!before.exists() || before.isTree()) {
			err = fmt.Errorf("cannot delete %q: %w", p, fs.ErrNotExist)
		}
		if err := errors.Join(err, checkPath(p), edits.add(p, &edit{})); err != nil {
			return nil, err
		}
		moved[before.id] = before.mode
	}
	for _, w := range c.Writes {
		if err := checkPath(w.Path); err != nil {
			return nil, err
		}
		before, err := b.repo.lookup(tree, w.Path)
		if err == nil && before.exists() && !before.isRegular() {
			err = fmt.Errorf("%q: %w", w.Path, change.ErrNotRegular)
		}
		if err != nil {
			return nil, err
		}
		e := treeEntry{mode: cmp.Or(before.mode, change.ModeRegular)}
		if e.id, err = b.write(plumbing.BlobObject, w.Bytes()); err != nil {
			return nil, err
		}
		if !before.exists() && moved[e.id] == change.ModeExecutable {
			e.mode = change.ModeExecutable
		}
		if err := edits.add(w.Path, &edit{entry: e}); err != nil {
			return nil, err
		}
	}
	return edits, nil
}

// add puts an edit at a path below e. It is an error if the path has one, or leads through a file
// that has one. The path is not checked.
func (e *edit) add(path string, leaf *edit) error {
	names := strings.Split(path, "/")
	for _, name := range names[:len(names)-1] {
		next := e.children[name]
		if next == nil {
			next = newEdits()
			e.children[name] = next
		}
		if e = next; e.children == nil {
			return fmt.Errorf("path %q leads through a file of the same commit", path)
		}
	}
	last := names[len(names)-1]
	if e.children[last] != nil {
		return fmt.Errorf("path %q occurs twice", path)
	}
	e.children[last] = leaf
	return nil
}
