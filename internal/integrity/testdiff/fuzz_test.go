package testdiff_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"workflow-reviewer/internal/integrity/testdiff"
	"workflow-reviewer/internal/syntax"
)

// FuzzCompare: whatever two versions of a file are, comparing them does not
// panic; the same bytes are clean; a head with a syntax error never is.
func FuzzCompare(f *testing.F) {
	paths := []string{
		"tests/test_a.py", "a_test.go", "a.test.ts", "a.test.tsx", "ATest.java", "a_spec.rb", "tests/a.rs", "ATests.cs",
		"a.json", "x.snap",
	}
	names, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(names) == 0 {
		f.Fatalf("no archives (%v)", err)
	}
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for i := 0; i+1 < len(archive.Files); i++ {
			file := filepath.Base(archive.Files[i].Name)
			if filepath.Base(archive.Files[i+1].Name) != file {
				continue
			}
			for k, p := range paths {
				if filepath.Ext(p) == filepath.Ext(file) {
					f.Add(uint8(k), archive.Files[i].Data, archive.Files[i+1].Data)
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, before, after []byte) {
		if len(before)+len(after) > 20_000 {
			return
		}
		path := paths[int(which)%len(paths)]
		for _, p := range []testdiff.Pair{
			{Path: path, Role: "test", Before: before, After: after}, {Path: path, Role: "support", Before: before, Elsewhere: "new/" + path},
		} {
			r, err := testdiff.Compare(t.Context(), testdiff.Input{Changed: slices.Values([]testdiff.Pair{p})})
			if err != nil {
				t.Fatal(err)
			}
			same := bytes.Equal(before, after)
			if same && len(r.Violations) > 0 && p.After != nil {
				t.Errorf("the same bytes are a breach: %+v", r.Violations)
			}
			if !same && p.Elsewhere == "" && len(r.Violations) == 0 && broken(t, path, after) &&
				!(strings.HasSuffix(path, ".cs") && bytes.Contains(after, []byte("#"))) {
				t.Errorf("%s with a syntax error is clean:\n%s", path, after)
			}
			if n := len(r.Violations); n > 40 {
				t.Errorf("%d violations for two files", n)
			}
		}
	})
}

func broken(t *testing.T, path string, src []byte) bool {
	lang, ok := syntax.LanguageOf(path)
	if !ok {
		return false
	}
	tree, err := syntax.Parse(t.Context(), lang, src)
	return err != nil || tree.HasError()
}

// TestHostileShapes: deep, wide and binary files are compared in bounded time.
func TestHostileShapes(t *testing.T) {
	deep := bytes.Repeat([]byte("if x:\n "), 1)
	for i := 1; i < 90; i++ {
		deep = append(deep, bytes.Repeat([]byte(" "), i)...)
		deep = append(deep, []byte("if x:\n")...)
	}
	deep = append(deep, bytes.Repeat([]byte(" "), 95)...)
	deep = append(deep, []byte("assert a\n")...)
	wide := []byte("def test_a():\n")
	other := slices.Clone(wide)
	for i := range 3000 {
		wide = append(wide, []byte("    assert f("+string(rune('a'+i%26))+") == 1\n")...)
		other = append(other, []byte("    assert f("+string(rune('a'+i%25))+") == 2\n")...)
	}
	for name, pair := range map[string][2][]byte{
		"deep": {deep, append(slices.Clone(deep), []byte("\nx = 1\n")...)},
		"wide": {wide, other},
		"nul":  {[]byte("\x00\x00"), []byte("\xff\xfe")},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := testdiff.Compare(t.Context(), testdiff.Input{Changed: slices.Values([]testdiff.Pair{{
				Path: "test_a.py", Role: "test",
				Before: pair[0], After: pair[1],
			}})})
			if err != nil || len(r.Violations) == 0 {
				t.Errorf("%d violations, %v", len(r.Violations), err)
			}
		})
	}
}
