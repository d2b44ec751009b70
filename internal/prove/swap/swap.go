// Package swap changes files of a work tree for a while and puts every byte, mode and time of
// change back: what is replaced is moved into the repository's own folder, after a journal there
// says where it belongs. Whatever happens in between, the next Open finishes what was left.
package swap

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/ctime"
)

// Folder is where journal and saved files are, below the git folder of the work tree.
const Folder = "workflow-reviewer/prove"

const (
	journalName = "journal.json"
	savedName   = "saved"
	partName    = "part"
)

// Tree is a work tree that this process alone may change by this package.
type Tree struct {
	root, store string
	disk        disk
	lock        *os.File
	content     func(blob string) ([]byte, error)
	now         func() time.Time
	pending     *journal // what must be undone
}

// Change is what a path shall be for a while. Without File nothing shall be there.
type Change struct {
	Path string // below the work tree, with slashes
	File *File
}

// File is a file as git has it.
type File struct {
	Mode string // one of change.Mode…, but for submodules
	Data []byte // the target of a symbolic link
}

// Tracked is a file that is put back as it was if somebody changes it in the meantime.
type Tracked struct {
	Path, Blob string
	Size       int64 // of the blob
}

// journal says how a work tree was before it was changed. It is on the disk before anything is.
type journal struct {
	Root    string        `json:"root"`
	Places  []place       `json:"places"` // sorted, so that folders stand before what is in them
	Folders []stamp       `json:"folders"`
	Tracked []trackedFile `json:"tracked"`
}

// place is a path that may be changed. What stood there goes into the store under its index.
type place struct {
	Path   string `json:"path"`
	New    bool   `json:"new,omitempty"`    // nothing stood there
	Folder bool   `json:"folder,omitempty"` // it is only above one: a new one goes if it is empty
}

// stamp is the mode and time of an entry.
type stamp struct {
	Path string      `json:"path"`
	Mode fs.FileMode `json:"mode"`
	Time int64       `json:"time"` // nanoseconds
}

// trackedFile is a file of the index as it was.
type trackedFile struct {
	stamp
	Size    int64  `json:"size"`
	Changed int64  `json:"changed"`        // of its data or properties
	Blob    string `json:"blob"`           // its content by git
	Kept    string `json:"kept,omitempty"` // name of a copy in the store, where a filter makes the content another
}

// Open takes the work tree at root for this process. What an earlier one left changed is put back
// first; mended tells. content reads a blob of the repository. The caller closes the tree.
func Open(
	root, gitDir string,
	content func(blob string) ([]byte, error),
) (t *Tree, mended bool, err error) {
	return open(root, gitDir, content, osDisk{})
}

func open(
	root, gitDir string,
	content func(string) ([]byte, error),
	d disk,
) (t *Tree, mended bool, err error) {
	t = &Tree{
		root:    root,
		store:   filepath.Join(gitDir, filepath.FromSlash(Folder)),
		disk:    d,
		content: content,
		now:     time.Now,
	}
	if err := os.MkdirAll(t.store, 0o700); err != nil {
		return nil, false, err
	}
	lock := filepath.Join(t.store, "lock")
	t.lock, err = os.OpenFile(lock, os.O_CREATE|os.O_RDWR, 0o600) //nolint:gosec // in the store
	if err != nil {
		return nil, false, err
	}
	if err = unix.Flock(int(t.lock.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return nil, false, errors.Join(
			fmt.Errorf("another prove works in %q: wait for it", root),
			t.lock.Close(),
		)
	}
	if t.pending, err = t.readJournal(); err == nil && t.pending != nil {
		mended = true
		err = t.Undo()
	} else if err == nil {
		err = t.clear()
	}
	if err != nil {
		return nil, false, errors.Join(
			fmt.Errorf("finish what an earlier prove left in %q: %w", root, err),
			t.lock.Close(),
		)
	}
	return t, mended, nil
}

// Root is the folder of the work tree.
func (t *Tree) Root() string { return t.root }

// Close lets others have the work tree.
func (t *Tree) Close() error { return t.lock.Close() }

// readJournal reads what is to be undone, nil if there is nothing.
func (t *Tree) readJournal() (*journal, error) {
	name := filepath.Join(t.store, journalName)
	data, err := os.ReadFile(name) //nolint:gosec // in the store
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var j journal
	if err == nil {
		err = json.Unmarshal(data, &j)
	}
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", name, err)
	}
	return &j, nil
}

// clear removes what is of no use without a journal.
func (t *Tree) clear() error {
	return errors.Join(
		removeAll(t.disk, t.saved("")),
		removeAll(t.disk, filepath.Join(t.store, journalName+partName)),
	)
}

