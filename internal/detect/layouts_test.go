package detect_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/workflow"
)

const someTasks = "# Tasks\n\n- [ ] 1.1 One\n- [ ] 1.2 Two\n"

// TestStateIsNoContent: what tells only where the work stands is a move.
func TestStateIsNoContent(t *testing.T) {
	const spec = "# Spec\n\n**Status**: Draft\n**Updated**: 2026-01-30\n\n## Criteria\n\n- [ ] It works.\n"
	for name, c := range map[string]struct{ old, now files }{
		"status and date": {
			files{"specs/1-a/spec.md": spec},
			files{"specs/1-a/spec.md": strings.NewReplacer("Draft", "Approved", "-30", "-31").Replace(spec)},
		},
		"ticked": {files{"specs/1-a/spec.md": spec}, files{"specs/1-a/spec.md": strings.Replace(spec, "[ ]", "[x]", 1)}},
		"tasks reported": {
			files{"specs/1-a/tasks.md": someTasks},
			files{"specs/1-a/tasks.md": strings.Replace(someTasks, "[ ] 1.1 One", "[x] 1.1 One, in 3 days", 1)},
		},
		"moved and marked": {files{"specs/doing/a.md": spec}, files{"specs/done/a.md": strings.Replace(spec, "Draft", "Done", 1)}},
		"copied": {
			files{"specs/doing/a.md": spec},
			files{"specs/doing/a.md": spec, "specs/done/a.md": strings.Replace(spec, "Draft", "Done", 1)},
		},
		"archived": {
			files{"openspec/changes/a/specs/c/spec.md": spec},
			files{"openspec/changes/archive/2026-01-31-a/specs/c/spec.md": spec},
		},
	} {
		marked := files{".specify/memory/constitution.md": "# C\n"}
		got := find(t, with(marked, c.old), with(marked, c.now), detect.Options{})
		if len(got.Artifacts) != 0 {
			t.Errorf("%s: %v", name, names(got))
		}
	}
	got := find(t, files{".specify/a": "", "specs/1-a/spec.md": spec},
		files{".specify/a": "", "specs/1-a/spec.md": spec + "- [ ] More.\n"}, detect.Options{})
	wantNames(t, got, "spec: 1-a = specs/1-a/spec.md")
}

