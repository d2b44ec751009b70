package docstest

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/review/rules"
)

// judgedTSV holds what a person said of findings, a line each: verdict, check,
// severity, project, commit, place, title, sample.
const judgedTSV = "internal/review/rules/precisiontest/testdata/judged.tsv"

// TestPrecisionTable: the published table is what was judged.
func TestPrecisionTable(t *testing.T) {
	known := map[string]bool{}
	for _, r := range rules.Catalog() {
		known[r.ID] = true
	}
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(judgedTSV)))
	if err != nil {
		t.Fatal(err)
	}
	// columns: what the checks as they are still say of the fourth sample, and the samples as they were judged
	verdicts, samples := []string{"useful", "useless", "false"}, map[string][]int{"4": {0, 1}, "4, mended since": {1}, "3": {2}, "2": {3}, "1": {4}}
	counts := map[string]*[5][3]int{"": {}}
	for line := range strings.Lines(string(data)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		verdict, columns := slices.Index(verdicts, fields[0]), samples[fields[len(fields)-1]]
		if len(fields) != 8 || verdict < 0 || columns == nil {
			t.Fatalf("judged.tsv: %q", line)
		}
		if counts[fields[1]] == nil {
			counts[fields[1]] = &[5][3]int{}
		}
		for _, c := range columns {
			counts[fields[1]][c][verdict]++
			counts[""][c][verdict]++
		}
	}
	var b strings.Builder
	b.WriteString("| check | fourth sample, mended | fourth | third | second | first |\n|---|---|---|---|---|---|\n")
	cells := func(c *[5][3]int) string {
		out := ""
		for _, v := range c {
			if v == ([3]int{}) {
				out += " |"
				continue
			}
			out += fmt.Sprintf(" %d / %d / %d |", v[0], v[1], v[2])
		}
		return out
	}
	for _, id := range slices.Sorted(maps.Keys(counts)) {
		switch {
		case id == "":
		case known[id]:
			fmt.Fprintf(&b, "| `%s` |%s\n", id, cells(counts[id]))
		default:
			fmt.Fprintf(&b, "| `%s`, dropped since |%s\n", id, cells(counts[id]))
		}
	}
	fmt.Fprintf(&b, "| **all** |%s\n", cells(counts[""]))
	generated(t, "docs/review-types.md", "precision", b.String())
}
