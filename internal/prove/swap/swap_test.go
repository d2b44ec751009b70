package swap

import (
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// project is a work tree with a file of each kind, and what is tracked of it.
type project struct {
	root, git string
	blobs     map[string][]byte
	tracked   []Tracked
}

var long = time.Date(2024, 5, 6, 7, 8, 9, 123456789, time.UTC)

func newProject(t *testing.T) *project {
	t.Helper()
	p := &project{root: t.TempDir(), blobs: map[string][]byte{}}
	p.git = filepath.Join(p.root, ".git")
	must(t, os.Mkdir(p.git, 0o755))
	for name, text := range map[string]string{
		"src/a.py": "def a(): return 1\n", "src/run.sh": "#!/bin/sh\n", "tests/test_a.py": "weak\n", "tests/conftest.py": "evil\n",
		"tests/deep/er/test_b.py": "b\n", "pytest.ini": "[pytest]\n", "tests/test_dir.py/x": "a folder in a file's place\n",
		"src/crlf.txt": "a\r\nb\r\n",
	} {
		p.write(t, name, text)
		blob := []byte(strings.ReplaceAll(text, "\r\n", "\n"))
		id := hex.EncodeToString(sha1.New().Sum(blob))
		p.blobs[id] = blob
		p.tracked = append(p.tracked, Tracked{Path: name, Blob: id, Size: int64(len(blob))})
	}
	p.write(t, "untracked/test_c.py", "c\n")
	must(t, os.Chmod(filepath.Join(p.root, "src/run.sh"), 0o750))
	must(t, os.Symlink("src", filepath.Join(p.root, "linked")))
	must(t, os.Symlink("nowhere", filepath.Join(p.root, "tests/broken")))
	p.blobs["link"] = []byte("src")
	p.tracked = append(p.tracked, Tracked{Path: "linked", Blob: "link", Size: 3})
	n := 0
	must(t, filepath.WalkDir(p.root, func(path string, _ fs.DirEntry, err error) error {
		n++
		return errors.Join(err, osDisk{}.Chtimes(path, long.Add(time.Duration(n)*time.Minute)))
	}))
	return p
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (p *project) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(p.root, name)
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o644))
}

func (p *project) content(blob string) ([]byte, error) {
	if data, ok := p.blobs[blob]; ok {
		return data, nil
	}
	return nil, fmt.Errorf("no blob %s", blob)
}

func (p *project) open(d disk) (*Tree, bool, error) { return open(p.root, p.git, p.content, d) }

// state is each entry of the work tree with all that must come back.
func (p *project) state(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	must(t, filepath.WalkDir(p.root, func(path string, _ fs.DirEntry, err error) error {
		must(t, err)
		rel, _ := filepath.Rel(p.root, path)
		if rel == ".git" {
			return fs.SkipDir
		}
		info, err := os.Lstat(path)
		must(t, err)
		text := ""
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			text, err = os.Readlink(path)
		case info.Mode().IsRegular():
			var data []byte
			data, err = os.ReadFile(path)
			text = string(data)
		}
		must(t, err)
		out[rel] = fmt.Sprintf("%v %v %q", info.Mode(), info.ModTime().UnixNano(), text)
		return nil
	}))
	return out
}

// changes has one of each kind.
func changes() []Change {
	file := func(text string) *File { return &File{Mode: "100644", Data: []byte(text)} }
	return []Change{
		{Path: "tests/test_a.py", File: file("strict\n")},
		{Path: "tests/conftest.py"},
		{Path: "tests/deep/er/test_b.py"},
		{Path: "tests/broken"},
		{Path: "untracked/test_c.py"},
		{Path: "tests/new/er/test_n.py", File: file("new\n")},
		{Path: "tests/test_dir.py", File: file("a file again\n")},
		{Path: "linked/test_l.py", File: file("not through the link\n")},
		{Path: "pytest.ini", File: &File{Mode: "120000", Data: []byte("src/a.py")}},
		{Path: "never/was/here.py"},
	}
}

// vandal does to a work tree what a command may do.
func (p *project) vandal(t *testing.T) {
	t.Helper()
	p.write(t, "src/a.py", "def a(): return 2\n") // of the same length
	must(t, os.Remove(filepath.Join(p.root, "src/run.sh")))
	must(t, os.RemoveAll(filepath.Join(p.root, "tests/deep")))
	must(t, os.WriteFile(filepath.Join(p.root, "tests/deep"), []byte("x"), 0o600))
	p.write(t, "tests/conftest.py", "planted\n")
	p.write(t, "tests/test_a.py", "rewritten\n")
	p.write(t, "src/crlf.txt", "other\n")
	must(t, os.RemoveAll(filepath.Join(p.root, "tests/new")))
	must(t, os.Symlink("../src", filepath.Join(p.root, "tests/new")))
	must(t, os.Chmod(filepath.Join(p.root, "src"), 0o500))
}

