package extracttest

import (
	"errors"
	"strings"
	"testing"

	"workflow-reviewer/internal/syntax"
)

// Hostile models sources that are made to cost time or stack: each shape is a
// beginning, what is repeated, and an end that is repeated as often. It is for
// the test's own time limit to tell if one costs more than it may.
func Hostile(t *testing.T, extract Extract, lang syntax.Language, shapes [][3]string) {
	t.Helper()
	for _, s := range shapes {
		t.Run(s[0]+s[1], func(t *testing.T) {
			n := 40_000 / (len(s[1]) + len(s[2]))
			src := s[0] + strings.Repeat(s[1], n) + strings.Repeat(s[2], n)
			tree, err := syntax.Parse(t.Context(), lang, []byte(src))
			if errors.Is(err, syntax.ErrTooComplex) || errors.Is(err, syntax.ErrTooLarge) {
				return // nothing is modelled
			}
			if err != nil {
				t.Fatal(err)
			}
			Check(t, extract(tree, "x"), strings.Count(src, "\n")+1)
		})
	}
}
