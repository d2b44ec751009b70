package rules_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/review/rules"
	"workflow-reviewer/internal/workflow"
)

// input is an artifact of the given files, of which all but the first n are
// context.
func input(typ workflow.Type, before, head map[string]string, files ...string) rules.Input {
	in := rules.Input{
		Artifact: workflow.Artifact{Type: typ, Feature: "export"},
		Set:      changetest.Set(before, before, head),
	}
	for _, f := range files {
		in.Artifact.Files = append(in.Artifact.Files, workflow.File{Path: f})
	}
	return in
}

func TestCatalogIsWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rules.Catalog() {
		if seen[r.ID] {
			t.Errorf("%s is listed twice", r.ID)
		}
		seen[r.ID] = true
		for name, text := range map[string]string{
			"title": r.Title, "explanation": r.Explanation, "criterion": r.Criterion, "severity": string(r.Severity),
			"category": string(r.Category), "pass": r.Pass,
		} {
			if strings.TrimSpace(text) == "" {
				t.Errorf("%s has no %s", r.ID, name)
			}
		}
		if len(r.Types) == 0 {
			t.Errorf("%s applies to nothing", r.ID)
		}
	}
	folders, err := filepath.Glob("testdata/*/*/bad.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		id := filepath.ToSlash(strings.TrimPrefix(filepath.Dir(f), "testdata"+string(filepath.Separator)))
		if !seen[id] {
			t.Errorf("testdata has samples of %s, which is no rule", id)
		}
	}
}

// Every type has its checks, in the order of the catalog, whatever is found.
func TestChecksAreStable(t *testing.T) {
	for _, typ := range workflow.Types() {
		var want []string
		for _, r := range rules.Catalog() {
			if slices.Contains(r.Types, typ) && r.Layout == "" {
				want = append(want, r.ID)
			}
		}
		var got []string
		for _, c := range rules.Check(t.Context(), input(typ, nil, nil, "gone.md")) {
			got = append(got, c.ID)
			if c.Summary == "" {
				t.Errorf("%s: %s has no summary", typ, c.ID)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || len(got) < 4 {
			t.Errorf("%s (-want +got):\n%s", typ, diff)
		}
	}
}

func TestNothingRunsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	in := input(workflow.Spec, nil, map[string]string{"specs/proposed/x.md": "# X"}, "specs/proposed/x.md")
	checks := rules.Check(ctx, in)
	if v := rules.Decide(in.Artifact, checks); len(checks) > 0 || v.Decision != workflow.NeedsChanges {
		t.Errorf("%d checks ran, decision %s", len(checks), v.Decision)
	}
}

// Whole documents as people write them, and what the rules alone make of them.
func TestDocuments(t *testing.T) {
	files, err := filepath.Glob("testdata/documents/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal("no documents", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			name, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".md"), "-")
			typ, ok := workflow.ParseType(name)
			if !ok {
				t.Fatalf("%q is no type", name)
			}
			in := input(typ, nil, map[string]string{"doc.md": string(data), "VISION.md": "# Vision\n\nFor all."}, "doc.md")
			checks := rules.Check(t.Context(), in)
			v := rules.Decide(in.Artifact, checks)
			var b strings.Builder
			b.WriteString(v.Decision.String() + ": " + v.Summary + "\n")
			for _, c := range v.Criteria {
				b.WriteString("| " + strings.Join([]string{c.Name, string(c.Grade), c.Finding, c.Evidence}, " | ") + " |\n")
			}
			for _, c := range checks {
				if c.Outcome != workflow.Passed {
					b.WriteString(render(c))
				}
			}
			golden(t, strings.TrimSuffix(file, ".md")+".golden", b.String())
		})
	}
}

func TestOnlyChangedLinesAreReported(t *testing.T) {
	before := "def load():\n    print(1)  # TODO\n    return eval(x)\n"
	after := before + "\n\ndef save():\n    breakpoint()\n"
	in := input(workflow.Implementation, map[string]string{"src/a.py": before}, map[string]string{"src/a.py": after}, "src/a.py")
	var got []string
	for _, c := range rules.Check(t.Context(), in) {
		for _, i := range c.Issues {
			if strings.HasPrefix(i.Rule, "code/") {
				got = append(got, i.Rule+" "+i.Title)
			}
		}
	}
	if diff := cmp.Diff([]string{"code/debug-leftover Debugging code is left: breakpoint()"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMovedFilesAreComparedWithWhereTheyCameFrom(t *testing.T) {
	text := "def load():\n    breakpoint()\n"
	in := input(workflow.Implementation, map[string]string{"a.py": text}, map[string]string{"b.py": text}, "b.py")
	if c := find(t, rules.Check(t.Context(), in), "code/debug-leftover"); len(c.Issues) > 0 {
		t.Errorf("a moved line counts as new: %s", render(c))
	}
}

func TestIssuesAreBounded(t *testing.T) {
	src := strings.Repeat("eval(x)\n", 300)
	in := input(workflow.Implementation, nil, map[string]string{"a.py": src}, "a.py")
	c := find(t, rules.Check(t.Context(), in), "code/dynamic-code")
	if len(c.Issues) > 25 || !strings.Contains(c.Summary, "299 more") {
		t.Errorf("%d issues, %q", len(c.Issues), c.Summary)
	}
}

// The value of a secret must be in nothing that is written.
func TestSecretsAreNotRepeated(t *testing.T) {
	token := "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
	password := "q7Gv2xR9bLw4"
	src := "TOKEN = '" + token + "'\npassword = \"" + password + "\"\n"
	in := input(workflow.Implementation, nil, map[string]string{"a.py": src}, "a.py")
	checks := rules.Check(t.Context(), in)
	c := find(t, checks, "code/secret")
	if len(c.Issues) != 2 || c.Issues[0].Severity != workflow.High || c.Issues[0].Line != 1 {
		t.Fatalf("got %s", render(c))
	}
	v := rules.Decide(in.Artifact, checks)
	for _, c := range checks {
		if text := render(c) + v.Summary; strings.Contains(text, token) || strings.Contains(text, password) {
			t.Errorf("the secret is repeated: %s", text)
		}
	}
}
