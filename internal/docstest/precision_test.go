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
	"workflow-reviewer/internal/workflow"
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
	// the newest first
	verdicts, samples := []string{"useful", "useless", "false"}, []string{"12", "11", "10", "9", "8", "7", "6", "5", "4", "3", "2", "1"}
	counts := map[string]*[12][3]int{"": {}}
	var listed [12][3]int // told at Medium or High
	for line := range strings.Lines(string(data)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		sample, _, _ := strings.Cut(fields[len(fields)-1], ",")
		verdict, column := slices.Index(verdicts, fields[0]), slices.Index(samples, sample)
		if len(fields) != 8 || verdict < 0 || column < 0 {
			t.Fatalf("judged.tsv: %q", line)
		}
		if counts[fields[1]] == nil {
			counts[fields[1]] = &[12][3]int{}
		}
		counts[fields[1]][column][verdict]++
		counts[""][column][verdict]++
		if fields[2] != string(workflow.Low) {
			listed[column][verdict]++
		}
	}
	var b strings.Builder
	b.WriteString("| check | twelfth sample | eleventh | tenth | ninth | eighth | seventh | sixth | fifth | fourth | third | second | " +
		"first |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	cells := func(c *[12][3]int) string {
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
