package report_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/record/recordtest"
	"workflow-reviewer/internal/report"
)

func TestSave(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "report")
	rep := report.Build(run(recordtest.Approved(), recordtest.Failed()))
	if err := rep.Save(dir); err != nil {
		t.Fatal(err)
	}
	var got []string
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			name, _ := filepath.Rel(dir, p)
			got = append(got, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"report.html", "report.json", "results.sarif",
		"reviews/specs/20260131T143022-user-authentication-APPROVED.md", "reviews/tests/20260131T143022-payments-ERROR.md",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, res := range rep.Results {
		content, err := os.ReadFile(filepath.Join(dir, res.ReviewPath))
		if err != nil || !bytes.Equal(content, record.Render(res)) {
			t.Errorf("%s: %v", res.ReviewPath, err)
		}
	}
	if err := rep.Save(dir); err != nil {
		t.Errorf("saving again: %v", err)
	}
}

func TestSaveGoesOnAfterAnError(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "reviews"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	err := report.Build(run(recordtest.Approved(), recordtest.Failed())).Save(dir)
	if err == nil || !strings.Contains(err.Error(), "user-authentication") || !strings.Contains(err.Error(), "payments") {
		t.Errorf("err = %v, want one for each review", err)
	}
	for _, name := range []string{"report.json", "report.html"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if err := report.Build(run()).Save(filepath.Join(dir, "reviews")); err == nil {
		t.Error("a file in the place of the folder is no error")
	}
}

func TestSaveStaysInItsFolder(t *testing.T) {
	outside := t.TempDir()
	dir := filepath.Join(outside, "report")
	res := recordtest.Approved()
	res.ReviewPath = "../escaped.md"
	if err := report.Build(run(res)).Save(dir); err == nil {
		t.Error("no error for a path outside")
	}
	if err := os.MkdirAll(filepath.Join(outside, "target"), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(outside, "target"), filepath.Join(dir, "reviews")); err != nil {
		t.Fatal(err)
	}
	if err := report.Build(run(recordtest.Approved())).Save(dir); err == nil {
		t.Error("no error for a symbolic link out of the folder")
	}
	left, err := filepath.Glob(filepath.Join(outside, "*", "*.md"))
	if err != nil || len(left) > 0 {
		t.Errorf("written outside: %v, %v", left, err)
	}
	if _, err := os.Stat(filepath.Join(outside, "escaped.md")); err == nil {
		t.Error("escaped")
	}
}

// TestPageIsInert checks by parsing that the page loads nothing, runs nothing,
// and lets no foreign text become markup.
func TestPageIsInert(t *testing.T) {
	for name, run := range runs() {
		page, err := report.Build(run).HTML()
		if err != nil {
			t.Fatal(err)
		}
		root, err := html.Parse(bytes.NewReader(page))
		if err != nil {
			t.Fatal(err)
		}
		for n := range root.Descendants() {
			if n.Type != html.ElementNode {
				continue
			}
			switch n.Data {
			case "script", "img", "iframe", "object", "embed", "link", "form", "svg", "base", "b":
				t.Errorf("%s: element %s", name, n.Data)
			}
			for _, a := range n.Attr {
				safe := strings.HasPrefix(a.Val, "https://github.com/octo/shop/") || strings.HasPrefix(a.Val, "#") ||
					strings.HasPrefix(a.Val, "reviews/")
				if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "src" || a.Key == "href" && !safe {
					t.Errorf("%s: %s %s=%q", name, n.Data, a.Key, a.Val)
				}
			}
		}
		if !bytes.Contains(page, []byte(`content="default-src &#39;none&#39;; style-src &#39;sha256-`)) {
			t.Errorf("%s: no content security policy", name)
		}
		if bytes.ContainsAny(page, "\x1b\u202e") && bytes.ContainsRune(page, 0x202e) || bytes.ContainsRune(page, 0x1b) {
			t.Errorf("%s: control characters", name)
		}
	}
}
