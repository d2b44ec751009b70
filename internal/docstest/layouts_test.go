package docstest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/detect"
)

// TestLayoutTable looks up every path of the table in docs/layouts.md in a
// repository that holds them all.
func TestLayoutTable(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "docs", "layouts.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(data), "| path | layout | type | feature | state |\n|---|---|---|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	head := map[string]string{}
	var rows [][]string
	for line := range strings.Lines(table) {
		var cells []string
		for _, c := range regexp.MustCompile(`\|`).Split(strings.Trim(strings.TrimSpace(line), "|"), -1) {
			cells = append(cells, strings.Trim(c, " `"))
		}
		rows = append(rows, cells)
		head[cells[0]] = "x = 1\n"
	}
	var paths []string
	for _, r := range rows {
		paths = append(paths, r[0])
	}
	found, err := detect.Explain(t.Context(), changetest.Set(nil, nil, head), detect.Options{Branch: "002-login"}, paths)
	if err != nil || len(found) < 10 {
		t.Fatalf("%d paths explained, %v", len(found), err)
	}
	for i, e := range found {
		got := []string{e.Path, e.Layout, string(e.Type), e.Feature, string(e.State)}
		if strings.Join(got, "|") != strings.Join(rows[i], "|") {
			t.Errorf("explained as %q, the table says %q (%s)", got, rows[i], e.Why)
		}
	}
}
