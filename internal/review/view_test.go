package review

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/workflow"
)

// viewOf renders the files of an implementation.
func viewOf(t *testing.T, before, after map[string]string, budget int, paths ...string) view {
	return look(t.Context(), setOf(before, after), artifact(after, workflow.Implementation, "x", paths...), budget)
}

func TestAChangedFileIsShownOnceWithItsChange(t *testing.T) {
	v := viewOf(t,
		map[string]string{"a.go": "package a\n\nfunc old() {}\n\nvar x = 1\n"},
		map[string]string{"a.go": "package a\n\nfunc new() {}\nfunc more() {}\n\nvar x = 1\n"}, maxArtifact, "a.go")
	want := document{
		heading: "a.go", path: "a.go", note: "Changed; + and - mark the change.",
		body: "     1 package a\n     2 \n-      func old() {}\n+    3 func new() {}\n+    4 func more() {}\n     5 \n     6 var x = 1\n",
	}
	if v.docs[0] != want || v.omitted != nil {
		t.Errorf("omitted %q, document %+v, want %+v", v.omitted, v.docs[0], want)
	}
}

func TestWhatCannotBeShownIsSaid(t *testing.T) {
	after := map[string]string{
		"ok.py": "x = 1\n", "latin.py": "s = 'caf\xe9'\n", "bin.py": "a\x00b", "link.py": changetest.Symlink("/etc/passwd"),
		"huge.py": strings.Repeat("x", 9<<20), "empty.py": "", "long.py": strings.Repeat("y", maxLine+5) + "\n",
	}
	v := viewOf(t, nil, after, maxArtifact, "ok.py", "latin.py", "bin.py", "link.py", "huge.py", "empty.py", "long.py", "gone.py")
	want := []string{
		"latin.py: 1 bytes are not UTF-8",
		"bin.py: not shown, it is binary",
		"link.py: not shown, it is a symbolic link or not a regular file, which is never followed",
		"huge.py: not shown, it is larger than 8 MiB",
		"long.py: 1 line cut after 2000 characters",
		"gone.py: not shown, it is not in the head",
	}
	if diff := cmp.Diff(want, v.omitted); diff != "" {
		t.Errorf("omitted (-want +got)\n%s", diff)
	}
	var blind []string
	for _, i := range v.blind {
		blind = append(blind, i.File)
	}
	if diff := cmp.Diff([]string{"bin.py", "link.py", "huge.py", "gone.py"}, blind); diff != "" {
		t.Errorf("blind (-want +got)\n%s", diff)
	}
	if v.docs[1].body != "    1 s = 'caf�'\n" || v.docs[5].note != "The file is empty." {
		t.Errorf("latin %q, empty %q", v.docs[1].body, v.docs[5].note)
	}
}

func TestABlindArtifactIsNeverApproved(t *testing.T) {
	head := sample()
	head["src/link.py"] = changetest.Symlink("/etc/passwd")
	all := artifact(head, workflow.Implementation, "login", "src/login.py", "src/link.py")
	only := artifact(head, workflow.Implementation, "login", "src/link.py")
	for _, c := range []struct {
		a     workflow.Artifact
		calls int
	}{{all, 1}, {only, 0}} {
		model := always(answer("APPROVED"))
		got := one(t, plan(t, codexOptions(), inputOf(head, c.a)), model, newClock())
		if got.Decision != workflow.NeedsChanges || len(got.Issues) == 0 || got.Issues[0].File != "src/link.py" ||
			len(model.asked) != c.calls {
			t.Errorf("%d files: %v, %d calls, issues %+v", len(c.a.Files), got.Decision, len(model.asked), got.Issues)
		}
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
	changed, added, small := v.docs[0], v.docs[1], v.docs[2]
	if small.body != "    1 x = 1\n" {
		t.Errorf("the small file is not whole: %q", small.body)
	}
	for _, want := range []string{
		"… lines 1 to 1494 are unchanged",
		"-      line 1500\n+ 1500 line one thousand five hundred\n", "… lines 1506 to 3000 are unchanged",
	} {
		if !strings.Contains(changed.body, want) {
			t.Errorf("the changed file lacks %q:\n%s", want, changed.body)
		}
	}
	if !strings.HasPrefix(added.body, "    1 line 1\n") || !strings.HasSuffix(added.body, "\n") ||
		!strings.Contains(added.note, "Only the first ") {
		t.Errorf("the new file: note %q", added.note)
	}
	if len(v.omitted) != 1 || !strings.Contains(v.omitted[0], "of 3000 lines shown") {
		t.Errorf("omitted %q", v.omitted)
	}
	total := len(changed.body) + len(added.body) + len(small.body)
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
		if n := len([]rune(v.docs[0].body)); n > budget {
			t.Errorf("%d characters, budget %d", n, budget)
		}
	})
}
