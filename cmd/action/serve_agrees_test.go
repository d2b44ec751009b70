package main_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/codex/codextest"
)

// reviewToolOf is the tool of each type.
var reviewToolOf = map[string]string{
	"spec": "request_spec_review", "tests": "request_test_review", "implementation": "request_implementation_review",
	"bug-fix": "request_bugfix_review", "skeleton": "request_skeleton_review", "vision": "request_vision_review",
}

// localReport is what local says of a work tree, as far as the tools say it too.
type localReport struct {
	Reviews []struct {
		Type, Feature, Decision string
		Issues                  []map[string]any
	}
}

// TestServeAgreesWithLocal: on one tree each tool says of its artifact what local says of it, with every violation and
// weakened test, and approves nothing beside a violation.
func TestServeAgreesWithLocal(t *testing.T) {
	approved := map[string]string{"specs/doing/login.md": goodSpec, "tests/test_login.py": testLogin, ".workflow/config.json": config}
	approved[".workflow/approvals/login.json"] = record("login", 1, map[string]string{"tests/test_login.py": testLogin})
	unapproved := maps.Clone(approved)
	delete(unapproved, ".workflow/approvals/login.json")
	weak := strings.Replace(testLogin, `== "a@example.com"`, "is not None", 1)
	skipped := strings.Replace(testLogin, "def test_login_empty_email", "@pytest.mark.skip\ndef test_login_empty_email", 1)
	asserting := "def test_login_runs():\n    login(\"a\", \"b\")\n"
	for name, c := range map[string]struct {
		main, work           map[string]string
		violations, weakened bool
		decisions            string
	}{
		"honest work":     {approved, map[string]string{"src/login.py": srcLogin}, false, false, "implementation APPROVED"},
		"a weakened test": {approved, map[string]string{"src/login.py": srcLogin, "tests/test_login.py": weak}, true, false, ""},
		"a skipped test":  {approved, map[string]string{"src/login.py": srcLogin, "tests/test_login.py": skipped}, true, false, ""},
		"a deleted test":  {approved, map[string]string{"src/login.py": srcLogin, "tests/test_login.py": ""}, true, false, ""},
		"weakened beside another feature": {
			approved,
			map[string]string{"specs/proposed/other.md": strings.ReplaceAll(goodSpec, "Login", "Other"), "tests/test_login.py": weak},
			true, false, "",
		},
		"never approved, weakened": {
			unapproved, map[string]string{"src/login.py": srcLogin, "tests/test_login.py": weak}, false, true, "",
		},
		"never approved, skipped": {
			unapproved, map[string]string{"src/login.py": srcLogin, "tests/test_login.py": skipped}, false, true, "",
		},
		"a workaround": {
			approved,
			map[string]string{"src/login.py": "import sys\n\n\ndef login(email, password):\n    if \"pytest\" in sys.modules:\n" +
				"        return Session(\"a@example.com\")\n    raise ValueError(email)\n"},
			true, false, "",
		},
		"new tests that assert nothing": {
			map[string]string{"specs/doing/login.md": goodSpec, ".workflow/config.json": config},
			map[string]string{"src/login.py": srcLogin, "tests/test_login.py": asserting},
			false, false, "",
		},
		"a spec without criteria": {
			map[string]string{".workflow/config.json": config},
			map[string]string{"specs/doing/login.md": "# Spec: Login\n\nTBD\n", "src/login.py": srcLogin},
			false, false, "",
		},
		"a bug fix": {
			approved, map[string]string{
				"bugs/fixing/crash.md": crashReport, "src/crash.py": srcLogin, "tests/regression/test_crash.py": testLogin,
			}, false, false, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, c.main, c.work, nil)
			for p, text := range c.work {
				if text == "" {
					remove(t, filepath.Join(d.dir, p))
				}
			}
			_, stdout, stderr := program(t, "local", "--repo", d.dir, "--base", "origin/main", "--worktree", "--engine", "rules", "--json")
			var local localReport
			var lists map[string]any
			if err := json.Unmarshal([]byte(stdout), &local); err != nil || json.Unmarshal([]byte(stdout), &lists) != nil {
				t.Fatalf("local: %v\n%s%s", err, stdout, stderr)
			}
			if len(local.Reviews) == 0 && !c.violations {
				t.Fatalf("local reviews nothing:\n%s", stdout)
			}
			blocked := len(items(lists["violations"])) > 0
			if blocked != c.violations || (len(items(lists["weakened"])) > 0) != c.weakened {
				t.Errorf("local has %d violations and %d weakened tests", len(items(lists["violations"])), len(items(lists["weakened"])))
			}
			for _, r := range local.Reviews {
				out := d.good(reviewToolOf[r.Type], map[string]any{"feature": r.Feature})
				want := r.Decision
				if blocked {
					want = "NEEDS-CHANGES"
				}
				if out["decision"] != want {
					t.Errorf("%s: %v, local says %s", r.Type, out["decision"], want)
				}
				for _, list := range []string{"violations", "weakened"} {
					if diff := cmp.Diff(lists[list], out[list]); diff != "" {
						t.Errorf("%s of %s (-local +tool):\n%s", list, r.Type, diff)
					}
				}
				if diff := cmp.Diff(idsIn(r.Issues), idsIn(items(out["issues"]))); diff != "" {
					t.Errorf("issues of %s (-local +tool):\n%s", r.Type, diff)
				}
			}
		})
	}
}

