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

// The samples that are published apart: the newest, and from which one on the others
// are not the first twelve.
const (
	newest = 55
	recent = 13
)

// questions is how the ids of findings of test integrity begin; they are one row.
const questions = "integrity/"

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
	counts := map[string]*[6]tally{"": {}, questions: {}}
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
		column := 4
		switch {
		case sample == newest:
			column = 0
		case sample >= recent:
			column = 2
		}
		ids := []string{fields[1], ""}
		if strings.HasPrefix(fields[1], questions) {
			ids = []string{questions}
		}
		for _, id := range ids {
			if counts[id] == nil {
				counts[id] = &[6]tally{}
			}
			counts[id][column][verdict]++
			if fields[8] == "made" {
				counts[id][column+1][verdict]++
			}
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| check | sample %d, when unseen | still made | samples %d to %d | still made | samples 1 to %d | still made |\n"+
		"|---|---|---|---|---|---|---|\n", newest, recent, newest-1, recent-1)
	ids := slices.DeleteFunc(slices.Sorted(maps.Keys(counts)), func(id string) bool { return id == "" || id == questions })
	for _, id := range append(ids, "", questions) {
		name := "`" + id + "`"
		switch {
		case id == "":
			name = "**all checks**"
		case id == questions:
			name = "what tests lost, one finding a review (to sample 20 any question of test integrity, to 23 any loss, from 34 breaches)"
		case !known[id]:
			name += ", dropped since"
		}
		fmt.Fprintf(&b, "| %s |", name)
		for _, c := range counts[id] { // by samples
			fmt.Fprintf(&b, " %s |", c)
		}
		b.WriteString("\n")
	}
	generated(t, "docs/review-types.md", "precision", strings.ReplaceAll(b.String(), "|  |", "| |"))
}
