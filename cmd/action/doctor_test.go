package main_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
)

// workflowOfOurs is what a workflow needs to have nothing to be named.
const workflowOfOurs = `on:
  pull_request: {types: [opened, synchronize, reopened, ready_for_review, edited, labeled]}
  issue_comment: {types: [created]}
  check_run: {types: [rerequested]}
permissions: {contents: write, checks: write, pull-requests: write}
jobs:
  review:
    runs-on: ubuntu-latest
    steps: [{uses: acme/workflow-reviewer@v1, with: {engine: rules}}]
`

// TestDoctor: each thing that would keep a run from working is named with what to do, and nothing else is.
func TestDoctor(t *testing.T) {
	t.Parallel()
	const at = ".github/workflows/review.yml"
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "codex"), []byte("#!/bin/sh\necho codex-cli 0.1.0\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	with := func(old, text string) string { return strings.Replace(workflowOfOurs, old, text, 1) }
	for name, c := range map[string]struct {
		files map[string]string
		env   []string
		want  []string
	}{
		"nothing": {map[string]string{at: workflowOfOurs}, nil, nil},
		"slim":    {map[string]string{at: with("reviewer@v1", "reviewer/slim@v1")}, nil, nil},
		"a model on slim": {
			map[string]string{at: with("reviewer@v1, with: {engine: rules}", "reviewer/slim@v1, with: {openai-api-key: x}")},
			nil,
			[]string{"asks a model", "holds no codex", "→ uses: acme/workflow-reviewer@v1, or engine: rules"},
		},
		"plan on slim": {
			map[string]string{at: with("reviewer@v1, with: {engine: rules}", "reviewer/slim@v1, with: {mode: plan}")},
			nil, nil,
		},
		"no commits": {map[string]string{at: with("engine: rules", "engine: rules, commit: 'off'")}, nil, nil},
		"no workflow": {
			nil, nil, []string{"no workflow uses the action", "→ workflow-reviewer init"},
		},
		"config": {
			map[string]string{at: workflowOfOurs, ".workflow/config.json": `{"ignor":[],"layouts":["cards"]}`},
			nil,
			[]string{`ignor: unknown key; did you mean "ignore"?`, "layouts"},
		},
		"patterns": {
			map[string]string{at: workflowOfOurs, ".workflow/config.json": `{"ignore":["old/**"],"features":{"pay":["pay/**"]}}`},
			nil,
			[]string{`ignore: "old/**" matches no file`, `features.pay: "pay/**" matches no file`},
		},
		"records": {
			map[string]string{at: workflowOfOurs, "reviews/tests/20260101T000000-x-APPROVED.md": "---\nschema: workflow-reviewer/review@1\n---\n"},
			nil,
			[]string{"20260101T000000-x-APPROVED.md"},
		},
		"approvals": {
			map[string]string{at: workflowOfOurs, ".workflow/approvals/x.json": "{}"}, nil, []string{".workflow/approvals/x.json"},
		},
		"triggers": {
			map[string]string{at: "on: [pull_request]\npermissions" + strings.SplitN(workflowOfOurs, "permissions", 2)[1]},
			nil,
			[]string{"re-review and re-review:tests do nothing", "becomes ready", "/review, /override", "Re-run"},
		},
		"paths": {
			map[string]string{at: with("labeled]", "labeled], paths: [src/**]")}, nil, []string{"filter of paths"},
		},
		"rights": {
			map[string]string{at: with("contents: write, checks: write", "contents: read")},
			nil,
			[]string{"permissions: checks: write, contents: write"},
		},
		"inputs": {
			map[string]string{at: with("engine: rules", "engine: rules, effort: high, commit: yes")}, nil, []string{`input "commit": "yes"`},
		},
		"placeholder": {map[string]string{at: with("acme/", "OWNER/")}, nil, []string{"in place of OWNER"}},
		"no YAML":     {map[string]string{at: workflowOfOurs + "\t}"}, nil, []string{"is no valid workflow"}},
		"model": {
			map[string]string{at: with(", with: {engine: rules}", "")},
			nil,
			[]string{"gives no key", "OPENAI_API_KEY is not set", "npm install -g @openai/codex"},
		},
		"another codex": {
			map[string]string{at: workflowOfOurs},
			[]string{"OPENAI_API_KEY=x", "PATH=" + other + ":/usr/bin:/bin"},
			[]string{"was built to drive"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			repo := doctored(t, c.files)
			code, out, errs := programIn(t, c.env, "doctor", "--repo", repo)
			named := strings.Count(out, "!!  ")
			if wantCode := min(len(c.want), 1); code != wantCode || errs != "" || len(c.want) == 0 && named > 0 {
				t.Errorf("status %d, %d named:\n%s%s", code, named, out, errs)
			}
			for _, w := range c.want {
				if !strings.Contains(out, w) {
					t.Errorf("%q is not named:\n%s", w, out)
				}
			}
		})
	}
}

