package textdiff

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change"
)

func TestFormat(t *testing.T) {
	tests := map[string]struct {
		old, new string
		context  int
		want     string
	}{
		"equal":             {"a\nb\n", "a\nb\n", 3, ""},
		"both empty":        {"", "", 3, ""},
		"added file":        {"", "a\nb\n", 3, "@@ -0,0 +1,2 @@\n+a\n+b\n"},
		"emptied file":      {"a\n", "", 3, "@@ -1 +0,0 @@\n-a\n"},
		"one line replaced": {"a\nb\nc\n", "a\nX\nc\n", 1, "@@ -1,3 +1,3 @@\n a\n-b\n+X\n c\n"},
		"no context":        {"a\nb\nc\n", "a\nc\n", 0, "@@ -2 +1,0 @@\n-b\n"},
		"negative context":  {"a\nb\n", "a\n", -4, "@@ -2 +1,0 @@\n-b\n"},
		"newline lost":      {"a\n", "a", 3, "@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n"},
		"newline gained":    {"a", "a\n", 3, "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		"unended context":   {"x\na", "y\na", 3, "@@ -1,2 +1,2 @@\n-x\n+y\n a\n\\ No newline at end of file\n"},
		"CRLF to LF":        {"a\r\nb\r\n", "a\nb\r\n", 0, "@@ -1 +1 @@\n-a\r\n+a\n"},
		"invalid UTF-8":     {"\xff\n", "\xfe\n", 3, "@@ -1 +1 @@\n-\xff\n+\xfe\n"},
		"two hunks": {
			"1\n2\n3\n4\n5\n6\n", "A\n2\n3\n4\n5\nB\n", 1,
			"@@ -1,2 +1,2 @@\n-1\n+A\n 2\n@@ -5,2 +5,2 @@\n 5\n-6\n+B\n",
		},
		"hunks that touch become one": {
			"1\n2\n3\n4\n", "A\n2\n3\nB\n", 1,
			"@@ -1,4 +1,4 @@\n-1\n+A\n 2\n 3\n-4\n+B\n",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := Format("f", "", Hunks([]byte(tt.old), []byte(tt.new), tt.context))
			if tt.want != "" {
				tt.want = "--- a/f\n+++ b/f\n" + tt.want
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("unified diff (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFormatQuotesPathsThatImitateTheDiff(t *testing.T) {
	got := Format("evil\n@@ -1 +1 @@", "old name", Hunks([]byte("a\n"), []byte("b\n"), 3))
	want := "--- a/old name\n+++ \"b/evil\\n@@ -1 +1 @@\"\n@@ -1 +1 @@\n-a\n+b\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestLineNumbers(t *testing.T) {
	hunks := Hunks([]byte("a\nb\nc\nd\n"), []byte("a\nX\nY\nc\nd\n"), 1)
	if diff := cmp.Diff(map[int]bool{2: true, 3: true}, AddedLines(hunks)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestFarApartTextsAreBounded compares inputs that are quadratic for a plain
// algorithm; the test binary's own time limit is what would fail.
func TestFarApartTextsAreBounded(t *testing.T) {
	var x, y, mixed strings.Builder
	for i := range 150_000 {
		fmt.Fprintf(&x, "x%d\n", i%7)
		fmt.Fprintf(&y, "y%d\n", i%5)
		fmt.Fprintf(&mixed, "%d\n", (i*7919)%150_000)
	}
	sorted := strings.Split(strings.TrimSuffix(mixed.String(), "\n"), "\n")
	for name, tt := range map[string][2]string{
		"nothing in common":  {x.String(), y.String()},
		"repeated lines":     {strings.Repeat("a\nb\n", 60_000), strings.Repeat("b\nb\na\n", 40_000)},
		"shuffled":           {mixed.String(), strings.Join(reversed(sorted), "\n")},
		"above the line cap": {strings.Repeat("a\n", maxLines), strings.Repeat("b\n", maxLines)},
	} {
		t.Run(name, func(t *testing.T) {
			hunks := Hunks([]byte(tt[0]), []byte(tt[1]), 3)
			if apply(t, tt[0], hunks) != tt[1] {
				t.Error("applying the hunks does not give the new text")
			}
		})
	}
}

func TestFarApartTextsKeepUniqueLines(t *testing.T) {
	var old, new strings.Builder
	for i := range 2 * maxEdits {
		fmt.Fprintf(&old, "old %d\nkept %d\n", i, i)
		fmt.Fprintf(&new, "new %d\nkept %d\n", i, i)
	}
	added := AddedLines(Hunks([]byte(old.String()), []byte(new.String()), 0))
	if len(added) != 2*maxEdits {
		t.Errorf("%d added lines, want %d: the kept lines must not be replaced", len(added), 2*maxEdits)
	}
}

func TestGitAppliesTheDiff(t *testing.T) {
	old := "one\ntwo\nthree\r\nfour\nfive\nsix\nseven\neight\nnine"
	new := "zero\none\ntwo\nthree\nfour\nsix\nseven\neight\nnine\nten\n"
	dir := t.TempDir()
	patch := filepath.Join(dir, "p.diff")
	write(t, filepath.Join(dir, "f"), old)
	write(t, patch, Format("f", "", Hunks([]byte(old), []byte(new), 3)))
	cmd := exec.Command("git", "apply", "--whitespace=nowarn", patch)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git apply: %v\n%s", err, out)
	}
	got, err := os.ReadFile(filepath.Join(dir, "f"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(new, string(got)); diff != "" {
		t.Error(diff)
	}
}

func FuzzHunks(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nc\nd", 3)
	f.Add("", "\n", 0)
	f.Add("a\r\n\xff", "a\n\xff\n", 1)
	f.Add("a\na\nb\na\n", "b\na\na\na", 2)
	f.Fuzz(func(t *testing.T, old, new string, context int) {
		hunks := Hunks([]byte(old), []byte(new), context)
		if got := apply(t, old, hunks); got != new {
			t.Errorf("old %q, new %q: applying gives %q", old, new, got)
		}
		if old == new && len(hunks) > 0 {
			t.Error("equal texts have hunks")
		}
		for n := range AddedLines(hunks) {
			if n < 1 || n > len(split([]byte(new))) {
				t.Errorf("added line %d is outside the new text", n)
			}
		}
	})
}

// apply is an independent reading of what hunks mean; it fails the test where a
// hunk contradicts the old text or its own header.
func apply(t *testing.T, old string, hunks []change.Hunk) string {
	t.Helper()
	src := split([]byte(old))
	var out strings.Builder
	at, written := 0, 0
	copyTo := func(end int) {
		for ; at < end; at++ {
			out.WriteString(src[at])
			written++
		}
	}
	for _, h := range hunks {
		copyTo(h.OldStart - min(h.OldLines, 1))
		from, newFrom := at, written
		if h.NewStart != newFrom+min(h.NewLines, 1) {
			t.Fatalf("hunk starts at new line %d, %d lines are written", h.NewStart, newFrom)
		}
		for _, l := range h.Lines {
			text := l.Text
			if !l.NoNewline {
				text += "\n"
			}
			if l.Op != '+' {
				if src[at] != text || l.Old != at+1 {
					t.Fatalf("old line %d is %q, the hunk says %q at %d", at+1, src[at], text, l.Old)
				}
				at++
			}
			if l.Op != '-' {
				written++
				out.WriteString(text)
				if l.New != written {
					t.Fatalf("new line %d is numbered %d", written, l.New)
				}
			}
		}
		if at-from != h.OldLines || written-newFrom != h.NewLines {
			t.Fatalf("hunk header %d,%d does not count its lines", h.OldLines, h.NewLines)
		}
	}
	copyTo(len(src))
	return out.String()
}

func reversed(lines []string) []string {
	out := make([]string, 0, len(lines))
	for i := len(lines) - 1; i >= 0; i-- {
		out = append(out, lines[i])
	}
	return out
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
