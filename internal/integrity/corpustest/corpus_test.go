// Package corpustest measures the test-integrity check: it runs collections of
// changes, dishonest ones and honest look-alikes, through the program itself and
// counts what it found, what it missed, and where it cried wolf.
package corpustest_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/programtest"
	"workflow-reviewer/internal/workflow"
)

// binary is the program under test, built once.
var binary string

func TestMain(m *testing.M) { os.Exit(buildAndRun(m)) }

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "workflow-reviewer-corpus-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	if binary, err = programtest.Build(dir, "action"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// finding is what the program said of a specimen.
type finding struct {
	specimen
	Verdict    string               `json:"verdict"`
	Violations []workflow.Violation `json:"violations"`
	Questions  []workflow.Question  `json:"questions"`
	Notices    []any                `json:"notices"`
	code       int
}

// right reports whether the verdict is the true one. A workaround of the list is
// asked about and does not block. An honest change beyond the closed list needs a
// new approval.
func (f finding) right() bool {
	switch {
	case f.asks != "":
		return f.Verdict == "breach"
	case f.asked != "":
		return f.Expect == "workaround" && f.Verdict == "clean" && len(f.Questions) > 0
	}
	return f.Verdict == f.Expect && f.code == status(f.Expect)
}

func status(verdict string) int {
	if verdict == "clean" {
		return 0
	}
	return 1
}

// placed reports whether a violation or question stands on a line of the evidence.
func (f finding) placed() bool {
	for _, q := range f.Questions {
		if slices.Contains(f.Evidence, evidence{Side: "after", File: q.File, Line: q.Line}) {
			return true
		}
	}
	return slices.ContainsFunc(f.Violations, func(v workflow.Violation) bool {
		return slices.Contains(f.Evidence, evidence{Side: v.Side, File: v.File, Line: v.Line})
	})
}

// The goals, in percent of the specimens they speak of.
const (
	breachRecall     = 100
	workaroundRecall = 95
	falseAlarms      = 2
	evidencePlaced   = 95
)

func TestCorpus(t *testing.T) {
	root := filepath.Join("..", "..", "..", "testdata", "corpus")
	asks, asked := reasons(t, filepath.Join(root, "asks.txt")), reasons(t, filepath.Join(root, "asked.txt"))
	for name, specimens := range map[string][]specimen{
		"development corpus": folders(t, filepath.Join(root, "cases")),
		"own cases":          archives(t, filepath.Join(root, "pairs")),
		"held-out cases":     archives(t, filepath.Join(root, "heldout")),
	} {
		for i := range specimens {
			specimens[i].asks, specimens[i].asked = asks[specimens[i].ID], asked[specimens[i].ID]
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			findings := make([]finding, len(specimens))
			t.Run("run", func(t *testing.T) {
				for i, s := range specimens {
					t.Run(s.ID, func(t *testing.T) {
						t.Parallel()
						findings[i] = examine(t, s)
					})
				}
			})
			judge(t, name, findings)
		})
	}
}

// TestStrict: under the strict policy any difference of approved tests is a
// breach, also one that demands no less.
func TestStrict(t *testing.T) {
	for _, s := range folders(t, filepath.Join("..", "..", "..", "testdata", "corpus", "cases")) {
		if s.Expect != "clean" || !s.Touches {
			continue
		}
		t.Run(s.ID, func(t *testing.T) {
			t.Parallel()
			s.before, s.after = maps.Clone(s.before), maps.Clone(s.after)
			s.before[".workflow/config.json"] = `{"integrity":{"policy":"strict"}}`
			s.after[".workflow/config.json"] = s.before[".workflow/config.json"]
			s.Expect = "breach"
			if f := examine(t, s); !f.right() {
				t.Errorf("%s", f)
			}
		})
	}
}

// examine runs the integrity command on a specimen.
func examine(t *testing.T, s specimen) finding {
	dir := t.TempDir()
	b, err := gitrepo.Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close() //nolint:errcheck // a temporary folder
	before := commit(t, b, "Approve tests: all", nil, s.before)
	after := commit(t, b, "Implement", s.before, s.after)
	cmd := exec.CommandContext(t.Context(), binary, "integrity", "--repo", dir, "--approved", before, "--head", after, "--json")
	// As many programs run at once as there are processors: one parser each will do.
	cmd.Env = append(os.Environ(), "GITHUB_ACTIONS=", "NO_COLOR=1", "GOMAXPROCS=1")
	out, err := cmd.Output()
	f := finding{specimen: s}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		f.code = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &f); err != nil {
		t.Fatalf("integrity --json: %v\n%s", err, out)
	}
	return f
}

