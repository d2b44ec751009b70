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
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"workflow-reviewer/internal/change"
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
	Steps   []step        `json:"steps"`
	Folders []stamp       `json:"folders"`
	Tracked []trackedFile `json:"tracked"`
}

// step is one change of an entry of the work tree.
type step struct {
	Path   string `json:"path"`
	Saved  string `json:"saved,omitempty"`  // name of what stood there, in the store; "": nothing did
	Folder bool   `json:"folder,omitempty"` // a folder was made, which goes only if it is empty
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
// first; mended tells. content reads a blob of the repository.
func Open(root, gitDir string, content func(blob string) ([]byte, error)) (t *Tree, mended bool, err error) {
	return open(root, gitDir, content, osDisk{})
}

// open takes the lock of a work tree and finishes what an earlier run left, which mended reports.
// The caller closes the tree.
func open(root, gitDir string, content func(string) ([]byte, error), d disk) (t *Tree, mended bool, err error) {
	t = &Tree{root: root, store: filepath.Join(gitDir, filepath.FromSlash(Folder)), disk: d, content: content, now: time.Now}
	if err := os.MkdirAll(t.store, 0o700); err != nil {
		return nil, false, err
	}
	if t.lock, err = os.OpenFile(filepath.Join(t.store, "lock"), os.O_CREATE|os.O_RDWR, 0o600); err != nil {
		return nil, false, err
	}
	if err = unix.Flock(int(t.lock.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return nil, false, errors.Join(fmt.Errorf("another prove works in %q: wait for it", root), t.lock.Close())
	}
	if t.pending, err = t.readJournal(); err == nil && t.pending != nil {
		mended = true
		err = t.Undo()
	} else if err == nil {
		err = t.clear()
	}
	if err != nil {
		return nil, false, errors.Join(fmt.Errorf("finish what an earlier prove left in %q: %w", root, err), t.lock.Close())
	}
	return t, mended, nil
}

// Root is the folder of the work tree.
func (t *Tree) Root() string { return t.root }

// Close lets others have the work tree.
func (t *Tree) Close() error { return t.lock.Close() }

// readJournal reads what is to be undone, nil if there is nothing.
func (t *Tree) readJournal() (*journal, error) {
	data, err := os.ReadFile(filepath.Join(t.store, journalName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var j journal
	if err := json.Unmarshal(data, &j); err != nil {
		return nil, fmt.Errorf("read %q: %w", filepath.Join(t.store, journalName), err)
	}
	return &j, nil
}

// clear removes what is of no use without a journal.
func (t *Tree) clear() error {
	return errors.Join(removeAll(t.disk, t.saved("")), removeAll(t.disk, filepath.Join(t.store, journalName+partSuffix)))
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
	p := planner{tree: t, moved: map[string]bool{}, made: map[string]bool{}, folders: map[string]bool{}}
	if err := p.plan(changes, tracked); err != nil {
		return err
	}
	if err := t.disk.Mkdir(t.saved(""), 0o700); err != nil {
		return err
	}
	err := t.keep(p.journal.Tracked)
	if err == nil {
		err = t.begin(&p.journal)
	}
	if err == nil {
		err = t.carryOut(changes)
	}
	if err == nil {
		return nil
	}
	if t.pending == nil {
		return errors.Join(err, t.clear())
	}
	return errors.Join(err, t.Undo())
}

// begin puts the journal on the disk. From then on Undo puts back what it names.
func (t *Tree) begin(j *journal) error {
	data, err := json.Marshal(j)
	if err != nil {
		return err
	}
	name := filepath.Join(t.store, journalName)
	if err := t.disk.WriteFile(name+partSuffix, data, 0o600); err != nil {
		return err
	}
	if err := t.disk.Sync(name + partSuffix); err != nil {
		return err
	}
	if err := t.disk.Rename(name+partSuffix, name); err != nil {
		return err
	}
	t.pending = j
	return t.disk.Sync(t.store)
}

// carryOut does the steps of the journal and writes the files.
func (t *Tree) carryOut(changes []Change) error {
	for _, s := range t.pending.Steps {
		var err error
		switch {
		case s.Folder:
			err = t.disk.Mkdir(t.at(s.Path), 0o755)
		case s.Saved != "":
			err = move(t.disk, t.at(s.Path), t.saved(s.Saved))
		}
		if err != nil {
			return err
		}
	}
	for _, c := range changes {
		if c.File == nil {
			continue
		}
		if err := t.put(c.Path, *c.File, t.fresh(c.Path)); err != nil {
			return fmt.Errorf("write %q: %w", c.Path, err)
		}
	}
	return nil
}

// fresh is the mode and time of a file that takes another's place. Interpreters and build tools
// tell a source that changed by its time, some of them in whole seconds, so it is another second
// than the file's before.
func (t *Tree) fresh(p string) stamp {
	now := t.now()
	i := slices.IndexFunc(t.pending.Steps, func(s step) bool { return s.Path == p && s.Saved != "" })
	if i >= 0 {
		if was, err := os.Lstat(t.saved(t.pending.Steps[i].Saved)); err == nil && now.Unix() <= was.ModTime().Unix() {
			now = was.ModTime().Add(time.Second)
		}
	}
	return stamp{Path: p, Time: now.UnixNano()}
}

// put makes a file appear whole at a place where none is, or in the place of one.
func (t *Tree) put(p string, f File, s stamp) error {
	part := t.saved(partName)
	if err := removeAll(t.disk, part); err != nil {
		return err
	}
	if f.Mode == change.ModeSymlink {
		if err := t.disk.Symlink(string(f.Data), part); err != nil {
			return err
		}
	} else {
		if err := t.disk.WriteFile(part, f.Data, 0o600); err != nil {
			return err
		}
		mode := s.Mode.Perm()
		if mode == 0 {
			mode = map[bool]fs.FileMode{true: 0o755, false: 0o644}[f.Mode == change.ModeExecutable]
		}
		if err := t.disk.Chmod(part, mode); err != nil {
			return err
		}
	}
	if err := t.disk.Chtimes(part, time.Unix(0, s.Time)); err != nil {
		return err
	}
	return move(t.disk, part, t.at(p))
}

// keep copies the files of which git has another content than the work tree.
func (t *Tree) keep(files []trackedFile) error {
	for _, f := range files {
		if f.Kept == "" {
			continue
		}
		if err := duplicate(t.disk, t.at(f.Path), t.saved(f.Kept)); err != nil {
			return fmt.Errorf("copy %q: %w", f.Path, err)
		}
	}
	return nil
}

// Undo puts everything back. What fails stays in the journal: a later Open tries again.
func (t *Tree) Undo() error {
	j := t.pending
	if j == nil {
		return nil
	}
	errs := t.openFolders(j.Folders)
	for _, s := range slices.Backward(j.Steps) {
		if err := t.undo(s); err != nil {
			errs = append(errs, fmt.Errorf("put back %q: %w", s.Path, err))
		}
	}
	for _, f := range j.Tracked { // also what was just put back: a command may have emptied the store
		if err := t.restore(f); err != nil {
			errs = append(errs, fmt.Errorf("put back %q: %w", f.Path, err))
		}
	}
	for _, f := range slices.Backward(j.Folders) {
		if err := t.restamp(f); err != nil {
			errs = append(errs, fmt.Errorf("put back %q: %w", f.Path, err))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("%w; the files are in %q: call prove again", err, t.store)
	}
	return t.Settle()
}

// Settle leaves the work tree as it was changed: from now on nothing is put back.
func (t *Tree) Settle() error {
	if err := t.disk.Remove(filepath.Join(t.store, journalName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	t.pending = nil
	return errors.Join(t.disk.Sync(t.store), t.clear())
}

// openFolders lets the folders be written to that were closed in the meantime.
func (t *Tree) openFolders(folders []stamp) (errs []error) {
	for _, f := range folders {
		info, err := exists(t.at(f.Path))
		if err == nil && info != nil && info.IsDir() && info.Mode() != f.Mode {
			err = t.disk.Chmod(t.at(f.Path), f.Mode.Perm()|0o700)
		}
		if err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

// undo takes back one step. A step that was not made, or is taken back already, is left alone.
func (t *Tree) undo(s step) error {
	if s.Folder {
		return t.undoFolder(s.Path)
	}
	if s.Saved == "" {
		whole, err := t.wholeFolders(s.Path)
		if err != nil || !whole {
			return err
		}
		return errors.Join(t.removePart(s.Path), removeAll(t.disk, t.at(s.Path)))
	}
	if info, err := exists(t.saved(s.Saved)); err != nil {
		return err
	} else if info == nil { // it was not moved, or is back
		return t.removePart(s.Path)
	}
	if err := t.makeFolders(s.Path); err != nil {
		return err
	}
	if err := t.removePart(s.Path); err != nil {
		return err
	}
	if err := removeAll(t.disk, t.at(s.Path)); err != nil {
		return err
	}
	return move(t.disk, t.saved(s.Saved), t.at(s.Path))
}

// removePart removes what a move to or from another file system left beside a path.
func (t *Tree) removePart(p string) error {
	whole, err := t.wholeFolders(p)
	if err != nil || !whole {
		return err
	}
	return removeAll(t.disk, t.at(p)+partSuffix)
}

// undoFolder removes a folder that was made, or what else was put in its place, unless a command
// left something in it.
func (t *Tree) undoFolder(p string) error {
	info, err := exists(t.at(p))
	if err != nil || info == nil {
		return err
	}
	stood := slices.ContainsFunc(t.pending.Steps, func(s step) bool { return s.Path == p && s.Saved != "" })
	if !info.IsDir() && stood {
		return nil // that is put back next, if it was moved at all
	}
	if err = t.disk.Remove(t.at(p)); errors.Is(err, unix.ENOTEMPTY) {
		return nil
	}
	return err
}

// wholeFolders reports whether what is above a path are folders, and no links that lead elsewhere.
func (t *Tree) wholeFolders(p string) (bool, error) {
	for _, dir := range above(p) {
		if info, err := exists(t.at(dir)); err != nil || info == nil || !info.IsDir() {
			return false, err
		}
	}
	return true, nil
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
	data, err := t.contentOf(f)
	if err != nil {
		return err
	}
	if info != nil && t.holds(f, info, data) {
		return t.restamp(f.stamp)
	}
	if err := t.makeFolders(f.Path); err != nil {
		return err
	}
	if info != nil && info.IsDir() {
		if err := removeAll(t.disk, t.at(f.Path)); err != nil {
			return err
		}
	}
	mode := change.ModeRegular
	if f.Mode&fs.ModeSymlink != 0 {
		mode = change.ModeSymlink
	}
	return t.put(f.Path, File{Mode: mode, Data: data}, f.stamp)
}

// same reports whether a file is as it was, by what the file system says of it.
func (f trackedFile) same(info fs.FileInfo) bool {
	return info.Mode() == f.Mode && info.Size() == f.Size && info.ModTime().UnixNano() == f.Time && changed(info) == f.Changed
}

// contentOf is the content that a tracked file had before the run.
func (t *Tree) contentOf(f trackedFile) ([]byte, error) {
	if f.Kept != "" {
		return os.ReadFile(t.saved(f.Kept))
	}
	return t.content(f.Blob)
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

// planner works out the journal.
type planner struct {
	tree    *Tree
	journal journal
	moved   map[string]bool // paths that steps move away
	made    map[string]bool // folders that steps make
	folders map[string]bool // whose stamps are in the journal
}

// plan writes the steps that make the changes. Paths outside of the work tree, and git's own, are
// errors.
func (p *planner) plan(changes []Change, tracked []Tracked) error {
	p.journal.Root = p.tree.root
	slices.SortFunc(changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	for _, f := range tracked {
		if err := p.track(f); err != nil {
			return err
		}
	}
	for _, c := range changes {
		if !filepath.IsLocal(filepath.FromSlash(c.Path)) || strings.EqualFold(strings.SplitN(c.Path, "/", 2)[0], ".git") {
			return fmt.Errorf("%q is no path of the work tree", c.Path)
		}
		if err := p.change(c); err != nil {
			return fmt.Errorf("%q: %w", c.Path, err)
		}
	}
	slices.SortFunc(p.journal.Folders, func(a, b stamp) int { return strings.Compare(a.Path, b.Path) })
	return nil
}

// change adds the steps of one change.
func (p *planner) change(c Change) error {
	for _, dir := range above(c.Path) {
		if p.moved[dir] && c.File == nil {
			return nil // gone with the folder
		}
		if p.made[dir] {
			continue
		}
		info, err := exists(p.tree.at(dir))
		switch {
		case err != nil:
			return err
		case info != nil && info.IsDir() && !p.moved[dir]:
			continue
		case c.File == nil:
			return p.moveAway(dir, info) // a link or file in a folder's place leads elsewhere
		}
		if err := p.moveAway(dir, info); err != nil {
			return err
		}
		p.made[dir] = true
		p.journal.Steps = append(p.journal.Steps, step{Path: dir, Folder: true})
		if err := p.stamp(path.Dir(dir)); err != nil {
			return err
		}
	}
	info, err := p.standing(c.Path)
	switch {
	case err != nil:
		return err
	case info != nil:
		return p.moveAway(c.Path, info)
	case c.File == nil:
		return nil
	}
	p.journal.Steps = append(p.journal.Steps, step{Path: c.Path})
	return p.stamp(path.Dir(c.Path))
}

// standing is what stands at a path once the steps so far are done, nil if nothing.
func (p *planner) standing(at string) (fs.FileInfo, error) {
	for dir := at; dir != "."; dir = path.Dir(dir) {
		if p.moved[dir] || p.made[dir] {
			return nil, nil
		}
	}
	return exists(p.tree.at(at))
}

// moveAway adds the step that moves what stands at a path into the store, if something does.
func (p *planner) moveAway(at string, info fs.FileInfo) error {
	if info == nil || p.moved[at] {
		return nil
	}
	p.moved[at] = true
	p.journal.Steps = append(p.journal.Steps, step{Path: at, Saved: strconv.Itoa(len(p.journal.Steps))})
	return p.stamp(path.Dir(at))
}

// stamp notes the mode and time of a folder that is there, and of those above it.
func (p *planner) stamp(dir string) error {
	if p.folders[dir] {
		return nil
	}
	p.folders[dir] = true
	info, err := exists(p.tree.at(dir))
	if err != nil {
		return err
	}
	if info != nil && info.IsDir() {
		p.journal.Folders = append(p.journal.Folders, stamp{dir, info.Mode(), info.ModTime().UnixNano()})
	}
	if dir == "." {
		return nil
	}
	return p.stamp(path.Dir(dir))
}

// track notes a tracked file as it is. One that is not there, as in a sparse checkout, is left
// alone.
func (p *planner) track(f Tracked) error {
	info, err := exists(p.tree.at(f.Path))
	if err != nil || info == nil || info.IsDir() {
		return err
	}
	entry := trackedFile{
		stamp: stamp{f.Path, info.Mode(), info.ModTime().UnixNano()}, Size: info.Size(), Changed: changed(info), Blob: f.Blob,
	}
	if info.Size() != f.Size {
		entry.Kept = "k" + strconv.Itoa(len(p.journal.Tracked))
	}
	p.journal.Tracked = append(p.journal.Tracked, entry)
	return p.stamp(path.Dir(f.Path))
}
