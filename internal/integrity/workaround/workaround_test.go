package workaround_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"workflow-reviewer/internal/integrity/question"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/integrity/workaround"
	"workflow-reviewer/internal/integrity/workaround/literal"
	"workflow-reviewer/internal/workflow"
)

// TestRules checks the sources of testdata/<rule>/*.txtar. Each is new; those
// under tests/ are the approved tests. A line is to be reported by the folder's
// rule exactly if it ends in a comment with "!!"; a source without such lines
// is to be reported by no rule at all. A line with "??" is to be asked about.
func TestRules(t *testing.T) {
	for _, r := range workaround.Rules() {
		files, err := filepath.Glob(filepath.Join("testdata", r.ID(), "*.txtar"))
		if err != nil || len(files) < 2 {
			t.Fatalf("rule %s has %d archives of sources (%v); it needs some that are reported, and others", r.ID(), len(files), err)
		}
		for _, file := range files {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			tests := approved(archive)
			for _, f := range archive.Files {
				if isTest(f.Name) {
					continue
				}
				t.Run(r.ID()+"/"+filepath.Base(file)+"/"+f.Name, func(t *testing.T) { checkSource(t, r, f, tests) })
			}
		}
	}
}

func isTest(path string) bool {
	return strings.HasPrefix(path, "tests/") || strings.HasPrefix(path, "spec/")
}

func approved(a *txtar.Archive) []literal.Source {
	var out []literal.Source
	for _, f := range a.Files {
		if isTest(f.Name) || strings.Contains(string(f.Data), "#[cfg(test)]") {
			out = append(out, literal.Source{Path: f.Name, Source: f.Data})
		}
	}
	return out
}

// checkSource checks a source; others are files of the change that are checked apart.
func checkSource(t *testing.T, r workaround.Rule, f txtar.File, tests []literal.Source, others ...txtar.File) {
	t.Helper()
	read, err := literal.Read(t.Context(), tests)
	if err != nil {
		t.Fatal(err)
	}
	asker := question.New(read, nil)
	changed := []workaround.Changed{{Path: f.Name, After: f.Data}}
	for _, o := range others {
		if o.Name != f.Name && !isTest(o.Name) {
			changed = append(changed, workaround.Changed{Path: o.Name, Before: o.Data, After: o.Data})
		}
	}
	got := check(t, workaround.Input{Files: changed, IsTest: isTest, Each: asker.File}, tests...)
	if len(got.NotAnalysed) > 0 {
		t.Fatalf("not analysed: %v", got.NotAnalysed)
	}
	asked, _ := asker.All(got.Violations)
	for _, line := range marked(f.Data, "??") {
		at := fmt.Sprintf("+ %s:%d: ", f.Name, line)
		if !slices.ContainsFunc(asked, func(q workflow.Question) bool { return strings.Contains(q.Evidence, at) }) {
			t.Errorf("nothing is asked about line %d; questions are %+v", line, asked)
		}
	}
	want := marked(f.Data, "!!")
	var lines []int
	for _, v := range got.Violations {
		if v.Kind == string(r.Kind) {
			lines = append(lines, v.Line)
		} else if len(want) == 0 {
			t.Errorf("%s:%d: %s: %s", v.File, v.Line, v.Kind, v.Description)
		}
		if v.Type != "workaround" || v.Side != "after" || !strings.HasPrefix(v.Description, "Workaround: ") {
			t.Errorf("violation %+v", v)
		}
	}
	if d := cmp.Diff(want, lines); d != "" {
		t.Errorf("lines of %s (-want +got):\n%s", r.ID(), d)
	}
}

func marked(source []byte, mark string) []int {
	var out []int
	for i, line := range strings.Split(string(source), "\n") {
		if strings.HasSuffix(strings.TrimRight(line, " */"), mark) {
			out = append(out, i+1)
		}
	}
	return out
}

