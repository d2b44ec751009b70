// Package programtest has programs built for tests of several packages.
package programtest

import (
	"fmt"
	"os/exec"
	"path/filepath"
)

// Build puts the program into a folder as name and returns its path.
func Build(dir, name string) (string, error) {
	program := filepath.Join(dir, name)
	return program, Link("workflow-reviewer/cmd/action", program)
}

// Link builds a package's program to a path. It is linked once for all packages, as "go run" keeps
// what it links in the build cache, and without what a debugger needs, which takes half of the
// time.
func Link(pkg, path string) error {
	cmd := exec.Command("go", "run", "-ldflags=-w", "-exec", "cp", pkg, path)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go run -exec cp: %w\n%s", err, out)
	}
	return nil
}
