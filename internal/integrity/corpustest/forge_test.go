package corpustest_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// files are the contents of a tree by path. A content that begins with "link:",
// "module:" or "exec:" makes a symbolic link, a submodule or a program of what
// follows. In a change, gone deletes a file or a folder.
type files map[string]string

const gone = "\x00gone"

// over are the files of several maps, the later ones over the earlier.
func (f files) over(more ...files) files {
	out := files{}
	for _, m := range append([]files{f}, more...) {
		for p, text := range m {
			out[p] = text
		}
	}
	return out
}

// forge is a repository to which anything can be committed that git can hold.
type forge struct {
	t   *testing.T
	dir string
}

func newForge(t *testing.T) *forge {
	f := &forge{t, filepath.Join(t.TempDir(), "repo")}
	git(t, "init", "-q", "--bare", "-b", "main", f.dir)
	return f
}

// commit adds a commit to a branch: the first of the parents' trees with the
// change upon it. Without parents it goes on from the branch itself.
func (f *forge) commit(branch, message string, change files, parents ...string) {
	f.t.Helper()
	var s bytes.Buffer
	fmt.Fprintf(&s, "commit refs/heads/%s\nmark :1\ncommitter dev <dev@example.com> 1767225600 +0000\n", branch)
	data(&s, message)
	if len(parents) == 0 && f.has(branch) {
		parents = []string{branch}
	}
	for i, p := range parents {
		fmt.Fprintf(&s, "%s %s^0\n", map[bool]string{true: "from", false: "merge"}[i == 0], p)
	}
	var paths []string
	for p := range change {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	for _, p := range paths {
		if change[p] == gone {
			fmt.Fprintf(&s, "D %s\n", p)
		}
	}
	for _, p := range paths {
		write(&s, p, change[p])
	}
	cmd := exec.CommandContext(f.t.Context(), "git", "-C", f.dir, "fast-import", "--quiet", "--force")
	cmd.Stdin = &s
	if out, err := cmd.CombinedOutput(); err != nil {
		f.t.Fatalf("git fast-import: %v\n%s", err, out)
	}
}

func write(s *bytes.Buffer, path, text string) {
	kind, rest, _ := strings.Cut(text, ":")
	switch {
	case text == gone:
	case kind == "module":
		fmt.Fprintf(s, "M 160000 %s %s\n", rest, path)
	case kind == "link":
		fmt.Fprintf(s, "M 120000 inline %s\n", path)
		data(s, rest)
	case kind == "exec":
		fmt.Fprintf(s, "M 100755 inline %s\n", path)
		data(s, rest)
	default:
		fmt.Fprintf(s, "M 100644 inline %s\n", path)
		data(s, text)
	}
}

func data(s *bytes.Buffer, text string) { fmt.Fprintf(s, "data %d\n%s\n", len(text), text) }

func (f *forge) has(branch string) bool {
	_, err := os.Stat(filepath.Join(f.dir, "refs", "heads", filepath.FromSlash(branch)))
	return err == nil
}

func (f *forge) git(args ...string) string {
	f.t.Helper()
	out, err := exec.CommandContext(f.t.Context(), "git", append([]string{"-C", f.dir}, args...)...).CombinedOutput()
	if err != nil {
		f.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}