func check(t *testing.T, in workaround.Input, tests ...literal.Source) workaround.Result {
	t.Helper()
	var err error
	if in.Tests, err = literal.Read(t.Context(), tests); err != nil {
		t.Fatal(err)
	}
	got, err := workaround.Check(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestExamples checks that each rule is documented, that it reports the bad
// example there, and that none reports the fine one.
func TestExamples(t *testing.T) {
	doc, err := os.ReadFile("../../../docs/integrity-rules.md")
	if err != nil {
		t.Fatal(err)
	}
	endings := map[string]string{
		"python": ".py", "javascript": ".js", "typescript": ".ts", "go": ".go", "ruby": ".rb", "rust": ".rs", "java": ".java",
	}
	for _, r := range workaround.Rules() {
		t.Run(r.ID(), func(t *testing.T) {
			m := regexp.MustCompile("\n## " + r.ID() + "\n\n.+\n\nReported:\n\n```(\\w+)\n((?s:.+?))```\n\n" +
				"Spared:\n\n```\\w+\n((?s:.+?))```\n").FindSubmatch(doc)
			if m == nil {
				t.Fatalf("docs/integrity-rules.md has no explanation and examples of %s", r.ID())
			}
			ending, bad, fine := endings[string(m[1])], string(m[2]), string(m[3])
			tests := []literal.Source{{Path: "tests/test_slug.py", Source: []byte(
				"def test_slug():\n    assert slug(\"the quick brown fox\") == \"the quick fox.\"\n\n" +
					"def test_symbol():\n    assert symbol(\"EUR\") == \"€\"\n")}}
			wrap := func(code string) workaround.Input {
				if strings.Contains(code, "return ") && !strings.Contains(code, "def ") && ending == ".py" {
					code = "def f(text, here):\n    " + strings.ReplaceAll(code, "\n", "\n    ") + "\n"
				}
				code = strings.ReplaceAll(code, "…", "")
				after := strings.ReplaceAll(code, ": \n", ": pass\n")
				return workaround.Input{Files: []workaround.Changed{{Path: "lib/code" + ending, After: []byte(after)}}}
			}
			ofRule := func(v workflow.Violation) bool { return v.Kind == string(r.Kind) }
			if got := check(t, wrap(bad), tests...); !slices.ContainsFunc(got.Violations, ofRule) {
				t.Errorf("bad example: %+v", got)
			}
			if got := check(t, wrap(fine), tests...); len(got.Violations)+len(got.NotAnalysed) > 0 {
				t.Errorf("fine example: %+v", got)
			}
		})
	}
}

// TestAdded checks that only added lines count, and that an unchanged part
// belongs to a trick of which another line was added.
func TestAdded(t *testing.T) {
	source := "_calls = 0\n\n\ndef nth_prime(n):\n    global _calls\n    _calls += 1\n" +
		"    if _calls == 1:\n        return 2\n    return 13\n"
	for _, tt := range []struct {
		name  string
		added []int
		want  string
	}{
		{"nothing", nil, ""},
		{"something else", []int{9}, ""},
		{"the step", []int{6}, "6 7"},
		{"the branch", []int{7}, "6 7"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := workaround.Changed{Path: "a.py", Before: []byte("x"), After: []byte(source), Added: map[int]bool{}}
			for _, l := range tt.added {
				c.Added[l] = true
			}
			var lines []string
			for _, v := range check(t, workaround.Input{Files: []workaround.Changed{c}}).Violations {
				lines = append(lines, fmt.Sprint(v.Line))
			}
			if got := strings.Join(lines, " "); got != tt.want {
				t.Errorf("lines %q, want %q", got, tt.want)
			}
		})
	}
}

// TestSeveralFiles: what one file defines and another uses is judged where it is
// defined.
func TestSeveralFiles(t *testing.T) {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "several.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		if !isTest(f.Name) {
			checkSource(t, workaround.Rule{Kind: violation.SpecialCasing}, f, approved(archive), archive.Files...)
		}
	}
}

// TestNotAnalysed checks that what cannot be read is never clean.
func TestNotAnalysed(t *testing.T) {
	deep := strings.Repeat("(", 20000) + "1" + strings.Repeat(")", 20000)
	got := check(t, workaround.Input{Files: []workaround.Changed{
		{Path: "a.py", After: []byte("def f(:\n")},
		{Path: "b.js", After: []byte("x = " + deep + ";\n")},
		{Path: "nul.py", After: []byte("def f():\n    return 1  # \x00\n")},
		{Path: "c.rb", After: nil},
		{Path: "tests/test_a.py", After: []byte("def f(:\n")},
		{Path: "d.go", Before: []byte("package a\n\nvar x int\n"), After: []byte("package a\n")},
	}, IsTest: isTest})
	var paths []string
	for _, n := range got.NotAnalysed {
		if n.Why == "" || n.Old {
			t.Errorf("%+v names no reason, or is not new", n)
		}
		paths = append(paths, n.Path)
	}
	if d := cmp.Diff([]string{"a.py", "b.js", "nul.py"}, paths); d != "" || len(got.Violations) > 0 {
		t.Errorf("not analysed (-want +got):\n%s\n%+v", d, got.Violations)
	}
}

// TestCap checks that a rule reports a bounded number of lines of a file, and
// says how many more there are.
func TestCap(t *testing.T) {
	source := strings.Repeat("Date.now = () => 1;\n", 30)
	got := check(t, workaround.Input{Files: []workaround.Changed{{Path: "a.js", After: []byte(source)}}})
	if n := len(got.Violations); n != 20 || !strings.Contains(got.Violations[n-1].Description, "10 more") {
		t.Errorf("%d violations, %+v", n, got.Violations[n-1])
	}
}

func FuzzCheck(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("testdata", "*", "*.txtar"))
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, s := range txtar.Parse(data).Files {
			f.Add(s.Name, s.Data, s.Data)
		}
	}
	f.Fuzz(func(t *testing.T, path string, source, test []byte) {
		tests, err := literal.Read(t.Context(), []literal.Source{{Path: "tests/x" + filepath.Ext(path), Source: test}})
		if err != nil {
			t.Fatal(err)
		}
		in := workaround.Input{
			Files: []workaround.Changed{{Path: path, After: source}},
			Each:  question.New(tests, nil).File,
		}
		lines := strings.Count(string(source), "\n") + 1
		for _, v := range check(t, in, literal.Source{Path: "tests/x" + filepath.Ext(path), Source: test}).Violations {
			if v.Line < 1 || v.Line > lines || v.Evidence == "" && v.Line != 1 {
				t.Errorf("violation %+v in a source of %d lines", v, lines)
			}
		}
	})
}
