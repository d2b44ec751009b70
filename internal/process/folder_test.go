package process

import (
	"path/filepath"
	"testing"
)

// TestInside: what expressions of a workflow name on the host is found where it
// is mounted.
func TestInside(t *testing.T) {
	here := t.TempDir()
	env := Env{Vars: map[string]string{
		"RUNNER_WORKSPACE": "/home/runner/work/hello", "GITHUB_REPOSITORY": "octo-org/hello", "GITHUB_WORKSPACE": "/github/workspace",
	}}
	for path, want := range map[string]string{
		here:                                    here,
		"/home/runner/work/hello/hello/results": "/github/workspace/results",
		"/home/runner/work/hello/hellos":        "/home/runner/work/hello/hellos",
		"/elsewhere/results":                    "/elsewhere/results",
	} {
		if got := env.Inside(path); got != filepath.FromSlash(want) {
			t.Errorf("%s is at %s, want %s", path, got, want)
		}
	}
}
