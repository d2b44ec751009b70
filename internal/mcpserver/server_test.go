package mcpserver_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/mcpserver"
)

// source is a small change: an edited, a new, a moved and a deleted file
// beside everything that a tool must not trip over.
func source() mcpserver.Source {
	old := map[string]string{
		"README.md": "one\ntwo\nthree\n", "gone.txt": "farewell\n", "from.txt": "moved\n", "logo.png": "a\x00b",
		"link": changetest.Symlink("README.md"), "ends.txt": "a\n",
	}
	now := map[string]string{
		"README.md": "one\nTWO\nthree\n", "src/main.go": "package main\n\nfunc main() { println(\"hi\") }\n", "to.txt": "moved\n",
		"logo.png": "a\x00c", "link": changetest.Symlink("/etc/passwd"), "empty": "", "latin1.txt": "caf\xe9\n",
		"odd\nname": "x\n", "ends.txt": "a\r\n", "long.txt": strings.Repeat("é", 2000) + "\n",
		"crlf.txt": "a\r\nb\r\n", ".gitignore": "*.o\n",
	}
	set := changetest.Set(old, old, now)
	return mcpserver.Source{
		Head: set.HeadTree, Base: set.MergeBaseTree,
		Changes: func(context.Context) ([]change.File, error) { return set.Files, nil },
	}
}

// connect serves a source to a client of the reference implementation.
func connect(t testing.TB, src mcpserver.Source) *mcp.ClientSession {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- mcpserver.Serve(context.Background(), src, inR, outW)
		_ = outW.Close()
	}()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	s, err := client.Connect(context.Background(), &mcp.IOTransport{Reader: outR, Writer: inW}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = s.Close() // closes the server's input
		if err := <-done; err != nil {
			t.Errorf("serve: %v", err)
		}
	})
	return s
}

// call returns a tool's text and whether it is an error.
func call(t testing.TB, s *mcp.ClientSession, tool string, args any) (string, bool) {
	t.Helper()
	r, err := s.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("%s %v: %v", tool, args, err)
	}
	var b strings.Builder
	for _, c := range r.Content {
		text, ok := c.(*mcp.TextContent)
		if !ok {
			t.Fatalf("content %T", c)
		}
		b.WriteString(text.Text)
	}
	return b.String(), r.IsError
}

type args = map[string]any

func TestToolsAreReadOnly(t *testing.T) {
	list, err := connect(t, source()).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		if a := tool.Annotations; !a.ReadOnlyHint || *a.OpenWorldHint || *a.DestructiveHint {
			t.Errorf("%s: annotations %+v", tool.Name, a)
		}
	}
	if d := cmp.Diff([]string{"diff", "list_files", "read_file", "search"}, names); d != "" {
		t.Errorf("tools (-want +got):\n%s", d)
	}
}

