package rules_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"workflow-reviewer/internal/bundle"
	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/coverage"
	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/review/rules"
	"workflow-reviewer/internal/testresult"
	"workflow-reviewer/internal/workflow"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// load reads a sample: header lines "key: value", then the files of the head;
// those below before/ are of the merge base.
func load(t *testing.T, name string) rules.Input {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	archive := txtar.Parse(data)
	header := map[string]string{}
	for line := range strings.Lines(string(archive.Comment)) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			t.Fatalf("%s: header line %q", name, line)
		}
		header[key] = value
	}
	typ, ok := workflow.ParseType(header["type"])
	if !ok {
		t.Fatalf("%s: type %q", name, header["type"])
	}
	in := rules.Input{Artifact: workflow.Artifact{
		Type: typ, Feature: header["feature"], Layout: header["layout"], SpecPath: header["spec"], Tests: strings.Fields(header["tests"]),
	}}
	for _, f := range strings.Fields(header["files"]) {
		in.Artifact.Files = append(in.Artifact.Files, workflow.File{Path: f})
	}
	in.Thresholds = rules.Thresholds{Line: number(header["line"]), Branch: number(header["branch"])}
	trees(t, &in, archive.Files)
	if in.Artifact.Layout == layout.BundleName {
		found := bundle.Read(in.Set.HeadTree, bundle.Folder(in.Artifact.Path())).Assess()
		in.Bundle = &found
	}
	return in
}

func number(s string) float64 {
	f, _ := strconv.ParseFloat(s, 64) // "" is 0
	return f
}

func trees(t *testing.T, in *rules.Input, files []txtar.File) {
	t.Helper()
	before, head := map[string]string{}, map[string]string{}
	for _, f := range files {
		switch path, old := strings.CutPrefix(f.Name, "before/"); {
		case f.Name == "test-results":
			s, err := testresult.Parse(f.Name, f.Data)
			if err != nil {
				t.Fatal(err)
			}
			in.Tests = &s
		case f.Name == "schema":
			in.Schema = string(f.Data)
		case f.Name == "coverage":
			r, err := coverage.Parse(f.Name, f.Data)
			if err != nil {
				t.Fatal(err)
			}
			in.Coverage = &r
		case old:
			before[path] = string(f.Data)
		default:
			head[path] = string(f.Data)
		}
	}
	in.Set = changetest.Set(before, before, head)
}

func find(t *testing.T, checks []workflow.Check, id string) workflow.Check {
	t.Helper()
	for _, c := range checks {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("no check %q among %d", id, len(checks))
	return workflow.Check{}
}

// Every rule fires on its bad sample, in the words of the golden, and is
// silent on the good one.
func TestSamples(t *testing.T) {
	for _, r := range rules.Catalog() {
		t.Run(r.ID, func(t *testing.T) {
			dir := filepath.Join("testdata", filepath.FromSlash(r.ID))
			good := find(t, rules.Check(t.Context(), load(t, filepath.Join(dir, "good.txtar"))), r.ID)
			if good.Outcome != workflow.Passed || len(good.Issues) > 0 {
				t.Errorf("the good sample does not pass:\n%s", render(good))
			}
			bad := find(t, rules.Check(t.Context(), load(t, filepath.Join(dir, "bad.txtar"))), r.ID)
			if bad.Outcome != workflow.Failed && bad.Outcome != workflow.Noted {
				t.Errorf("the bad sample is not found:\n%s", render(bad))
			}
			golden(t, filepath.Join(dir, "bad.golden"), render(bad))
		})
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func render(c workflow.Check) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s: %s", c.ID, c.Outcome, c.Summary)
	if c.Gate {
		b.WriteString(" (gate)")
	}
	b.WriteByte('\n')
	for _, i := range c.Issues {
		fmt.Fprintf(&b, "%s:%d: %s, %s: %s\n\t%s\n\t%s\n", i.File, i.Line, i.Severity, i.Category, i.Title, i.Description, i.Recommendation)
	}
	return b.String()
}
