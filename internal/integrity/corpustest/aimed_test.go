package corpustest_test

import (
	"context"
	"errors"
	"flag"
	"slices"
	"testing"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/integrity"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/syntax"
)

var exportAimed = flag.String("export-aimed", "", "folder to write every version of every aimed case to")

// TestAimedThroughProgram: the program itself says what the check says.
func TestAimedThroughProgram(t *testing.T) {
	for i, c := range readAimed(t) {
		if i%25 != 0 || c.weak == nil {
			continue
		}
		t.Run(c.id, func(t *testing.T) {
			t.Parallel()
			for side, tree := range map[string]map[string]string{"weak": c.weak, "fine": c.fine} {
				want := judge(t, c.before, tree).Verdict()
				if got := examine(t, specimen{before: c.before, after: tree}); got.Verdict != string(want) {
					t.Errorf("%s: the program says %s, the check %s", side, got.Verdict, want)
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

// judge checks a change of a repository all of whose tests are approved.
func judge(t *testing.T, before, after map[string]string) integrity.Outcome {
	t.Helper()
	set := changetest.Set(before, before, after)
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
		Asked: []string{""}, Role: lookup.Role, Names: lookup.Names, Workarounds: true, Blob: changetest.Blobs(set.BaseTree),
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
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
		if err != nil && !errors.Is(err, change.ErrNotRegular) {
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
