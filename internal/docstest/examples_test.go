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
	"workflow-reviewer/internal/integrity/workaround"
)

func TestConfigExamples(t *testing.T) {
	in, err := config.ParseInputs(map[string]string{"INPUT_ENGINE": "rules"})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range blocks(t, "json") {
		if strings.HasPrefix(b.text, "[") { // .workflow/integrity-allow.json
			if _, err := workaround.ParseAllow([]byte(b.text)); err != nil {
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

// checkWorkflow lints a workflow, and holds its use of this action to
// action.yml, which the linter does not know.
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
	var w struct {
		Jobs map[string]struct {
			Steps []struct {
				Uses string
				With map[string]string
			}
		}
	}
	if err := yaml.Unmarshal(data, &w); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	known := actionEntries(t, "inputs")
	for _, job := range w.Jobs {
		for _, step := range job.Steps {
			if !strings.HasPrefix(step.Uses, "OWNER/workflow-reviewer@") {
				continue
			}
			for input := range step.With {
				if !slices.ContainsFunc(known, func(n named) bool { return n.name == input }) {
					t.Errorf("%s: the action has no input %q", name, input)
				}
			}
		}
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
		Jobs        map[string]struct {
			Permissions map[string]string
			Steps       []struct {
				Uses string
				With map[string]string
			}
		}
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