func TestApply(t *testing.T) {
	p := newProject(t)
	before := p.state(t)
	tree, mended, err := p.open(osDisk{})
	must(t, err)
	if mended {
		t.Error("there was nothing to mend")
	}
	must(t, tree.Apply(changes(), p.tracked))
	for name, want := range map[string]string{
		"tests/test_a.py": "strict\n", "tests/conftest.py": "", "tests/new/er/test_n.py": "new\n", "tests/test_dir.py": "a file again\n",
		"linked/test_l.py": "not through the link\n", "pytest.ini": "def a(): return 1\n", "untracked/test_c.py": "", "src/test_l.py": "",
		"tests/deep/er/test_b.py": "", "src/a.py": "def a(): return 1\n",
	} {
		if data, _ := os.ReadFile(filepath.Join(p.root, name)); string(data) != want {
			t.Errorf("%s holds %q, want %q", name, data, want)
		}
	}
	if _, _, err := p.open(osDisk{}); err == nil || !strings.Contains(err.Error(), "another prove") {
		t.Errorf("a second prove in the same work tree: %v", err)
	}
	must(t, tree.Undo())
	must(t, tree.Close())
	if diff := cmp.Diff(before, p.state(t)); diff != "" {
		t.Errorf("not as before (-want +got):\n%s", diff)
	}
}

// TestFreshTimes: a file in another's place has a later time, in whole seconds.
func TestFreshTimes(t *testing.T) {
	p := newProject(t)
	tree, _, err := p.open(osDisk{})
	must(t, err)
	now := time.Now()
	must(t, osDisk{}.Chtimes(filepath.Join(p.root, "tests/test_a.py"), now))
	must(t, tree.Apply(changes(), p.tracked))
	info, err := os.Stat(filepath.Join(p.root, "tests/test_a.py"))
	must(t, err)
	if info.ModTime().Unix() <= now.Unix() {
		t.Errorf("time %v, the file before had %v", info.ModTime(), now)
	}
	must(t, tree.Undo())
}

// TestUndoAfterVandals: what a command did to files that are tracked, or in the place of others, is undone; what it
// made elsewhere stays.
func TestUndoAfterVandals(t *testing.T) {
	p := newProject(t)
	before := p.state(t)
	tree, _, err := p.open(osDisk{})
	must(t, err)
	must(t, tree.Apply(changes(), p.tracked))
	p.vandal(t)
	p.write(t, "coverage.xml", "<coverage/>")
	must(t, tree.Undo())
	must(t, os.Remove(filepath.Join(p.root, "coverage.xml")))
	must(t, osDisk{}.Chtimes(p.root, modTime(t, before["."])))
	if diff := cmp.Diff(before, p.state(t)); diff != "" {
		t.Errorf("not as before (-want +got):\n%s", diff)
	}
}

// TestUndoWithoutStore: a command that finds the store and empties it takes no tracked byte with it.
func TestUndoWithoutStore(t *testing.T) {
	p := newProject(t)
	before := p.state(t)
	tree, _, err := p.open(osDisk{})
	must(t, err)
	list := slices.DeleteFunc(changes(), func(c Change) bool {
		return !slices.ContainsFunc(p.tracked, func(f Tracked) bool { return f.Path == c.Path && f.Path != "linked" })
	})
	must(t, tree.Apply(list, slices.DeleteFunc(p.tracked, func(f Tracked) bool { return f.Path == "src/crlf.txt" })))
	must(t, os.RemoveAll(filepath.Join(p.git, Folder)))
	must(t, os.MkdirAll(filepath.Join(p.git, Folder, savedName), 0o700))
	must(t, tree.Undo())
	if diff := cmp.Diff(before, p.state(t)); diff != "" {
		t.Errorf("not as before (-want +got):\n%s", diff)
	}
}

