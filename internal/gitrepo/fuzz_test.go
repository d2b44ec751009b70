package gitrepo

import (
	"slices"
	"strings"
	"testing"
)

func FuzzParseTree(f *testing.F) {
	id := strings.Repeat("x", 20)
	f.Add([]byte("100644 a\x00" + id + "40000 b\x00" + id))
	f.Add([]byte("100644 ../x\x00" + id))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := parseTree(data)
		if err != nil {
			return
		}
		if !slices.IsSortedFunc(entries, compareEntries) {
			t.Error("the entries are not sorted")
		}
		seen := map[string]bool{}
		for _, e := range entries {
			if seen[e.name] || checkName(e.name) != nil || e.mode == "" {
				t.Errorf("accepted entry %+v", e)
			}
			seen[e.name] = true
		}
	})
}

func FuzzParseAttributes(f *testing.F) {
	f.Add("*.go linguist-generated\n\"a b\" -x\n[attr]m y\n", "dir/a.go")
	f.Add("/** !a\n\\ a=\n", "\xff")
	f.Fuzz(func(t *testing.T, text, name string) {
		for _, r := range parseAttributes(text) {
			r.match("", name)
			r.match("dir", "dir/"+name)
			if len(r.values) == 0 {
				t.Error("a rule without attributes")
			}
		}
	})
}

func FuzzParseNode(f *testing.F) {
	f.Add([]byte("tree " + strings.Repeat("1", 40) + "\nparent x\nauthor\ncommitter A <a> 12 +0000\n\nm"))
	f.Add([]byte("committer >\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := parseNode([20]byte{}, data)
		if err == nil && n.tree.IsZero() {
			t.Error("a commit without a tree")
		}
		trailers(string(data))
	})
}

func FuzzCheckPath(f *testing.F) {
	f.Add("a/b")
	f.Add("a/../.git")
	f.Fuzz(func(t *testing.T, path string) {
		if checkPath(path) != nil {
			return
		}
		for _, part := range strings.Split(path, "/") {
			if part == "" || part == "." || part == ".." || strings.EqualFold(part, ".git") {
				t.Errorf("accepted %q", path)
			}
		}
	})
}
