package detect_test

import (
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/workflow"
)

const bugText = "# Bug\n\nIt crashes. WHEN the list is empty THEN the system SHALL return none.\n"

// TestBugsOfSpecKit: the assessment is the report, the fix its companion, and the test names the sentinel.
func TestBugsOfSpecKit(t *testing.T) {
	const dir = ".specify/bugs/crash/"
	old := files{".specify/memory/constitution.md": "# C\n", "tests/test_lists.py": pyTest}
	assessed := with(old, files{dir + "assessment.md": bugText})
	wantNames(t, find(t, old, assessed, detect.Options{}), "bug-fix: crash = "+dir+"assessment.md")
	fixed := with(assessed, files{
		dir + "fix.md": "# Fix\n", dir + "test.md": "Run `tests/test_lists.py`.\n", "src/lists.py": pyReal, "tests/test_empty.py": pyTest,
	})
	for name, base := range map[string]files{"at once": old, "after the assessment": assessed} {
		got := find(t, base, fixed, detect.Options{})
		wantNames(t, got, "bug-fix: crash = "+dir+"assessment.md src/lists.py tests/test_empty.py")
		a := got.Artifacts[0]
		if !slices.Equal(a.Companions, []string{dir + "fix.md", dir + "test.md"}) ||
			!slices.Contains(a.Tests, "tests/test_lists.py") ||
			a.Layout != "spec-kit" ||
			a.Move != nil {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

// TestBugsOfKiro: the tasks of a bugfix are a companion; those of a feature that has a spec too are its own.
func TestBugsOfKiro(t *testing.T) {
	const dir = ".kiro/specs/crash/"
	now := files{
		dir + "bugfix.md": bugText,
		dir + "design.md": "# D\n",
		dir + "tasks.md":  someTasks,
		"src/x.py":        pyReal,
		"tests/test_x.py": pyTest,
	}
	got := find(t, nil, now, detect.Options{})
	wantNames(t, got, "bug-fix: crash = "+dir+"bugfix.md src/x.py tests/test_x.py")
	if !slices.Equal(got.Artifacts[0].Companions, []string{dir + "design.md", dir + "tasks.md"}) {
		t.Errorf("companions %q", got.Artifacts[0].Companions)
	}
	ticked := with(
		now,
		files{
			dir + "tasks.md":  strings.ReplaceAll(someTasks, "[ ]", "[x]"),
			"src/y.py":        pyReal,
			"tests/test_y.py": pyTest,
		},
	)
	wantNames(
		t,
		find(t, now, ticked, detect.Options{}),
		"bug-fix: crash = "+dir+"bugfix.md src/y.py tests/test_y.py",
	)
	wantNames(
		t,
		find(
			t,
			now,
			with(
				now,
				files{
					dir + "requirements.md": aSpec,
					dir + "tasks.md":        someTasks + "- [ ] 3 More\n",
				},
			),
			detect.Options{},
		),
		"roadmap: crash = "+dir+"tasks.md",
		"spec: crash = "+dir+"requirements.md",
		"bug-fix: crash = "+dir+"bugfix.md",
	)
}

// TestSteeringAlone shows that a project uses Kiro.
func TestSteeringAlone(t *testing.T) {
	got := find(
		t,
		nil,
		files{".kiro/steering/product.md": "# P\n", ".kiro/steering/tech.md": "# T\n"},
		detect.Options{},
	)
	wantNames(t, got, "vision: product = .kiro/steering/product.md")
	if !slices.Contains(got.Context, ".kiro/steering/tech.md") {
		t.Errorf("context %q", got.Context)
	}
}

// TestNestedSpecKit: a folder with a .specify of its own is a project of its own.
func TestNestedSpecKit(t *testing.T) {
	now := files{
		"apps/web/.specify/memory/constitution.md": "# C\n", "apps/web/specs/001-login/spec.md": aSpec, "apps/web/src/x.py": pyReal,
		"tests/fixtures/p/.specify/a.md": "# A\n", "tests/fixtures/p/specs/001-x/spec.md": aSpec,
	}
	got := find(t, nil, now, detect.Options{Branch: "001-login"})
	wantNames(
		t,
		got,
		"spec: apps/web/001-login = apps/web/specs/001-login/spec.md",
		"tests: 001-login = tests/fixtures/p/.specify/a.md "+
			"tests/fixtures/p/specs/001-x/spec.md",
		"implementation: apps/web/001-login = apps/web/src/x.py",
	)
	if a := got.Artifacts[0]; a.Root != "apps/web" ||
		!slices.Contains(got.Context, "apps/web/.specify/memory/constitution.md") {
		t.Errorf("root %q, context %q", a.Root, got.Context)
	}
	workflowAlone, _ := layout.Named("workflow")
	got = find(t, nil, now, detect.Options{Layouts: []layout.Layout{workflowAlone}})
	wantNotice(
		t,
		got,
		"apps/web/specs/001-login/spec.md",
		"a document of the layout spec-kit below apps/web, which is no root",
	)
}

// TestNestedKiro: a folder with a .kiro of its own is a project of its own, also one with steering documents alone.
func TestNestedKiro(t *testing.T) {
	got := find(t, nil, files{
		"web/.kiro/steering/product.md": "# P\n", "web/.kiro/steering/tech.md": "# T\n",
		"api/.kiro/specs/login/requirements.md": aSpec, "api/.kiro/specs/login/design.md": "# D\n", "api/src/x.py": pyReal,
	}, detect.Options{Branch: "login"})
	wantNames(
		t, got,
		"vision: web/product = web/.kiro/steering/product.md",
		"spec: api/login = api/.kiro/specs/login/requirements.md",
		"implementation: api/login = api/src/x.py",
	)
	if len(got.Notices) > 0 && got.Notices[0].Warns() {
		t.Errorf("warned of %v", got.Notices)
	}
}

// TestToolsOwnDocuments: what a tool tells agents is no spec, whatever its headings are.
func TestToolsOwnDocuments(t *testing.T) {
	const text = "# For agents\n\n## What Changes\n\nx\n\n## Impact\n\nx\n"
	got := find(t, files{"openspec/project.md": "# P\n"}, files{"openspec/AGENTS.md": text}, detect.Options{})
	for _, n := range got.Notices {
		if n.Warns() {
			t.Errorf("warned: %+v", n)
		}
	}
}

// TestNestedOpenSpec: the folder is found up to two levels deep, and belongs to the project around it.
func TestNestedOpenSpec(t *testing.T) {
	for _, root := range []string{"docs/", "packages/api/"} {
		dir := root + "openspec/changes/add-x/"
		now := files{
			dir + "specs/a/spec.md": aSpec, dir + "tasks.md": someTasks, dir + "api/tasks.md": someTasks, "src/x.py": pyReal,
			root + "openspec/project.md": "# P\n",
		}
		got := find(t, nil, now, detect.Options{})
		wantNames(
			t,
			got,
			"roadmap: add-x = "+dir+"api/tasks.md "+dir+"tasks.md",
			"spec: add-x = "+dir+"specs/a/spec.md",
			"implementation: add-x = src/x.py",
		)
		if !slices.Contains(got.Context, root+"openspec/project.md") {
			t.Errorf("context %q", got.Context)
		}
	}
	deep := find(t, nil, files{"a/b/c/openspec/changes/x/specs/a/spec.md": aSpec}, detect.Options{})
	wantNotice(t, deep, "a/b/c/openspec/changes/x/specs/a/spec.md", "no root")
}

// TestOwnSchema: the documents of a schema are those that it generates, also for a change without specs.
func TestOwnSchema(t *testing.T) {
	const schema = "artifacts:\n  - {id: proposal, generates: proposal.md}\n  - {id: spec, generates: feature.md}\n" +
		"  - {id: list, generates: todo.md}\napply: {requires: [list], tracks: todo.md}\n"
	old := files{"openspec/schemas/lean/schema.yaml": schema}
	const dir = "openspec/changes/add-x/"
	now := with(
		old,
		files{
			dir + "feature.md":  aSpec,
			dir + "todo.md":     someTasks,
			dir + "proposal.md": "# P\n",
			"src/x.py":          pyReal,
		},
	)
	got := find(t, old, now, detect.Options{Branch: "b"})
	wantNames(
		t,
		got,
		"roadmap: add-x = "+dir+"todo.md",
		"spec: add-x = "+dir+"feature.md",
		"implementation: add-x = src/x.py",
	)
	if a := got.Artifacts[1]; a.Companions[0] != dir+"proposal.md" {
		t.Errorf("companions %q", a.Companions)
	}
	skips := with(
		old,
		files{
			dir + ".openspec.yaml": "skip_specs: true\n",
			dir + "proposal.md":    "# P\n",
			"src/x.py":             pyReal,
		},
	)
	got = find(t, old, skips, detect.Options{Branch: "b"})
	wantNames(t, got, "implementation: add-x = src/x.py")
	for _, n := range got.Notices {
		if n.Warns() {
			t.Errorf("a change without specs is no fault: %s", n.Text)
		}
	}
}

// TestBMAD: stories are specs, epics a roadmap, the PRD a scope; what a developer reports in a story is no content.
func TestBMAD(t *testing.T) {
	const dir, plans = "_bmad-output/implementation-artifacts/", "_bmad-output/planning-artifacts/"
	story := func(status, record string) string {
		return "# Story 1.2: Login\n\nStatus: " + status + "\n\n## Story\n\nAs a user.\n\n## Acceptance Criteria\n\n1. It logs in.\n\n" +
			"## Tasks / Subtasks\n\n- [ ] Add `src/login.py`\n\n## Dev Agent Record\n\n" + record + "\n"
	}
	old := files{"_bmad/bmm/config.yaml": "a: b\n"}
	now := with(old, files{
		dir + "1-2-login.md": story(
			"ready-for-dev",
			"",
		), dir + "sprint-status.yaml": "a: b\n", dir + "epic-1-retro-2026-01-31.md": "# R\n",
		plans + "epics.md": "# E\n", plans + "prd.md": "# P\n", plans + "architecture.md": "# A\n",
	})
	got := find(t, old, now, detect.Options{Branch: "story/1-2-login", AutoMove: always})
	wantNames(
		t,
		got,
		"scope: prd = "+plans+"prd.md",
		"roadmap: epics = "+plans+"epics.md",
		"spec: 1-2-login = "+dir+"1-2-login.md",
	)
	if a := got.Artifacts[2]; !slices.Equal(a.Companions, []string{plans + "architecture.md"}) ||
		a.Mark != nil {
		t.Errorf("%+v", a)
	}
	done := with(
		now,
		files{
			dir + "1-2-login.md": strings.Replace(story("review", "All done."), "[ ]", "[x]", 1),
			"src/login.py":       pyReal,
		},
	)
	got = find(t, now, done, detect.Options{Branch: "b", AutoMove: always})
	wantNames(t, got, "implementation: 1-2-login = src/login.py")
	if m := got.Artifacts[0].Mark; m == nil || m.Word != "done" {
		t.Errorf("mark %+v", m)
	}
	explained, err := detect.Explain(
		t.Context(),
		changetest.Set(now, now, done),
		detect.Options{},
		[]string{dir + "1-2-login.md"},
	)
	if err != nil || explained[0].State != workflow.Doing || explained[0].Layout != "bmad" {
		t.Errorf("%+v, %v", explained, err)
	}
}

// TestAssessments: what was assessed before a spec is shown to the spec's reviewers.
func TestAssessments(t *testing.T) {
	old := files{".specify/assessments/login/decision.md": "# D\n"}
	got := find(t, old, with(old, files{"specs/001-login/spec.md": aSpec}), detect.Options{})
	if a := got.Artifacts[0]; !slices.Equal(
		a.Companions,
		[]string{".specify/assessments/login/decision.md"},
	) {
		t.Errorf("companions %q", a.Companions)
	}
}
