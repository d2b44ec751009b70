package detect_test

import (
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/bundle/bundletest"
	"workflow-reviewer/internal/detect"
)

// TestBundle: whatever file of a bundle changes, all are one review, the brief
// first; and code is linked to it.
func TestBundle(t *testing.T) {
	const dir = bundletest.Folder + "/"
	order := []string{
		"product-brief.md", "requirements/_index.md", "requirements/NFR-P-001-speed.md", "requirements/REQ-001-pay.md",
		"requirements/REQ-002-receipt.md",
		"architecture/_index.md", "architecture/ADR-001-tokens.md", "epics/_index.md", "epics/EPIC-001-checkout.md", "spec-config.json",
		"discovery-context.json",
	}
	good := bundletest.Good()
	whole := func(names []string) string { return "spec: checkout = " + dir + strings.Join(names, " "+dir) }
	for name, c := range map[string]struct {
		old, now files
		want     []string
	}{
		"new":        {files{"README.md": "x\n"}, good, order},
		"a decision": {good, with(good, files{dir + "architecture/ADR-001-tokens.md": "# ADR-001: Tokens\n\nREQ-001.\n"}), order},
		"its config": {good, with(good, files{dir + "spec-config.json": "{}\n"}), order},
		"a deletion": {
			good, with(good, files{dir + "epics/EPIC-001-checkout.md": ""}),
			slices.DeleteFunc(slices.Clone(order), func(s string) bool { return s == "epics/EPIC-001-checkout.md" }),
		},
		"beside spec-kit": {
			with(good, files{".specify/a": "x"}),
			with(good, files{".specify/a": "x", dir + "product-brief.md": "# Checkout\n\nG-001\n"}), order,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := find(t, c.old, c.now, detect.Options{AutoMove: always})
			wantNames(t, got, whole(c.want))
			a := got.Artifacts[0]
			if a.Layout != "bundle" || a.SpecPath != dir+"product-brief.md" || a.Move != nil ||
				!slices.Equal(a.Companions, []string{dir + "discussions/discuss-001.md"}) {
				t.Errorf("%+v", a)
			}
		})
	}
	got := find(
		t,
		good,
		with(good, files{"app/pay.py": pyReal, dir + "readiness-report.md": "# Report\n"}),
		detect.Options{Branch: "feature/checkout"},
	)
	wantNames(t, got, "implementation: checkout = app/pay.py")
	if a := got.Artifacts[0]; a.SpecPath != dir+"product-brief.md" ||
		len(a.Companions) != len(order) ||
		a.Companions[0] != dir+order[1] {
		t.Errorf("%+v", a)
	}
	got = find(
		t,
		good,
		with(good, files{dir + "discussions/discuss-002.md": "# More\n"}),
		detect.Options{},
	)
	wantNames(t, got)
}