// TestOpenSpec: a change is one review, its archive none, and the specs that it
// is synced to are reviewed only where it is not archived.
func TestOpenSpec(t *testing.T) {
	const dir, gone = "openspec/changes/add-tax/", "openspec/changes/archive/2026-01-31-add-tax/"
	const requirement = "### Requirement: Tax\nThe system SHALL add tax.\n\n#### Scenario: One\n- **THEN** the price is higher\n"
	const capability = "# price\n\n## Requirements\n" + requirement
	const delta = "## MODIFIED Requirements\n" + requirement + "- **AND** it says so\n"
	const brought = capability + "- **AND** it says so\n"
	work := files{
		dir + "proposal.md": "# Why\n", dir + "design.md": "# How\n", dir + "tasks.md": someTasks,
		dir + "specs/price/spec.md": delta, dir + "specs/cart/spec.md": aSpec,
	}
	old := files{"openspec/project.md": "# P\n", "openspec/specs/price/spec.md": capability}
	code := files{"src/price/tax.py": pyReal, "tests/test_tax.py": pyTest}
	got := find(t, old, with(old, with(work, code)), detect.Options{AutoMove: always})
	wantNames(
		t,
		got,
		"roadmap: add-tax = "+dir+"tasks.md",
		"spec: add-tax = "+dir+"specs/cart/spec.md "+dir+"specs/price/spec.md",
		"tests: add-tax = tests/test_tax.py",
		"implementation: add-tax = src/price/tax.py",
	)
	a := got.Artifacts[1]
	if d := cmp.Diff([]string{dir + "proposal.md", dir + "design.md", dir + "tasks.md", "openspec/specs/price/spec.md"},
		a.Companions); d != "" ||
		a.Layout != "openspec" {
		t.Errorf("companions (-want +got):\n%s", d)
	}
	begun := with(
		old,
		with(with(work, files{dir + "tasks.md": "- [x] 1 Begin\n" + someTasks}), code),
	)
	if a = find(t, old, begun, detect.Options{AutoMove: always}).Artifacts[3]; a.Advice != "" {
		t.Errorf("tasks are open, and it says %q", a.Advice)
	}
	if a = got.Artifacts[3]; a.Advice != "openspec archive add-tax" ||
		a.SpecPath != dir+"specs/cart/spec.md" ||
		a.Companions[0] != dir+"specs/price/spec.md" {
		t.Errorf("implementation %+v", a)
	}
	archived := files{}
	for p, text := range work {
		archived[strings.Replace(p, dir, gone, 1)] = text
	}
	synced := files{"openspec/specs/price/spec.md": brought}
	wantNames(t, find(t, with(old, work), with(old, with(archived, synced)), detect.Options{}))
	const besides = "spec: price = openspec/specs/price/spec.md"
	wantNames(
		t,
		find(
			t,
			with(old, work),
			with(old, with(archived, files{"openspec/specs/price/spec.md": brought + "- Else.\n"})),
			detect.Options{},
		),
		besides,
	)
	wantNames(t, find(t, with(old, archived), with(old, with(archived, files{
		"openspec/specs/price/spec.md": aSpec + "More.\n",
		gone + "specs/price/spec.md":   aSpec + "More.\nUpdated.\n",
	})), detect.Options{}),
		"spec: add-tax = "+gone+"specs/price/spec.md", besides)
	wantNames(t, find(t, with(old, archived), with(old, with(archived, synced)), detect.Options{}),
		"spec: price = openspec/specs/price/spec.md")
	born := find(t, old, with(old, with(archived, synced)), detect.Options{})
	wantNames(
		t,
		born,
		"roadmap: add-tax = "+gone+"tasks.md",
		"spec: add-tax = "+gone+"specs/cart/spec.md "+gone+"specs/price/spec.md",
	)
	wantNames(
		t,
		find(t, old, with(old, files{"src/price/x.py": pyReal}), detect.Options{Branch: "fix"}),
		"implementation: price = src/price/x.py",
	)
}

// TestWhatTheChangeWorksOff: of several features, code is of the one whose tasks
// the change ticks off, else of the one whose spec it adds.
func TestWhatTheChangeWorksOff(t *testing.T) {
	kiro := func(feature, tasks string) files {
		return files{
			".kiro/specs/" + feature + "/requirements.md": aSpec,
			".kiro/specs/" + feature + "/tasks.md":        tasks,
		}
	}
	ticked := strings.ReplaceAll(someTasks, "[ ]", "[x]")
	old := with(kiro("a", someTasks), kiro("data-store", ticked))
	code := files{"src/data_store/x.py": pyReal}
	for name, c := range map[string]struct {
		now    files
		branch string
		want   string
	}{
		"ticks":                  {with(kiro("a", ticked), kiro("b", someTasks)), "", "a"},
		"adds":                   {with(kiro("b", someTasks), files{".kiro/specs/a/requirements.md": aSpec + "More.\n"}), "", "b"},
		"touches a companion":    {files{".kiro/specs/a/design.md": "# D\n"}, "", "a"},
		"the branch counts more": {kiro("b", someTasks), "feature/a", "a"},
		"nothing but the folder": {nil, "", "data-store"},
	} {
		got := find(t, old, with(old, with(c.now, code)), detect.Options{Branch: c.branch})
		if last := got.Artifacts[len(got.Artifacts)-1]; last.Feature != c.want ||
			last.Type != workflow.Implementation {
			t.Errorf("%s: %v, want %s", name, names(got), c.want)
		}
	}
}

