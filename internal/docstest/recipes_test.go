package docstest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"workflow-reviewer/internal/sarif"
)

// recipes are the steps of the example that run tools of a project, by name.
func recipes(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, "examples/workflows/code-scanning.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var w struct {
		Jobs map[string]struct {
			Steps []struct{ Name, Run string }
		}
	}
	if err := yaml.Unmarshal(data, &w); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, s := range w.Jobs["tools"].Steps {
		out[s.Name] = s.Run
	}
	return out
}

// tools puts the tools of the recipes into a folder for PATH, and the formatter of eslint below the project. semgrep
// comes from a registry for Python alone; its step is not executed.
func tools(t *testing.T, project string) string {
	t.Helper()
	top, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	command := func(name string, args ...string) string {
		t.Helper()
		out, err := exec.Command(name, args...).Output()
		if err != nil {
			t.Fatalf("%s %q: %v", name, args, err)
		}
		return strings.TrimSpace(string(out))
	}
	command("go", "build", "-C", filepath.Join(top, "internal/redact/gitleakstest"), "-o", filepath.Join(bin, "gitleaks"),
		"github.com/zricethezav/gitleaks/v8")
	golangci, err := filepath.Glob(filepath.Join(top, ".cache/bin/golangci-lint-*"))
	if err != nil || len(golangci) == 0 {
		t.Fatal("golangci-lint is missing: run make lint, which installs it")
	}
	modules := filepath.Join(command("sh", filepath.Join(top, "scripts/install-npm.sh"), "eslint"), "node_modules")
	for at, to := range map[string]string{
		filepath.Join(bin, "golangci-lint"): golangci[0], filepath.Join(project, "node_modules"): modules,
	} {
		if err := os.Symlink(to, at); err != nil {
			t.Fatal(err)
		}
	}
	return bin
}

// TestRecipesOfOtherTools executes the example's steps as the runner does, in a project with a finding for each, and
// reads what the tools wrote.
func TestRecipesOfOtherTools(t *testing.T) {
	t.Parallel()
	project, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"go.mod":            "module sample\n\ngo 1.24\n",
		"main.go":           "package main\n\nimport \"os\"\n\nfunc main() {\n\tos.Remove(\"state.db\")\n}\n",
		"settings.conf":     "AWS_ACCESS_KEY_ID=AKIA" + "QYLPMN5HHHFPZAM2" + "\n",
		"app.js":            "export function run(text) {\n  return eval(text);\n}\n",
		"eslint.config.mjs": "export default [{ rules: { \"no-eval\": \"error\" } }];\n",
		"findings/empty":    "",
	} {
		file := filepath.Join(project, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	bin := tools(t, project)
	var found []string
	steps := recipes(t)
	for _, tool := range []string{"gitleaks", "golangci-lint", "eslint"} {
		step := exec.Command("bash", "-e", "-c", steps[tool])
		step.Dir = project
		step.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
		if out, err := step.CombinedOutput(); err != nil || steps[tool] == "" {
			t.Fatalf("step %s, %q: %v\n%s", tool, steps[tool], err, out)
		}
		data, err := os.ReadFile(filepath.Join(project, "findings", tool+".sarif"))
		if err != nil {
			t.Fatal(err)
		}
		log, err := sarif.Parse(data, project)
		if err != nil {
			t.Fatalf("%s: %v", tool, err)
		}
		for _, results := range log.ByFile {
			for _, r := range results {
				found = append(found, fmt.Sprintf("%s/%s %s %s:%d", r.Tool, r.Rule, r.Level, r.File, r.Line))
			}
		}
	}
	slices.Sort(found)
	want := []string{
		"ESLint/no-eval error app.js:2", "gitleaks/aws-access-token warning settings.conf:1",
		"golangci-lint/errcheck error main.go:6",
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if steps["semgrep"] == "" {
		t.Error("the recipe for semgrep is missing")
	}
}
