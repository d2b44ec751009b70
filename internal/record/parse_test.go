package record_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/record/recordtest"
	"workflow-reviewer/internal/workflow"
)

func TestLegacyNames(t *testing.T) {
	at := func(s string) time.Time { v, _ := time.Parse(time.DateTime, s); return v }
	tests := []struct {
		path    string
		typ     workflow.Type
		feature string
		want    workflow.Decision
		time    time.Time
	}{
		{
			"reviews/specs/2025-10-31T18-27-44-user-auth-APPROVED.md", workflow.Spec, "user-auth", workflow.Approved,
			at("2025-10-31 18:27:44"),
		},
		{"reviews/spec/20251028-billing-READY.md", workflow.Spec, "billing", workflow.Approved, at("2025-10-28 00:00:00")},
		{
			"reviews/implementations/20251026T150311-user-authentication-NEEDS-CHANGES.md", workflow.Implementation, "user-authentication",
			workflow.NeedsChanges, at("2025-10-26 15:03:11"),
		},
		{"reviews/test/20251026-a_b-NEEDS_CHANGES.md", workflow.Tests, "a_b", workflow.NeedsChanges, at("2025-10-26 00:00:00")},
		{"reviews/bug-fixes/2025-10-26-x-REJECTED.md", workflow.BugFix, "x", workflow.NeedsChanges, at("2025-10-26 00:00:00")},
		{"reviews/bugfix/2025-10-26-x-Rejected.md", workflow.BugFix, "x", workflow.NeedsChanges, at("2025-10-26 00:00:00")},
		{"reviews/specs/2025-10-26T14-30-22-123Z-a-APPROVED.md", workflow.Spec, "a", workflow.Approved, at("2025-10-26 14:30:22")},
		{"reviews/specs/20251026T143022-APPROVED.md", workflow.Spec, "", workflow.Approved, at("2025-10-26 14:30:22")},
		{"reviews/20251026T143022-a-ERROR.md", "", "a", workflow.Error, at("2025-10-26 14:30:22")},
		{"reviews/specs/user-auth-APPROVED.md", workflow.Spec, "user-auth", workflow.Approved, time.Time{}},
		{"reviews/specs/20259999-2fa-NOT-READY.md", workflow.Spec, "20259999-2fa", workflow.NeedsChanges, time.Time{}},
		{"reviews/specs/20251028-2fa-login-APPROVED.md", workflow.Spec, "2fa-login", workflow.Approved, at("2025-10-28 00:00:00")},
		{"reviews/20251028-VISION-READY-REV2.md", workflow.Vision, "VISION", workflow.Approved, at("2025-10-28 00:00:00")},
		{"reviews/specs/20251028-login-NEEDS-CHANGES-2.md", workflow.Spec, "login", workflow.NeedsChanges, at("2025-10-28 00:00:00")},
		{"reviews/specs/20251028-login-mcp-APPROVED.md", workflow.Spec, "login-mcp", workflow.Approved, at("2025-10-28 00:00:00")},
		{
			"project-meta/reviews/roadmap/20251028-ROADMAP-APPROVED.md", workflow.Roadmap, "ROADMAP", workflow.Approved,
			at("2025-10-28 00:00:00"),
		},
		{"reviews/scopes/archive/20251028-SCOPE-APPROVED.md", workflow.Scope, "SCOPE", workflow.Approved, at("2025-10-28 00:00:00")},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			got, err := record.Parse(tt.path, []byte("Some text."))
			if err != nil {
				t.Fatal(err)
			}
			want := record.Record{
				Path: tt.path, Type: tt.typ, Feature: tt.feature, Decision: tt.want, Time: tt.time,
				Legacy: true, Text: "Some text.",
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLegacyText(t *testing.T) {
	text := "# Bug Fix Review: overflow\n\n**Artifact:** bugs/fixing/overflow.md\n**Decision:** NEEDS-CHANGES\n"
	got, err := record.Parse("reviews/20251026.md", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := record.Record{
		Path: "reviews/20251026.md", Type: workflow.BugFix, Feature: "overflow", Decision: workflow.NeedsChanges, Legacy: true,
		Time: time.Date(2025, 10, 26, 0, 0, 0, 0, time.UTC), Files: []workflow.File{{Path: "bugs/fixing/overflow.md"}}, Text: text,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	other := "---\ntitle: x\n---\nDecision: approved\n"
	if got, err := record.Parse("reviews/specs/20251026-a.md", []byte(other)); err != nil ||
		got.Decision != workflow.Approved || !got.Legacy {
		t.Errorf("front matter of another tool: %+v, %v", got, err)
	}
}

// TestSpokenDecisions: the ways in which reviews of practice word a decision.
func TestSpokenDecisions(t *testing.T) {
	for text, want := range map[string]workflow.Decision{
		"**Status:** APPROVED": workflow.Approved, "Status: Needs Changes": workflow.NeedsChanges, "[APPROVED]": workflow.Approved,
		"NEEDS-CHANGES – criterion 3 has no test": workflow.NeedsChanges, "## Decision: ✅ APPROVED": workflow.Approved,
		"Verdict: MAJOR_ISSUES": workflow.NeedsChanges, "verdict: needs_fix": workflow.NeedsChanges,
		"Gate decision: BLOCK":       workflow.NeedsChanges,
		"Gate decision: CONDITIONAL": workflow.Approved, "Status: FAIL": workflow.NeedsChanges,
		"Status: APPROVED\n\nDecision: NEEDS-CHANGES": workflow.NeedsChanges,
	} {
		got, err := record.Parse("reviews/specs/20251026-a.md", []byte("# Review\n\n"+text+"\n"))
		if err != nil || got.Decision != want {
			t.Errorf("%q is %v, %v; want %v", text, got.Decision, err, want)
		}
		if conditional := strings.Contains(text, "CONDITIONAL"); conditional != (got.Warning != "") {
			t.Errorf("%q has the warning %q", text, got.Warning)
		}
	}
	for _, text := range []string{
		"It will be APPROVED once section 2 is fixed.", "Status: APPROVED if the tests pass",
		"APPROVED – pending section 2", "APPROVED – every criterion has a test", "Status: Draft", "> Decision: APPROVED", "```\nDecision: APPROVED\n```",
	} {
		if got, err := record.Parse("reviews/specs/20251026-a.md", []byte("# Review\n\n"+text+"\n")); !errors.Is(err, record.ErrNoReview) {
			t.Errorf("%q is read as %v, %v", text, got.Decision, err)
		}
	}
}

func TestNoReview(t *testing.T) {
	for p, text := range map[string]string{
		"reviews/README.md": "# Reviews\nDecision: APPROVED", "reviews/specs/20251026-notes.md": "Nothing decided.",
		"reviews/specs/20251026-a-APPROVED.txt": "x",
	} {
		if rec, err := record.Parse(p, []byte(text)); !errors.Is(err, record.ErrNoReview) {
			t.Errorf("Parse(%q) = %+v, %v; want ErrNoReview", p, rec, err)
		}
	}
}

// TestDataBlockTellsWhatFrontMatterDoesNot: what the front matter, the name or the run knows does not
// come from the block.
func TestDataBlockTellsWhatFrontMatterDoesNot(t *testing.T) {
	r := recordtest.NeedsChanges()
	file := string(record.Render(r))
	more := `{"decision":"APPROVED","engine":"rules","head":"x","base":"x","context_digest":"x","cached":true,` +
		`"path":"x","moved_to":"x","bundle":{},"tokens":{"input":1},"duration_ns":1,"iteration":9,"artifact":{"feature":"x"},`
	want, err := record.Parse(record.Path(r), []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	got, err := record.Parse(record.Path(r), []byte(strings.Replace(file, `data {`, "data "+more, 1)))
	if err != nil || !cmp.Equal(want.Result, got.Result) {
		t.Errorf("%v\n%s", err, cmp.Diff(want.Result, got.Result))
	}
}

func TestUnsoundRecordsAreErrors(t *testing.T) {
	r := recordtest.NeedsChanges()
	path, file, overridden := record.Path(r), string(record.Render(r)), recordtest.Overridden()
	edit := func(old, now string) string {
		if !strings.Contains(file, old) {
			t.Fatalf("%q is not in the file", old)
		}
		return strings.Replace(file, old, now, 1)
	}
	tests := []struct{ name, path, file, want string }{
		{"decision edited", path, edit("decision: NEEDS-CHANGES", "decision: APPROVED"), "does not tell time and decision APPROVED"},
		{
			"renamed to approved", strings.Replace(path, "NEEDS-CHANGES", "APPROVED", 1), file,
			"does not tell time and decision NEEDS-CHANGES",
		},
		{"wrong folder", strings.Replace(path, "implementations", "specs", 1), file, "belongs into reviews/implementations"},
		{"unknown decision", path, edit("decision: NEEDS-CHANGES", "decision: FINE"), `decision "FINE"`},
		{"unknown type", path, edit("type: implementation", "type: essay"), `type "essay"`},
		{"wrong type of value", path, edit("iteration: 1", "iteration: many"), "front matter"},
		{
			"list instead of map", path, edit("tokens: {input: 41877, cached: 12032, output: 3904, reasoning: 2510}", "tokens: [1]"),
			"front matter",
		},
		{"negative", path, edit("duration_ms: 73000", "duration_ms: -1"), "negative"},
		{"escape from the root", path, edit("path: src/auth/login.py", "path: ../x"), `"../x"`},
		{"alias", path, edit("model: gpt-5-codex", "model: &a x\neffort: *a"), "front matter"},
		{"newer schema", path, edit("review@1", "review@2"), "another version"},
		{"broken YAML", path, edit("type: implementation", "type: [implementation"), "front matter"},
		{"no data", path, strings.Split(file, "<!--")[0], "data block"},
		{"broken data", path, edit(`{"summary":`, `{"summary:`), "data block"},
		{"unknown severity", path, edit(`"severity":"High"`, `"severity":"Meh"`), `"Meh"`},
		{"unknown grade", path, edit(`"result":"FAIL"`, `"result":"OK"`), `"OK"`},
		{
			"renamed to another time", strings.Replace(path, "reviews/implementations/20", "reviews/implementations/29", 1), file,
			"the file was renamed",
		},
		{
			"an override without a person", strings.Replace(path, "NEEDS-CHANGES", "OVERRIDDEN", 1),
			edit("decision: NEEDS-CHANGES", "decision: OVERRIDDEN"), "does not tell who overrode it",
		},
		{
			"an override as approval", record.Path(overridden),
			strings.Replace(string(record.Render(overridden)), "decision: OVERRIDDEN", "decision: APPROVED", 1),
			"does not tell time and decision APPROVED",
		},
		{"no feature", path, edit("feature: user-authentication", `feature: ""`), "feature"},
		{"too large", path, file + strings.Repeat("x", record.MaxFile), "larger than"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rec, err := record.Parse(tt.path, []byte(tt.file))
			if err == nil || !strings.Contains(err.Error(), tt.want) || errors.Is(err, record.ErrNoReview) {
				t.Errorf("Parse = %+v, %v; want an error with %q", rec.Decision, err, tt.want)
			}
		})
	}
	if _, err := record.Parse(path, []byte(edit("effort: high", "effort: high\nsomething_new: [1, 2]"))); err != nil {
		t.Errorf("an unknown key: %v", err)
	}
	if _, err := record.Parse(path, []byte(strings.ReplaceAll(file, "\n", "\r\n"))); err != nil {
		t.Errorf("checked out with CRLF: %v", err)
	}
}

func TestRead(t *testing.T) {
	a, b := recordtest.Approved(), recordtest.NeedsChanges()
	b.Date = b.Date.Add(-time.Hour)
	tree := changetest.Tree(recordtest.Head, map[string]string{
		record.Path(a): string(record.Render(a)),
		record.Path(b): string(record.Render(b)),
		"project-meta/reviews/specs/20240101-old-APPROVED.md": "fine",
		"reviews/README.md": "# Reviews",
		"reviews/specs/20260101T000000-broken-APPROVED.md": "---\nschema: workflow-reviewer/review@9\n---\n",
		"reviews/specs/20260101T000000-link-APPROVED.md":   changetest.Symlink("../../etc/passwd"),
		"reviews/specs/20260101T000000-huge-APPROVED.md":   strings.Repeat("x", record.MaxFile+1),
		"review-requests/20260101T000000-a-APPROVED.md":    "no review",
	})
	records, notices, err := record.Read(tree, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range records {
		got = append(got, r.Path)
		if r.Blob == "" {
			t.Errorf("%s has no blob id", r.Path)
		}
	}
	want := []string{"project-meta/reviews/specs/20240101-old-APPROVED.md", record.Path(b), record.Path(a)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	warned := map[string]bool{}
	for _, n := range notices {
		warned[n.File] = n.Warns()
	}
	wantWarned := map[string]bool{
		"reviews/specs/20260101T000000-broken-APPROVED.md": true, "reviews/specs/20260101T000000-link-APPROVED.md": true,
		"reviews/specs/20260101T000000-huge-APPROVED.md": true,
	}
	if diff := cmp.Diff(wantWarned, warned); diff != "" {
		t.Error(diff)
	}
}

func TestReadKeepsTheNewest(t *testing.T) {
	files := map[string]string{}
	start := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range 2100 {
		files["reviews/specs/"+start.Add(time.Duration(i)*time.Minute).Format(record.Layout)+"-a-APPROVED.md"] = "x"
	}
	records, notices, err := record.Read(changetest.Tree(recordtest.Head, files), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(records) != 2000 || !records[0].Time.Equal(start.Add(100*time.Minute)) || len(notices) != 1 || !notices[0].Warns() {
		t.Errorf("%d records from %v, notices %v", len(records), records[0].Time, notices)
	}
}

func FuzzParse(f *testing.F) {
	for _, r := range recordtest.All() {
		f.Add(record.Path(r), record.Render(r))
	}
	f.Add("reviews/specs/2025-10-31T18-27-44-a-APPROVED.md", []byte("---\na: &a [*a]\n---\n# Spec Review: x"))
	f.Fuzz(func(t *testing.T, path string, data []byte) {
		rec, err := record.Parse(path, data)
		if err != nil {
			return
		}
		if rec.Legacy != (rec.Result == nil) {
			t.Fatalf("legacy %v with result %v", rec.Legacy, rec.Result)
		}
		if rec.Legacy {
			return
		}
		again, err := record.Parse(record.Path(*rec.Result), record.Render(*rec.Result))
		if err != nil || again.Decision != rec.Decision {
			t.Fatalf("decision %v became %v: %v", rec.Decision, again.Decision, err)
		}
	})
}
