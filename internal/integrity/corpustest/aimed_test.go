package corpustest_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/integrity"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

var exportAimed = flag.String("export-aimed", "", "folder to write every version of every aimed case to")

// aimedResult is what the check said of one side of a case.
type aimedResult struct {
	aimedCase
	side    string // weak, fine
	verdict integrity.Verdict
	found   []workflow.Violation
}

func (r aimedResult) name() string { return r.id + "/" + r.side }

// right reports whether the verdict is the expected one: a weakening ends with
// status 1, a look-alike is clean. A refactoring beyond the closed list is
// expected to need a new approval; it is no error to see that it is harmless.
func (r aimedResult) right() bool {
	if r.form == "refactoring" && !r.listed {
		return true
	}
	return (r.side == "weak") == (r.verdict == integrity.Breach || r.verdict == integrity.Workaround)
}

func (r aimedResult) placed() bool {
	return slices.ContainsFunc(r.found, func(v workflow.Violation) bool {
		return slices.Contains(r.evidence, evidence{Side: v.Side, File: v.File, Line: v.Line})
	})
}

func (r aimedResult) named() bool {
	return slices.ContainsFunc(r.found, func(v workflow.Violation) bool { return v.Kind == r.kind })
}

// TestAimed runs every aimed weakening and its look-alike through the check. A
// wrong verdict must be listed with its reason in known.txt, and nothing else may
// be listed there: -update writes the list anew and keeps the reasons.
func TestAimed(t *testing.T) {
	cases := readAimed(t)
	results := make([]aimedResult, 2*len(cases))
	t.Run("check", func(t *testing.T) {
		for i, c := range cases {
			t.Run(c.id, func(t *testing.T) {
				t.Parallel()
				results[2*i] = c.check(t, "fine", c.fine)
				if c.weak != nil {
					results[2*i+1] = c.check(t, "weak", c.weak)
				}
			})
		}
	})
	results = slices.DeleteFunc(results, func(r aimedResult) bool { return r.side == "" })
	t.Logf("aimed weakenings\n%s", aimedTables(results))
	compareKnown(t, results)
}

// TestAimedThroughProgram: the program itself says what the check says.
func TestAimedThroughProgram(t *testing.T) {
	for i, c := range readAimed(t) {
		if i%25 != 0 || c.weak == nil {
			continue
		}
		t.Run(c.id, func(t *testing.T) {
			t.Parallel()
			for side, tree := range map[string]map[string]string{"weak": c.weak, "fine": c.fine} {
				want := c.check(t, side, tree)
				if got := examine(t, specimen{before: c.before, after: tree}); got.Verdict != string(want.verdict) {
					t.Errorf("%s: the program says %s, the check %s", side, got.Verdict, want.verdict)
				}
			}
		})
	}
}

// TestAimedParses: every source of every case parses in its language, so that no
// case is caught for being broken.
func TestAimedParses(t *testing.T) {
	parsed := map[string]bool{}
	for _, c := range readAimed(t) {
		for _, tree := range []map[string]string{c.before, c.weak, c.fine} {
			for name, src := range tree {
				lang, ok := syntax.LanguageOf(name)
				if !ok || parsed[name+src] {
					continue
				}
				parsed[name+src] = true
				if tree, err := syntax.Parse(t.Context(), lang, []byte(src)); err != nil || tree.HasError() {
					t.Errorf("%s: %s does not parse (%v)\n%s", c.id, name, err, src)
				}
			}
		}
	}
}

func TestExportAimed(t *testing.T) {
	dir := *exportAimed
	if dir == "" {
		dir = t.TempDir()
	}
	for _, c := range readAimed(t) {
		if err := c.export(dir); err != nil {
			t.Fatal(err)
		}
	}
}

func (c *aimedCase) check(t *testing.T, side string, after map[string]string) aimedResult {
	t.Helper()
	set := changetest.Set(c.before, c.before, after)
	lookup, err := detect.NewLookup(set, detect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	files, err := approveAll(t.Context(), lookup, set)
	if err != nil {
		t.Fatal(err)
	}
	out, err := integrity.Check(t.Context(), integrity.Input{
		Set: set, Baselines: []baseline.Baseline{{Source: baseline.Given, Commit: set.Base, Files: files}},
		Role: lookup.Role, Names: lookup.Names, Workarounds: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	return aimedResult{*c, side, out.Verdict(), slices.Concat(out.Breaches(), out.Workarounds)}
}

// approveAll takes all tests of the base as approved, as the integrity command
// does with --approved.
func approveAll(ctx context.Context, lookup *detect.Lookup, set change.Set) ([]approval.File, error) {
	tests, helpers, err := lookup.AllTests(set.BaseTree)
	if err != nil {
		return nil, err
	}
	files, _, err := approval.Collect(ctx, set.BaseTree, approval.Options{Tests: tests})
	if err != nil {
		return nil, err
	}
	entries, err := set.BaseTree.List("")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		src, err := set.BaseTree.ReadFile(e.Path)
		if err != nil {
			return nil, err
		}
		role := approval.Support
		if integrity.HasInlineTests(ctx, e.Path, src) {
			role = approval.Test
		} else if !slices.Contains(helpers, e.Path) {
			continue
		}
		if !slices.ContainsFunc(files, func(f approval.File) bool { return f.Path == e.Path }) {
			files = append(files, approval.File{Path: e.Path, Mode: e.Mode, Blob: e.Blob, Role: role})
		}
	}
	return files, nil
}

// compareKnown holds the wrong verdicts to those that are listed as known.
func compareKnown(t *testing.T, results []aimedResult) {
	t.Helper()
	file := filepath.Join("..", "..", "..", "testdata", "corpus", "aimed", "known.txt")
	data, err := os.ReadFile(file)
	if err != nil && !*update {
		t.Fatal(err)
	}
	reasons := map[string]string{}
	for line := range strings.Lines(string(data)) {
		if name, reason, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && !strings.HasPrefix(line, "#") {
			reasons[name] = reason
		}
	}
	var list strings.Builder
	list.WriteString("# Verdicts that are wrong as yet, and why. Written by go test -run '^TestAimed$' -update, which keeps the reasons.\n")
	for _, r := range results {
		reason, known := reasons[r.name()]
		delete(reasons, r.name())
		switch {
		case !r.right() && *update:
			if !known {
				reason = "the comparison calls it " + string(r.verdict)
			}
			fmt.Fprintf(&list, "%s: %s\n", r.name(), reason)
		case *update:
		case r.right() && known:
			t.Errorf("%s is right now: take it from the list (-update)", r.name())
		case !r.right() && !known:
			t.Errorf("%s is %s", r.name(), r.verdict)
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(list.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	for name := range reasons {
		t.Errorf("known.txt lists %s, which is no case", name)
	}
}
