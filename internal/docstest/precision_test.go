package docstest

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"workflow-reviewer/internal/review/rules"
	"workflow-reviewer/internal/workflow"
)

// judgedTSV holds what a person said of findings, a line each: verdict, check,
// severity, project, commit, place, title, sample.
const judgedTSV = "internal/review/rules/precisiontest/testdata/judged.tsv"

// The table has a column for each of the newest samples, and one for all others.
const (
	newest  = 19
	columns = 7
)

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
	verdicts := []string{"useful", "useless", "false"}
	counts := map[string]*[columns][3]int{"": {}}
	var listed [columns][3]int // told at Medium or High
	for line := range strings.Lines(string(data)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		number, _, _ := strings.Cut(fields[len(fields)-1], ",")
		sample, err := strconv.Atoi(number)
		verdict := slices.Index(verdicts, fields[0])
		if len(fields) != 8 || verdict < 0 || err != nil || sample < 1 || sample > newest {
			t.Fatalf("judged.tsv: %q", line)
		}
		column := min(newest-sample, columns-1)
		if counts[fields[1]] == nil {
			counts[fields[1]] = &[columns][3]int{}
		}
		counts[fields[1]][column][verdict]++
		counts[""][column][verdict]++
		if fields[2] != string(workflow.Low) {
			listed[column][verdict]++
		}
	}
	var b strings.Builder
	b.WriteString("| check | nineteenth sample | eighteenth | seventeenth | sixteenth | fifteenth | fourteenth | earlier |\n" +
		"|---|---|---|---|---|---|---|---|\n")
	cells := func(c *[columns][3]int) string {
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
	fmt.Fprintf(&b, "| **told at Medium or High** |%s\n", cells(&listed))
	generated(t, "docs/review-types.md", "precision", b.String())
}