// at is a path of the work tree as the system writes it.
func (t *Tree) at(p string) string { return filepath.Join(t.root, filepath.FromSlash(p)) }

func (t *Tree) saved(name string) string { return filepath.Join(t.store, savedName, name) }

// Apply changes the work tree. tracked are files that Undo puts back as they are now, beside what
// is changed here. If it fails, the work tree is as it was.
func (t *Tree) Apply(changes []Change, tracked []Tracked) error {
	if t.pending != nil {
		return errors.New("the work tree is changed already")
	}
	slices.SortFunc(changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	j, err := t.look(changes, tracked)
	if err != nil {
		return err
	}
	err = t.disk.Mkdir(t.saved(""), 0o700)
	if err == nil {
		err = t.keep(j.Tracked)
	}
	if err == nil {
		err = t.begin(j)
	}
	for _, c := range changes {
		if err != nil {
			break
		}
		if err = t.change(c); err != nil {
			err = fmt.Errorf("write %q: %w", c.Path, err)
		}
	}
	if errors.Is(err, unix.EXDEV) {
		err = fmt.Errorf(
			"%w: the work tree is on another file system than its git folder: use a clone",
			err,
		)
	}
	switch {
	case err == nil:
		return nil
	case t.pending == nil:
		return errors.Join(err, t.clear())
	default:
		return errors.Join(err, t.Undo())
	}
}

// look writes down how everything is that may be changed, before anything is: each path of a change
// and the folders above it, and the stamps of all folders in which something is made, moved or
// restored. Paths outside of the work tree, and git's own, are errors.
func (t *Tree) look(changes []Change, tracked []Tracked) (*journal, error) {
	j := &journal{Root: t.root}
	places, folders := map[string]place{}, map[string]bool{".": true}
	note := func(p string, only bool) error {
		info, err := exists(t.at(p))
		if old, ok := places[p]; !ok || old.Folder {
			places[p] = place{Path: p, New: info == nil, Folder: only}
		}
		return err
	}
	for _, f := range tracked {
		if err := j.track(t.at(f.Path), f); err != nil {
			return nil, err
		}
		for _, dir := range above(f.Path) {
			folders[dir] = true
		}
	}
	for _, c := range changes {
		if !filepath.IsLocal(filepath.FromSlash(c.Path)) ||
			strings.EqualFold(strings.SplitN(c.Path, "/", 2)[0], ".git") {
			return nil, fmt.Errorf("%q is no path of the work tree", c.Path)
		}
		if info, err := exists(t.at(c.Path)); err == nil && info == nil && c.File == nil {
			continue
		}
		err := note(c.Path, false)
		for _, dir := range above(c.Path) {
			folders[dir] = true
			err = errors.Join(err, note(dir, true))
		}
		if err != nil {
			return nil, err
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(folders)) {
		info, err := exists(t.at(dir))
		if err != nil {
			return nil, err
		}
		if info != nil && info.IsDir() {
			j.Folders = append(j.Folders, stamp{dir, info.Mode(), info.ModTime().UnixNano()})
		}
	}
	for _, p := range slices.Sorted(maps.Keys(places)) {
		j.Places = append(j.Places, places[p])
	}
	return j, nil
}

// track notes a tracked file as it is. One that is not there, as in a sparse checkout, is left
// alone.
func (j *journal) track(at string, f Tracked) error {
	info, err := exists(at)
	if err != nil || info == nil || info.IsDir() {
		return err
	}
	entry := trackedFile{
		stamp: stamp{
			f.Path,
			info.Mode(),
			info.ModTime().UnixNano(),
		}, Size: info.Size(), Changed: ctime.Of(info), Blob: f.Blob,
	}
	if info.Size() != f.Size {
		entry.Kept = "k" + strconv.Itoa(len(j.Tracked))
	}
	j.Tracked = append(j.Tracked, entry)
	return nil
}

// keep copies the files of which git has another content than the work tree.
func (t *Tree) keep(files []trackedFile) error {
	for _, f := range files {
		if f.Kept == "" {
			continue
		}
		data, err := os.ReadFile(t.at(f.Path))
		if err == nil {
			err = t.disk.WriteFile(t.saved(f.Kept), data, 0o600)
		}
		if err == nil {
			err = t.disk.Sync(t.saved(f.Kept))
		}
		if err != nil {
			return fmt.Errorf("copy %q: %w", f.Path, err)
		}
	}
	return nil
}

// begin puts the journal on the disk, whole or not at all. From then on Undo puts back what it
// names; before that nothing was changed, and what was copied is of no use.
func (t *Tree) begin(j *journal) error {
	data, err := json.Marshal(j)
	if err != nil {
		return err
	}
	name := filepath.Join(t.store, journalName)
	err = t.disk.WriteFile(name+partName, data, 0o600)
	if err == nil {
		err = t.disk.Sync(name + partName)
	}
	if err == nil {
		err = t.disk.Rename(name+partName, name)
	}
	if err != nil {
		return err
	}
	t.pending = j
	return t.disk.Sync(t.store)
}

// change makes one change. What stands in its way, or in that of its folders, moves into the store:
// it is renamed, so that owner, links and whatever else a file system keeps come back with it.
func (t *Tree) change(c Change) error {
	for _, dir := range above(c.Path) {
		info, err := exists(t.at(dir))
		switch {
		case err != nil:
			return err
		case info != nil && info.IsDir():
			continue
		case c.File == nil:
			return nil // it went with its folder, or a link leads elsewhere
		}
		if err := errors.Join(t.moveAway(dir), t.disk.Mkdir(t.at(dir), 0o755)); err != nil {
			return err
		}
	}
	if err := t.moveAway(c.Path); err != nil || c.File == nil {
		return err
	}
	return t.put(c.Path, *c.File, t.fresh(c.Path))
}

// savedAs is the name of what stood at a path in the store.
func (t *Tree) savedAs(p string) string {
	byPath := func(at place, p string) int { return strings.Compare(at.Path, p) }
	i, _ := slices.BinarySearchFunc(t.pending.Places, p, byPath)
	return t.saved(strconv.Itoa(i))
}

// moveAway moves what stands at a path into the store, if something does.
func (t *Tree) moveAway(p string) error {
	info, err := exists(t.at(p))
	if info == nil || err != nil {
		return err
	}
	if before, err := exists(t.savedAs(p)); before != nil || err != nil {
		return errors.Join(err, errors.New("it would be a file and a folder"))
	}
	return t.disk.Rename(t.at(p), t.savedAs(p))
}

// fresh is the mode and time of a file that takes another's place. Interpreters and build tools
// tell a source that changed by its time, some of them in whole seconds, so it is another second
// than the file's before.
func (t *Tree) fresh(p string) stamp {
	now := t.now()
	if was, err := os.Lstat(t.savedAs(p)); err == nil && now.Unix() <= was.ModTime().Unix() {
		now = was.ModTime().Add(time.Second)
	}
	return stamp{Path: p, Time: now.UnixNano()}
}

// put makes a file appear whole at a place where none is, or in the place of one.
func (t *Tree) put(p string, f File, s stamp) error {
	part := t.saved(partName)
	err := removeAll(t.disk, part)
	switch {
	case err != nil:
	case f.Mode == change.ModeSymlink:
		err = t.disk.Symlink(string(f.Data), part)
	default:
		mode := s.Mode.Perm()
		if mode == 0 {
			mode = map[bool]fs.FileMode{true: 0o755, false: 0o644}[f.Mode == change.ModeExecutable]
		}
		if err = t.disk.WriteFile(part, f.Data, 0o600); err == nil {
			err = t.disk.Chmod(part, mode)
		}
	}
	if err == nil {
		err = t.disk.Chtimes(part, time.Unix(0, s.Time))
	}
	if err == nil {
		err = t.disk.Rename(part, t.at(p))
	}
	return err
}

// Undo puts everything back: first what was moved away, children before their folders, then what a
// command changed of tracked files, then the stamps of folders, which all of that changed. What
// fails stays in the journal: a later Open tries again. Each step may have been done before, or in
// part.
func (t *Tree) Undo() error {
	j := t.pending
	if j == nil {
		return nil
	}
	var errs []error
	failed := func(p string, err error) {
		if err != nil {
			errs = append(errs, fmt.Errorf("put back %q: %w", p, err))
		}
	}
	for _, f := range j.Folders {
		failed(f.Path, t.unlock(f))
	}
	for i, p := range slices.Backward(j.Places) {
		failed(p.Path, t.undo(p, t.saved(strconv.Itoa(i))))
	}
	// What was just put back is looked at, too: a command may have emptied the store.
	for _, f := range j.Tracked {
		failed(f.Path, t.restore(f))
	}
	for _, f := range slices.Backward(j.Folders) {
		failed(f.Path, t.restamp(f))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("%w; the files are in %q: call prove again", err, t.store)
	}
	return t.Settle()
}

// Settle leaves the work tree as it was changed: from now on nothing is put back.
func (t *Tree) Settle() error {
	if err := t.disk.Remove(filepath.Join(t.store, journalName)); err != nil &&
		!errors.Is(err, fs.ErrNotExist) {
		return err
	}
	t.pending = nil
	return errors.Join(t.disk.Sync(t.store), t.clear())
}

// unlock lets a folder be written to that was closed in the meantime.
func (t *Tree) unlock(f stamp) error {
	info, err := exists(t.at(f.Path))
	if err != nil || info == nil || !info.IsDir() || info.Mode() == f.Mode {
		return err
	}
	return t.disk.Chmod(t.at(f.Path), f.Mode.Perm()|0o700)
}

// undo has at a place what was there. What was not touched, or is back already, is left alone.
func (t *Tree) undo(p place, saved string) error {
	info, err := exists(saved)
	if err != nil {
		return err
	}
	if info == nil {
		return t.undoNew(p)
	}
	if err := errors.Join(t.makeFolders(p.Path), removeAll(t.disk, t.at(p.Path))); err != nil {
		return err
	}
	return t.disk.Rename(saved, t.at(p.Path))
}

// undoNew removes what stands where nothing was. A folder stays if a command left something in it;
// so does what stands behind a link.
func (t *Tree) undoNew(p place) error {
	for _, dir := range above(p.Path) {
		if info, err := exists(t.at(dir)); err != nil || info == nil || !info.IsDir() {
			return err
		}
	}
	info, err := exists(t.at(p.Path))
	switch {
	case err != nil || info == nil || !p.New:
		return err
	case !p.Folder:
		return removeAll(t.disk, t.at(p.Path))
	}
	if err = t.disk.Remove(t.at(p.Path)); errors.Is(err, unix.ENOTEMPTY) {
		return nil
	}
	return err
}

// makeFolders makes the folders above a path, in the place of what else is there.
func (t *Tree) makeFolders(p string) error {
	for _, dir := range above(p) {
		info, err := exists(t.at(dir))
		switch {
		case err != nil:
			return err
		case info != nil && info.IsDir():
			continue
		case info != nil:
			err = t.disk.Remove(t.at(dir))
		}
		if err == nil {
			err = t.disk.Mkdir(t.at(dir), 0o755)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// restore puts a tracked file back if it is not as it was.
func (t *Tree) restore(f trackedFile) error {
	info, err := exists(t.at(f.Path))
	if err != nil || info != nil && f.same(info) {
		return err
	}
	var data []byte
	if f.Kept != "" {
		data, err = os.ReadFile(t.saved(f.Kept))
	} else {
		data, err = t.content(f.Blob)
	}
	switch {
	case err != nil:
		return err
	case info != nil && t.holds(f, info, data):
		return t.restamp(f.stamp)
	}
	err = t.makeFolders(f.Path)
	if err == nil && info != nil && info.IsDir() {
		err = removeAll(t.disk, t.at(f.Path))
	}
	if err != nil {
		return err
	}
	mode := change.ModeRegular
	if f.Mode&fs.ModeSymlink != 0 {
		mode = change.ModeSymlink
	}
	return t.put(f.Path, File{Mode: mode, Data: data}, f.stamp)
}

// same reports whether a file is as it was, by what the file system says of it.
func (f trackedFile) same(info fs.FileInfo) bool {
	return info.Mode() == f.Mode && info.Size() == f.Size && info.ModTime().UnixNano() == f.Time &&
		ctime.Of(info) == f.Changed
}

// holds reports whether a file of the right kind has a content.
func (t *Tree) holds(f trackedFile, info fs.FileInfo, data []byte) bool {
	if info.Mode().Type() != f.Mode.Type() || info.Size() != f.Size {
		return false
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		target, err := os.Readlink(t.at(f.Path))
		return err == nil && target == string(data)
	}
	is, err := os.ReadFile(t.at(f.Path))
	return err == nil && bytes.Equal(is, data)
}

// restamp gives an entry its mode and time back, if it is there.
func (t *Tree) restamp(s stamp) error {
	info, err := exists(t.at(s.Path))
	if info == nil || err != nil || info.Mode().Type() != s.Mode.Type() {
		return err
	}
	if info.Mode() != s.Mode && s.Mode&fs.ModeSymlink == 0 {
		if err := t.disk.Chmod(t.at(s.Path), s.Mode); err != nil {
			return err
		}
	}
	if info.ModTime().UnixNano() == s.Time {
		return nil
	}
	return t.disk.Chtimes(t.at(s.Path), time.Unix(0, s.Time))
}

// above are the folders above a path, the outermost first, without the work tree itself.
func above(p string) []string {
	var out []string
	for i, c := range p {
		if c == '/' {
			out = append(out, p[:i])
		}
	}
	return out
}