func TestAnswers(t *testing.T) {
	s := connect(t, source())
	for _, c := range []struct {
		name, tool string
		args       args
		want       string
	}{
		{"list", "list_files", args{}, `Files at the head:
.gitignore (4 bytes)
README.md (14 bytes)
crlf.txt (6 bytes)
empty (0 bytes)
ends.txt (3 bytes)
latin1.txt (5 bytes)
link (symbolic link, not followed)
logo.png (3 bytes)
long.txt (4001 bytes)
"odd\nname" (2 bytes)
src/main.go (44 bytes)
to.txt (6 bytes)
[files 1-12 of 12, the end]`},
		{"list a folder", "list_files", args{"folder": "src/"}, "Files at the head:\nsrc/main.go (44 bytes)\n[files 1-1 of 1, the end]"},
		{"list no folder", "list_files", args{"folder": "none"}, "Files at the head:\n[no files]"},
		{"list by pattern", "list_files", args{"pattern": "**/*.go"}, "Files at the head:\nsrc/main.go (44 bytes)\n[files 1-1 of 1, the end]"},
		{
			"list the base in pages", "list_files",
			args{"side": "base", "offset": 1, "limit": 2},
			"Files at the base:\nends.txt (2 bytes)\nfrom.txt (6 bytes)\n[files 2-3 of 6; for more: offset 3]",
		},
		{"list past the end", "list_files", args{"offset": 99}, "Files at the head:\n[no files at offset 99: the end is at 12]"},
		{
			"list one past the end", "list_files",
			args{"folder": "src/", "offset": 9},
			"Files at the head:\n[no files at offset 9: the end is at 1]",
		},
		{
			"search one", "search",
			args{"query": "farewell", "side": "base"},
			"Matches at the base:\ngone.txt:1: farewell\n[matches 1-1 of 1, the end]\n" +
				"[2 files not searched: binary, links, submodules, Git LFS pointers, or larger than 2 MiB]",
		},
		{"read", "read_file", args{"path": "README.md"}, "README.md at the head:\n    1  one\n    2  TWO\n    3  three\n[lines 1-3 of 3, the end]"},
		{
			"read the base", "read_file",
			args{"path": "./README.md", "side": "base", "offset": 1},
			"README.md at the base:\n    2  two\n    3  three\n[lines 2-3 of 3, the end]",
		},
		{
			"read a page", "read_file",
			args{"path": "README.md", "limit": 1},
			"README.md at the head:\n    1  one\n[lines 1-1 of 3; for more: offset 1]",
		},
		{"read nothing", "read_file", args{"path": "empty"}, "empty at the head:\n[no lines]"},
		{"read Latin-1", "read_file", args{"path": "latin1.txt"}, "latin1.txt at the head:\n    1  caf\uFFFD\n[lines 1-1 of 1, the end]"},
		{"read CRLF", "read_file", args{"path": "crlf.txt"}, "crlf.txt at the head:\n    1  a\n    2  b\n[lines 1-2 of 2, the end]"},
		{
			"read a long line", "read_file",
			args{"path": "long.txt", "column": 3990},
			"long.txt at the head:\n    1  " + strings.Repeat("é", 5) + "\n[lines 1-1 of 1, the end]",
		},
		{
			"read beyond a long line", "read_file",
			args{"path": "long.txt", "column": 1 << 40},
			"long.txt at the head:\n    1  \n[lines 1-1 of 1, the end]",
		},
		{
			"read what is left of a long line", "read_file",
			args{"path": "long.txt"},
			"long.txt at the head:\n    1  " + strings.Repeat("é", 500) + " [line cut: 3000 bytes more]\n[lines 1-1 of 1, the end]",
		},
		{
			"search", "search",
			args{"query": "e"},
			"Matches at the head:\nREADME.md:1: one\nREADME.md:3: three\nsrc/main.go:1: package main\nto.txt:1: moved\n[matches 1-4 of 4, the end]\n" +
				"[2 files not searched: binary, links, submodules, Git LFS pointers, or larger than 2 MiB]",
		},
		{
			"search a text that is an expression", "search",
			args{"query": ".*"},
			"Matches at the head:\n[no matches]\n[2 files not searched: binary, links, submodules, Git LFS pointers, or larger than 2 MiB]",
		},
		{
			"search by expression", "search",
			args{"query": `^t\w+$`, "regex": true, "ignore_case": true, "pattern": "*.md"},
			"Matches at the head:\nREADME.md:2: TWO\nREADME.md:3: three\n[matches 1-2 of 2, the end]",
		},
		{
			"search a folder in the base", "search",
			args{"query": "println", "folder": "src", "side": "base"},
			"Matches at the base:\n[no matches]",
		},
		{"changed files", "diff", args{}, `Files that the change touches:
added .gitignore
modified README.md
added crlf.txt
added empty
modified ends.txt
deleted gone.txt
added latin1.txt
modified link
modified logo.png (binary)
added long.txt
added "odd\nname"
added src/main.go
renamed to.txt (from from.txt)
[files 1-13 of 13, the end]`},
		{
			"diff", "diff",
			args{"path": "README.md"},
			"modified README.md\n--- a/README.md\n+++ b/README.md\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n[lines 1-7 of 7, the end]",
		},
		{
			"diff of a deleted file", "diff",
			args{"path": "gone.txt"},
			"deleted gone.txt\n--- a/gone.txt\n+++ b/gone.txt\n@@ -1 +0,0 @@\n-farewell\n[lines 1-4 of 4, the end]",
		},
		{
			"diff of line endings", "diff",
			args{"path": "ends.txt"},
			"modified ends.txt\n--- a/ends.txt\n+++ b/ends.txt\n@@ -1 +1 @@\n-a\n+a^M\n[lines 1-5 of 5, the end]",
		},
		{"diff of a pure move", "diff", args{"path": "from.txt"}, "renamed to.txt (from from.txt)\n[no lines]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, isError := call(t, s, c.tool, c.args)
			if isError {
				t.Errorf("is an error")
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("answer (-want +got):\n%s", d)
			}
		})
	}
}

