package soundnesstest_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"workflow-reviewer/internal/proof"
	"workflow-reviewer/internal/syntax"
)

// addition is code that is put into an approved file.
type addition struct {
	path, place, name string
	attack            bool
	before, after     []byte
}

// additions reads an archive: a file "base | path" is approved, and each
// "attack | place | name" or "honest | place | name" after it goes below the base's
// comment @place.
func additions(t testing.TB, file string) []addition {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []addition
	var path string
	var base []byte
	for _, f := range archive.Files {
		fields := strings.Split(f.Name, " | ")
		if fields[0] == "base" && len(fields) == 2 {
			path, base = fields[1], f.Data
			continue
		}
		if len(fields) != 3 || fields[0] != "attack" && fields[0] != "honest" {
			t.Fatalf("%s: %q is neither base, attack nor honest", file, f.Name)
		}
		at := bytes.Index(base, []byte("@"+fields[1]+"\n"))
		if at < 0 {
			t.Fatalf("%s: %s has no place for %q", file, path, f.Name)
		}
		at += len(fields[1]) + 2
		out = append(out, addition{
			path: path, place: fields[1], name: fields[2], attack: fields[0] == "attack", before: base,
			after: bytes.Join([][]byte{base[:at], f.Data, base[at:]}, nil),
		})
	}
	return out
}

// TestAdditions: an addition is never called the same. Honest ones are gains that do not act on others, attacks act on
// others or are differences. added-open.txt lists the exceptions: attacks about which the tests review is asked, which
// a run of the approved tests refuses, and honest additions that need a run or a new approval.
func TestAdditions(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(data, "added", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no templates (%v)", err)
	}
	var open strings.Builder
	attacks := 0
	for _, file := range files {
		honest := 0
		for _, a := range additions(t, file) {
			parses(t, a)
			standing, why := verdict(a.path, a.before, a.after)
			if a.attack {
				attacks++
			} else {
				honest++
			}
			switch {
			case a.attack && standing == proof.Same:
				t.Errorf("%s @%s: %s: an attack is called the same", a.path, a.place, a.name)
			case a.attack && standing == proof.Gained:
				fmt.Fprintf(&open, "attack asked about: %s @%s: %s\n", a.path, a.place, a.name)
			case !a.attack && standing < proof.Gained:
				fmt.Fprintf(&open, "honest addition %s: %s @%s: %s\n", standing, a.path, a.place, a.name)
				t.Logf("%s @%s: %s: %v", a.path, a.place, a.name, why)
			}
		}
		if honest < 30 {
			t.Errorf("%s: %d honest additions, want at least 30", file, honest)
		}
	}
	if attacks < 60 {
		t.Errorf("%d attacks, want at least 60", attacks)
	}
	golden(t, filepath.Join(data, "added-open.txt"), open.String())
}

// parses fails for an addition that breaks the file: it would show nothing.
func parses(t *testing.T, a addition) {
	t.Helper()
	lang, _ := syntax.LanguageOf(a.path)
	for _, src := range [][]byte{a.before, a.after} {
		if tree, err := syntax.Parse(t.Context(), lang, src); err != nil || tree.HasError() {
			t.Errorf("%s @%s: %s: does not parse (%v)", a.path, a.place, a.name, err)
		}
	}
}
