package docstest

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rhysd/actionlint"
	"go.yaml.in/yaml/v3"

	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/integrity/trick"
)

func TestConfigExamples(t *testing.T) {
	in, err := config.ParseInputs(map[string]string{"INPUT_ENGINE": "rules"})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range blocks(t, "json") {
		if strings.HasPrefix(b.text, "[") { // .workflow/integrity-allow.json
			if _, err := trick.ParseAllow([]byte(b.text)); err != nil {
				t.Errorf("%s, block at line %d: %v", b.page, b.line, err)
			}
			continue
		}
		file, _, err := config.ParseFile(fmt.Sprintf("%s, block at line %d", b.page, b.line), []byte(b.text))
		if err != nil {
			t.Error(err)
			continue
		}
		if _, _, err := config.Resolve(in, file); err != nil {
			t.Errorf("%s, block at line %d: %v", b.page, b.line, err)
		}
	}
}

func TestWorkflowExamples(t *testing.T) {
	for _, b := range blocks(t, "yaml") {
		checkWorkflow(t, fmt.Sprintf("%s, block at line %d", b.page, b.line), []byte(b.text))
	}
	var files []string
	for _, pattern := range []string{"examples/workflows/*.yml", ".github/workflows/*.yml"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("no file matches %s (%v)", pattern, err)
		}
		files = append(files, found...)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		checkWorkflow(t, name, data)
	}
}

// checkWorkflow lints a workflow, and holds its use of our actions to
// their action.yml, which the linter does not know.
func checkWorkflow(t *testing.T, name string, data []byte) {
	t.Helper()
	linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	problems, err := linter.Lint(name, data, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Error(p)
	}
	var w struct{ Jobs map[string]job }
	if err := yaml.Unmarshal(data, &w); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, job := range w.Jobs {
		for _, step := range job.Steps {
			action, _, _ := strings.Cut(step.Uses, "@")
			folder, ours := strings.CutPrefix(action, "OWNER/workflow-reviewer")
			if !ours {
				continue
			}
			known := actionEntries(t, filepath.Join(folder, "action.yml"), "inputs")
			for input := range step.With {
				if !slices.ContainsFunc(known, func(n named) bool { return n.name == input }) {
					t.Errorf("%s: %s has no input %q", name, action, input)
				}
			}
		}
	}
}

// job is what the tests of examples look at.
type job struct {
	Permissions map[string]string
	Outputs     map[string]string
	Steps       []struct {
		Uses, Run string
		With      map[string]string
	}
}

// TestRightsOfProve: in the example that runs approved tests, the job that executes the pull
// request's code can read the repository and has nothing else, and the job that holds the key
// executes nothing and takes the evidence.
func TestRightsOfProve(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "examples/workflows/with-test-results.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var w struct {
		Permissions map[string]string
		Jobs        map[string]job
	}
	if err := yaml.Unmarshal(text, &w); err != nil {
		t.Fatal(err)
	}
	test, review := w.Jobs["test"], w.Jobs["review"]
	if d := cmp.Diff(map[string]string{"contents": "read"}, test.Permissions); d != "" || len(w.Permissions) != 0 {
		t.Errorf("permissions of the tests:\n%s, of all jobs: %v", d, w.Permissions)
	}
	checkout, run := map[string]string{}, ""
	for _, s := range test.Steps {
		if strings.HasPrefix(s.Uses, "actions/checkout@") {
			checkout = s.With
		}
		run += s.Uses + s.Run
	}
	if d := cmp.Diff(map[string]string{"fetch-depth": "0", "persist-credentials": "false"}, checkout); d != "" {
		t.Errorf("checkout:\n%s", d)
	}
	setup, prove := strings.Index(run, "OWNER/workflow-reviewer/setup@v1"), strings.Index(run, "workflow-reviewer prove ")
	if setup < 0 || prove < setup || strings.Contains(run, "${{") {
		t.Errorf("the steps set up the program at %d and call it at %d, by fixed text:\n%s", setup, prove, run)
	}
	checkCommand(t, "with-test-results.yml", strings.Fields(strings.ReplaceAll(run[prove:], "\\\n", " "))[1:])
	given := map[string]string{}
	for _, s := range review.Steps {
		if s.Run != "" {
			t.Errorf("the review's job runs %s", s.Run)
		}
		if strings.HasPrefix(s.Uses, "OWNER/workflow-reviewer@") {
			given = s.With
		}
	}
	if given["evidence"] != "${{ needs.test.outputs.evidence }}" || given["test-results"] == "" {
		t.Errorf("the review is given %v", given)
	}
}

// TestRightsOfTheMatrix: in the example of several jobs none holds both the
// model's key and a right to write, and each holds what its mode needs.
func TestRightsOfTheMatrix(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "examples/workflows/large.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var w struct {
		Permissions map[string]string
		Jobs        map[string]job
	}
	if err := yaml.Unmarshal(data, &w); err != nil {
		t.Fatal(err)
	}
	want := map[string]map[string]string{
		"plan":   {"contents": "read", "checks": "write"},
		"review": {"contents": "read"},
		"report": {"contents": "write", "checks": "write", "pull-requests": "write"},
	}
	if len(w.Permissions) != 0 || len(w.Jobs) != len(want) {
		t.Errorf("permissions of all jobs %v, %d jobs", w.Permissions, len(w.Jobs))
	}
	for name, rights := range want {
		job := w.Jobs[name]
		if d := cmp.Diff(rights, job.Permissions); d != "" {
			t.Errorf("permissions of %s:\n%s", name, d)
		}
		for _, s := range job.Steps {
			if strings.HasPrefix(s.Uses, "OWNER/workflow-reviewer@") &&
				(s.With["mode"] != name || (s.With["openai-api-key"] != "") != (name == "review")) {
				t.Errorf("%s runs with %v", name, s.With)
			}
		}
	}
}
