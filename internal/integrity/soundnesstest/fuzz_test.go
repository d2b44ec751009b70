package soundnesstest_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"workflow-reviewer/internal/proof"
)

// Operators that no rule for harmless changes covers when they edit an
// assertion: none of them touches a text, which could be a message.
var (
	structural = []string{"dead-branch", "early-return", "line-commented", "line-deleted", "statement-deleted", "statement-swallowed"}
	decisive   = append([]string{
		"assertion-swapped", "await-dropped", "comparison-negated", "condition-negated", "minus-added", "minus-dropped", "not-added",
		"not-dropped", "null-swapped", "number-changed", "truth-flipped",
	}, structural...)
)

var (
	assertion = regexp.MustCompile(`^(\w+[. ])?(assert\w*|refute\w*|expect|must_\w+|wont_\w+|Assert|require)\b`)
	failure   = regexp.MustCompile(`^t\.(Error|Fatal)f?\(`) // all that it holds is a message
)

// decides reports whether an edit changes what an assertion demands.
func decides(m mutant) bool {
	return assertion.MatchString(m.Before) || failure.MatchString(m.Before) && slices.Contains(structural, m.Operator)
}

// FuzzNoEditOfAssertionIsClean picks a file of the sample, an operator and a
// place. No edit of an approved assertion is clean, and none makes the comparison panic.
func FuzzNoEditOfAssertionIsClean(f *testing.F) {
	files := load(f, filepath.Join(data, "sample"), maxProjectFile)
	for i := range decisive {
		f.Add(uint64(i), uint8(3*i), uint8(i))
	}
	f.Fuzz(func(t *testing.T, place uint64, file, operator uint8) {
		source := files[int(file)%len(files)]
		m, ok := source.One(t.Context(), decisive[int(operator)%len(decisive)], place)
		for range 20 { // to the next assertion
			if !ok || decides(m) {
				break
			}
			place++
			m, ok = source.One(t.Context(), decisive[int(operator)%len(decisive)], place)
		}
		if !ok || !decides(m) {
			return
		}
		if standing, _ := verdict(m.Path, source.Source, m.Source); standing >= proof.Gained {
			t.Errorf("clean: %s", outcome{project: "sample", mutant: m})
		}
	})
}
