package ghaction

import (
	"os"
	"path/filepath"
	"testing"

	"workflow-reviewer/internal/process"
)

// TestResultsAreNoLink: a pull request may bring a link of the name into the workspace.
func TestResultsAreNoLink(t *testing.T) {
	workspace := t.TempDir()
	for _, err := range []error{
		os.Mkdir(filepath.Join(workspace, "results"), 0o700),
		os.Symlink("results", filepath.Join(workspace, "link")),
		os.WriteFile(filepath.Join(workspace, "file"), nil, 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	env := process.Env{Vars: map[string]string{"GITHUB_WORKSPACE": workspace}}
	for dir, want := range map[string]bool{"results": true, "link": false, "file": false, "none": false, "../x": false} {
		root, why := openResults(env, dir)
		if (root != nil) != want || (why == "") != want {
			t.Errorf("%s: %v, %q", dir, root != nil, why)
		}
		if root != nil {
			_ = root.Close()
		}
	}
}
