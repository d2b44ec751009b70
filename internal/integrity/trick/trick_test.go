package trick_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"workflow-reviewer/internal/integrity/trick"
)

var update = flag.Bool("update", false, "rewrite the table of unseen hits")

var testName = regexp.MustCompile(`(?i)^(?:tests?|spec|src/test)/|_test\.go$`)

// find looks through the files of one side of an archive, all of them new, and
// tells the kinds that were said of it.
func find(t *testing.T, a *txtar.Archive, side string) map[string]bool {
	t.Helper()
	var sources []trick.Source
	var files []trick.Changed
	for _, f := range a.Files {
		if name, ours := strings.CutPrefix(f.Name, side); ours {
			files = append(files, trick.Changed{Path: name, After: f.Data})
		} else if testName.MatchString(f.Name) {
			sources = append(sources, trick.Source{Path: f.Name, Source: f.Data})
		}
	}
	r, err := trick.Find(t.Context(), files, trick.Read(sources))
	if err != nil || len(r.NotAnalysed) > 0 {
		t.Fatalf("%s: %v %v", side, r.NotAnalysed, err)
	}
	kinds := map[string]bool{}
	for _, q := range r.Questions {
		kinds[q.Kind] = true
	}
	for _, v := range r.Violations {
		kinds[v.Kind] = true
	}
	return kinds
}

// TestUnseen measures the entries on ways around tests, each with an honest implementation of the same tests, that
// were written before the queries and not looked at when these were. testdata/unseen.txt is the table: an entry may
// block only where two of three hits are right, and of three at least.
func TestUnseen(t *testing.T) {
	names, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil || len(names) < 70 {
		t.Fatalf("%d archives (%v)", len(names), err)
	}
	right, wrong := map[string]int{}, map[string]int{}
	raised, asked := 0, 0
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		cheat, honest := find(t, archive, "cheat/"), find(t, archive, "honest/")
		for kind := range cheat {
			right[kind]++
		}
		for kind := range honest {
			wrong[kind]++
		}
		if len(cheat) > 0 {
			raised++
		} else {
			t.Logf("not raised: %s", name)
		}
		if len(honest) > 0 {
			asked++
		}
	}
	var out strings.Builder
	fmt.Fprintf(&out, "# kind: cheats it was said of, honest implementations it was said of\n")
	for _, e := range trick.Entries() {
		kind := string(e.Kind)
		fmt.Fprintf(&out, "%s: %d, %d\n", kind, right[kind], wrong[kind])
		if hits := right[kind] + wrong[kind]; e.Blocks && (hits < 3 || 3*right[kind] < 2*hits) {
			t.Errorf("%s blocks, and %d of %d unseen hits are right", kind, right[kind], hits)
		}
	}
	fmt.Fprintf(&out, "any: %d of %d, %d of %d\n", raised, len(names), asked, len(names))
	if *update {
		if err := os.WriteFile("testdata/unseen.txt", []byte(out.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/unseen.txt")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), out.String()); d != "" {
		t.Errorf("unseen.txt (-) and this run (+) differ:\n%s", d)
	}
}

// TestSeedsExample: what the requirements name as special casing is asked about, whatever tests there are.
func TestSeedsExample(t *testing.T) {
	src := "def process(input):\n    if input == \"test_value\":\n        return \"hardcoded_output\"\n    return compute(input)\n"
	r, err := trick.Find(t.Context(), []trick.Changed{{Path: "app.py", After: []byte(src)}}, trick.Read(nil))
	if err != nil || len(r.Questions)+len(r.Violations) != 1 {
		t.Fatalf("%+v %v", r, err)
	}
}

// TestRunnersVariables: what test runners set is asked about where the implementation reads it.
func TestRunnersVariables(t *testing.T) {
	for name, src := range map[string]string{
		"app.py":   "import os\nif os.environ.get(\"PYTEST_CURRENT_TEST\"):\n    pass\n",
		"mode.py":  "import os\nif os.getenv('TEST_MODE'):\n    pass\n",
		"app.js":   "if (process.env.JEST_WORKER_ID) { x(); }\n",
		"app.ts":   "export const quiet = process.env.NODE_ENV === 'test';\n",
		"app.go":   "package app\n\nfunc f() bool { return testing.Testing() }\n",
		"App.java": "class App { String f() { return System.getenv(\"TEST_MODE\"); } }\n",
		"app.rb":   "def f\n  defined?(RSpec)\nend\n",
		"app.rs":   "fn f() -> bool { cfg!(test) }\n",
		"App.cs":   "class App { string F() { return System.Environment.GetEnvironmentVariable(\"TEST_MODE\"); } }\n",
	} {
		r, err := trick.Find(t.Context(), []trick.Changed{{Path: name, After: []byte(src)}}, trick.Read(nil))
		if err != nil || len(r.Questions)+len(r.Violations) != 1 {
			t.Errorf("%s: %+v %v", name, r, err)
		}
	}
}

// TestUnreadableIsAskedAnew: the answer about files that nobody reads is for what they hold.
func TestUnreadableIsAskedAnew(t *testing.T) {
	key := func(files ...trick.Unread) string {
		asked := trick.Unreadable(files)
		if len(asked) != 1 {
			t.Fatalf("%d questions", len(asked))
		}
		return asked[0].Key
	}
	a, b := trick.Unread{Path: "vendor/x/a.go", Why: "vendored", Blob: "1"}, trick.Unread{Path: "vendor/x/b.go", Why: "vendored", Blob: "2"}
	other := b
	other.Blob = "3"
	if key(a, b) != key(b, a) || key(a, b) == key(a, other) || key(a, b) == key(a) {
		t.Error("the keys do not follow the content")
	}
}
