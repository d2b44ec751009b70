package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// startedWorkflow is what init writes for a project of the files: the script that runs the approved tests, and the
// inputs of the review.
func startedWorkflow(t *testing.T, files map[string]string) (prove string, inputs map[string]string) {
	t.Helper()
	s := stranger{t, t.TempDir(), ""}
	for name, text := range files {
		s.write("shop/"+name, text, 0o600)
	}
	s.sh("cd shop && git init -q -b main")
	repo := filepath.Join(s.home, "shop")
	if code, out, errs := program(t, "init", "--repo", repo); code != 0 {
		t.Fatal(out, errs)
	}
	var w struct {
		Jobs map[string]struct {
			Steps []struct {
				ID, Run, Uses string
				With          map[string]string
			}
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join(repo, ".github/workflows/workflow-review.yml"))), &w); err != nil {
		t.Fatal(err)
	}
	for _, step := range w.Jobs["test"].Steps {
		if step.ID == "prove" {
			prove = step.Run
		}
	}
	for _, step := range w.Jobs["review"].Steps {
		if strings.HasPrefix(step.Uses, "OWNER/workflow-reviewer@") {
			inputs = step.With
		}
	}
	return prove, inputs
}

// TestStartedWorkflow: the workflow that init writes runs the approved tests by the project's own command, and its review
// takes what came of it: a file that patches what they call hides nothing.
func TestStartedWorkflow(t *testing.T) {
	t.Parallel()
	for name, c := range hiddenBreaks() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			main := approvedAdder()
			prove, inputs := startedWorkflow(t, main)
			w := newWorld(t, main, c.pr, nil)
			w.clonedWhole()
			bin := programFolder(t)
			// The python of a runner has pytest installed.
			python := "#!/bin/sh\n[ \"$1 $2\" = '-m pytest' ] && shift 2 && exec pytest \"$@\"\n"
			if err := os.WriteFile(filepath.Join(bin, "python"), []byte(python), 0o700); err != nil {
				t.Fatal(err)
			}
			output := filepath.Join(t.TempDir(), "output")
			cmd := exec.CommandContext(t.Context(), "bash", "-e", "-c", prove)
			cmd.Dir = w.workspace
			cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "GITHUB_OUTPUT="+output,
				"BASE="+w.repo.Resolve("refs/heads/main"))
			if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(prove, "--results 'approved.xml' -- python -m pytest") {
				t.Fatalf("the step %s: %v\n%s", prove, err, out)
			}
			for name, value := range inputs {
				w.inputs[name] = value
			}
			_, w.inputs["evidence"], _ = strings.Cut(strings.TrimSpace(read(t, output)), "=")
			for _, event := range []string{"opened", "synchronize"} {
				o := w.run(w.pull(event))
				got := w.check(w.lastReviewed(o), "workflow-reviewer").Title
				if o.code != c.code || !strings.HasPrefix(got, c.title) || o.outputs["review-paths"] == "" {
					t.Errorf("%s: exit status %d, %q\n%s\n%s", event, o.code, got, o.summary, o.stdout)
				}
			}
			if head := w.repo.Resolve("refs/heads/feature/login"); w.lastReviewed(w.run(w.pull("opened"))) != head {
				t.Error("something was pushed")
			}
		})
	}
}