// TestSettle: what shall stay stays, also for the next call, and nothing of what was there is kept.
func TestSettle(t *testing.T) {
	p := newProject(t)
	tree, _, err := p.open(osDisk{})
	must(t, err)
	must(t, tree.Apply(changes(), nil))
	after := p.state(t)
	must(t, tree.Settle())
	must(t, tree.Close())
	tree, mended, err := p.open(osDisk{})
	must(t, err)
	must(t, tree.Close())
	if diff := cmp.Diff(after, p.state(t)); diff != "" || mended {
		t.Errorf("put back: %v (-want +got):\n%s", mended, diff)
	}
	if left, err := filepath.Glob(filepath.Join(p.git, Folder, "*")); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func modTime(t *testing.T, state string) time.Time {
	t.Helper()
	var mode string
	var nano int64
	if _, err := fmt.Sscan(state, &mode, &nano); err != nil {
		t.Fatal(err)
	}
	return time.Unix(0, nano)
}

var errPlug = errors.New("the plug was pulled")

// faulty is a disk whose n-th change fails, and each after it if crash is set: as if the process had ended. A file that
// is being written then is half there.
type faulty struct {
	osDisk
	n     int
	crash bool
}

func (f *faulty) fails() bool {
	f.n--
	return f.n == 0 || f.crash && f.n < 0
}

func (f *faulty) do(change func() error) error {
	if f.fails() {
		return errPlug
	}
	return change()
}

func (f *faulty) Rename(from, to string) error {
	return f.do(func() error { return f.osDisk.Rename(from, to) })
}

func (f *faulty) WriteFile(path string, data []byte, perm fs.FileMode) error {
	if f.fails() {
		_ = f.osDisk.WriteFile(path, data[:len(data)/2], perm)
		return errPlug
	}
	return f.osDisk.WriteFile(path, data, perm)
}

func (f *faulty) Symlink(target, path string) error {
	return f.do(func() error { return f.osDisk.Symlink(target, path) })
}

func (f *faulty) Mkdir(path string, perm fs.FileMode) error {
	return f.do(func() error { return f.osDisk.Mkdir(path, perm) })
}

func (f *faulty) Remove(path string) error {
	return f.do(func() error { return f.osDisk.Remove(path) })
}

func (f *faulty) Chmod(path string, perm fs.FileMode) error {
	return f.do(func() error { return f.osDisk.Chmod(path, perm) })
}

func (f *faulty) Chtimes(path string, at time.Time) error {
	return f.do(func() error { return f.osDisk.Chtimes(path, at) })
}

func (f *faulty) Sync(path string) error { return f.do(func() error { return f.osDisk.Sync(path) }) }

// TestFaultAtEveryWrite pulls the plug at each change of the disk: of laying out, of what follows a command that did
// harm, and of mending itself. The next Open finds each byte again.
func TestFaultAtEveryWrite(t *testing.T) {
	for _, c := range []struct {
		name          string
		crash, vandal bool
	}{
		{"error", false, false},
		{"crash", true, false},
		{"error after a command", false, true},
		{"crash after a command", true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			for n := 1; ; n++ {
				if !faultAt(t, n, c.crash, c.vandal) {
					if n < 30 {
						t.Errorf("only %d writes were tried", n)
					}
					return
				}
			}
		})
	}
}

// faultAt reports whether the n-th write was reached.
func faultAt(t *testing.T, n int, crash, vandal bool) (reached bool) {
	p := newProject(t)
	before := p.state(t)
	d := &faulty{n: n, crash: crash}
	tree, _, err := p.open(d)
	must(t, err)
	err = tree.Apply(changes(), p.tracked)
	if err == nil && vandal {
		p.vandal(t)
	}
	if err == nil {
		err = tree.Undo()
	}
	must(t, tree.Close())
	reached = d.n <= 0
	if reached != (err != nil) {
		t.Errorf("write %d: reached %v, error %v", n, reached, err)
	}
	for again := 1; again < 4; again++ { // mending crashes as well
		if tree, _, err := p.open(&faulty{n: again * 5, crash: true}); err == nil {
			must(t, tree.Close())
			break
		}
	}
	tree, _, err = p.open(&faulty{})
	if err != nil {
		t.Fatalf("write %d: %v", n, err)
	}
	defer func() { must(t, tree.Close()) }()
	if diff := cmp.Diff(before, p.state(t)); diff != "" {
		t.Fatalf("write %d: not as before (-want +got):\n%s", n, diff)
	}
	if left, _ := os.ReadDir(filepath.Join(p.git, Folder)); len(left) != 1 {
		t.Errorf("write %d: the store holds %v", n, left)
	}
	return reached
}

// apart is a disk of which the store is another one.
type apart struct{ osDisk }

func (apart) Rename(from, to string) error {
	if strings.Contains(from, Folder) != strings.Contains(to, Folder) {
		return unix.EXDEV
	}
	return os.Rename(from, to)
}

// TestFileSystems: nothing can be moved at once to another file system, so that nothing is.
func TestFileSystems(t *testing.T) {
	p := newProject(t)
	before := p.state(t)
	tree, _, err := p.open(apart{})
	must(t, err)
	if err := tree.Apply(changes(), p.tracked); err == nil || !strings.Contains(err.Error(), "use a clone") {
		t.Errorf("it says %v", err)
	}
	must(t, tree.Close())
	if diff := cmp.Diff(before, p.state(t)); diff != "" {
		t.Errorf("not as before (-want +got):\n%s", diff)
	}
}

// TestRefusesPaths: nothing outside of the work tree, and nothing of git's own, is ever touched.
func TestRefusesPaths(t *testing.T) {
	for _, bad := range []string{"../x", "/etc/x", ".git/config", ".GIT/hooks/x", "a/../../x", ""} {
		p := newProject(t)
		tree, _, err := p.open(osDisk{})
		must(t, err)
		if err := tree.Apply([]Change{{Path: bad, File: &File{Mode: "100644"}}}, nil); err == nil {
			t.Errorf("%q is taken", bad)
		}
		must(t, tree.Close())
	}
}
