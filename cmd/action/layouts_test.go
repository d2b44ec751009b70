package main_test

import (
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
)

// layoutStory is how a feature comes to be in one layout.
type layoutStory struct {
	main, specs map[string]string
	reviews     []string // of the pull request that brings the specs: "type feature"
	shown       string   // of a companion, to the reviewer of the spec
	approved    string   // what the head holds once the spec is approved, "path: text"
	start       map[string]string
	implemented string // the same once the implementation is
	done        map[string]string
	said        string // in the log of the last run, of what the archive moved
}

const (
	tasks     = "# Tasks\n\n## 1. Sign in\n\n- [ ] 1.1 Check the password so that a user can sign in\n- [ ] 1.2 Return a session\n"
	loginCode = "\"\"\"Login.\"\"\"\n\n\ndef login(email: str, password: str) -> str:\n    \"\"\"Return a session.\"\"\"\n" +
		"    return email + password\n"
	loginTest = "from app.auth import login\n\n\ndef test_login():\n    assert login(\"a\", \"b\") == \"ab\"\n"
	// delta is a spec of OpenSpec.
	delta = "# Session\n\n## ADDED Requirements\n\n### Requirement: Sign in\n" +
		"The system SHALL return a `Session` for the right password, and raise " +
		"`InvalidCredentials` for a wrong or empty one.\n\n#### Scenario: Wrong password\n- **GIVEN** a registered user\n" +
		"- **WHEN** `login` is called with a wrong password\n- **THEN** it raises `InvalidCredentials`\n"
)

