package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
)

// TestWhatWritersGetApprovesNothing: reviews that the tools wrote are committed
// with a pull request, or were merged with an earlier one. The gate asks its own
// reviewer all the same, and no test becomes an approved one.
func TestWhatWritersGetApprovesNothing(t *testing.T) {
	t.Parallel()
	for _, where := range []string{"in the pull request", "on the base"} {
		t.Run(where, func(t *testing.T) {
			work := map[string]string{"specs/proposed/login.md": goodSpec, "tests/test_login.py": testLogin, "src/login.py": srcLogin}
			d := newDesk(t, map[string]string{"ROADMAP.md": roadmap}, work, codextest.Always(answer("APPROVED")))
			for tool, args := range map[string]map[string]any{
				"request_spec_review":           {"spec_path": "specs/proposed/login.md"},
				"request_test_review":           {"test_files": []string{"tests/test_login.py"}},
				"request_implementation_review": {"implementation_files": []string{"src/login.py"}, "test_results": "all passing"},
			} {
				d.good(tool, args)
			}
			d.good("create_review", map[string]any{"change_id": "login", "verdict": "APPROVED", "summary": "All is well."})
			written := map[string]string{}
			for _, p := range append(globbed(t, d.dir, "reviews/*/*.md"), "REVIEW.md") {
				written[p] = d.read(p)
			}
			if len(written) != 4 {
				t.Fatalf("the tools wrote %d files", len(written))
			}
			if _, err := os.Stat(filepath.Join(d.dir, ".workflow")); err == nil {
				t.Error("a tool wrote an approval record")
			}
			main, pull := map[string]string{"ROADMAP.md": roadmap, ".workflow/config.json": config}, map[string]string{}
			for p, text := range work {
				pull[p] = text
			}
			into := pull
			if where == "on the base" {
				into = main
			}
			for p, text := range written {
				into[p] = text
			}
			w := newWorld(t, main, pull, codextest.Always(answer("NEEDS-CHANGES",
				issue("High", "No lockout", "specs/proposed/login.md", 17))))
			o := w.run(w.pull("opened"))
			o.ends(1, "NEEDS-CHANGES")
			for _, r := range o.reviews() {
				if r.Cached || r.Decision == "APPROVED" {
					t.Errorf("a draft counts: %+v", r)
				}
			}
			if strings.Contains(strings.Join(w.files(), "\n"), ".workflow/approvals") {
				t.Error("tests were approved")
			}
			w.allClosed()
			for p, text := range work {
				main[p] = text
			}
			dir := worktreeClone(t, main, nil) // the tests are on the base, beside a draft that approves them
			_, stdout, _ := program(t, "integrity", "--repo", dir, "--base", "origin/main", "--feature", "login", "--json")
			if !strings.Contains(stdout, "the base has neither a record, nor an approving review") {
				t.Errorf("a draft made the tests approved ones:\n%s", stdout)
			}
		})
	}
}

func globbed(t *testing.T, dir, pattern string) (out []string) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range found {
		rel, err := filepath.Rel(dir, p)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, filepath.ToSlash(rel))
	}
	return out
}
