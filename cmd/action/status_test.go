package main_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"workflow-reviewer/internal/status"
)

// TestStatus: what a review left in the tree is told of its feature, in each form, whatever layout its spec has.
func TestStatus(t *testing.T) {
	t.Parallel()
	const spec = "# Login\n\n**Status**: Draft\n\nA reader logs in with a name and a password, so that their list is theirs.\n\n" +
		"## Acceptance criteria\n\n- FR-001: `login(\"a\", \"b\")` returns a session\n- TBD\n"
	s := stranger{t, filepath.Dir(doctored(t, map[string]string{".specify/memory/constitution.md": "# Constitution\n"})), ""}
	s.sh("cd shop && git switch -q -c feature/login")
	s.write("shop/specs/001-login/spec.md", spec, 0o600)
	s.sh("cd shop && git add . && git commit -q -m Login")
	repo := filepath.Join(s.home, "shop")
	if code, out, errs := programIn(t, withGit(), "local", "--repo", repo, "--engine", "rules", "--apply"); code != 0 {
		t.Fatalf("status %d:\n%s%s", code, out, errs)
	}
	page := filepath.Join(t.TempDir(), "status.html")
	code, out, errs := program(t, "status", "--repo", repo, "--html", page)
	if code != 0 || !strings.Contains(out, "001-login") || !strings.Contains(out, "proposed") || !strings.Contains(out, "spec APPROVED 20") {
		t.Errorf("status %d:\n%s%s", code, out, errs)
	}
	if html, err := os.ReadFile(page); err != nil || !strings.Contains(string(html), "spec APPROVED") {
		t.Errorf("%v:\n%s", err, html)
	}
	code, out, errs = program(t, "status", "--repo", repo, "--json")
	var got status.Status
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 {
		t.Fatalf("status %d, %v:\n%s%s", code, err, out, errs)
	}
	f := got.Features[0]
	if len(got.Features) != 1 || f.Spec != "specs/001-login/spec.md" || f.Rounds != 1 || f.Open == 0 || f.Reviews[0].ReviewedBy != "rules" {
		t.Errorf("%+v", got)
	}
}

// TestStatusRefuses: what cannot be read is said, and is no status.
func TestStatusRefuses(t *testing.T) {
	t.Parallel()
	if code, _, errs := program(t, "status", "--repo", t.TempDir()); code != 2 || errs == "" {
		t.Errorf("no repository: status %d: %s", code, errs)
	}
	repo := doctored(t, map[string]string{".workflow/approvals/x.json": "{}"})
	if code, out, errs := program(t, "status", "--repo", repo); code != 0 || !strings.Contains(errs, ".workflow/approvals/x.json") {
		t.Errorf("a bad record: status %d: %s%s", code, out, errs)
	}
}

// TestStatusWritesThroughNoLink: a page takes the place of a link or a pipe.
func TestStatusWritesThroughNoLink(t *testing.T) {
	t.Parallel()
	repo, dir := doctored(t, nil), t.TempDir()
	victim, link, pipe := filepath.Join(dir, "victim"), filepath.Join(dir, "link.html"), filepath.Join(dir, "pipe.html")
	if err := errors.Join(os.WriteFile(victim, []byte("mine"), 0o600), os.Symlink(victim, link), syscall.Mkfifo(pipe, 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, page := range []string{link, pipe} {
		if code, _, errs := program(t, "status", "--repo", repo, "--html", page); code != 0 || !strings.HasPrefix(read(t, page), "<!doctype") {
			t.Errorf("%s: status %d: %s", page, code, errs)
		}
	}
	if read(t, victim) != "mine" {
		t.Error("the page was written through a link")
	}
}
