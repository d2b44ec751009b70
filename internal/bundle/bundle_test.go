package bundle_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/bundle"
	"workflow-reviewer/internal/bundle/bundletest"
	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/workflow"
)

// edited is the good bundle with texts replaced; "" takes a file out.
func edited(edits map[string]string) map[string]string {
	files := bundletest.Good()
	for name, text := range edits {
		if name = bundletest.Folder + "/" + name; text == "" {
			delete(files, name)
		} else {
			files[name] = text
		}
	}
	return files
}

func read(files map[string]string) *bundle.Bundle {
	return bundle.Read(changetest.Tree("head", files), bundletest.Folder)
}

func TestAssessGood(t *testing.T) {
	got := read(bundletest.Good()).Assess()
	want := workflow.Bundle{
		Folder: bundletest.Folder, Session: "SPEC-checkout-2026-01-31", Topic: "Checkout of a small shop", Complexity: "moderate",
		Documents: []workflow.BundleDocument{
			{Name: "spec-config.json", Count: 1},
			{Name: "discovery-context.json", Count: 1},
			{Name: "product-brief.md", Count: 1},
			{Name: "requirements/_index.md", Count: 1},
			{Name: "REQ-* files", Count: 3},
			{Name: "architecture/_index.md", Count: 1},
			{Name: "ADR-* files", Count: 1},
			{Name: "epics/_index.md", Count: 1},
			{Name: "EPIC-* files", Count: 1},
			{Name: "discussions", Count: 1},
		},
		Dimensions: []workflow.BundleDimension{
			{Name: "completeness", Score: 100},
			{Name: "consistency", Score: 100},
			{Name: "traceability", Score: 100},
			{Name: "depth", Score: 100},
		},
		Score: 100,
		Chain: workflow.Chain{
			Stages: []workflow.ChainStage{
				{Name: "goal → requirement", Covered: 2, Of: 2},
				{Name: "requirement → goal", Covered: 3, Of: 3},
				{Name: "decision → requirement", Covered: 1, Of: 1},
				{Name: "requirement → epic", Covered: 2, Of: 2},
				{Name: "epic → requirement", Covered: 1, Of: 1},
				{Name: "requirement → acceptance criteria", Covered: 3, Of: 3},
			},
			Requirements: []workflow.ChainRequirement{
				{ID: "NFR-P-001", Title: "Speed", Goals: []string{"G-001"}, Decisions: []string{}, Stories: []string{}, Criteria: 1},
				{
					ID: "REQ-001", Title: "Pay with one click", Goals: []string{"G-001"}, Decisions: []string{"ADR-001"},
					Stories: []string{"EPIC-001"}, Criteria: 2,
				},
				{
					ID: "REQ-002", Title: "Send a receipt", Goals: []string{"G-002"}, Decisions: []string{},
					Stories: []string{"EPIC-001"}, Criteria: 1,
				},
			},
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// TestAssess: what each lack costs, and which gap is told.
func TestAssess(t *testing.T) {
	good := bundletest.Good()
	text := func(name string) string { return good[bundletest.Folder+"/"+name] }
	for name, c := range map[string]struct {
		edits map[string]string
		want  [4]float64 // completeness, consistency, traceability, depth
		gap   string     // "" for none
	}{
		"no configuration":         {map[string]string{"spec-config.json": ""}, [4]float64{95, 100, 100, 100}, ""},
		"no JSON":                  {map[string]string{"spec-config.json": "{"}, [4]float64{95, 100, 100, 100}, ""},
		"no index of requirements": {map[string]string{"requirements/_index.md": ""}, [4]float64{85, 100, 0, 100}, ""},
		"no brief": {
			map[string]string{"product-brief.md": ""},
			[4]float64{80, 100, 75, 100},
			"no goal of the brief is named by NFR-P-001, REQ-001, REQ-002",
		},
		"goals without ids": {
			map[string]string{"product-brief.md": "---\nsession_id: SPEC-checkout-2026-01-31\n---\n# Checkout\n\n## Goals\n\n" +
				"- Fewer abandoned carts\n", "requirements/_index.md": "---\na: b\n---\n# Requirements\n"},
			[4]float64{100, 100, 83.3, 100},
			"no goal of the brief is named by NFR-P-001, REQ-001",
		},
		"another session": {
			map[string]string{"product-brief.md": strings.ReplaceAll(text("product-brief.md"), "SPEC-checkout-2026-01-31", "SPEC-other")},
			[4]float64{100, 85, 100, 100},
			"",
		},
		"front matter here and there": {
			map[string]string{"epics/_index.md": "# Epics\n\n- EPIC-001: REQ-001, REQ-002\n"}, [4]float64{100, 80, 100, 100}, "",
		},
		"a goal that nobody serves": {
			map[string]string{"product-brief.md": text("product-brief.md") + "| G-003 | Fame | a prize |\n"},
			[4]float64{100, 100, 100, 100},
			"no requirement names G-003",
		},
		"a requirement without a goal": {
			map[string]string{"requirements/REQ-003-undo.md": "# REQ-003: Undo\n\nEPIC-001 has it.\n\n## Acceptance Criteria\n\n" +
				"- `undo` pays back.\n"},
			[4]float64{100, 100, 93.8, 100},
			"no goal of the brief is named by REQ-003",
		},
		"a requirement that nobody builds": {
			map[string]string{"requirements/REQ-003-undo.md": "# REQ-003: Undo\n\nServes G-001.\n\n## Acceptance Criteria\n\n" +
				"- `undo` pays back.\n"},
			[4]float64{100, 100, 91.7, 100},
			"no epic takes up REQ-003",
		},
		"a requirement that is not for now": {
			map[string]string{"requirements/REQ-003-undo.md": "---\npriority: Won't\n---\n\n# REQ-003: Undo\n"},
			[4]float64{100, 100, 100, 100},
			"",
		},
		"no criteria": {
			map[string]string{"requirements/REQ-002-receipt.md": "# REQ-002: Send a receipt\n\nServes goal G-002.\n"},
			[4]float64{100, 100, 100, 91.7},
			"no acceptance criterion was found in REQ-002",
		},
		"a decision for nothing": {
			map[string]string{"architecture/ADR-001-tokens.md": "# ADR-001: Tokens\n\nPros: none.\n"},
			[4]float64{100, 100, 75, 100},
			"no requirement is named by ADR-001",
		},
		"a decision without alternatives": {
			map[string]string{"architecture/ADR-001-tokens.md": "# ADR-001: Tokens\n\nREQ-001.\n"}, [4]float64{100, 100, 100, 75}, "",
		},
		"an id of nothing": {
			map[string]string{"architecture/ADR-001-tokens.md": text("architecture/ADR-001-tokens.md") + "And REQ-099.\n"},
			[4]float64{100, 95, 100, 100},
			"the bundle has no document of REQ-099",
		},
		"no size, no diagram": {
			map[string]string{
				"epics/EPIC-001-checkout.md": "# EPIC-001: Checkout\n\nREQ-001, REQ-002.\n",
				"architecture/_index.md":     "---\na: b\n---\n# Architecture\n\nADR-001 is all of it.\n",
			}, [4]float64{100, 100, 100, 65}, "",
		},
		"an id in code counts for nothing": {
			map[string]string{
				"epics/EPIC-001-checkout.md": "# EPIC-001: Checkout\n\nSize: S.\n\n```\nREQ-001\n```\n",
				"epics/_index.md":            "---\na: b\n---\n# Epics\n",
			},
			[4]float64{100, 100, 75, 100},
			"no epic takes up REQ-001, REQ-002",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := read(edited(c.edits)).Assess()
			var scores [4]float64
			for i, d := range got.Dimensions {
				scores[i] = d.Score
			}
			if scores != c.want {
				t.Errorf("scores %v, want %v: %+v", scores, c.want, got.Dimensions)
			}
			var gaps []string
			for _, g := range got.Chain.Gaps {
				gaps = append(gaps, g.Kind+" "+strings.Join(g.IDs, ", "))
			}
			if told := strings.Join(gaps, "\n"); c.gap == "" && told != "" || !strings.Contains(told, c.gap) {
				t.Errorf("gaps %q, want %q", told, c.gap)
			}
		})
	}
}

func TestRequirements(t *testing.T) {
	list, omitted := read(edited(map[string]string{
		"requirements/REQ-003-undo.md":  "# Undo\n\nPays back.\n",
		"requirements/REQ-004-never.md": "**Priority**: Won't\n\n# REQ-004: Never\n\n## Acceptance Criteria\n\n- x\n",
		"requirements/REQ-005-refer.md": "# REQ-005: Refer\n\n- REQ-001: comes first\n\n## Acceptance Criteria\n\n- AC-1: It `refers`.\n",
	})).Requirements()
	var got []string
	for _, r := range list {
		got = append(got, r.ID+" "+r.Text[:min(len(r.Text), 24)])
	}
	want := []string{
		"NFR-P-001.1 `pay` answers within 800", "REQ-001.1 `pay` with a stored toke", "REQ-001.2 `pay` without a token is",
		"REQ-002.1 Given a payment, when it", "REQ-003 Undo", "REQ-005.AC-1 It `refers`.",
	}
	if d := cmp.Diff(want, got); d != "" || omitted != 0 {
		t.Errorf("%d omitted, -want +got:\n%s", omitted, d)
	}
}

func TestFolder(t *testing.T) {
	for _, name := range []string{"product-brief.md", "requirements/_index.md", "epics/EPIC-1.md"} {
		if got := bundle.Folder(bundletest.Folder + "/" + name); got != bundletest.Folder {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// FuzzAssess: whatever a bundle holds, scores stay between 0 and 100.
func FuzzAssess(f *testing.F) {
	for name, text := range bundletest.Good() {
		f.Add(strings.TrimPrefix(name, bundletest.Folder+"/"), text)
	}
	f.Add("epics/EPIC-1.md", "### STORY-1: EPIC-1 STORY-1\n# G1\n")
	f.Fuzz(func(t *testing.T, name, text string) {
		b := read(edited(map[string]string{name: text}))
		b.Requirements()
		got := b.Assess()
		for _, d := range got.Dimensions {
			if d.Score < 0 || d.Score > 100 {
				t.Errorf("%s scores %g", d.Name, d.Score)
			}
		}
		for _, s := range got.Chain.Stages {
			if s.Covered > s.Of {
				t.Errorf("%+v", s)
			}
		}
	})
}
