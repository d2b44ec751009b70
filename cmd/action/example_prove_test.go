package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// proveStep is the script of examples/workflows/with-test-results.yml that runs the approved tests.
func proveStep(t *testing.T) string {
	t.Helper()
	var w struct {
		Jobs map[string]struct{ Steps []struct{ ID, Run string } }
	}
	if err := yaml.Unmarshal([]byte(read(t, "../../examples/workflows/with-test-results.yml")), &w); err != nil {
		t.Fatal(err)
	}
	for _, s := range w.Jobs["test"].Steps {
		if s.ID == "prove" {
			return s.Run
		}
	}
	t.Fatal("the example has no step prove")
	return ""
}

// hiddenBreak is a change of the adder, and the title and the exit status that its review ends with.
type hiddenBreak struct {
	pr    map[string]string
	title string
	code  int
}

// hiddenBreaks are code that keeps the approved tests' promise, and code that breaks it beside a test file that patches
// what they call.
func hiddenBreaks() map[string]hiddenBreak {
	const patch = "from src import adder\n\nadder.add = lambda a, b: a + b\n\n\ndef test_patched():\n    assert adder.add(1, 2) == 3\n"
	return map[string]hiddenBreak{
		"the code keeps the promise": {map[string]string{"src/adder.py": adderCode + "\n\nZERO = 0\n"}, "No findings by ", 0},
		"the code breaks it, and a test file hides that": {
			map[string]string{"src/adder.py": adderWrong, "tests/test_aaa.py": patch}, "Approved tests fail", 1,
		},
	}
}

// approvedAdder is a base branch with the adder, as packages, and its approved tests.
func approvedAdder() map[string]string {
	return with(adderMain(true), map[string]string{"src/__init__.py": "", "tests/__init__.py": "", "src/adder.py": adderCode})
}

// programFolder is a folder for the PATH that holds the program by its name.
func programFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Symlink(binary, filepath.Join(dir, "workflow-reviewer")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestExampleOfProve: the example's step, as a runner executes it, writes evidence that the review takes. A test file that
// patches what the approved tests call hides nothing.
func TestExampleOfProve(t *testing.T) {
	t.Parallel()
	for name, c := range hiddenBreaks() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, approvedAdder(), c.pr, nil)
			w.inputs["test-results"] = "all passing"
			w.clonedWhole()
			temp, bin := t.TempDir(), programFolder(t)
			cmd := exec.CommandContext(t.Context(), "bash", "-e", "-c", proveStep(t))
			cmd.Dir = w.workspace
			cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "RUNNER_TEMP="+temp,
				"GITHUB_OUTPUT="+filepath.Join(temp, "output"), "BASE="+w.repo.Resolve("refs/heads/main"))
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("the step: %v\n%s", err, out)
			}
			// What upload-artifact and download-artifact do between the jobs.
			if err := os.CopyFS(filepath.Join(w.workspace, "results"), os.DirFS(filepath.Join(temp, "results"))); err != nil {
				t.Fatal(err)
			}
			_, w.inputs["evidence"], _ = strings.Cut(strings.TrimSpace(read(t, filepath.Join(temp, "output"))), "=")
			o := w.run(w.pull("opened"))
			if got := w.check(w.lastReviewed(o), "workflow-reviewer").Title; o.code != c.code || !strings.HasPrefix(got, c.title) {
				t.Errorf("exit status %d, %q\n%s\n%s", o.code, got, out, o.summary)
			}
		})
	}
}
