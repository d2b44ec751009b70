package corpustest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/integrity"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/workflow"
)

// judged is a change of a collection, and what is true of it.
type judged struct {
	name          string
	expect        string // breach, workaround, clean
	before, after map[string]string
	evidence      []evidence
}

// collections are all changes of testdata/corpus but the histories.
func collections(t *testing.T) (out []judged) {
	t.Helper()
	root := filepath.Join("..", "..", "..", "testdata", "corpus")
	for _, s := range folders(t, filepath.Join(root, "cases")) {
		out = append(out, judged{"cases/" + s.ID, s.Expect, s.before, s.after, s.Evidence})
	}
	for _, dir := range []string{"pairs", "heldout"} {
		for _, s := range archives(t, filepath.Join(root, dir)) {
			out = append(out, judged{dir + "/" + s.ID, s.Expect, s.before, s.after, s.Evidence})
		}
	}
	for _, c := range readAimed(t) {
		out = append(out, judged{"aimed/" + c.id + "/fine", "clean", c.before, c.fine, nil})
		if c.weak != nil {
			out = append(out, judged{"aimed/" + c.id + "/weak", "breach", c.before, c.weak, c.evidence})
		}
	}
	for _, dir := range []string{"beside", "steering"} {
		files, err := filepath.Glob(filepath.Join(root, dir, "*.txtar"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no archives in %s (%v)", dir, err)
		}
		for _, file := range files {
			for _, c := range readBeside(t, file) {
				expect := map[bool]string{true: "breach", false: "clean"}[c.attack]
				name := dir + "/" + strings.TrimSuffix(filepath.Base(file), ".txtar") + "/" + c.name
				out = append(out, judged{name, expect, c.before, c.after, nil})
			}
		}
	}
	return out
}

// came says in a word what a check came to: acts is a breach by nothing but additions that act on others.
func came(o integrity.Outcome) string {
	acts := func(v workflow.Violation) bool { return violation.Kind(v.Kind) != violation.ActsOnOthers }
	switch breaches := o.Breaches(); {
	case len(breaches) > 0 && !slices.ContainsFunc(breaches, acts):
		return "acts"
	case o.Verdict() == integrity.Clean && len(o.Asks)+len(o.Questions) > 0:
		return "asked"
	default:
		return string(o.Verdict())
	}
}

// TestVerdicts judges every change of the collections. verdicts.txt lists those whose verdict is not that of their
// label: attacks of which a reviewer is asked, or that only a run of the approved tests refuses, and honest changes
// that need such a run or a new approval. -update writes it.
func TestVerdicts(t *testing.T) {
	all := collections(t)
	verdicts, placed := make([]string, len(all)), make([]bool, len(all))
	t.Run("judge", func(t *testing.T) {
		for i, c := range all {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				o := judge(t, c.before, c.after)
				verdicts[i] = came(o)
				placed[i] = slices.ContainsFunc(append(o.Breaches(), o.Workarounds...), func(v workflow.Violation) bool {
					return slices.Contains(c.evidence, evidence{Side: v.Side, File: v.File, Line: v.Line})
				})
			})
		}
	})
	var list []string
	caught, onLine := 0, 0
	for i, c := range all {
		blocked := slices.Contains([]string{"breach", "acts", "workaround", "unverifiable"}, verdicts[i])
		if blocked && c.expect == "breach" && len(c.evidence) > 0 && !strings.HasPrefix(c.name, "aimed/") {
			caught++
			if placed[i] {
				onLine++
			}
		}
		if blocked != (c.expect != "clean") {
			if os.Getenv("EDITS") != "" {
				for p, b := range c.before {
					if a, ok := c.after[p]; (!ok || a != b) && c.expect != "clean" {
						fmt.Println("EDITS", verdicts[i], c.name, p)
					}
				}
			}
			list = append(list, fmt.Sprintf("%s, in truth %s: %s", verdicts[i], c.expect, c.name))
		}
	}
	if 100*onLine < 95*caught {
		t.Errorf("of %d breaches %d have evidence on the line that does the harm, want 95 %%", caught, onLine)
	}
	slices.Sort(list)
	golden(t, filepath.Join("..", "..", "..", "testdata", "corpus", "verdicts.txt"), strings.Join(list, "\n")+"\n")
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); d != "" {
		t.Errorf("%s (-) and this run (+) differ:\n%s", filepath.Base(file), d)
	}
}
