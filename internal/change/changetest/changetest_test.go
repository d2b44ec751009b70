package changetest_test

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/change/changetest"
)

func TestBlobIsGits(t *testing.T) {
	// What `printf 'hello\n' | git hash-object --stdin` prints.
	if got, want := changetest.Blob("hello\n"), "ce013625030ba8dba906f756967f9e9ca394464a"; got != want {
		t.Errorf("Blob = %s, want %s", got, want)
	}
}

func TestTree(t *testing.T) {
	tree := changetest.Tree("c0ffee", map[string]string{
		"b/x.sh": changetest.Executable("run\n"), "a": "hello\n", "b/l": changetest.Symlink("../a"), "bb": "",
	})
	list, err := tree.List("b")
	if err != nil {
		t.Fatal(err)
	}
	want := []change.Entry{
		{Path: "b/l", Mode: change.ModeSymlink, Blob: changetest.Blob("../a"), Size: 4},
		{Path: "b/x.sh", Mode: change.ModeExecutable, Blob: changetest.Blob("run\n"), Size: 4},
	}
	if d := cmp.Diff(want, list); d != "" {
		t.Errorf("List (-want +got):\n%s", d)
	}
	if _, err := tree.ReadFile("b/l"); !errors.Is(err, change.ErrNotRegular) {
		t.Errorf("ReadFile of a link: %v", err)
	}
	if _, err := tree.ReadFile("none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("ReadFile of nothing: %v", err)
	}
	if b, err := tree.ReadFile("b/x.sh"); err != nil || string(b) != "run\n" {
		t.Errorf("ReadFile = %q, %v", b, err)
	}
	if tree.Commit() != "c0ffee" {
		t.Errorf("Commit = %q", tree.Commit())
	}
}

func TestSet(t *testing.T) {
	old := map[string]string{"same": "s", "gone": "g", "from": "moved", "edit": "1", "mode": "m"}
	now := map[string]string{"same": "s", "new": "n", "to": "moved", "edit": "22", "mode": changetest.Executable("m")}
	set := changetest.Set(old, old, now)
	reg, b := change.ModeRegular, changetest.Blob
	want := []change.File{
		{Path: "edit", Status: change.Modified, Blob: b("22"), OldBlob: b("1"), Mode: reg, OldMode: reg, Size: 2},
		{Path: "gone", Status: change.Deleted, OldBlob: b("g"), OldMode: reg},
		{Path: "mode", Status: change.Modified, Blob: b("m"), OldBlob: b("m"), Mode: change.ModeExecutable, OldMode: reg, Size: 1},
		{Path: "new", Status: change.Added, Blob: b("n"), Mode: reg, Size: 1},
		{Path: "to", OldPath: "from", Status: change.Renamed, Blob: b("moved"), OldBlob: b("moved"), Mode: reg, OldMode: reg, Size: 5},
	}
	if d := cmp.Diff(want, set.Files); d != "" {
		t.Errorf("Files (-want +got):\n%s", d)
	}
}