// TestTheChangeTellsOfOthers: the only spec in work is not that of code which
// comes with the documents of several others.
func TestTheChangeTellsOfOthers(t *testing.T) {
	change := func(name string) files { return files{"openspec/changes/" + name + "/specs/c/spec.md": aSpec} }
	old := with(change("sort"), files{"openspec/project.md": "# P\n"})
	code := files{"src/x.py": pyReal}
	alive := func(string) bool { return true }
	for name, c := range map[string]struct {
		now  files
		want string
	}{"nothing else": {code, "sort"}, "two others": {with(with(change("show"), change("style")), code), "12"}} {
		got := find(t, old, with(old, c.now), detect.Options{Branch: "12", Recent: alive})
		if last := got.Artifacts[len(got.Artifacts)-1]; last.Feature != c.want {
			t.Errorf("%s: %v, want %s", name, names(got), c.want)
		}
	}
}

// TestOwnLayouts: the example of docs/layouts.md.
func TestOwnLayouts(t *testing.T) {
	own := layout.Layout{
		Spec: layout.Patterns{
			"rfcs/{feature}.md",
		}, Companions: layout.Patterns{"rfcs/{feature}/**"},
		Branch: layout.Patterns{"rfc/{feature}"},
		Tests: layout.Patterns{
			"qa/{feature}/**",
		}, State: layout.State{Line: "Status", Approved: "Accepted"},
	}.Complete()
	got := find(t, nil, files{
		"rfcs/0007-tax.md": "# Tax\n\nStatus: Draft\n\nAcceptance.\n", "rfcs/0007-tax/sketch.py": pyReal, "qa/0007-tax/check.py": pyTest,
		"app/x.py": pyReal, "specs/doing/a.md": aSpec,
	}, detect.Options{Branch: "rfc/0007-tax", Layouts: []layout.Layout{own}, AutoMove: always})
	wantNames(
		t,
		got,
		"spec: 0007-tax = rfcs/0007-tax.md",
		"tests: 0007-tax = qa/0007-tax/check.py",
		"implementation: 0007-tax = app/x.py",
	)
	wantNotice(t, got, "specs/doing/a.md", "a document of the layout workflow, which is not in use")
	if d := cmp.Diff(&workflow.Mark{Path: "rfcs/0007-tax.md", Line: "Status", Word: "Accepted"}, got.Artifacts[0].Mark); d != "" {
		t.Errorf("mark (-want +got):\n%s", d)
	}
	if m := got.Artifacts[2].Mark; m == nil || m.Word != "Complete" {
		t.Errorf("mark of the implementation %+v", m)
	}
}

// TestRoots: each root is a project of its own.
func TestRoots(t *testing.T) {
	now := files{
		"packages/web/specs/doing/login.md": aSpec, "packages/web/src/login.py": pyReal, "packages/api/.specify/a": "x",
		"packages/api/specs/1-login/spec.md":  aSpec,
		"packages/api/project-meta/VISION.md": "v\n", "src/login.py": pyReal, "lib/deep/specs/doing/x.md": aSpec,
	}
	got := find(
		t,
		nil,
		now,
		detect.Options{
			Branch:   "b",
			Roots:    []string{"", "project-meta", "packages/*"},
			AutoMove: always,
		},
	)
	wantNames(
		t,
		got,
		"vision: packages/api/VISION = packages/api/project-meta/VISION.md",
		"spec: packages/api/1-login = packages/api/specs/1-login/spec.md",
		"spec: packages/web/login = packages/web/specs/doing/login.md",
		"implementation: b = src/login.py",
		"implementation: packages/web/login = packages/web/src/login.py",
	)
	for i, want := range []string{"packages/api/project-meta", "packages/api", "packages/web", "", "packages/web"} {
		if a := got.Artifacts[i]; a.Root != want {
			t.Errorf("the reviews of %s are below %q, want %q", a.Name(), a.Root, want)
		}
	}
	if m := got.Artifacts[4].Move; m == nil || m.To != "packages/web/specs/done/login.md" {
		t.Errorf("move %v", m)
	}
	wantNotice(t, got, "lib/deep/specs/doing/x.md", "below lib/deep, which is no root")
}
