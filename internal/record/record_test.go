package record_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/record/recordtest"
	"workflow-reviewer/internal/workflow"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs, run with -update if it is meant (-want +got):\n%s", name, diff)
	}
}

func TestRenderGolden(t *testing.T) {
	for name, r := range recordtest.All() {
		t.Run(name, func(t *testing.T) { golden(t, name+".md", record.Render(r)) })
	}
}

// lossy are the fields that a review file does not hold.
var lossy = cmp.Options{
	cmpopts.IgnoreFields(workflow.Artifact{}, "SpecPath", "Tests", "Move", "Why"),
	cmpopts.IgnoreFields(workflow.Result{}, "Cached", "MovedTo", "ReviewPath"),
	cmpopts.EquateEmpty(),
}

func TestRoundTrip(t *testing.T) {
	for name, r := range recordtest.All() {
		if name == "hostile" {
			continue // its control characters are spelt out
		}
		t.Run(name, func(t *testing.T) {
			r.Identify()
			file := record.Render(r)
			rec, err := record.Parse(record.Path(r), file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(r, *rec.Result, lossy); diff != "" {
				t.Errorf("(-rendered +parsed):\n%s", diff)
			}
			if rec.Legacy || rec.Decision != r.Decision || !rec.Time.Equal(r.Date) || rec.Iteration != r.Iteration {
				t.Errorf("record = %+v", rec)
			}
			if again := record.Render(*rec.Result); !bytes.Equal(file, again) {
				t.Errorf("rendering the parsed record changes it:\n%s", cmp.Diff(string(file), string(again)))
			}
		})
	}
}

// TestFormerFile reads a review file from before there was a ledger.
func TestFormerFile(t *testing.T) {
	const name = "20260131T143022-user-authentication-NEEDS-CHANGES.md"
	data, err := os.ReadFile("testdata/former/" + name)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := record.Parse("reviews/implementations/"+name, data)
	if err != nil || rec.Legacy || rec.Result == nil || len(rec.Result.Issues) == 0 || rec.Result.Requirements != nil {
		t.Errorf("%+v, %v", rec, err)
	}
}

func TestHostileTextForgesNothing(t *testing.T) {
	r := recordtest.Hostile()
	file := record.Render(r)
	rec, err := record.Parse(record.Path(r), file)
	if err != nil {
		t.Fatal(err)
	}
	if rec.Decision != workflow.NeedsChanges || strings.Contains(rec.Result.Summary, "forged") && len(rec.Result.Issues) != 1 {
		t.Errorf("record = %+v", rec)
	}
	if again, err := record.Parse(record.Path(r), record.Render(*rec.Result)); err != nil || again.Feature != r.Artifact.Feature {
		t.Errorf("second round: %v, feature %q", err, again.Feature)
	}
	for n, l := range strings.Split(string(file), "\n") {
		if strings.HasPrefix(l, "# ") && !strings.HasPrefix(l, "# Skeleton Review: ") && !strings.HasPrefix(l, "# Decision") {
			t.Errorf("line %d is a heading of the text: %q", n+1, l)
		}
	}
	if bytes.ContainsAny(file, "\x1b\u202e") {
		t.Error("control characters came through")
	}
}

func TestPath(t *testing.T) {
	at := time.Date(2026, 1, 31, 14, 30, 22, 0, time.FixedZone("", 3600))
	tests := []struct {
		typ      workflow.Type
		feature  string
		decision workflow.Decision
		want     string
	}{
		{workflow.Spec, "user-authentication", workflow.Approved, "reviews/specs/20260131T133022-user-authentication-APPROVED.md"},
		{workflow.BugFix, "a", workflow.NeedsChanges, "reviews/bug-fixes/20260131T133022-a-NEEDS-CHANGES.md"},
		{workflow.Vision, "VISION", workflow.Error, "reviews/vision/20260131T133022-VISION-ERROR.md"},
		{workflow.Tests, "a/b", workflow.Approved, "reviews/tests/20260131T133022-a-b-c14cdd-APPROVED.md"},
		{workflow.Tests, "../../x", workflow.Approved, "reviews/tests/20260131T133022-x-9cdf6a-APPROVED.md"},
		{workflow.Tests, "", workflow.Approved, "reviews/tests/20260131T133022-e3b0c4-APPROVED.md"},
	}
	seen := map[string]bool{}
	for _, tt := range tests {
		got := record.Path(workflow.Result{Artifact: workflow.Artifact{Type: tt.typ, Feature: tt.feature}, Decision: tt.decision, Date: at})
		if got != tt.want || seen[got] {
			t.Errorf("Path(%q) = %q, want %q", tt.feature, got, tt.want)
		}
		seen[got] = true
	}
}

func TestFilesStayBelowOneMegabyte(t *testing.T) {
	r := recordtest.NeedsChanges()
	long := strings.Repeat("A long line with `code` and <tags> & more.\n", 400)
	for i := range 300 {
		r.Issues = append(r.Issues, workflow.Finding{
			Level: workflow.Note, Title: fmt.Sprint(i, long),
			Text: long, Suggestion: &long,
		})
		r.Artifact.Files = append(r.Artifact.Files, workflow.File{Path: fmt.Sprintf("src/%d.go", i), Blob: recordtest.Head})
	}
	file := record.Render(r)
	if len(file) > record.MaxFile || len(file) < record.MaxFile/50 {
		t.Fatalf("%d bytes", len(file))
	}
	rec, err := record.Parse(record.Path(r), file)
	if err != nil {
		t.Fatal(err)
	}
	if rec.Decision != workflow.NeedsChanges ||
		!strings.Contains(strings.Join(rec.Result.Omitted, " "), "too long to be shown here whole") {
		t.Errorf("decision %v, omitted %q", rec.Decision, rec.Result.Omitted)
	}
	if len(rec.Files) != len(r.Artifact.Files) {
		t.Errorf("%d of %d artifacts recorded: the record could not be used again", len(rec.Files), len(r.Artifact.Files))
	}
}

func TestDigest(t *testing.T) {
	if got, want := record.Digest(nil), "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"; got != want {
		t.Errorf("Digest = %s, want %s", got, want)
	}
}

// TestDraft: a writer's review reads back as one, and is none of the records.
func TestDraft(t *testing.T) {
	r := recordtest.Approved()
	p := record.Path(r)
	rec, err := record.Parse(p, record.RenderDraft(r))
	if err != nil || !rec.Draft || rec.Decision != workflow.Approved {
		t.Fatalf("%+v, %v", rec, err)
	}
	tree := changetest.Tree(recordtest.Head, map[string]string{p: string(record.RenderDraft(r))})
	if all, _, err := record.ReadAll(tree, nil); err != nil || len(all) != 1 {
		t.Errorf("with drafts: %d, %v", len(all), err)
	}
	if records, notices, err := record.Read(tree, nil); err != nil || len(records)+len(notices) != 0 {
		t.Errorf("records %v, notices %v, %v", records, notices, err)
	}
	if plain, err := record.Parse(p, record.Render(r)); err != nil || plain.Draft {
		t.Errorf("%+v, %v", plain, err)
	}
}
