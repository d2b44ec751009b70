package gitrepo

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change"
)

// brief is a file of a Set in one line.
func brief(set change.Set) []string {
	var out []string
	for _, f := range set.Files {
		line := string(f.Status) + " " + f.Path
		if f.OldPath != "" {
			line += " <- " + f.OldPath
		}
		if f.Status == change.Renamed && f.Blob == f.OldBlob {
			line += " pure"
		}
		if f.Mode != f.OldMode && f.Mode != "" && f.OldMode != "" {
			line += " " + f.OldMode + ">" + f.Mode
		}
		if f.Binary {
			line += " binary"
		}
		if f.Ignored != "" {
			line += " " + f.Ignored
		}
		out = append(out, line)
	}
	return out
}

func lines(n int, text string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s %d\n", text, i)
	}
	return b.String()
}

func TestSetTellsEveryKindOfChange(t *testing.T) {
	s := newSandbox(t)
	s.init("r")
	s.commit("r", "one",
		"same.txt", "s\n", "edit.txt", "a\n", "gone.txt", "g\n", "run.sh", "#!/bin/sh\n",
		"specs/proposed/login.md", lines(20, "login"), "specs/todo/pay.md", lines(20, "pay"),
		"link-to-be", "target", "bin.dat", "a\x00b", "dir/file.go", "package dir\n", "empty-a/x", "", "empty-b/y", "",
		"src/auth.c", lines(20, "auth"), "vendor/a.c", lines(20, "lib"),
		".gitattributes", "*.gen.go linguist-generated\nvendor/** linguist-vendored\ngone.txt linguist-generated=true\n",
		"api/.gitattributes", "*.gen.go -linguist-generated\nv{1}.go linguist-generated\n",
	)
	base := s.commit("r", "main goes on", "same.txt", "changed on main\n")
	s.git("r", "checkout", "-q", "-b", "feature", "HEAD~1")
	s.file("r/run.sh", "#!/bin/sh\n")
	if err := os.Chmod(s.path("r/run.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.git("r", "mv", "specs/proposed/login.md", "specs/todo/login.md")
	s.git("r", "mv", "specs/todo/pay.md", "specs/todo/payments.md")
	s.file("r/specs/todo/payments.md", lines(20, "pay")+"more\n")
	s.file("r/link-to-be", "-")
	if err := os.Symlink("edit.txt", s.path("r/link-to-be")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(s.path("r/sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.git("r", "update-index", "--add", "--cacheinfo", "160000,"+base+",sub")
	s.git("r", "mv", "empty-a/x", "empty-a/z")
	s.git("r", "mv", "src/auth.c", "vendor/auth.c")
	s.git("r", "mv", "vendor/a.c", "vendor/b.c")
	s.git("r", "rm", "-q", "dir/file.go")
	head := s.commit("r", "two",
		"edit.txt", "b\n", "gone.txt", "-", "new.txt", "n\n", "bin.dat", "a\x00c", "dir", "now a file\n",
		"a.gen.go", "x", "api/b.gen.go", "x", "api/v{1}.go", "x", "api/v1.go", "y", "vendor/x/y.c", "int", ".gitattributes",
		"* linguist-generated\n")

	r := s.open(Options{Workspace: s.path("r")})
	set := s.set(r, base, head)
	want := []string{
		"modified .gitattributes",
		"added a.gen.go generated",
		"added api/b.gen.go",
		"added api/v1.go",
		"added api/v{1}.go generated",
		"modified bin.dat binary",
		"added dir",
		"deleted dir/file.go",
		"modified edit.txt",
		"renamed empty-a/z <- empty-a/x pure",
		"deleted gone.txt generated",
		"modified link-to-be 100644>120000",
		"added new.txt",
		"modified run.sh 100644>100755",
		"renamed specs/todo/login.md <- specs/proposed/login.md pure",
		"renamed specs/todo/payments.md <- specs/todo/pay.md",
		"added sub",
		"renamed vendor/auth.c <- src/auth.c pure",
		"renamed vendor/b.c <- vendor/a.c pure vendored",
		"added vendor/x/y.c vendored",
	}
	if diff := cmp.Diff(want, brief(set)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if got := s.git("r", "merge-base", base, head); set.MergeBase != got {
		t.Errorf("merge base %s, git says %s", set.MergeBase, got)
	}
	if got := read(t, set.BaseTree, "same.txt"); got != "changed on main\n" {
		t.Errorf("base tree holds %q", got)
	}
	for _, f := range set.Files {
		if f.Path == "edit.txt" && (f.Size != 2 || f.Blob != s.git("r", "rev-parse", head+":edit.txt") ||
			f.OldBlob != s.git("r", "rev-parse", base+":edit.txt")) {
			t.Errorf("edit.txt: %+v", f)
		}
	}
}

func TestSetAgreesWithGitOnRenames(t *testing.T) {
	s := newSandbox(t)
	s.init("r")
	base := s.commit("r", "one",
		"a/one.txt", lines(30, "alpha"), "a/two.txt", lines(30, "beta"), "b/half.txt", lines(10, "kept")+lines(8, "lost"),
		"b/less.txt", lines(8, "kept")+lines(20, "lost"), "c/same1.txt", "same\n", "d/same2.txt", "same\n", "long.min.js",
		strings.Repeat("abcdefgh", 400))
	s.git("r", "mv", "a/one.txt", "a/uno.txt")
	s.git("r", "mv", "a/two.txt", "z.txt")
	s.git("r", "mv", "c/same1.txt", "e-same1.txt")
	s.git("r", "mv", "d/same2.txt", "f-same2.txt")
	s.git("r", "mv", "long.min.js", "long2.min.js")
	s.file("r/b/half.txt", "-")
	s.file("r/b/less.txt", "-")
	head := s.commit("r", "two", "a/uno.txt", lines(33, "alpha"), "b/more.txt", lines(10, "kept")+lines(3, "gained"),
		"b/other.txt", lines(8, "kept")+lines(18, "gained"), "long2.min.js", strings.Repeat("abcdefgh", 390)+"tail")
	var want []string
	for _, line := range strings.Split(s.git("r", "diff", "--name-status", "-M", base, head), "\n") {
		f := strings.Split(line, "\t")
		switch f[0][0] {
		case 'R':
			want = append(want, "renamed "+f[2]+" <- "+f[1])
		case 'A':
			want = append(want, "added "+f[1])
		case 'D':
			want = append(want, "deleted "+f[1])
		}
	}
	var got []string
	for _, line := range brief(s.set(s.open(Options{Workspace: s.path("r")}), base, head)) {
		got = append(got, strings.TrimSuffix(line, " pure"))
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("renames (-git +ours):\n%s", diff)
	}
}

func TestUnrelatedHistoriesAndMissingBaseAreAllAdded(t *testing.T) {
	s := newSandbox(t)
	s.init("r")
	base := s.commit("r", "one", "a", "1\n", ".gitattributes", "b linguist-generated\n")
	s.git("r", "checkout", "-q", "--orphan", "other")
	s.git("r", "rm", "-rfq", ".")
	head := s.commit("r", "two", "b", "2\n")
	r := s.open(Options{Workspace: s.path("r")})
	for name, tt := range map[string]struct {
		base string
		want []string
	}{
		"unrelated": {base, []string{"added b generated"}},
		"no base":   {"", []string{"added b"}},
	} {
		set := s.set(r, tt.base, head)
		if diff := cmp.Diff(tt.want, brief(set)); diff != "" || set.MergeBase != "" {
			t.Errorf("%s: merge base %q, files:\n%s", name, set.MergeBase, diff)
		}
	}
}

func TestPathsThatAreNotUTF8(t *testing.T) {
	s := newSandbox(t)
	s.init("r")
	base := s.commit("r", "one")
	blob := s.gitIn("r", "x\n", "hash-object", "-w", "--stdin")
	tree := s.gitIn("r", "100644 blob "+blob+"\tcaf\xe9 \n.txt\x00", "mktree", "-z")
	head := s.git("r", "commit-tree", "-p", base, "-m", "two", tree)
	set := s.set(s.open(Options{Workspace: s.path("r")}), base, head)
	if diff := cmp.Diff([]string{"added caf\xe9 \n.txt"}, brief(set)); diff != "" {
		t.Error(diff)
	}
	if got := read(t, set.HeadTree, "caf\xe9 \n.txt"); got != "x\n" {
		t.Errorf("content %q", got)
	}
}

func TestHostileTreesAreRefused(t *testing.T) {
	s := newSandbox(t)
	s.init("r")
	base := s.commit("r", "one", "a", "1\n")
	blob := s.gitIn("r", "x\n", "hash-object", "-w", "--stdin")
	empty := s.gitIn("r", "", "mktree")
	id := func(hex string) string {
		var raw []byte
		if _, err := fmt.Sscanf(hex, "%x", &raw); err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	file := func(name string) string { return "100644 " + name + "\x00" + id(blob) }
	folder := func(name string) string { return "40000 " + name + "\x00" + id(empty) }
	for name, raw := range map[string]string{
		"dot dot":                file(".."),
		"dot":                    folder("."),
		"git folder":             folder(".git"),
		"git folder in capitals": folder(".GIT"),
		"slash":                  file("a/b"),
		"empty name":             file(""),
		"twice":                  file("a") + file("a"),
		"file and folder":        file("a") + file("a.b") + folder("a"),
		"unsorted":               file("b") + file("a"),
		"cut short":              file("a")[:15],
		"no mode":                "a\x00" + id(blob),
		"mode of a device":       "20000 a\x00" + id(blob),
	} {
		t.Run(name, func(t *testing.T) {
			tree := s.gitIn("r", raw, "hash-object", "-t", "tree", "-w", "--stdin", "--literally")
			commit := s.gitIn("r", fmt.Sprintf("tree %s\nparent %s\nauthor A <a> 1 +0000\ncommitter A <a> 1 +0000\n\nx\n", tree, base),
				"hash-object", "-t", "commit", "-w", "--stdin", "--literally")
			r := s.open(Options{Workspace: s.path("r")})
			if _, err := r.Set(context.Background(), base, commit); err == nil || !strings.Contains(err.Error(), "hostile") {
				t.Errorf("Set: %v", err)
			}
			headTree, err := r.Tree(commit)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := headTree.List(""); err == nil {
				t.Error("List accepts the tree")
			}
		})
	}
}

func TestTreeBombsEndInAnError(t *testing.T) {
	s := newSandbox(t)
	s.init("r")
	base := s.commit("r", "one", "a", "1\n")
	blob := s.gitIn("r", "x\n", "hash-object", "-w", "--stdin")
	level := "100644 blob " + blob + "\tf%d\n"
	tree := ""
	for range 8 {
		var in strings.Builder
		for i := range 12 {
			if tree == "" {
				fmt.Fprintf(&in, level, i)
			} else {
				fmt.Fprintf(&in, "040000 tree %s\td%d\n", tree, i)
			}
		}
		tree = s.gitIn("r", in.String(), "mktree")
	}
	head := s.git("r", "commit-tree", "-p", base, "-m", "bomb", tree)
	r := s.open(Options{Workspace: s.path("r")})
	if _, err := r.Set(context.Background(), base, head); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("Set: %v", err)
	}
}

func TestTreeReads(t *testing.T) {
	s := newSandbox(t)
	s.init("r")
	s.file("r/big", strings.Repeat("0123456789abcdef", change.MaxFile/16)+"!")
	if err := os.Symlink("a.txt", s.path("r")+"/link"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("dir", s.path("r")+"/dirlink"); err != nil {
		t.Fatal(err)
	}
	head := s.commit("r", "one", "a.txt", "A\n", "dir/b.txt", "B\n", "dir.x", "X\n", "dir/sub/c", "C\n")
	r := s.open(Options{Workspace: s.path("r")})
	tree, err := r.Tree(head)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]error{
		"nope": fs.ErrNotExist, "dir/nope": fs.ErrNotExist, "a.txt/x": fs.ErrNotExist, "dirlink/b.txt": fs.ErrNotExist,
		"../r/a.txt": fs.ErrNotExist, "/a.txt": fs.ErrNotExist, "dir": change.ErrNotRegular, "link": change.ErrNotRegular,
		"": change.ErrNotRegular, "big": change.ErrTooLarge,
	} {
		if _, err := tree.ReadFile(path); !errorsIs(err, want) {
			t.Errorf("ReadFile(%q): %v, want %v", path, err, want)
		}
	}
	if e, err := tree.Stat("link"); err != nil || e.Mode != change.ModeSymlink {
		t.Errorf("Stat(link): %+v, %v", e, err)
	}
	if _, err := tree.Stat("dir"); !errorsIs(err, fs.ErrNotExist) {
		t.Errorf("Stat(dir): %v", err)
	}
	for folder, want := range map[string][]string{
		"": {"a.txt", "big", "dir.x", "dir/b.txt", "dir/sub/c", "dirlink", "link"}, "dir/": {"dir/b.txt", "dir/sub/c"}, "nope": nil,
		"a.txt": nil, "link": nil,
	} {
		entries, err := tree.List(folder)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range entries {
			got = append(got, e.Path)
			if e.Path == "dir/b.txt" && e.Size != 2 {
				t.Errorf("size %d", e.Size)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("List(%q):\n%s", folder, diff)
		}
	}
}

func TestParallelReaders(t *testing.T) {
	s := newSandbox(t)
	s.init("r")
	var files []string
	for i := range 40 {
		files = append(files, fmt.Sprintf("d%d/f%d", i%5, i), lines(50, fmt.Sprint("file", i)))
	}
	base := s.commit("r", "one", files...)
	head := s.commit("r", "two", "d0/f0", lines(51, "file0"))
	s.git("r", "repack", "-adq")
	r := s.open(Options{Workspace: s.path("r")})
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			set, err := r.Set(context.Background(), base, head)
			if err != nil || len(set.Files) != 1 {
				t.Errorf("%d files, %v", len(set.Files), err)
				return
			}
			for j := range 40 {
				n := (i*5 + j) % 40
				if _, err := set.HeadTree.ReadFile(fmt.Sprintf("d%d/f%d", n%5, n)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
}

func TestForgedObjectsAreNotBelieved(t *testing.T) {
	s := newSandbox(t)
	s.init("r")
	head := s.commit("r", "one", "policy.json", "strict\n")
	blob := s.git("r", "rev-parse", "HEAD:policy.json")
	forged := s.gitIn("r", "lax\n", "hash-object", "-w", "--stdin")
	loose := func(id string) string { return s.path("r/.git/objects", id[:2], id[2:]) }
	data, err := os.ReadFile(loose(forged))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(loose(blob)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(loose(blob), data, 0o600); err != nil {
		t.Fatal(err)
	}
	tree, err := s.open(Options{Workspace: s.path("r")}).Tree(head)
	if err != nil {
		t.Fatal(err)
	}
	if data, err := tree.ReadFile("policy.json"); err == nil {
		t.Errorf("read %q for a blob of another id", data)
	}
}

func errorsIs(err, target error) bool {
	return err != nil && strings.Contains(err.Error(), target.Error())
}
