package corpustest_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// scenario is a history with a base and a head: what its approval record says
// of the head's tests.
type scenario struct {
	ID      string `json:"id"`
	Expect  string `json:"expect"` // pass, fail
	Feature string `json:"feature"`
	Base    string `json:"base_sha"`
	Head    string `json:"head_sha"`
	Branch  string `json:"head"`
	Depth   int    `json:"clone_depth"`
	Why     string `json:"why"`
}

func TestHistories(t *testing.T) {
	root := filepath.Join("..", "..", "..", "testdata", "corpus", "history")
	names, err := filepath.Glob(filepath.Join(root, "*", "scenario.json"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no histories in %s (%v)", root, err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var s scenario
		if err := json.Unmarshal(data, &s); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		t.Run(s.ID, func(t *testing.T) {
			t.Parallel()
			verdict, code, out := s.examine(t, filepath.Join(filepath.Dir(name), "repo.bundle"))
			if passed := verdict == "clean" && code == 0; passed != (s.Expect == "pass") || !passed && code != 1 {
				t.Errorf("%s: expected %s, got %s, status %d\n%s", s.Why, s.Expect, verdict, code, out)
			}
		})
	}
}

// examine runs the integrity command on a clone of the history.
func (s scenario) examine(t *testing.T, bundle string) (verdict string, code int, out string) {
	dir := t.TempDir()
	origin, clone := filepath.Join(dir, "origin.git"), filepath.Join(dir, "clone")
	git(t, "clone", "-q", "--mirror", bundle, origin)
	args := []string{"clone", "-q", "--branch", s.Branch}
	if s.Depth > 0 {
		args = append(args, "--depth=1")
	}
	git(t, append(args, "file://"+origin, clone)...)
	cmd := exec.CommandContext(t.Context(), binary, "integrity", "--repo", clone, "--base", s.Base, "--head", s.Head, "--feature",
		s.Feature, "--json")
	stdout, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	var answer struct {
		Verdict string `json:"verdict"`
	}
	if err := json.Unmarshal(stdout, &answer); err != nil {
		t.Fatalf("integrity --json: %v\n%s", err, stdout)
	}
	return answer.Verdict, cmd.ProcessState.ExitCode(), string(stdout)
}

func git(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), "git", args...).CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}
