package integrity_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/integrity"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/proof"
)

type files = map[string]string

const (
	good = "from app import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n"
	weak = "from app import add\n\n\ndef test_add():\n    assert add(1, 2)\n"
	more = good + "\n\ndef test_zero():\n    assert add(0, 0) == 0\n"
	at   = "tests/test_add.py"
)

// approvedAs is a baseline of add's tests with the given contents.
func approvedAs(source baseline.Source, contents files) baseline.Baseline {
	b := baseline.Baseline{Feature: "add", Source: source, Commit: "c0ffee", Path: approval.Path("add"), Revision: 1}
	for p, text := range contents {
		role := approval.Test
		if !strings.Contains(p, "test_") {
			role = approval.Support
		}
		b.Files = append(b.Files, approval.File{Path: p, Mode: change.ModeRegular, Blob: changetest.Blob(text), Role: role})
	}
	return b
}

func check(t *testing.T, set change.Set, edit func(*integrity.Input), baselines ...baseline.Baseline) integrity.Outcome {
	t.Helper()
	in := integrity.Input{Set: set, Baselines: baselines, Asked: []string{"add"}, Workarounds: true}
	lookup(t, &in)
	in.Blob = changetest.Blobs(set.BaseTree, set.MergeBaseTree, set.HeadTree)
	if edit != nil {
		edit(&in)
	}
	out, err := integrity.Check(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// lookup gives an input the roles of its files.
func lookup(t testing.TB, in *integrity.Input) {
	t.Helper()
	l, err := detect.NewLookup(in.Set, detect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in.Role, in.Names = l.Role, l.Names
}

// told is an outcome in a few words.
func told(o integrity.Outcome) string {
	var out []string
	for _, v := range o.Breaches() {
		out = append(out, fmt.Sprintf("%s %s:%d:%s", v.Kind, v.File, v.Line, v.Side))
	}
	for _, a := range o.Asks {
		out = append(out, a.Kind+" "+a.File)
	}
	return strings.TrimSpace(string(o.Verdict()) + " " + strings.Join(out, ", "))
}

const workflow = "on: [push]\njobs:\n  t:\n    runs-on: ubuntu-latest\n    steps:\n      - run: pytest\n"

func TestCheck(t *testing.T) {
	with := func(ms ...files) files {
		out := files{}
		for _, m := range ms {
			maps.Copy(out, m)
		}
		return out
	}
	tested := files{at: good, "app.py": ""}
	again := approvedAs(baseline.BaseRecord, files{at: more})
	again.Former = approvedAs(baseline.BaseRecord, files{at: good}).Files
	other := approvedAs(baseline.BaseRecord, files{at: more})
	other.Feature = "sub"
	twice := approvedAs(baseline.BaseRecord, files{at: good, "tests/a/test_same.py": good})
	script := approvedAs(baseline.BaseRecord, files{at: good})
	script.Files = append(script.Files, approval.File{
		Path: "run.sh", Mode: change.ModeExecutable, Blob: changetest.Blob("pytest\n"), Role: approval.Config,
	})
	for name, c := range map[string]struct {
		base, mergeBase, head files // mergeBase nil = base
		baselines             []baseline.Baseline
		edit                  func(*integrity.Input)
		want                  string
	}{
		"same": {
			base: tested, head: with(tested, files{"app.py": "def add(a, b):\n    return a + b\n"}),
			want: "clean",
		},
		"weakened": {
			base: tested, head: files{at: weak},
			want: "breach assertion_weakened tests/test_add.py:5:after",
		},
		"comment": {base: tested, head: files{at: "# Sums.\n" + good}, want: "clean"},
		"comment, strict": {
			base: tested, head: files{at: "# Sums.\n" + good},
			edit: func(in *integrity.Input) { in.Strict = true }, want: "breach file_changed tests/test_add.py:1:after",
		},
		"test added": {base: tested, head: files{at: more}, want: "clean gained tests/test_add.py"},
		"gone": {
			base: tested, head: files{},
			want: "breach test_deleted tests/test_add.py:1:before, test_deleted tests/test_add.py:4:before",
		},
		"moved": {base: tested, head: files{"tests/unit/test_add.py": good}, want: "breach *"},
		"moved, strict": {
			base: tested, head: files{"tests/unit/test_add.py": good},
			edit: func(in *integrity.Input) { in.Strict = true }, want: "breach *",
		},
		"moved out of collection": {base: tested, head: files{"tests/add_checks.py": good}, want: "breach *"},
		"one of two equal tests gone": {
			base: files{at: good, "tests/a/test_same.py": good}, head: files{at: good},
			baselines: []baseline.Baseline{twice}, want: "breach *",
		},
		"made executable": {base: tested, head: files{at: changetest.Executable(good)}, want: "clean"},
		"no longer executable": {
			base: with(tested, files{"run.sh": changetest.Executable("pytest\n")}),
			head: with(tested, files{"run.sh": "pytest\n"}), baselines: []baseline.Baseline{script},
			want: "breach file_changed run.sh:1:after",
		},
		"made a link": {
			base: tested, head: files{at: changetest.Symlink("../app.py")},
			want: "breach file_changed tests/test_add.py:1:after",
		},
		"made a submodule": {
			base: tested, head: files{at: changetest.Submodule(strings.Repeat("1", 40))},
			want: "breach file_changed tests/test_add.py:1:after",
		},
		"too large to read": {
			base: tested, head: files{at: good + "# " + strings.Repeat("x", change.MaxFile)},
			want: "breach file_changed tests/test_add.py:1:after",
		},
		"approved again since": {
			base: files{at: more}, mergeBase: tested, head: tested, baselines: []baseline.Baseline{again},
			want: "clean",
		},
		"base was tampered with": {
			base: files{at: weak}, head: files{at: weak},
			want: "breach file_changed tests/test_add.py:1:after",
		},
		"approved later, not yet here": {base: tested, mergeBase: files{"app.py": ""}, head: files{"app.py": "x = 1\n"}, want: "clean"},
		"shared file, approved for other": {
			base: files{at: more}, head: files{at: more},
			baselines: []baseline.Baseline{approvedAs(baseline.BaseRecord, files{at: good}), other}, want: "clean",
		},
		"shared file, put back": {
			base: files{at: more}, head: files{at: good},
			baselines: []baseline.Baseline{approvedAs(baseline.BaseRecord, files{at: good}), other},
			want:      "breach test_deleted tests/test_add.py:8:before",
		},
		"helper that no record lists": {
			base: files{
				at:           "from support import check\n\n\ndef test_add():\n    check(1)\n",
				"support.py": "def check(x):\n    assert x == 1\n",
			},
			head: files{
				at:           "from support import check\n\n\ndef test_add():\n    check(1)\n",
				"support.py": "def check(x):\n    pass\n",
			},
			baselines: []baseline.Baseline{approvedAs(baseline.BaseRecord,
				files{at: "from support import check\n\n\ndef test_add():\n    check(1)\n"})}, want: "breach *",
		},
		"new conftest that deselects": {
			base: tested, head: with(tested, files{"conftest.py": "def pytest_collection_modifyitems(items):\n    items.clear()\n"}),
			want: "breach *",
		},
		"conftest elsewhere": {
			base: tested, head: with(tested, files{"tools/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef db():\n    yield 1\n"}),
			want: "clean",
		},
		"a package of Go whose tests have their own main": {
			base: tested, head: with(tested, files{"b/b_test.go": "package b\n\nfunc init() { x() }\n\nfunc TestMain(m *testing.M) { m.Run() }\n"}),
			want: "clean",
		},
		"conftest elsewhere whose hook is called for all": {
			base: tested, head: with(tested, files{"tools/conftest.py": "def pytest_collection_modifyitems(items):\n    items.clear()\n"}),
			want: "clean gained tools/conftest.py",
		},
		"runner configuration": {
			base: with(tested, files{"pytest.ini": "[pytest]\ntestpaths = tests\n"}),
			head: with(tested, files{"pytest.ini": "[pytest]\naddopts = --deselect tests/test_add.py::test_add\n"}), want: "breach *",
		},
		"configuration without approved tests": {
			base:      with(tested, files{"pytest.ini": "[pytest]\ntestpaths = tests\n"}),
			head:      with(tested, files{"pytest.ini": "[pytest]\ntestpaths = other\n"}),
			baselines: []baseline.Baseline{{Feature: "add", Source: baseline.NoTests}}, want: "no-baseline",
		},
		"what make takes for the result of its goal": {
			base: with(tested, files{"Makefile": "test:\n\tpytest\n"}),
			head: with(tested, files{"Makefile": "test:\n\tpytest\n", "test/notes.md": "x\n"}), want: "breach *",
		},
		"a file beside a goal that is no file": {
			base: with(tested, files{"Makefile": ".PHONY: lint test\ntest:\n\tpytest\n"}),
			head: with(tested, files{"Makefile": ".PHONY: lint test\ntest:\n\tpytest\n", "test/notes.md": "x\n"}), want: "clean",
		},
		"a file more in a folder of a goal's name": {
			base: with(tested, files{"Makefile": "tests:\n\tpytest\n", "tests/notes.md": "x\n"}),
			head: with(tested, files{"Makefile": "tests:\n\tpytest\n", "tests/notes.md": "x\n", "tests/more.md": "x\n"}), want: "clean",
		},
		"what make takes for the result of a goal that runs tests": {
			base: with(tested, files{"Makefile": "unit:\n\tpytest\n"}),
			head: with(tested, files{"Makefile": "unit:\n\tpytest\n", "unit/notes.md": "x\n"}), want: "breach *",
		},
		"what a run of tests makes": {
			base: with(tested, files{"Makefile": "report.txt:\n\tpytest > report.txt\n"}),
			head: with(tested, files{"Makefile": "report.txt:\n\tpytest > report.txt\n", "report.txt": "x\n"}), want: "clean",
		},
		"evidence of a Makefile for which a new folder is a result": {
			base: with(tested, files{"Makefile": "test:\n\tpytest\n"}),
			head: with(tested, files{"Makefile": ".PHONY: test\ntest:\n\tpytest\n", "test/notes.md": "x\n"}),
			edit: func(in *integrity.Input) { in.Evidence = []proof.File{{Path: "evidence.json"}} },
			want: "breach config_changed Makefile:1:after, config_narrowed test/notes.md:1:after",
		},
		"no evidence of it": {
			base: with(tested, files{"Makefile": "test:\n\tpytest\n"}),
			head: with(tested, files{"Makefile": ".PHONY: test\ntest:\n\tpytest\n", "test/notes.md": "x\n"}), want: "breach config_changed Makefile:1:after",
		},
		"what make takes for the result of another goal": {
			base: with(tested, files{"Makefile": "docs:\n\tmkdocs\n"}),
			head: with(tested, files{"Makefile": "docs:\n\tmkdocs\n", "docs/notes.md": "x\n"}), want: "clean",
		},
		"a file beside a goal that needs one that is no file": {
			base: with(tested, files{"Makefile": ".PHONY: build\ntest: build\n\tpytest\n"}),
			head: with(tested, files{"Makefile": ".PHONY: build\ntest: build\n\tpytest\n", "test/notes.md": "x\n"}), want: "clean",
		},
		"a file beside a goal that needs a file": {
			base: with(tested, files{"Makefile": ".PHONY: build\ntest: src | build\n\tpytest\n"}),
			head: with(tested, files{"Makefile": ".PHONY: build\ntest: src | build\n\tpytest\n", "test/notes.md": "x\n"}), want: "breach *",
		},
		"a file beside a goal that a variable says is no file": {
			base: with(tested, files{"Makefile": "GOALS += test\ntest:\n\tpytest\n.PHONY: ${GOALS}\n"}),
			head: with(tested, files{"Makefile": "GOALS += test\ntest:\n\tpytest\n.PHONY: ${GOALS}\n", "test/notes.md": "x\n"}), want: "clean",
		},
		"a module where there is none": {base: tested, head: with(tested, files{path.Dir(at) + "/go.mod": "module b\n"}), want: "clean"},
		"another version of a copied framework": {
			base: with(tested, files{"go.sum": "a v1\n", "vendor/github.com/stretchr/testify/a.go": "package a\n"}),
			head: with(tested, files{"go.sum": "a v2\n", "vendor/github.com/stretchr/testify/a.go": "package b\n"}), want: "unverifiable",
		},
		"another copy of a framework": {
			base: with(tested, files{"go.sum": "a v1\n", "vendor/github.com/stretchr/testify/a.go": "package a\n"}),
			head: with(tested, files{"go.sum": "a v1\n", "vendor/github.com/stretchr/testify/a.go": "package b\n"}), want: "breach *",
		},
		"a module around approved tests": {
			base: with(tested, files{"go.mod": "module a\n"}),
			head: with(tested, files{"go.mod": "module a\n", path.Dir(at) + "/go.mod": "module b\n"}), want: "breach *",
		},
		"a module beside approved tests": {
			base: with(tested, files{"go.mod": "module a\n"}),
			head: with(tested, files{"go.mod": "module a\n", "tools/go.mod": "module b\n"}), want: "clean",
		},
		"a workflow that gives its steps twice": {
			base: with(tested, files{".github/workflows/ci.yml": workflow}),
			head: with(tested, files{".github/workflows/ci.yml": workflow + "    steps: []\n"}), want: "breach *",
		},
		"protected": {
			base: with(tested, files{"run.sh": "pytest\n"}), head: with(tested, files{"run.sh": "pytest # all\n"}),
			edit: func(in *integrity.Input) { in.Protect = []string{"*.sh"} }, want: "breach *",
		},
		"protected, moved": {
			base: with(tested, files{"run.sh": "pytest\n"}), head: with(tested, files{"run2.sh": "pytest\n"}),
			edit: func(in *integrity.Input) { in.Protect = []string{"*.sh"} }, want: "breach *",
		},
		"missing": {base: tested, head: tested, baselines: []baseline.Baseline{{
			Feature: "add", Source: baseline.None,
			Missing: "nothing",
		}}, want: "no-baseline"},
		"missing and needed": {base: tested, head: tested, baselines: []baseline.Baseline{{
			Feature: "add", Source: baseline.None,
			Missing: "nothing", Strict: true,
		}}, want: "unverifiable"},
		"allowed": {
			base: tested, head: files{at: weak},
			edit: func(in *integrity.Input) { in.Permit = func(string) string { return "an RFC" } }, want: "clean",
		},
		"not the feature's": {base: tested, head: files{at: weak}, edit: func(in *integrity.Input) {
			in.Asked, in.Only = []string{"sub"},
				"sub"
		}, want: "no-baseline"},
		"touched, not asked": {
			base: tested, head: files{at: weak}, edit: func(in *integrity.Input) { in.Asked = nil },
			want: "breach assertion_weakened tests/test_add.py:5:after",
		},
		"left alone, changed": {
			base: files{at: weak}, head: files{at: weak, "x.py": ""},
			edit: func(in *integrity.Input) { in.Asked = nil }, want: "clean",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if c.mergeBase == nil {
				c.mergeBase = c.base
			}
			if c.baselines == nil {
				c.baselines = []baseline.Baseline{approvedAs(baseline.BaseRecord, files{at: good})}
			}
			out := check(t, changetest.Set(c.base, c.mergeBase, c.head), c.edit, c.baselines...)
			got := told(out)
			if prefix, any := strings.CutSuffix(c.want, "*"); any && !strings.HasPrefix(got, prefix) || !any && got != c.want {
				t.Errorf("got %s\nwant %s\nharmless %q\nnot analysed %q", got, c.want, out.Harmless, out.NotAnalysed)
			}
		})
	}
}

// TestCheckTellsWhatItAllows: an allowed change is no violation and not silent.
func TestCheckTellsWhatItAllows(t *testing.T) {
	out := check(t, changetest.Set(files{at: good}, files{at: good}, files{at: weak}), func(in *integrity.Input) {
		in.Permit = func(p string) string {
			if p == at {
				return "rfcs/approved/1.md"
			}
			return ""
		}
	}, approvedAs(baseline.BaseRecord, files{at: good}))
	if len(out.Permitted) != 1 || out.Permitted[0].By != "rfcs/approved/1.md" || out.Permitted[0].Kind != "assertion_weakened" {
		t.Errorf("permitted %+v", out.Permitted)
	}
	if f, ok := out.Of("add"); !ok || len(f.Permitted) != 1 || f.Verdict() != integrity.Clean {
		t.Errorf("feature %+v", f)
	}
}

// TestCheckFindsContents: the approved text is read by its id, which no tree of the change need have, and without that
// the bytes decide, which is said.
func TestCheckFindsContents(t *testing.T) {
	set := changetest.Set(files{at: more}, files{at: more}, files{at: weak})
	b := approvedAs(baseline.BranchRecord, files{at: good})
	out := check(t, set, nil, b)
	if diff := cmp.Diff("breach file_changed tests/test_add.py:1:after", told(out)); diff != "" || len(out.NotAnalysed) != 1 {
		t.Errorf("%s, not analysed %q", diff, out.NotAnalysed)
	}
	out = check(t, set, func(in *integrity.Input) { in.Blob = changetest.Blobs(changetest.Tree("c0ffee", files{at: good})) }, b)
	if diff := cmp.Diff("breach assertion_weakened tests/test_add.py:5:after", told(out)); diff != "" || len(out.NotAnalysed) != 0 {
		t.Errorf("%s, not analysed %q", diff, out.NotAnalysed)
	}
}

// TestOneVoice: a difference that is a breach is not called harmless beside it, however many records and roles the file
// has.
func TestOneVoice(t *testing.T) {
	const one, two = "shop/a_test.go", "shop/b_test.go"
	src := func(name, op string) string {
		return "package shop\n\nimport \"testing\"\n\nfunc " + name + "(t *testing.T) {\n\tif got := Total(1); got " + op +
			" 1 {\n\t\tt.Fatalf(\"got %d\", got)\n\t}\n}\n"
	}
	base := files{one: src("TestA", "!="), two: src("TestB", "!=")}
	support := approvedAs(baseline.BaseRecord, base)
	support.Feature = "sub"
	for i := range support.Files {
		support.Files[i].Role = approval.Support
	}
	out := check(t, changetest.Set(base, base, files{one: src("TestA", "<"), two: src("TestB", "!=") + "\n"}), nil,
		approvedAs(baseline.BaseRecord, base), support)
	want := []string{two + ": only layout, comments or annotations differ"}
	if diff := cmp.Diff(want, out.Harmless); len(out.Breaches()) != 1 || diff != "" {
		t.Errorf("%s, harmless (-want +got):\n%s", told(out), diff)
	}
}

// broken is a tree whose files cannot be read.
type broken struct{ change.Tree }

func (broken) ReadFile(string) ([]byte, error) { return nil, errors.New("disk") }

func TestCheckReportsBrokenTrees(t *testing.T) {
	set := changetest.Set(files{at: good}, files{at: good}, files{at: weak})
	set.HeadTree = broken{set.HeadTree}
	l, err := detect.NewLookup(set, detect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in := integrity.Input{
		Set: set, Baselines: []baseline.Baseline{approvedAs(baseline.Given, files{at: good})}, Asked: []string{"add"},
		Role: l.Role,
	}
	if _, err := integrity.Check(t.Context(), in); err == nil || !strings.Contains(err.Error(), "disk") {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := integrity.Check(ctx, in); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// Places of packages count where the config enforces what nobody approved, and are not told else.
func TestPlacesOfPackages(t *testing.T) {
	const lock, was, is = "package-lock.json", "{\n}\n", "{\n  \"resolved\": \"https://mirror.example/a.tgz\"\n}\n"
	base := files{at: good, lock: was}
	set := changetest.Set(base, base, files{at: good, lock: is})
	unapproved := []approval.File{
		{Path: at, Mode: change.ModeRegular, Blob: changetest.Blob(good), Role: approval.Test},
		{Path: lock, Mode: change.ModeRegular, Blob: changetest.Blob(was), Role: approval.Config},
	}
	for _, enforce := range []bool{false, true} {
		out := check(t, set, func(in *integrity.Input) { in.Unapproved, in.MergeBase, in.Enforce = unapproved, true, enforce })
		if weak := len(out.Weakened); weak != 0 || (len(out.Breaches()) > 0) != enforce {
			t.Errorf("enforced: %t, %d weakened, %s", enforce, weak, told(out))
		}
	}
}

// TestACommaIsNothingNew: a formatter that ends lists with commas asks nothing,
// the same list in a new file is asked about.
func TestACommaIsNothingNew(t *testing.T) {
	const list = "ANSWERS = {\n    \"show me the config\": \"config_lookup_7\",\n    \"where is the login\": \"login_lookup_8\"\n}\n"
	base := files{"src/answers.py": list, "tests/test_answers.py": "from answers import ask\n\n\ndef test_ask():\n" +
		"    assert ask(\"show me the config\") == \"config_lookup_7\"\n    assert ask(\"where is the login\") == \"login_lookup_8\"\n"}
	approved := approvedAs(baseline.Given, files{"tests/test_answers.py": base["tests/test_answers.py"]})
	comma := maps.Clone(base)
	comma["src/answers.py"] = strings.Replace(list, "8\"\n", "8\",\n", 1)
	if out := check(t, changetest.Set(base, base, comma), nil, approved); len(out.Questions) != 0 {
		t.Errorf("a comma: %+v", out.Questions)
	}
	more := maps.Clone(base)
	more["src/more.py"] = list
	if out := check(t, changetest.Set(base, base, more), nil, approved); len(out.Questions) == 0 {
		t.Error("a new list is not found")
	}
}

// TestEveryQuestionIsAsked: where there are too many, one stands for the rest, so that nobody can
// hide one among others.
func TestEveryQuestionIsAsked(t *testing.T) {
	head := files{at: good}
	for n := range 30 {
		head[fmt.Sprintf("src/a%02d.py", n)] = "class R(int):\n    def __eq__(self, o):\n        return True\n"
	}
	out := check(t, changetest.Set(files{at: good}, files{at: good}, head), nil, approvedAs(baseline.BaseRecord, files{at: good}))
	last := out.Questions[len(out.Questions)-1]
	if len(out.Questions) != 21 || !strings.Contains(last.Text, "9 other places") || !strings.Contains(last.Evidence, "src/a29.py:2") {
		t.Errorf("%d questions, the last %+v", len(out.Questions), last)
	}
}
