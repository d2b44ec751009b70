package testdiff_test

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"workflow-reviewer/internal/integrity/kernel"
	"workflow-reviewer/internal/integrity/testdiff"
)

var update = flag.Bool("update", false, "rewrite the expected findings in testdata")

// TestArchives runs every case of testdata: a case is a folder in an archive,
// with the files before, the files after, and what is found ("want").
func TestArchives(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no archives (%v)", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for i := range archive.Files {
				f := &archive.Files[i]
				if id, ok := strings.CutSuffix(f.Name, "/want"); ok {
					t.Run(id, func(t *testing.T) { f.Data = check(t, archive, id, string(f.Data)) })
				}
			}
			if *update {
				if err := os.WriteFile(name, txtar.Format(archive), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// check compares a case with what it wants, and answers with what is so. A case
// whose name begins with ok must be clean whatever it wants.
func check(t *testing.T, archive *txtar.Archive, id, want string) []byte {
	r, err := testdiff.Compare(t.Context(), input(archive, id))
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(id, "ok-") != (len(r.Violations) == 0) {
		t.Errorf("%s: %d violations", id, len(r.Violations))
	}
	got := render(r)
	if diff := gocmp.Diff(want, got); diff != "" && !*update {
		t.Errorf("%s (-want +got):\n%s", id, diff)
	}
	return []byte(got)
}

func input(archive *txtar.Archive, id string) testdiff.Input {
	before, after := files(archive, id+"/before/"), files(archive, id+"/after/")
	var pairs []testdiff.Pair
	for name, data := range before {
		is, ok := after[name]
		switch {
		case ok && bytes.Equal(is, data):
			continue
		case !ok:
			is = nil
		}
		p := testdiff.Pair{Path: name, Role: "support", Before: data, After: is}
		if collected(name) {
			p.Role = "test"
		}
		for _, elsewhere := range slices.Sorted(maps.Keys(after)) {
			if _, old := before[elsewhere]; !ok && !old && bytes.Equal(after[elsewhere], data) && p.Elsewhere == "" {
				p.Elsewhere = elsewhere
			}
		}
		pairs = append(pairs, p)
	}
	slices.SortFunc(pairs, func(a, b testdiff.Pair) int { return cmp.Compare(a.Path, b.Path) })
	return testdiff.Input{Strict: strings.HasPrefix(id, "strict-"), Changed: slices.Values(pairs), Mentioned: mentioned(before)}
}

// mentioned looks for a name in the other ones of some files.
func mentioned(in map[string][]byte) func(path, name string) bool {
	return func(path, name string) bool {
		for p, data := range in {
			if p != path && kernel.ContainsWord(data, name) {
				return true
			}
		}
		return false
	}
}

func files(archive *txtar.Archive, prefix string) map[string][]byte {
	out := map[string][]byte{}
	for _, f := range archive.Files {
		if name, ok := strings.CutPrefix(f.Name, prefix); ok {
			out[name] = f.Data
		}
	}
	return out
}

// collected is what runners find by default.
func collected(name string) bool {
	base := path.Base(name)
	switch path.Ext(name) {
	case ".py":
		return strings.HasPrefix(base, "test_") || strings.HasSuffix(base, "_test.py")
	case ".go":
		return strings.HasSuffix(base, "_test.go")
	case ".js", ".ts", ".tsx":
		return strings.Contains(base, ".test.") || strings.Contains(base, ".spec.")
	case ".rb":
		return strings.HasSuffix(base, "_spec.rb") || strings.HasSuffix(base, "_test.rb")
	case ".java", ".cs":
		return strings.Contains(base, "Test")
	case ".rs":
		return true
	default:
		return false
	}
}

func render(r testdiff.Result) string {
	var b strings.Builder
	for _, v := range r.Violations {
		fmt.Fprintf(&b, "%s:%d %s %s: %s\n", v.File, v.Line, v.Side, v.Kind, v.Text)
		for line := range strings.Lines(v.Evidence) {
			fmt.Fprintf(&b, "    %s\n", strings.TrimRight(line, "\n"))
		}
	}
	for _, n := range r.NotAnalysed {
		fmt.Fprintf(&b, "not analysed: %s\n", n)
	}
	for _, g := range r.Gains {
		fmt.Fprintf(&b, "gained: %s:%d %s\n", g.Path, g.Line, g.What)
	}
	for _, h := range r.Harmless {
		fmt.Fprintf(&b, "harmless: %s\n", h)
	}
	return b.String()
}

// TestWordsDecideNothing: whether a file is a breach is the kernel's matter
// alone: where it sees a difference there is a finding, and where it sees none
// there is none, whatever words there are for it.
func TestWordsDecideNothing(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("..", "kernel", "testdata", "examples", "*.txt"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no examples (%v)", err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split("\n"+string(data), "\n=== ")[1:] {
			head, body, _ := strings.Cut(part, "\n")
			words := strings.SplitN(head, " ", 3)
			old, now, _ := strings.Cut(body, "\n---\n")
			r, err := testdiff.Compare(t.Context(), testdiff.Input{
				Changed: slices.Values([]testdiff.Pair{{
					Path: words[1], Role: "test", Before: []byte(old + "\n"), After: []byte(now + "\n"),
				}}),
				Mentioned: mentioned(map[string][]byte{"other.py": []byte("import os, shared, test_shared\n")}), // as in the kernel's test
			})
			if err != nil {
				t.Fatal(err)
			}
			if (words[0] == "changed" || words[0] == "acts") != (len(r.Violations) > 0) {
				t.Errorf("%s: %s: %d findings", filepath.Base(name), head, len(r.Violations))
			}
			for _, v := range r.Violations {
				if a, b, ok := strings.Cut(v.Evidence, "\n"); v.Evidence == "" ||
					ok && strings.TrimPrefix(a, "- ") == strings.TrimPrefix(b, "+ ") {
					t.Errorf("%s: %s: evidence %q", filepath.Base(name), head, v.Evidence)
				}
			}
		}
	}
}
