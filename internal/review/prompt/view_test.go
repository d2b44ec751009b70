package prompt

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/workflow"
)

// viewOf renders the files of an implementation.
func viewOf(t *testing.T, before, after map[string]string, budget int, paths ...string) View {
	a := workflow.Artifact{Type: workflow.Implementation, Feature: "x"}
	for _, p := range paths {
		a.Files = append(a.Files, workflow.File{Path: p, Blob: changetest.Blob(after[p])})
	}
	return NewMaterial(changetest.Set(nil, before, after), path.Clean, Intent{}, true, nil).View(t.Context(), a, budget)
}

func TestAChangedFileIsShownOnceWithItsChange(t *testing.T) {
	v := viewOf(t,
		map[string]string{"a.go": "package a\n\nfunc old() {}\n\nvar x = 1\n"},
		map[string]string{"a.go": "package a\n\nfunc new() {}\nfunc more() {}\n\nvar x = 1\n"}, MaxArtifact, "a.go")
	want := Document{
		Heading: "a.go", Path: "a.go", Note: "Changed; + and - mark the change.",
		Body: "     1 package a\n     2 \n-      func old() {}\n+    3 func new() {}\n+    4 func more() {}\n     5 \n     6 var x = 1\n",
	}
	if v.Docs[0] != want || v.Omitted != nil {
		t.Errorf("omitted %q, document %+v, want %+v", v.Omitted, v.Docs[0], want)
	}
}

func TestWhatCannotBeShownIsSaid(t *testing.T) {
	after := map[string]string{
		"ok.py": "x = 1\n", "latin.py": "s = 'caf\xe9'\n", "bin.py": "a\x00b", "link.py": changetest.Symlink("/etc/passwd"),
		"huge.py": strings.Repeat("x", 9<<20), "empty.py": "", "long.py": strings.Repeat("y", maxLine+5) + "\n",
	}
	v := viewOf(t, nil, after, MaxArtifact, "ok.py", "latin.py", "bin.py", "link.py", "huge.py", "empty.py", "long.py", "gone.py")
	want := []string{
		"latin.py: 1 bytes are not UTF-8",
		"bin.py: not shown, it is binary",
		"link.py: not shown, it is a symbolic link or not a regular file, which is never followed",
		"huge.py: not shown, it is larger than 8 MiB",
		"long.py: 1 line cut after 2000 characters",
		"gone.py: not shown, it is not in the head",
	}
	if diff := cmp.Diff(want, v.Omitted); diff != "" {
		t.Errorf("omitted (-want +got)\n%s", diff)
	}
	var blind []string
	for _, i := range v.Blind {
		blind = append(blind, i.File)
	}
	if diff := cmp.Diff([]string{"bin.py", "link.py", "huge.py", "gone.py"}, blind); diff != "" {
		t.Errorf("blind (-want +got)\n%s", diff)
	}
	if v.Docs[1].Body != "    1 s = 'caf�'\n" || v.Docs[5].Note != "The file is empty." {
		t.Errorf("latin %q, empty %q", v.Docs[1].Body, v.Docs[5].Note)
	}
}

func TestALargeChangeIsReducedInSteps(t *testing.T) {
	var old, long strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&old, "line %d\n", i+1)
	}
	long.WriteString(strings.Replace(old.String(), "line 1500\n", "line one thousand five hundred\n", 1))
	before := map[string]string{"changed.py": old.String()}
	after := map[string]string{"changed.py": long.String(), "new.py": old.String(), "small.py": "x = 1\n"}
	v := viewOf(t, before, after, 10_000, "changed.py", "new.py", "small.py")
	changed, added, small := v.Docs[0], v.Docs[1], v.Docs[2]
	if small.Body != "    1 x = 1\n" {
		t.Errorf("the small file is not whole: %q", small.Body)
	}
	for _, want := range []string{
		"… lines 1 to 1494 are unchanged",
		"-      line 1500\n+ 1500 line one thousand five hundred\n", "… lines 1506 to 3000 are unchanged",
	} {
		if !strings.Contains(changed.Body, want) {
			t.Errorf("the changed file lacks %q:\n%s", want, changed.Body)
		}
	}
	if !strings.HasPrefix(added.Body, "    1 line 1\n") || !strings.HasSuffix(added.Body, "\n") ||
		!strings.Contains(added.Note, "Only the first ") {
		t.Errorf("the new file: note %q", added.Note)
	}
	if len(v.Omitted) != 1 || !strings.Contains(v.Omitted[0], "of 3000 lines shown") {
		t.Errorf("omitted %q", v.Omitted)
	}
	total := len(changed.Body) + len(added.Body) + len(small.Body)
	if total > 10_000 {
		t.Errorf("%d characters, budget 10,000", total)
	}
}

func FuzzLook(f *testing.F) {
	f.Add("a\nb\n", "a\nc\n", 100)
	f.Add("", "x", 0)
	f.Add("a\r\nb", "\x00", 5)
	f.Add("x\n", "x\n\n\n", 7)
	f.Fuzz(func(t *testing.T, before, after string, budget int) {
		budget = min(max(budget, 0), 10_000)
		v := viewOf(t, map[string]string{"a": before}, map[string]string{"a": after}, budget, "a")
		if n := len([]rune(v.Docs[0].Body)); n > budget {
			t.Errorf("%d characters, budget %d", n, budget)
		}
	})
}

func TestAStateLineIsADiff(t *testing.T) {
	rest := strings.Repeat("\nA line of the document.\n", 200)
	v := viewOf(t, map[string]string{"a.md": "# A\n\nStatus: Draft\n" + rest},
		map[string]string{"a.md": "# A\n\nStatus: Approved\n" + rest}, MaxArtifact, "a.md")
	if body := v.Docs[0].Body; len(body) > 500 || !strings.Contains(body, "-      Status: Draft\n+    3 Status: Approved\n") {
		t.Errorf("%s\n%s", v.Docs[0].Note, body)
	}
}
