package soundnesstest_test

import (
	"path/filepath"
	"regexp"
	"testing"
)

// decisive are operators that no rule for harmless changes covers when they
// edit an assertion: none of them touches a text, which could be a message.
var decisive = []string{
	"assertion-swapped", "await-dropped", "comparison-negated", "condition-negated", "dead-branch", "early-return", "index-changed",
	"line-commented", "line-deleted", "link-dropped", "minus-added", "minus-dropped", "not-added", "not-dropped", "null-swapped",
	"number-changed", "operator-swapped", "statement-deleted", "statement-swallowed", "truth-flipped",
}

var assertion = regexp.MustCompile(`^(\w+[. ])?(assert\w*|refute\w*|expect|must_\w+|wont_\w+|Assert|require)\b|\bt\.(Error|Fatal)f?\(`)

// FuzzNoEditOfAssertionIsClean picks a file of the sample, an operator and a
// place. No edit of an approved assertion is clean, and none makes the comparison panic.
func FuzzNoEditOfAssertionIsClean(f *testing.F) {
	files := load(f, filepath.Join(data, "sample"), maxProjectFile)
	judged := adjudicated(f)
	for i := range decisive {
		f.Add(uint64(i), uint8(3*i), uint8(i))
	}
	f.Fuzz(func(t *testing.T, place uint64, file, operator uint8) {
		source := files[int(file)%len(files)]
		m, ok := source.One(t.Context(), decisive[int(operator)%len(decisive)], place)
		for range 20 { // to the next assertion
			if !ok || assertion.MatchString(m.Before) {
				break
			}
			place++
			m, ok = source.One(t.Context(), decisive[int(operator)%len(decisive)], place)
		}
		if !ok || !assertion.MatchString(m.Before) {
			return
		}
		clean, _ := verdict(m.Path, source.Source, m.Source)
		o := outcome{project: "sample", mutant: m, clean: clean}
		if _, ok := judged[o.key()]; clean && !ok {
			t.Errorf("clean: %s", o)
		}
	})
}