func TestToolErrors(t *testing.T) {
	src := source()
	s := connect(t, src)
	for _, c := range []struct {
		tool string
		args args
		want string
	}{
		{"read_file", args{"path": "none"}, `no file "none" at the head; list_files shows what there is`},
		{"read_file", args{"path": "src"}, `no file "src" at the head; list_files shows what there is`},
		{"read_file", args{"path": "link"}, `"link" is a folder, symbolic link or submodule at the head; links are not followed`},
		{"read_file", args{"path": "logo.png"}, `"logo.png" is a binary file of 3 bytes`},
		{"read_file", args{"path": ""}, "path is empty; list_files shows what there is"},
		{"read_file", args{"path": "."}, "path is empty; list_files shows what there is"},
		{"read_file", args{"path": "/etc/passwd"}, `path "/etc/passwd" is absolute; give it from the repository's root`},
		{"read_file", args{"path": "src/../../x"}, `path "src/../../x" contains ".."`},
		{"read_file", args{"path": ".git/config"}, `path ".git/config" is git's own and not part of the repository's files`},
		{"read_file", args{"path": "a/.GIT/config"}, `path "a/.GIT/config" is git's own and not part of the repository's files`},
		{"read_file", args{"path": "a\x00b"}, "path contains a NUL byte"},
		{"read_file", args{"path": strings.Repeat("a", 5000)}, "path is longer than 4,096 bytes"},
		{"read_file", args{"path": "README.md", "side": "left"}, `side "left" is neither "head" nor "base"`},
		{"list_files", args{"folder": "../.."}, `path "../.." contains ".."`},
		{"list_files", args{"pattern": "[a"}, `pattern "[a" is not a valid glob`},
		{"list_files", args{"side": "x"}, `side "x" is neither "head" nor "base"`},
		{"search", args{"query": ""}, "query is empty"},
		{
			"search",
			args{"query": "(", "regex": true},
			"query is not a regular expression in RE2 syntax: error parsing regexp: missing closing ): `(`",
		},
		{"search", args{"query": "(a?){900}(x|y|z){50}b", "regex": true}, "the regular expression is too complex: repeat less"},
		{"search", args{"query": strings.Repeat("a", 2000)}, "query is longer than 1000 bytes"},
		{"search", args{"query": "a", "side": "x"}, `side "x" is neither "head" nor "base"`},
		{"search", args{"query": "a", "folder": "/"}, `path "/" is absolute; give it from the repository's root`},
		{"diff", args{"path": "/x"}, `path "/x" is absolute; give it from the repository's root`},
		{"diff", args{"path": "none"}, `the change does not touch "none"; diff without a path lists what it touches`},
		{"diff", args{"path": "logo.png"}, `"logo.png" is a binary file of 3 bytes`},
		{"diff", args{"path": "link"}, `"link" is a folder, symbolic link or submodule at the base; links are not followed`},
	} {
		t.Run(fmt.Sprintf("%s %.40v", c.tool, c.args), func(t *testing.T) {
			got, isError := call(t, s, c.tool, c.args)
			if !isError {
				t.Errorf("is no error")
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("error (-want +got):\n%s", d)
			}
		})
	}
	if got, isError := call(t, s, "read_file", args{"path": 5}); !isError {
		t.Errorf("a path that is no string is answered with %q", got)
	}
}

