// Package generated keeps parts of documents equal to what tests found.
package generated

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Part holds the text between a document's markers "<!-- generated: NAME -->" and "<!-- end -->" to
// want, or writes it.
func Part(t testing.TB, path, name, want string, update bool) {
	t.Helper()
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(source)
	part := regexp.MustCompile(`(?s)<!-- generated: ` + regexp.QuoteMeta(name) + ` -->\n(.*?)<!-- end -->`).
		FindStringSubmatchIndex(text)
	if part == nil {
		t.Fatalf("%s has no part %q", path, name)
	}
	want = "\n" + strings.TrimSpace(want) + "\n\n"
	if update {
		if err := os.WriteFile(path, []byte(text[:part[2]]+want+text[part[3]:]),
			0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(want, text[part[2]:part[3]]); d != "" {
		t.Errorf("%s, part %q is not up to date (make generate):\n%s", path, name, d)
	}
}