func layoutStories() map[string]layoutStory {
	status := strings.Replace(goodSpec, "\n\n", "\n\n**Feature Branch**: `001-login`\n**Created**: 2026-01-31\n**Status**: Draft\n\n", 1)
	return map[string]layoutStory{
		"workflow": {
			main:        map[string]string{"ROADMAP.md": roadmap, "SCOPE.md": "# Scope\n\n## In scope\n\nLogin.\n"},
			specs:       map[string]string{"specs/proposed/login.md": goodSpec},
			reviews:     []string{"spec login"},
			shown:       "Users log in.",
			approved:    "specs/todo/login.md: # Spec: Login",
			start:       map[string]string{"specs/todo/login.md": "", "specs/doing/login.md": goodSpec},
			implemented: "specs/done/login.md: # Spec: Login",
		},
		"bundle": {
			main: map[string]string{"README.md": "# Shop\n"},
			specs: bundleIn("specs/login", map[string]string{
				"requirements/REQ-003-login.md": "# REQ-003: Log in\n\nServes G-001, in STORY-001-001.\n\n## Acceptance Criteria\n\n" +
					"- A wrong password raises `InvalidCredentials`.\n",
			}),
			reviews:     []string{"spec login"},
			shown:       "We talked about tokens.",
			approved:    "specs/login/product-brief.md: Fewer abandoned carts",
			start:       map[string]string{"specs/login/discussions/discuss-002.md": "# Round 2\n\nWe begin.\n"},
			implemented: "specs/login/discussions/discuss-002.md: We begin.",
		},
		"spec-kit": {
			main: map[string]string{".specify/memory/constitution.md": "# Constitution\n\nTest first.\n"},
			specs: map[string]string{
				"specs/001-login/spec.md": status, "specs/001-login/tasks.md": tasks,
				"specs/001-login/plan.md":            "# Plan\n\nSessions are signed.\n",
				"specs/001-login/contracts/api.yaml": "openapi: 3.1.0\n",
			},
			reviews:     []string{"roadmap 001-login", "spec 001-login"},
			shown:       "Sessions are signed.",
			approved:    "specs/001-login/spec.md: **Status**: Approved\n",
			start:       map[string]string{"specs/001-login/tasks.md": strings.ReplaceAll(tasks, "[ ]", "[x]")},
			implemented: "specs/001-login/spec.md: **Status**: Complete\n",
		},
		"openspec": {
			main: map[string]string{"openspec/project.md": "# Project\n\nA shop.\n"},
			specs: map[string]string{
				"openspec/changes/login/proposal.md":           "# Why\n\nUsers ask for sessions that last.\n",
				"openspec/changes/login/tasks.md":              tasks,
				"openspec/changes/login/specs/session/spec.md": delta,
				"openspec/changes/login/specs/audit/spec.md":   strings.ReplaceAll(delta, "Sign in", "Audit trail"),
			},
			reviews:     []string{"roadmap login", "spec login"},
			shown:       "Users ask for sessions that last.",
			approved:    "openspec/changes/login/tasks.md: - [ ] 1.1",
			start:       map[string]string{"openspec/changes/login/tasks.md": strings.ReplaceAll(tasks, "[ ]", "[x]")},
			implemented: "openspec/changes/login/tasks.md: - [x] 1.1",
			done: map[string]string{
				"openspec/changes/login/proposal.md": "", "openspec/changes/login/tasks.md": "",
				"openspec/changes/login/specs/session/spec.md": "", "openspec/changes/login/specs/audit/spec.md": "",
				"openspec/changes/archive/2026-02-01-login/proposal.md":           "# Why\n\nUsers ask for sessions that last.\n",
				"openspec/changes/archive/2026-02-01-login/tasks.md":              strings.ReplaceAll(tasks, "[ ]", "[x]"),
				"openspec/changes/archive/2026-02-01-login/specs/session/spec.md": delta,
				"openspec/changes/archive/2026-02-01-login/specs/audit/spec.md":   strings.ReplaceAll(delta, "Sign in", "Audit trail"),
				"openspec/specs/session/spec.md":                                  strings.Replace(delta, "ADDED ", "", 1),
			},
			said: "moved from openspec/changes/login/specs/session/spec.md without a change of content",
		},
		"bmad": {
			main: map[string]string{
				"_bmad-output/planning-artifacts/architecture.md": "# Architecture\n\nSessions are signed.\n",
			},
			specs: map[string]string{
				"_bmad-output/implementation-artifacts/1-1-login.md": strings.Replace(goodSpec, "\n\n", "\n\nStatus: draft\n\n", 1) +
					"\n## Tasks / Subtasks\n\n- [ ] Check the password\n",
			},
			reviews:  []string{"spec 1-1-login"},
			shown:    "Sessions are signed.",
			approved: "_bmad-output/implementation-artifacts/1-1-login.md: Status: ready-for-dev\n",
			start: map[string]string{
				"_bmad-output/implementation-artifacts/1-1-login.md": strings.Replace(goodSpec, "\n\n", "\n\nStatus: review\n\n", 1) +
					"\n## Tasks / Subtasks\n\n- [x] Check the password\n\n## Dev Agent Record\n\nAll done.\n",
			},
			implemented: "_bmad-output/implementation-artifacts/1-1-login.md: Status: done\n",
		},
		"kiro": {
			main: map[string]string{".kiro/steering/tech.md": "# Tech\n\nPython.\n"},
			specs: map[string]string{
				".kiro/specs/login/requirements.md": goodSpec, ".kiro/specs/login/tasks.md": tasks,
				".kiro/specs/login/design.md": "# Design\n\nSessions are rows.\n",
				".kiro/specs/login/spec.json": `{"feature_name":"login","phase":"tasks-generated",` +
					`"approvals":{"requirements":{"approved":true}}}`,
			},
			reviews:  []string{"roadmap login", "spec login"},
			shown:    "Sessions are rows.",
			approved: ".kiro/specs/login/spec.json: tasks-generated",
			start: map[string]string{
				".kiro/specs/login/tasks.md":  strings.ReplaceAll(tasks, "[ ]", "[x]"),
				".kiro/specs/login/spec.json": `{"feature_name":"login","phase":"implementation"}`,
			},
			implemented: ".kiro/specs/login/spec.json: implementation",
		},
	}
}

// TestLayouts plays in each layout what a project does: specs are reviewed and
// approved, code is linked to them, done work moves; and nothing is paid twice.
func TestLayouts(t *testing.T) {
	t.Parallel()
	for name, c := range layoutStories() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, with(c.main, map[string]string{".workflow/config.json": config}), c.specs,
				codextest.Always(answer("APPROVED")))
			w.inputs["test-results"] = "all passing"
			o := w.run(w.pull("opened"))
			o.ends(0, "APPROVED")
			if got := o.reviewed(); !slices.Equal(got, c.reviews) {
				t.Fatalf("reviews %q, want %q\n%s", got, c.reviews, o.stdout)
			}
			if !slices.ContainsFunc(w.model.Requests(), func(r codextest.Request) bool {
				return strings.Contains(string(r.Body), c.shown)
			}) {
				t.Errorf("no reviewer was shown %q", c.shown)
			}
			w.holds(c.approved)
			w.nothingAgain()

			w.repo.Branch("main", "feature/login") // merged
			w.commit("Sign in", with(c.start, map[string]string{"app/auth.py": loginCode, "tests/test_auth.py": loginTest}))
			o = w.run(w.pull("synchronize"))
			o.ends(0, "APPROVED")
			feature := strings.Fields(c.reviews[0])[1]
			if got, want := o.reviewed(), []string{"tests " + feature, "implementation " + feature}; !slices.Equal(got, want) {
				t.Fatalf("reviews %q, want %q\n%s", got, want, o.stdout)
			}
			last := w.model.Requests()[w.model.Count()-1]
			if spec := "InvalidCredentials"; !strings.Contains(string(last.Body), spec) {
				t.Error("the implementation's reviewer was not shown the spec")
			}
			w.holds(c.implemented)
			if advice := "openspec archive login"; strings.Contains(o.stdout, advice) != (name == "openspec") {
				t.Errorf("advice to archive:\n%s", o.stdout)
			}
			w.nothingAgain()

			if c.done == nil {
				return
			}
			w.repo.Branch("main", "feature/login")
			w.commit("Archive", c.done)
			before := w.model.Count()
			o = w.run(w.pull("synchronize"))
			o.ends(0, "NONE")
			if w.model.Count() != before || !strings.Contains(o.stdout, c.said) {
				t.Errorf("the archive was not taken for a move:\n%s", o.stdout)
			}
		})
	}
}

