package corpustest_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestProveLeavesNothingOfAttacks: of an attack that the comparison of trees does not block, prove leaves nothing. What
// it lays out to run the approved tests in is what was there before the attack, but for the paths in left.txt, each with
// its reason. All attacks are laid out with ATTACKS=all (make attacks), else every eighth.
func TestProveLeavesNothingOfAttacks(t *testing.T) {
	corpus := filepath.Join("..", "..", "..", "testdata", "corpus")
	left := map[string]string{} // paths, by the name of the attack
	for _, f := range rows(t, filepath.Join(corpus, "left.txt"), 3) {
		left[f[0]] = f[1]
	}
	open := openAttacks(t)
	every := 8
	if os.Getenv("ATTACKS") == "all" {
		every = 1
	}
	n, undone := 0, 0
	t.Run("attacks", func(t *testing.T) {
		for _, c := range collections(t) {
			if !open[c.name] {
				continue
			}
			if n++; n%every != 0 && left[c.name] == "" {
				continue
			}
			undone++
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				if got := strings.Join(leftOf(t, c), " "); got != left[c.name] {
					t.Errorf("prove leaves %q, want %q", got, left[c.name])
				}
			})
		}
	})
	for name := range left {
		if !open[name] {
			t.Errorf("left.txt: %s: no such attack, or it is blocked", name)
		}
	}
	t.Logf("%d attacks of %d laid out, %d leave something", undone, n, len(left))
}

// openAttacks are the attacks that the comparison does not block, by verdicts.txt.
func openAttacks(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for _, f := range rows(t, filepath.Join("..", "..", "..", "testdata", "corpus", "verdicts.txt"), 1) {
		verdict, name, _ := strings.Cut(f[0], ", in truth breach: ")
		if name != "" && (verdict == "asked" || verdict == "clean") {
			out[name] = true
		}
	}
	return out
}

// rows are the lines of a file with fields between tabs, without comments.
func rows(t *testing.T, name string, fields int) (out [][]string) {
	t.Helper()
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(src)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) < fields {
			t.Fatalf("%s: %q has not %d fields", name, line, fields)
		}
		out = append(out, f)
	}
	return out
}

// leftOf are the paths in which what prove lays out differs from before a change, "+" those that are new and "-" those
// that are gone.
func leftOf(t *testing.T, c judged) (out []string) {
	t.Helper()
	dir := t.TempDir()
	run := func(name string, args ...string) {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
	}
	commit := func(tree map[string]string) {
		if err := writeTree(dir, tree); err != nil {
			t.Fatal(err)
		}
		run("git", "add", "-A", "-f")
		run("git", "-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-q", "-m", "Change")
	}
	run("git", "init", "-q", "-b", "main")
	commit(c.before)
	run("git", "checkout", "-q", "-b", "change")
	for p := range c.before {
		if _, ok := c.after[p]; !ok {
			run("git", "rm", "-q", p)
		}
	}
	commit(c.after)
	run(binary, "prove", "--approved", "main", "--keep", "--out", filepath.Join(t.TempDir(), "evidence.json"), "--", "true")
	for p, was := range c.before {
		is, err := os.ReadFile(filepath.Join(dir, p))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			out = append(out, "-"+p)
		case err != nil:
			t.Fatal(err)
		case string(is) != was && !sameJSON([]byte(was), is):
			out = append(out, p)
		}
	}
	for p := range readTree(t, dir) {
		if _, ok := c.before[p]; !ok && !strings.HasPrefix(p, ".git/") {
			out = append(out, "+"+p)
		}
	}
	slices.Sort(out)
	return out
}

// sameJSON reports whether two texts are one value: what prove takes apart and joins again has another layout.
func sameJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}
