//go:build e2e

package e2e

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// outcomes are what became of attempts, in order.
type outcomes []tried

// tried is an attempt by its name.
type tried struct {
	group, what string
	results     []string // which differ between models
}

func (o *outcomes) add(group, what, result string) {
	at := slices.IndexFunc(*o, func(r tried) bool { return r.group == group && r.what == what })
	if at < 0 {
		*o, at = append(*o, tried{group: group, what: what}), len(*o)
	}
	if r := &(*o)[at]; !slices.Contains(r.results, result) {
		r.results = append(r.results, result)
		slices.Sort(r.results)
	}
}

// markdown is a table in which attempts with the same end share a row.
func (o outcomes) markdown() string {
	type row struct{ group, result string }
	var rows []row
	byRow := map[row][]string{}
	for _, r := range o {
		key := row{r.group, strings.Join(r.results, "; ")}
		if byRow[key] == nil {
			rows = append(rows, key)
		}
		byRow[key] = append(byRow[key], r.what)
	}
	groups := []string{groupRun, groupAgents, groupBuilt, groupOthers, groupReads, groupCode, groupGate, groupImage}
	slices.SortStableFunc(rows, func(a, b row) int { return slices.Index(groups, a.group) - slices.Index(groups, b.group) })
	var b strings.Builder
	b.WriteString("| aim | tried | came to |\n|---|---|---|\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", r.group, strings.ReplaceAll(strings.Join(byRow[r], " · "), "|", `\|`), r.result)
	}
	return b.String()
}

// generated holds the text between a document's markers to want; -update writes it.
func generated(t *testing.T, file, name, want string) {
	t.Helper()
	path := filepath.Join(root, file)
	text := read(t, path)
	part := regexp.MustCompile(`(?s)<!-- generated: ` + name + ` -->\n(.*?)<!-- end -->`).FindStringSubmatchIndex(text)
	if part == nil {
		t.Fatalf("%s has no part %q", file, name)
	}
	want = "\n" + want + "\n"
	if *update {
		write(t, path, text[:part[2]]+want+text[part[3]:])
		return
	}
	if d := cmp.Diff(want, text[part[2]:part[3]]); d != "" {
		t.Errorf("%s, part %q is not what was found out (run make e2e E2E_FLAGS=-update):\n%s", file, name, d)
	}
}