// reviewed lists the reviews of a run as "type feature".
func (o outcome) reviewed() []string {
	var out []string
	for _, r := range o.reviews() {
		out = append(out, r.Type+" "+r.Feature)
	}
	return out
}

// commit puts files on the pull request's branch; an empty text deletes one.
func (w *world) commit(message string, files map[string]string) {
	w.t.Helper()
	out := map[string][]byte{}
	for p, text := range files {
		if out[p] = []byte(text); text == "" {
			out[p] = nil
		}
	}
	w.repo.Commit("feature/login", message, out)
}

// holds fails the test unless a file of the head has a text: "path: text".
func (w *world) holds(want string) {
	w.t.Helper()
	path, text, _ := strings.Cut(want, ": ")
	if got := w.repo.Git("show", "refs/heads/feature/login:"+path); !strings.Contains(got+"\n", text) {
		w.t.Errorf("%s does not hold %q:\n%s", path, text, got)
	}
}

// nothingAgain runs once more without a change: no model is asked, and nothing
// is written.
func (w *world) nothingAgain() {
	w.t.Helper()
	head, asked := w.head(), w.model.Count()
	o := w.run(w.pull("synchronize"))
	o.ends(0, "APPROVED")
	if w.model.Count() != asked || w.head() != head {
		w.t.Errorf("%d requests more, head %s, was %s\n%s", w.model.Count()-asked, w.head(), head, o.stdout)
	}
}

// TestUnknownLayoutIsSaid: a pull request of specs that nobody reads is not just
// approved.
func TestUnknownLayoutIsSaid(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"README.md": "# Shop\n"}, map[string]string{
		"specs/001-login/spec.md": goodSpec, "my/packages/web/openspec/changes/a/specs/b/spec.md": delta,
	}, nil)
	o := w.run(w.pull("opened"))
	o.ends(0, "NONE")
	for _, want := range []string{
		`a document of the layout spec-kit, which is not in use: name it in the config's "layouts"`,
		`below my/packages/web, which is no root`,
	} {
		if !strings.Contains(o.summary, want) {
			t.Errorf("the summary does not say %q:\n%s", want, o.summary)
		}
	}
}

// TestRoots: each root of a monorepo has its features, reviews and approvals
// beside it.
func TestRoots(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{
		".workflow/config.json": `{"roots":["packages/*"],"auto_review":{"default_auto_move":true}}`,
		"ROADMAP.md":            roadmap,
	}, map[string]string{
		"packages/web/specs/doing/login.md": goodSpec, "packages/web/app/login.py": loginCode,
		"packages/web/tests/test_login.py":               loginTest,
		"packages/api/.kiro/specs/login/requirements.md": goodSpec, "tools/x.py": loginCode,
	}, nil)
	w.inputs["test-results"] = "all passing"
	o := w.run(w.pull("opened"))
	want := []string{
		"spec packages/api/login", "spec packages/web/login", "tests packages/web/login", "implementation login",
		"implementation packages/web/login",
	}
	if got := o.reviewed(); !slices.Equal(got, want) {
		t.Fatalf("reviews %q, want %q\n%s", got, want, o.stdout)
	}
	for _, part := range []string{
		"packages/web/.workflow/approvals/login.json", "packages/web/reviews/tests/",
		"packages/api/reviews/specs/", "packages/web/specs/done/login.md",
	} {
		if !slices.ContainsFunc(w.files(), func(p string) bool { return strings.HasPrefix(p, part) }) {
			t.Errorf("the branch has no %s: %q", part, w.files())
		}
	}
	head := w.head()
	again := w.run(w.pull("synchronize"))
	for _, r := range again.reviews() {
		if !r.Cached {
			t.Errorf("%s %s was reviewed again", r.Type, r.Feature)
		}
	}
	if w.head() != head {
		t.Error("the second run wrote something")
	}
}

