package checks

import (
	_ "embed" // the counts
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"workflow-reviewer/internal/checks/check"
)

// precisionTable has people's judgements of findings in real changes that nobody had seen before.
// The findings are those of the checks as they were before they were simplified.
//
//go:embed precision.tsv
var precisionTable string

// Judged counts the findings of a check by what people said of them.
type Judged struct{ Useful, Useless, Wrong int }

// Total counts the judged findings.
func (j Judged) Total() int { return j.Useful + j.Useless + j.Wrong }

// Precision returns the judgements of a check's findings, zero where none was judged.
func Precision(id string) (j Judged) {
	for line := range strings.Lines(precisionTable) {
		if counts, ok := strings.CutPrefix(line, id+"\t"); ok {
			_, _ = fmt.Sscan(counts, &j.Useful, &j.Useless, &j.Wrong) // a test has read it
		}
	}
	return j
}

// Find is the check of an id.
func Find(id string) (check.Entry, bool) {
	all := Catalog()
	if i := slices.IndexFunc(all, func(e check.Entry) bool { return e.ID == id }); i >= 0 {
		return all[i], true
	}
	return check.Entry{}, false
}

// Nearest are the ids that are most like a word, at most three.
func Nearest(word string) (ids []string) {
	distance := func(id string) int {
		_, name, _ := strings.Cut(id, "/")
		if strings.Contains(word, name) || strings.Contains(id, word) {
			return 0
		}
		return levenshtein.ComputeDistance(word, id)
	}
	for _, e := range Catalog() {
		ids = append(ids, e.ID)
	}
	slices.SortStableFunc(ids, func(a, b string) int { return distance(a) - distance(b) })
	return ids[:3]
}
