package checks_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/checks"
	"workflow-reviewer/internal/testcount"
)

// TestLanguages: what the data of a language says of the example in its folder: findings of tests
// and secrets, as the samples of checks have them, and "count: FILE TESTS SKIPS".
func TestLanguages(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../lang/*/example.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		s := read(t, file)
		var got, counts []string
		for _, c := range checks.Run(t.Context(), s.in) {
			for _, i := range c.Issues {
				if strings.HasPrefix(c.ID, "tests/") || c.ID == "code/secret" {
					got = append(got, fmt.Sprintf("%s %s %s:%d %s", c.ID, i.Level, i.File, i.Line, i.Title))
				}
			}
		}
		for _, f := range s.in.Artifact.Files {
			data, err := s.in.Set.HeadTree.ReadFile(f.Path)
			if err != nil {
				t.Fatal(err)
			}
			if n := testcount.Of(t.Context(), f.Path, data); n.Tests > 0 {
				counts = append(counts, fmt.Sprintf("%s %d %d", f.Path, n.Tests, n.Skips))
			}
		}
		slices.Sort(got)
		slices.Sort(s.want)
		if diff := cmp.Diff(s.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
		if diff := cmp.Diff(s.counts, counts); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
}
