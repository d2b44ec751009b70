package main_test

import (
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/bundle/bundletest"
	"workflow-reviewer/internal/codex/codextest"
)

// bundleIn is the good bundle in another folder, with texts replaced; "" takes a
// file out.
func bundleIn(folder string, edits map[string]string) map[string]string {
	out := map[string]string{}
	for name, text := range bundletest.Good() {
		out[folder+strings.TrimPrefix(name, bundletest.Folder)] = text
	}
	for name, text := range edits {
		if out[folder+"/"+name] = text; text == "" {
			delete(out, folder+"/"+name)
		}
	}
	return out
}

// poorBundle is FAIL: nothing leads anywhere.
func poorBundle() map[string]string {
	return map[string]string{
		"specs/login/spec-config.json": "{\"session_id\": \"SPEC-login\"}",
		"specs/login/product-brief.md": "# Login\n\nUsers of the shop want to log in without a password that they forget, and " +
			"the shop wants fewer mails.\n",
		"specs/login/requirements/_index.md": "# Requirements\n\nThere is one requirement, and it is told in a document of its own " +
			"beside this index.\n",
		"specs/login/requirements/REQ-001-in.md": "# REQ-001: Log in\n\nA user logs in by a link that was mailed to the address, and " +
			"stays logged in on that device.\n",
	}
}

// TestBundleScore: one review of all documents; the score is told, and decides
// nothing.
func TestBundleScore(t *testing.T) {
	t.Parallel()
	gaps := bundleIn("specs/login", map[string]string{
		"discovery-context.json": "", "requirements/_index.md": "",
		"architecture/ADR-001-tokens.md": "# ADR-001: Tokens\n\nThe provider keeps the cards, the shop keeps tokens.\n",
	})
	for name, c := range map[string]struct {
		files   map[string]string
		answer  func(codextest.Request) codextest.Response
		code    int
		says    []string // of the readiness report
		verdict string
	}{
		"pass": {
			bundleIn("specs/login", nil), nil, 0,
			[]string{
				"## Quality Gate: PASS", "| requirement → goal | 3 of 3 (100%) |",
				"| REQ-001 Pay with one click | G-001 | ADR-001 | EPIC-001 | 2 |",
			},
			"PASS",
		},
		"review": {gaps, nil, 0, []string{
			"## Quality Gate: REVIEW", "No requirement is named by ADR-001",
			"Missing: discovery-context.json",
		}, "REVIEW"},
		"fail": {poorBundle(), nil, 0, []string{"## Quality Gate: FAIL", "No acceptance criterion was found in REQ-001"}, "REVIEW"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, map[string]string{".workflow/config.json": config}, c.files, c.answer)
			o := w.run(w.pull("opened"))
			o.ends(c.code, map[int]string{0: "APPROVED", 1: "NEEDS-CHANGES"}[c.code])
			if got := o.reviewed(); !slices.Equal(got, []string{"spec login"}) {
				t.Fatalf("reviews %q\n%s", got, o.stdout)
			}
			readiness := o.saved("readiness-report.md")
			for _, want := range c.says {
				if !strings.Contains(readiness, want) {
					t.Errorf("the readiness report lacks %q:\n%s", want, readiness)
				}
			}
			if summary := o.saved("spec-summary.md"); !strings.Contains(summary, "# Specification Summary") ||
				!strings.Contains(summary, o.reviews()[0].Path) {
				t.Errorf("summary:\n%s", summary)
			}
			if !strings.Contains(o.outputs["reviews"], `"spec":"`+c.verdict+`"`) {
				t.Errorf("verdict %s", o.outputs["reviews"])
			}
			if want := "approved, but worth another look"; strings.Contains(o.saved(o.reviews()[0].Path), want) != (c.verdict == "REVIEW") {
				t.Errorf("the warning of a low score:\n%s", o.saved(o.reviews()[0].Path))
			}
		})
	}
}

