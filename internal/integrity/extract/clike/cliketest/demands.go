package cliketest

import (
	"regexp"
	"strings"
	"testing"

	"workflow-reviewer/internal/integrity/extract/extracttest"
	"workflow-reviewer/internal/syntax"
)

// place is where a part of a dumped model stands in the source.
var place = regexp.MustCompile(` :\d+`)

// Demands are the statements of the test named "it" in a source, as a model
// dumps them but without their lines.
func Demands(t *testing.T, lang syntax.Language, model Modeller, src string) string {
	t.Helper()
	tree := Parse(t, lang, src)
	if tree.HasError() {
		t.Fatalf("not valid %s:\n%s", lang, src)
	}
	var out []string
	inside := false
	for line := range strings.Lines(extracttest.Dump(model(tree, "it"))) {
		switch {
		case strings.HasPrefix(line, "test "):
			inside = true
		case !strings.HasPrefix(line, "  "):
			inside = false
		case inside:
			out = append(out, strings.TrimSpace(place.ReplaceAllString(line, "")))
		}
	}
	return strings.Join(out, "; ")
}
