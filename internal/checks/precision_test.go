package checks_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/checks"
)

// TestPrecision: each line of the table counts for a check that there is.
func TestPrecision(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("precision.tsv")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	for _, line := range lines[1:] {
		id, _, _ := strings.Cut(line, "\t")
		_, known := checks.Find(id)
		if j := checks.Precision(id); !known || j.Total() == 0 || strings.Count(line, "\t") != 3 {
			t.Errorf("%q: known %v, %+v", line, known, j)
		}
	}
	if j := checks.Precision("code/secret"); j != (checks.Judged{Useful: 62, Useless: 17, Wrong: 14}) {
		t.Errorf("code/secret: %+v", j)
	}
	if j := checks.Precision("code"); j.Total() != 0 {
		t.Errorf("code: %+v", j)
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"code/secrets": "code/secret", "secret": "code/secret", "test/empty": "tests/empty", "codeuntyped": "code/untyped",
	} {
		if got := checks.Nearest(word); !slices.Contains(got, want) {
			t.Errorf("%s: %q", word, got)
		}
	}
	if got := checks.Nearest(strings.Repeat("x", 5000)); len(got) != 3 {
		t.Errorf("%q", got)
	}
}
