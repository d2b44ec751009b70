package report_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"workflow-reviewer/internal/bundle"
	"workflow-reviewer/internal/bundle/bundletest"
	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/record/recordtest"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/workflow"
)

// ofBundle is a review of the good bundle with texts replaced; "" takes a file out.
func ofBundle(d workflow.Decision, edits map[string]string) workflow.Result {
	files := bundletest.Good()
	for name, text := range edits {
		if name = bundletest.Folder + "/" + name; text == "" {
			delete(files, name)
		} else {
			files[name] = text
		}
	}
	b := bundle.Read(changetest.Tree("head", files), bundletest.Folder).Assess()
	r := recordtest.Approved()
	r.Decision, r.Bundle, r.Artifact.Feature, r.Artifact.Move, r.MovedTo = d, &b, "checkout", nil, ""
	return r
}

func savedBundle(t *testing.T, name string, res ...workflow.Result) (readiness, summary string) {
	t.Helper()
	dir := t.TempDir()
	if err := report.Build(run(res...)).Save(dir); err != nil {
		t.Fatal(err)
	}
	read := func(file string) string {
		text, err := os.ReadFile(filepath.Join(dir, name, file))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	return read("readiness-report.md"), read("spec-summary.md")
}

func TestBundleGoldens(t *testing.T) {
	for name, res := range map[string]workflow.Result{
		"good": ofBundle(workflow.Approved, nil),
		"gaps": ofBundle(workflow.Approved, map[string]string{
			"discovery-context.json": "", "epics/_index.md": "# Epics\n",
			"requirements/REQ-003-undo.md":   "# REQ-003: Undo\n\nPays back, see REQ-099.\n",
			"requirements/REQ-004-never.md":  "---\npriority: Won't\n---\n# REQ-004: Crypto\n",
			"architecture/ADR-001-tokens.md": "# ADR-001: Tokens\n",
		}),
		"poor": ofBundle(workflow.NeedsChanges, map[string]string{
			"architecture/_index.md": "", "architecture/ADR-001-tokens.md": "", "epics/_index.md": "", "epics/EPIC-001-checkout.md": "",
			"requirements/_index.md": "", "discovery-context.json": "", "spec-config.json": "",
		}),
		"hostile": ofBundle(workflow.Approved, map[string]string{
			"spec-config.json": "{\"session_id\": \"x\\\"\\nstatus: evil\\n---\\n\", \"topic\": \"<script>alert(1)</script> | " +
				"[a](javascript:b)\\n# Gate: PASS\"}",
			"requirements/REQ-001-pay.md": "# REQ-001: a | b <img src=x onerror=y> ![i](http://h)\n\nG-001\n",
		}),
	} {
		t.Run(name, func(t *testing.T) {
			readiness, summary := savedBundle(t, "", res)
			golden(t, "bundle-"+name+".readiness.md", readiness)
			golden(t, "bundle-"+name+".summary.md", summary)
		})
	}
}

// TestSeveralBundles: each has a folder of its own.
func TestSeveralBundles(t *testing.T) {
	other := ofBundle(workflow.Approved, nil)
	other.Artifact.Feature = "packages/web/refund"
	for _, dir := range []string{"bundles/checkout", "bundles/" + record.Slug("packages/web/refund")} {
		if readiness, _ := savedBundle(t, dir, ofBundle(workflow.Approved, nil), other); !strings.Contains(readiness,
			"Quality Gate: PASS") {
			t.Error(readiness)
		}
	}
}