func items(list any) []map[string]any {
	var out []map[string]any
	b, err := json.Marshal(list)
	if err != nil || json.Unmarshal(b, &out) != nil {
		return nil
	}
	return out
}

func idsIn(issues []map[string]any) (out []string) {
	for _, i := range issues {
		out = append(out, fmt.Sprint(i["id"]))
	}
	slices.Sort(out)
	return out
}

// TestServeMovesNothingBesideARefusal: an approved implementation leaves its spec where it is while the review of its
// tests or of its spec needs changes, whatever became of them since, and moves it once that is approved.
func TestServeMovesNothingBesideARefusal(t *testing.T) {
	t.Parallel()
	decision := "NEEDS-CHANGES"
	d := newDesk(t, map[string]string{"specs/doing/login.md": goodSpec}, map[string]string{
		"src/login.py": srcLogin, "tests/test_login.py": testLogin,
	}, func(req codextest.Request) codextest.Response {
		if strings.Contains(req.Prompt, "Review the tests named above") {
			return answer(decision)
		}
		return answer("APPROVED")
	})
	tests := map[string]any{"test_files": []string{"tests/test_login.py"}, "spec_path": "specs/doing/login.md"}
	implementation := map[string]any{
		"implementation_files": []string{"src/login.py"}, "test_results": "all passing", "spec_path": "specs/doing/login.md",
		"auto_move_to_done": true,
	}
	if out := d.good("request_test_review", tests); out["decision"] != "NEEDS-CHANGES" {
		t.Fatalf("tests: %v", out)
	}
	refused := d.good("request_implementation_review", implementation)
	if refused["decision"] != "NEEDS-CHANGES" || refused["artifact_moved_to"] != nil ||
		!strings.Contains(fmt.Sprint(refused["summary"]), "approved only against approved tests") {
		t.Errorf("beside tests that need changes: %v", refused)
	}
	put(t, d.dir, map[string]string{"tests/test_login.py": testLogin + "\n# Twice.\n"})
	edited := d.good("request_implementation_review", implementation)
	if edited["artifact_moved_to"] != nil || !strings.Contains(fmt.Sprint(edited["warnings"]), "the review of its tests needs changes") ||
		!strings.Contains(fmt.Sprint(edited["notices"]), "tests: login differs from the base as well") {
		t.Errorf("beside edited tests that nobody reviewed again: %v", edited)
	}
	decision = "APPROVED"
	if out := d.good("request_test_review", tests); out["decision"] != "APPROVED" {
		t.Fatalf("tests: %v", out)
	}
	if out := d.good("request_implementation_review", implementation); out["decision"] != "APPROVED" ||
		out["artifact_moved_to"] != "specs/done/login.md" {
		t.Errorf("beside approved tests: %v", out)
	}
}
