package docstest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNoticesAreUpToDate runs the generator and compares, so that a module that
// the program links cannot be missing from what the image carries.
func TestNoticesAreUpToDate(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), filepath.Join(root, "scripts", "notices.sh"))
	var problems strings.Builder
	cmd.Stderr = &problems
	want, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, problems.String())
	}
	got, err := os.ReadFile(filepath.Join(root, "THIRD_PARTY_NOTICES"))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(titles(string(want)), titles(string(got))); d != "" {
		t.Errorf("THIRD_PARTY_NOTICES is not up to date (make notices):\n%s", d)
	}
}

// titles are the modules that notices name. The texts themselves follow from
// the versions, but for Go's own, which may be of another release here.
func titles(notices string) []string {
	var out []string
	inList := false
	for line := range strings.Lines(notices) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "====") && strings.Trim(line, "=") == "":
			inList = true
		case strings.HasPrefix(line, "----") && strings.Trim(line, "-") == "":
			inList = false
		case inList:
			out = append(out, line)
		}
	}
	return out
}