// commit writes what differs between two trees on the branch main.
func commit(t *testing.T, b *gitrepo.Builder, subject string, was, is map[string]string) string {
	t.Helper()
	c := change.Commit{Subject: subject}
	for name, data := range is {
		if old, ok := was[name]; !ok || old != data {
			c.Writes = append(c.Writes, change.Write{Path: name, Content: []byte(data)})
		}
	}
	for name := range was {
		if _, ok := is[name]; !ok {
			c.Deletes = append(c.Deletes, name)
		}
	}
	slices.SortFunc(c.Writes, func(a, b change.Write) int { return cmp.Compare(a.Path, b.Path) })
	slices.Sort(c.Deletes)
	sha, err := b.Commit("main", c, gitrepo.Author{Name: "dev", Email: "dev@example.com", When: time.Unix(1767225600, 0)})
	if err != nil {
		t.Fatal(err)
	}
	return sha
}

// judge prints the tables and the misses, and compares with the goals.
func judge(t *testing.T, name string, fs []finding) {
	t.Helper()
	var out strings.Builder
	table(&out, "language", fs, func(f finding) string { return f.Language })
	table(&out, "kind", fs, finding.kind)
	for _, f := range fs {
		if !f.right() || len(f.Evidence) > 0 && !f.placed() {
			fmt.Fprintf(&out, "miss: %s", f)
		}
	}
	t.Logf("%s\n%s", name, out.String())
	all := count(fs)
	t.Logf("%-22s %3d of %3d", "need a new approval", all.asks, all.clean)
	for _, g := range []struct {
		what     string
		n, of    int
		least    float64
		mostFlag bool
	}{
		{"breach recall", all.breach, all.breaches, breachRecall, false},
		{"workaround recall", all.workaround, all.workarounds, workaroundRecall, false},
		{"false alarms", all.alarms, all.clean, falseAlarms, true},
		{"evidence on the line", all.placed, all.breaches + all.workarounds, evidencePlaced, false},
	} {
		p := percent(g.n, g.of)
		t.Logf("%-22s %3d of %3d  %5.1f %%  goal %g %%", g.what, g.n, g.of, p, g.least)
		if g.of > 0 && (g.mostFlag && p > g.least || !g.mostFlag && p < g.least) {
			t.Errorf("%s: %s is %.1f %%, the goal is %g %%", name, g.what, p, g.least)
		}
	}
}

// String is a miss in words, for whoever has to look into it.
func (f finding) String() string {
	s := fmt.Sprintf("%s: expected %s, got %s (status %d)\n    %s\n    expected at %v\n", f.ID, f.Expect, f.Verdict, f.code, f.Why,
		f.Evidence)
	for _, v := range f.Violations {
		s += fmt.Sprintf("    found %s %s:%d:%s %s\n", v.Kind, v.File, v.Line, v.Side, v.Description)
	}
	return s
}

// tally counts findings.
type tally struct{ breaches, breach, workarounds, workaround, clean, alarms, asks, placed int }

func count(fs []finding) tally {
	var n tally
	for _, f := range fs {
		hit := 0
		if f.right() {
			hit = 1
		}
		switch f.Expect {
		case "breach":
			n.breaches++
			n.breach += hit
		case "workaround":
			n.workarounds++
			n.workaround += hit
		default:
			n.clean++
			n.alarms += 1 - hit
			if f.asks != "" {
				n.asks++
			}
		}
		if len(f.Evidence) > 0 && f.placed() {
			n.placed++
		}
	}
	return n
}

func table(out *strings.Builder, what string, fs []finding, of func(finding) string) {
	groups := map[string][]finding{}
	for _, f := range fs {
		groups[of(f)] = append(groups[of(f)], f)
	}
	keys := make([]string, 0, len(groups))
	for k := range groups {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	fmt.Fprintf(out, "%-22s %10s %12s %14s %10s\n", what, "breaches", "workarounds", "false alarms", "on line")
	for _, k := range keys {
		n := count(groups[k])
		fmt.Fprintf(out, "%-22s %10s %12s %14s %10s\n", k, ratio(n.breach, n.breaches), ratio(n.workaround, n.workarounds),
			ratio(n.alarms, n.clean), ratio(n.placed, n.breaches+n.workarounds))
	}
}

func ratio(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%d/%d", n, of)
}

func percent(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return 100 * float64(n) / float64(of)
}