// TestBundleAnyFile: a change of one document has the bundle reviewed as a
// whole, after an approval that covers all of them.
func TestBundleAnyFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{".workflow/config.json": config}, bundleIn("specs/login", nil), codextest.Always(answer("APPROVED")))
	w.run(w.pull("opened")).ends(0, "APPROVED")
	w.nothingAgain()
	w.commit("Size a story", map[string]string{"specs/login/epics/EPIC-001-checkout.md": bundleIn("specs/login",
		nil)["specs/login/epics/EPIC-001-checkout.md"] + "\nIt is small.\n"})
	before := w.model.Count()
	o := w.run(w.pull("synchronize"))
	o.ends(0, "APPROVED")
	if w.model.Count() != before+1 || !slices.Equal(o.reviewed(), []string{"spec login"}) {
		t.Fatalf("%d requests, reviews %q", w.model.Count()-before, o.reviewed())
	}
	for _, want := range []string{"It is small.", "Fewer abandoned carts", "is refused with status 402", "We talked about tokens."} {
		if !strings.Contains(w.model.Requests()[before].Prompt, want) {
			t.Errorf("the reviewer was not shown %q", want)
		}
	}
}

// TestBundleLedger: the code of a bundle is held against the acceptance criteria
// of its requirements.
func TestBundleLedger(t *testing.T) {
	t.Parallel()
	main := maps.Clone(bundleIn("specs/login", nil))
	main[".workflow/config.json"] = config
	var ids []string
	w := newWorld(t, main, map[string]string{"app/pay.py": loginCode, "specs/login/requirements/REQ-002-receipt.md": ""},
		func(r codextest.Request) codextest.Response {
			if got := codextest.Enumerated(r, "requirements"); got != nil {
				ids = got
			}
			return stands(func(n int, _ string) map[string]any { return metAt("app/pay.py", 4+n%3) })(r)
		})
	w.inputs["test-results"] = "all passing"
	o := w.run(w.pull("opened"))
	want := []string{"NFR-P-001.1", "REQ-001.1", "REQ-001.2", "REQ-002.1"}
	if slices.Sort(ids); !slices.Equal(ids, want) {
		t.Errorf("requirements %q, want %q: what the pull request deletes counts\n%s", ids, want, o.stdout)
	}
	if !strings.Contains(o.outputs["reviews"], "removed by this pull request") {
		t.Errorf("the removal is not shown: %s", o.outputs["reviews"])
	}
}

// TestBundleLocal: the same on a developer's machine.
func TestBundleLocal(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"README.md": "# Shop\n"}, poorBundle(), nil)
	dir := filepath.Join(t.TempDir(), "clone")
	if out, err := exec.Command("git", "clone", "-q", "-b", "feature/login", "file://"+w.repo.Dir, dir).CombinedOutput(); err != nil {
		t.Fatalf("git clone: %v\n%s", err, out)
	}
	code, stdout, _ := local(t, dir, "--json")
	if code != 0 || !strings.Contains(stdout, `"spec": "REVIEW"`) || !strings.Contains(stdout, `"session": "SPEC-login"`) {
		t.Errorf("exit status %d\n%s", code, stdout)
	}
	code, stdout, _ = local(t, dir)
	_, folder, _ := strings.Cut(stdout, "\nReport: ")
	readiness := read(t, filepath.Join(strings.TrimSpace(folder), "readiness-report.md"))
	if code != 0 || !strings.Contains(readiness, "## Quality Gate: FAIL") {
		t.Errorf("exit status %d\n%s\n%s", code, stdout, readiness)
	}
}

// TestBundleAcrossTheMatrix: the shard reviews the bundle, the report leaves its
// two documents.
func TestBundleAcrossTheMatrix(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{".workflow/config.json": config}, bundleIn("specs/login", nil), codextest.Always(answer("APPROVED")))
	ev := w.pull("opened")
	m, _ := w.plan(ev, 5)
	w.shards(ev, m)
	o := w.report(ev)
	o.ends(0, "APPROVED")
	if readiness := o.saved("readiness-report.md"); !strings.Contains(readiness, "## Quality Gate: PASS") ||
		!strings.Contains(o.saved("spec-summary.md"), "Checkout of a small shop") {
		t.Error(readiness)
	}
}
