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
)

// judgedTSV holds what a person said of findings, a line each: verdict, check,
// severity, project, commit, place, title, sample, and whether the checks still make it.
const judgedTSV = "internal/review/rules/precisiontest/testdata/judged.tsv"

// The samples: the newest, and the first of those that are published apart.
const (
	newest = 19
	recent = 13
)

// tally counts findings by what was said of them.
type tally [3]int

func (c tally) String() string {
	if c == (tally{}) {
		return ""
	}
	return fmt.Sprintf("%d / %d / %d", c[0], c[1], c[2])
}

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
	counts := map[string]*[4]tally{"": {}}
	for line := range strings.Lines(string(data)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if len(fields) != 9 {
			t.Fatalf("judged.tsv: %q", line)
		}
		number, _, _ := strings.Cut(fields[7], ",")
		sample, err := strconv.Atoi(number)
		verdict := slices.Index(verdicts, fields[0])
		if verdict < 0 || err != nil || sample < 1 || sample > newest {
			t.Fatalf("judged.tsv: %q", line)
		}
		column := 2
		if sample >= recent {
			column = 0
		}
		for _, id := range []string{fields[1], ""} {
			if counts[id] == nil {
				counts[id] = &[4]tally{}
			}
			counts[id][column][verdict]++
			if fields[8] == "made" {
				counts[id][column+1][verdict]++
			}
		}
	}
	var b strings.Builder
	b.WriteString("| check | samples 13 to 19, when unseen | still made | samples 1 to 12, when unseen | still made |\n" +
		"|---|---|---|---|---|\n")
	for _, id := range append(slices.Sorted(maps.Keys(counts))[1:], "") {
		name := "`" + id + "`"
		switch {
		case id == "":
			name = "**all**"
		case !known[id]:
			name += ", dropped since"
		}
		fmt.Fprintf(&b, "| %s |", name)
		for _, c := range counts[id] {
			fmt.Fprintf(&b, " %s |", c)
		}
		b.WriteString("\n")
	}
	generated(t, "docs/review-types.md", "precision", strings.ReplaceAll(b.String(), "|  |", "| |"))
}
