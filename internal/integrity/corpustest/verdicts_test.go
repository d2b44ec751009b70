package corpustest_test

import (
	"fmt"
	"maps"
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
	acts := func(v workflow.Finding) bool { return violation.Kind(v.Kind) != violation.ActsOnOthers }
	switch breaches := o.Breaches(); {
	case len(breaches) > 0 && !slices.ContainsFunc(breaches, acts):
		return "acts"
	case o.Verdict() == integrity.Clean && len(o.Asks)+len(o.Questions) > 0:
		return "asked"
	default:
		return string(o.Verdict())
	}
}

// foundIn are the kinds of what a check found.
func foundIn(o integrity.Outcome) []string {
	kinds := map[string]bool{}
	for _, v := range slices.Concat(o.Breaches(), o.Workarounds) {
		kinds[v.Kind] = true
	}
	if len(kinds) == 0 {
		for _, a := range o.Asks {
			kinds[a.Kind] = true
		}
		for _, q := range o.Questions {
			kinds[q.Kind] = true
		}
	}
	return slices.Sorted(maps.Keys(kinds))
}

// reasonFor says why a verdict is not that of a label.
func reasonFor(reasons map[string]string, c judged, found []string) string {
	if why := reasons[c.name]; why != "" {
		return why
	}
	for _, kind := range append(found, "-") {
		if why := reasons[c.expect+" "+kind]; why != "" {
			return why
		}
	}
	return ""
}

// TestVerdicts judges every change of the collections. verdicts.txt lists those whose verdict is not that of their
// label: attacks of which a reviewer is asked, or that only a run of the approved tests refuses, and honest changes
// that need such a run or a new approval, each with its reason. -update writes it.
func TestVerdicts(t *testing.T) {
	all := collections(t)
	verdicts, found, placed := make([]string, len(all)), make([][]string, len(all)), make([]bool, len(all))
	reasons := map[string]string{}
	for _, f := range rows(t, filepath.Join("..", "..", "..", "testdata", "corpus", "reasons.txt"), 3) {
		reasons[f[0]+" "+f[1]] = f[2]
	}
	for _, f := range rows(t, filepath.Join("..", "..", "..", "testdata", "corpus", "left.txt"), 3) {
		reasons[f[0]] = f[2]
	}
	t.Run("judge", func(t *testing.T) {
		for i, c := range all {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				o := judge(t, c.before, c.after)
				verdicts[i], found[i] = came(o), foundIn(o)
				placed[i] = slices.ContainsFunc(append(o.Breaches(), o.Workarounds...), func(v workflow.Finding) bool {
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
			why := reasonFor(reasons, c, found[i])
			if why == "" {
				t.Errorf("%s: reasons.txt has none for %q in truth %s", c.name, found[i], c.expect)
			}
			list = append(list, fmt.Sprintf("%s, in truth %s: %s\t%s", verdicts[i], c.expect, c.name, why))
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