// TestExplain: what a path is taken for, and why.
func TestExplain(t *testing.T) {
	t.Parallel()
	repo := githubtest.NewRepo(t)
	repo.Commit("main", "Begin", githubtest.Text(map[string]string{".specify/memory/constitution.md": "# C\n"}))
	repo.Branch("002-login", "main")
	repo.Commit("002-login", "Work", githubtest.Text(map[string]string{
		"specs/002-login/spec.md": strings.Replace(goodSpec, "\n\n", "\n\n**Status**: In Progress\n\n", 1),
		"specs/002-login/plan.md": "# Plan\n", "app/auth.py": loginCode,
	}))
	code, out, _ := program(t, "local", "--repo", repo.Dir, "--base", "main", "--head", "002-login", "--explain",
		"specs/002-login/spec.md", "specs/002-login/plan.md", "app/auth.py", "nothing.py")
	if code != 0 {
		t.Fatalf("exit status %d\n%s", code, out)
	}
	for _, want := range []string{
		"specs/002-login/spec.md\n  layout   spec-kit\n  type     spec\n  feature  002-login\n  state    doing\n",
		"specs/002-login/plan.md\n  layout   spec-kit\n  type     none\n  feature  002-login\n  state    doing\n" +
			"  why      a document of 002-login (layout spec-kit) that its reviewers are shown",
		"app/auth.py\n  layout   none\n  type     implementation\n  feature  002-login\n  state    doing\n" +
			"  why      Python source; feature: the branch \"002-login\" names the spec",
		"nothing.py\n  layout   none\n  type     none\n  feature  none\n  state    none\n" +
			"  why      Implementation file not found: nothing.py",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("it does not say:\n%s\nbut:\n%s", want, out)
		}
	}
}

// TestExplainSaysWhatTellsTheState: the state line wins over ticked boxes, and both are said.
func TestExplainSaysWhatTellsTheState(t *testing.T) {
	t.Parallel()
	const done = "# Tasks\n\n- [x] T001 Add app/auth.py\n- [x] T002 Test it\n"
	half := strings.Replace(done, "[x] T002", "[ ] T002", 1)
	for name, c := range map[string]struct{ line, tasks, want string }{
		"a draft, all ticked": {"**Status**: Draft", done, "state    proposed\n|the line Status; " +
			"that 2 of 2 boxes of tasks.md are ticked does not count"},
		"in progress, all ticked":   {"**Status**: In Progress", done, "state    doing\n|the line Status; that 2 of 2 boxes"},
		"complete, half ticked":     {"**Status**: Complete", half, "state    done\n|the line Status; that 1 of 2 boxes"},
		"marked and in bold":        {"- **STATUS:** approved", half, "state    todo\n|the line Status; that 1 of 2 boxes"},
		"no line, half ticked":      {"**Owner**: Ada", half, "state    doing\n|state: 1 of 2 boxes of tasks.md are ticked"},
		"a line of another meaning": {"**Status**: see below for what is left", done, "state    done\n|state: 2 of 2 boxes"},
		"a line and no tasks":       {"**Status**: Approved", "", "state    todo\n|state: the line Status"},
		"nothing":                   {"", "", "state    proposed\n|state: nothing says otherwise"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"specs/002-login/spec.md": strings.Replace(goodSpec, "\n\n", "\n\n"+c.line+"\n\n", 1)}
			if c.tasks != "" {
				files["specs/002-login/tasks.md"] = c.tasks
			}
			repo := githubtest.NewRepo(t)
			repo.Commit("main", "Begin", githubtest.Text(map[string]string{".specify/memory/constitution.md": "# C\n"}))
			repo.Branch("002-login", "main")
			repo.Commit("002-login", "Work", githubtest.Text(files))
			code, out, stderr := program(t, "local", "--repo", repo.Dir, "--base", "main", "--head", "002-login", "--explain",
				"specs/002-login/spec.md")
			for want := range strings.SplitSeq(c.want, "|") {
				if code != 0 || !strings.Contains(out, want) {
					t.Errorf("exit status %d, it does not say %q:\n%s%s", code, want, out, stderr)
				}
			}
		})
	}
}