// TestDoctorReadsNoPipe: a workflow or record that is a pipe or a link is named, and nothing waits for it.
func TestDoctorReadsNoPipe(t *testing.T) {
	t.Parallel()
	repo := doctored(t, map[string]string{".github/workflows/review.yml": workflowOfOurs})
	pipe := filepath.Join(repo, ".github/workflows/pipe.yml")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(repo, ".workflow/approvals"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(repo, ".workflow/approvals/x.json")); err != nil {
		t.Fatal(err)
	}
	code, out, _ := program(t, "doctor", "--repo", repo)
	for _, want := range []string{"pipe.yml cannot be read: it is no regular file", "x.json: it is no regular file"} {
		if code != 1 || !strings.Contains(out, want) {
			t.Errorf("status %d, without %q:\n%s", code, want, out)
		}
	}
}

// doctored is a repository with one commit of the files.
func doctored(t *testing.T, files map[string]string) string {
	t.Helper()
	s := stranger{t, t.TempDir(), ""}
	s.write("shop/app.py", "def run():\n    return 1\n", 0o600)
	for name, text := range files {
		s.write("shop/"+name, text, 0o600)
	}
	s.sh("cd shop && git init -q -b main && git add . && git commit -q -m Begin")
	return filepath.Join(s.home, "shop")
}

// TestDoctorWithoutARepository: what is missing is named, and the rest left out.
func TestDoctorWithoutARepository(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if code, out, _ := program(t, "doctor", "--repo", dir); code != 1 || strings.Count(out, "\n") != 3 {
		t.Errorf("status %d:\n%s", code, out)
	}
	s := stranger{t, dir, ""}
	s.sh("git init -q -b main")
	if code, out, _ := program(t, "doctor", "--repo", dir); code != 1 || !strings.Contains(out, "make a first commit") {
		t.Errorf("status %d:\n%s", code, out)
	}
	if code, _, errs := program(t, "doctor", "here"); code != 2 || !strings.Contains(errs, `unexpected argument "here"`) {
		t.Errorf("status %d: %s", code, errs)
	}
}

// TestDoctorAfterInit: what init writes has nothing to be named but the action's place, which this build does not know.
func TestDoctorAfterInit(t *testing.T) {
	t.Parallel()
	repo := doctored(t, map[string]string{"pyproject.toml": "[tool.pytest.ini_options]\n", "specs/todo/run.md": "# Run\n"})
	if code, out, errs := program(t, "init", "--repo", repo); code != 0 {
		t.Fatal(out, errs)
	}
	workflow := filepath.Join(repo, ".github/workflows/workflow-review.yml")
	text, err := os.ReadFile(workflow)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(workflow, []byte(strings.ReplaceAll(string(text), "OWNER/", "acme/")), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := program(t, "doctor", "--repo", repo); code != 0 {
		t.Errorf("status %d:\n%s%s", code, out, errs)
	}
}

// TestDoctorOfGitHub: where there is GitHub to ask, it is asked for the required check.
func TestDoctorOfGitHub(t *testing.T) {
	t.Parallel()
	const rule = `[{"type":"required_status_checks","parameters":{"required_status_checks":[{"context":"NAME"}]}}]`
	for name, c := range map[string]struct{ rules, branch, want string }{
		"by a rule":     {strings.Replace(rule, "NAME", "workflow-reviewer", 1), `{}`, ""},
		"by protection": {`[]`, `{"protection":{"required_status_checks":{"contexts":["ci","workflow-reviewer"]}}}`, ""},
		"not":           {`[]`, `{}`, "does not require the check"},
		"the job":       {strings.Replace(rule, "NAME", "review", 1), `{}`, "(review) that is skipped counts as passed"},
		"refused":       {"", "", "read the rules"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				answer, known := map[string]string{
					"/repos/acme/shop/rules/branches/main": c.rules, "/repos/acme/shop/branches/main": c.branch,
				}[r.URL.Path]
				if !known || answer == "" || r.Header.Get("Authorization") != "Bearer "+canaryToken {
					w.WriteHeader(http.StatusUnauthorized)
					return
				}
				w.Header().Set("Content-Type", "application/json")
				_, _ = w.Write([]byte(answer))
			}))
			t.Cleanup(srv.Close)
			repo := doctored(t, map[string]string{".github/workflows/review.yml": workflowOfOurs})
			s := stranger{t, repo, ""}
			s.sh("git remote add origin git@github.com:acme/shop.git")
			code, out, errs := programIn(t, []string{"GITHUB_TOKEN=" + canaryToken, "GITHUB_API_URL=" + srv.URL}, "doctor", "--repo", repo)
			if code != min(len(c.want), 1) || !strings.Contains(out, c.want) || strings.Contains(out+errs, canaryToken) {
				t.Errorf("status %d:\n%s%s", code, out, errs)
			}
		})
	}
}

// TestDoctorOfCodex: the codex that is there is the one to drive.
func TestDoctorOfCodex(t *testing.T) {
	t.Parallel()
	repo := doctored(t, map[string]string{".github/workflows/review.yml": workflowOfOurs})
	env := []string{"OPENAI_API_KEY=x", "PATH=" + filepath.Dir(codextest.Binary(t)) + ":/usr/bin:/bin"}
	if code, out, errs := programIn(t, env, "doctor", "--repo", repo); code != 0 || !strings.Contains(out, "ok  codex     codex 0.") {
		t.Errorf("status %d:\n%s%s", code, out, errs)
	}
}
