// Package programtest has the program built for tests of several packages.
package programtest

import (
	"fmt"
	"os/exec"
	"path/filepath"
)

// Build puts the program into a folder as name and returns its path. It is linked
// once for all packages, as "go run" keeps what it links in the build cache, and
// without what a debugger needs, which takes half of the time.
func Build(dir, name string) (string, error) {
	program := filepath.Join(dir, name)
	cmd := exec.Command("go", "run", "-ldflags=-w", "-exec", "cp", "workflow-reviewer/cmd/action", program)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go run -exec cp: %w\n%s", err, out)
	}
	return program, nil
}
