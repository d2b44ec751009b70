//go:build !race

package prompt

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/markdown"
)

func TestAHostileRoadmapIsReadInTime(t *testing.T) {
	for _, unit := range []string{"> ", "- ", "[", "*a ", "# \n", "`", "a\n===\n", "<div>\n"} {
		doc := strings.Repeat(unit, maxRoadmap/len(unit))
		if s, ok := featureSection(doc, specNamed("no-such-feature"), ""); ok {
			t.Errorf("%q: found %q", unit, markdown.Line(s.Title, 40))
		}
	}
}