// broken fails as an object store on a full or foreign disk would.
type broken struct{ change.Tree }

func (broken) ReadFile(string) ([]byte, error) {
	return nil, fmt.Errorf("open /home/runner/store/objects: %w", os.ErrPermission)
}

func (broken) List(string) ([]change.Entry, error) {
	return nil, errors.New("open /home/runner/store/objects: input/output error")
}

func TestErrorsTellNothingOfTheHost(t *testing.T) {
	src := source()
	src.Head = broken{src.Head}
	src.Changes = func(context.Context) ([]change.File, error) { return nil, errors.New("/home/runner/store: gone") }
	s := connect(t, src)
	for tool, a := range map[string]args{
		"list_files": {}, "read_file": {"path": "README.md"}, "search": {"query": "x"}, "diff": {},
	} {
		got, isError := call(t, s, tool, a)
		if !isError || strings.Contains(got, "/home") || strings.Contains(got, "store/") {
			t.Errorf("%s: %q, error %v", tool, got, isError)
		}
	}
}

// Codex cuts long answers silently; ours say what is left, and paging through
// them shows everything once.
func TestPagesAreBoundedAndWhole(t *testing.T) {
	var text strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&text, "line %04d %s\n", i, strings.Repeat("x", i%300))
	}
	src := source()
	src.Head = changetest.Tree("c0ffee", map[string]string{"big.txt": text.String()})
	s := connect(t, src)
	var all strings.Builder
	for seen, pages := 0, 0; seen < 3000; pages++ {
		got, isError := call(t, s, "read_file", args{"path": "big.txt", "offset": seen, "limit": 1 << 30})
		if isError || len(got) > 30<<10 || pages > 100 {
			t.Fatalf("page %d has %d bytes, error %v", pages, len(got), isError)
		}
		lines := strings.Split(got, "\n")
		for _, l := range lines[1 : len(lines)-1] {
			all.WriteString(l[7:] + "\n")
			seen++
		}
	}
	if all.String() != text.String() {
		t.Error("the pages together are not the file")
	}
}

func TestSearchIsBounded(t *testing.T) {
	src := source()
	src.Head = changetest.Tree("c0ffee", map[string]string{
		"a.txt": strings.Repeat("hit\n", 20_000), "b.txt": "hit\n", "c.txt": "hit\n", "huge.txt": strings.Repeat("hit\n", 1<<20),
	})
	got, isError := call(t, connect(t, src), "search", args{"query": "hit", "limit": 1})
	want := "Matches at the head:\na.txt:1: hit\n[matches 1-1 of 10000; for more: offset 1]" +
		"\n[stopped early because 10000 matches were found: 3 files were not searched; narrow it by folder or pattern]"
	if d := cmp.Diff(want, got); d != "" || isError {
		t.Errorf("answer (-want +got):\n%s", d)
	}
}

func TestServeEndsWithItsInput(t *testing.T) {
	if err := mcpserver.Serve(t.Context(), source(), strings.NewReader(""), io.Discard); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	in, _ := io.Pipe() // silent
	done := make(chan error, 1)
	go func() { done <- mcpserver.Serve(ctx, source(), in, io.Discard) }()
	cancel()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("serve outlives its context")
	}
}

func FuzzPaths(f *testing.F) {
	for _, p := range []string{"README.md", "../x", "/etc/passwd", ".git/config", "a\x00", "./a/../b", "\xff", "src//main.go"} {
		f.Add(p)
	}
	s := connect(f, source())
	f.Fuzz(func(t *testing.T, p string) {
		for _, tool := range []string{"read_file", "diff"} {
			got, _ := call(t, s, tool, args{"path": p})
			if strings.Contains(got, "root:") || len(got) > 64<<10 {
				t.Errorf("%s of %q: %q", tool, p, got)
			}
		}
	})
}
