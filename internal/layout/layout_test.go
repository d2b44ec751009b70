package layout_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/workflow"
)

func set(t *testing.T, layouts ...layout.Layout) layout.Set {
	t.Helper()
	s, err := layout.NewSet(layouts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestBuiltin(t *testing.T) {
	if want := []string{"workflow", "bundle", "spec-kit", "openspec", "kiro", "bmad"}; !slices.Equal(
		layout.Names(),
		want,
	) {
		t.Errorf("names %q", layout.Names())
	}
	s := set(t, layout.Builtin()...)
	for path, want := range map[string]string{
		"specs/doing/login.md":                                          "workflow 1 login doing",
		"docs/VISION.md":                                                "workflow 4  ",
		"bugs/fixing/crash.md":                                          "workflow 6 crash ",
		"specs/pay/requirements/REQ-001-x.md":                           "bundle 1 pay ",
		"specs/pay/spec-config.json":                                    "bundle 1 pay ",
		"specs/pay/discussions/discuss-001.md":                          "bundle 7 pay ",
		"specs/pay/readiness-report.md":                                 "bundle 11 pay ",
		"specs/002-login/spec.md":                                       "spec-kit 1 002-login ",
		"specs/002-login/tasks.md":                                      "spec-kit 3 002-login ",
		"specs/002-login/contracts/a/b":                                 "spec-kit 7 002-login ",
		".specify/memory/constitution.md":                               "spec-kit 8  ",
		".specify/scripts/bash/common.sh":                               "spec-kit 11  ",
		"openspec/changes/add-x/specs/auth/spec.md":                     "openspec 1 add-x todo",
		"openspec/changes/add-x/specs/a/b/spec.md":                      "openspec 1 add-x todo",
		"openspec/changes/add-x/proposal.md":                            "openspec 7 add-x todo",
		"openspec/changes/archive/2026-01-31-add-x/tasks.md":            "openspec 3 add-x done",
		"openspec/changes/archive/old/design.md":                        "openspec 7 old done",
		"openspec/specs/auth/spec.md":                                   "openspec 2 auth ",
		"openspec/specs/auth.md":                                        "openspec 2 auth ",
		".kiro/specs/login/requirements.md":                             "kiro 1 login ",
		".kiro/specs/login/bugfix.md":                                   "kiro 6 login ",
		".specify/bugs/crash/assessment.md":                             "spec-kit 6 crash ",
		".specify/bugs/crash/test.md":                                   "spec-kit 7 crash ",
		".specify/assessments/login/decision.md":                        "spec-kit 7 login ",
		".specify/presets/lean/preset.yml":                              "spec-kit 11  ",
		"openspec/changes/add-x/api/tasks.md":                           "openspec 3 add-x todo",
		"_bmad-output/implementation-artifacts/1-2-login.md":            "bmad 1 1-2-login ",
		"_bmad-output/implementation-artifacts/epic-1/1-2-login.md":     "bmad 1 1-2-login ",
		"_bmad-output/implementation-artifacts/tech-spec-login.md":      "bmad 1 login ",
		"_bmad-output/implementation-artifacts/epic-1-retro-2026.md":    "bmad 11  ",
		"_bmad-output/implementation-artifacts/sprint-status.yaml":      "bmad 11  ",
		"_bmad-output/implementation-artifacts/investigations/a.md":     "bmad 11  ",
		"_bmad-output/implementation-artifacts/story.md":                "bmad 1 story ",
		"_bmad-output/implementation-artifacts/stories/login.md":        "bmad 1 login ",
		"_bmad-output/specs/spec-login/SPEC.md":                         "bmad 1 login ",
		"_bmad-output/specs/spec-login/stack.md":                        "bmad 7 login ",
		"_bmad-output/planning-artifacts/epics.md":                      "bmad 3  ",
		"_bmad-output/planning-artifacts/prd.md":                        "bmad 5  ",
		"_bmad-output/planning-artifacts/prds/prd-x-2026-06-14/prd.md":  "bmad 5  ",
		"_bmad-output/planning-artifacts/architecture.md":               "bmad 7  ",
		"_bmad-output/project-context.md":                               "bmad 8  ",
		"_bmad-output/brainstorming/brainstorming-session-2026-02-1.md": "bmad 11  ",
		".kiro/specs/login/resources/ai.js":                             "kiro 7 login ",
		".kiro/steering/product.md":                                     "kiro 4  ",
		"specs/login.md":                                                "", "specs/unit/login.spec.ts": "",
		"src/specs/doing/x.md": "", "openspec.md": "",
	} {
		got := ""
		if m, ok := s.Match(path); ok {
			got = strings.Join(
				[]string{m.Layout.Name, kindName(m.Kind), m.Feature, string(m.State)},
				" ",
			)
		}
		if got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
}

func kindName(k layout.Kind) string {
	return []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"}[k]
}

func TestStatesOfAMatch(t *testing.T) {
	s := set(t, layout.Builtin()...)
	m, _ := s.Match("specs/proposed/login.md")
	if to, ok := m.In(workflow.Todo); !ok || to != "specs/todo/login.md" {
		t.Errorf("moves to %q, %t", to, ok)
	}
	archived := "openspec/changes/archive/2026-01-31-add-x/specs/auth/spec.md"
	m, _ = s.Match(archived)
	from, ok := m.In(workflow.Todo)
	active, _ := s.Match(from)
	if !ok || from != "openspec/changes/add-x/specs/auth/spec.md" ||
		s.Canonical(from) != s.Canonical(archived) {
		t.Errorf(
			"came from %q, %t, canonical %q and %q",
			from,
			ok,
			s.Canonical(from),
			s.Canonical(archived),
		)
	}
	if _, ok := active.In(workflow.Done); ok {
		t.Error("the folder of an archive has a date that nobody can foretell")
	}
	related := m.Companions().Among([]string{
		"openspec/specs/auth/spec.md", "openspec/changes/archive/2026-01-31-add-x/design.md",
		"openspec/changes/archive/2026-01-31-add-x/proposal.md", "openspec/changes/add-x/proposal.md", "openspec/specs/other/spec.md",
	})
	want := []string{
		"openspec/changes/archive/2026-01-31-add-x/proposal.md", "openspec/changes/archive/2026-01-31-add-x/design.md",
		"openspec/specs/auth/spec.md",
	}
	if d := cmp.Diff(want, related); d != "" {
		t.Errorf("related (-want +got):\n%s", d)
	}
}

func TestOwnLayout(t *testing.T) {
	l := layout.Layout{
		Extends:    "spec-kit",
		Root:       "docs",
		Companions: layout.Patterns{"specs/{feature}/notes/**"},
	}.Complete()
	s := set(t, l)
	if m, ok := s.Match("docs/specs/7-x/spec.md"); !ok || m.Feature != "7-x" ||
		l.OnApproved != "line" ||
		l.Name != "spec-kit" {
		t.Errorf("%+v, %+v", m, l)
	}
	if m, ok := s.Match("docs/specs/7-x/plan.md"); ok {
		t.Errorf("a key of its own does not replace the inherited one: %+v", m)
	}
	l = layout.Layout{
		Spec:  layout.Patterns{"rfcs/{feature}.md"},
		State: layout.State{Line: "State"},
	}.Complete()
	if l.OnApproved != "line" || l.Name != "own" {
		t.Errorf("%+v", l)
	}
	if got := set(t, layout.Layout{Branch: layout.Patterns{"rfc/{feature}", "**/{feature}"}}).Branch("rfc/0007"); !slices.Equal(
		got,
		[]string{"0007"},
	) {
		t.Errorf("branch %q", got)
	}
}

func TestContent(t *testing.T) {
	const body = "\n## Tasks\n\n- [ ] one\n\nStatus: this is prose\n"
	same := "# Spec\n\n**Feature**: x\n" + body
	for _, text := range []string{
		"# Spec\n\n**Status**: Draft\n**Feature**: x\n" + body, "# Spec\n\n**Feature**: x\nLast updated: 2026-01-31\n" + body,
		strings.Replace(same, "[ ]", "[x]", 1), "# Spec\n\n**Feature**: x\n| State | doing |\n" + body,
	} {
		got, want := layout.Content(text, ""), layout.Content(same, "")
		if strings.Contains(text, "| State |") {
			if got == want {
				t.Errorf("a row of a table is no state line:\n%s", text)
			}
			continue
		}
		if got != want {
			t.Errorf("content:\n%s\nwant:\n%s", got, want)
		}
	}
	for _, text := range []string{
		strings.Replace(same, "prose", "more", 1), strings.Replace(same, "one", "two", 1),
		"# Spec\n\n**Status**: Draft - passwords are stored as they are\n**Feature**: x\n" + body,
		"# Spec\n\nState: passwords are hashed with a salt\n**Feature**: x\n" + body,
		"# Spec\n\nPhase: 5 attempts\n**Feature**: x\n" + body,
		"# Spec\n\nState: passwords stored hashed\n**Feature**: x\n" + body, "# Spec\n\nStatus: パスワードは平文で保存する\n**Feature**: x\n" + body,
		"# Spec\n\nUpdated: 2026-01-01 passwords in plain text\n**Feature**: x\n" + body,
		"# Spec\n\nApproved access: 2026-01-01 for everybody\n**Feature**: x\n" + body,
		"# Spec\n\n**Feature**: y\n" + body,
	} {
		if layout.Content(text, "") == layout.Content(same, "") {
			t.Errorf("a change of content counts as one of the state:\n%s", text)
		}
	}
	if layout.Content("Stage: a\n", "Stage") != layout.Content("Stage: b\n", "Stage") ||
		layout.Content("Stage: a\n", "") == layout.Content("Stage: b\n", "") {
		t.Error("the line that a layout names is not its state")
	}
}

func TestSetLine(t *testing.T) {
	for text, want := range map[string]string{
		"# A\n\n**Status**: Draft\n": "# A\n\n**Status**: Approved\n", "Status: Draft (since May)\n": "Status: Approved (since May)\n",
		"> **Status:** In Progress\r\nx": "> **Status:** Approved\r\nx", "- Status: `Draft`\n": "- Status: `Approved`\n",
		"---\nstatus: draft\n---\n": "---\nstatus: Approved\n---\n", "| Status | Draft |\n": "", "# A\n": "", "## B\n\nStatus: Draft\n": "",
		"Status: Approved\n": "", "**STATUS**: Draft — see notes\n": "**STATUS**: Approved — see notes\n",
		"Status: ✅ In review\n":           "Status: ✅ Approved\n",
		"Status: Draft by Alice Miller\n": "", "Status: Not yet approved by security\n": "", "Status: Won't fix\n": "",
		"Status: Draft v2\n":              "",
		"Status: ~~Draft~~ In Progress\n": "", "Status: Draft of payments\n": "", "Status: https://ci/badge.svg\n": "",
		"Status: In Arbeit\n": "Status: Approved\n", "Status: 下書き\n": "Status: Approved\n",
	} {
		got, changed := layout.SetLine(text, "Status", "Approved")
		if want == "" {
			want = text
		}
		if got != want || changed != (want != text) {
			t.Errorf("%q becomes %q, %t; want %q", text, got, changed, want)
		}
	}
}

func TestStates(t *testing.T) {
	line := layout.State{Line: "Status", Approved: "Accepted"}
	for text, want := range map[string]workflow.State{
		"Status: Draft\n": workflow.Proposed, "**Status**: accepted\n": workflow.Todo, "Status: In-Progress (Ada)\n": workflow.Doing,
		"Status: Completed\n": workflow.Done, "Status: ✅ Complete\n": workflow.Done, "Status: parked\n": "", "x\n": "",
	} {
		if got := line.LineState(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]workflow.State{
		`{"phase":"initialized"}`: workflow.Proposed,
		`{"phase":"tasks-generated","approvals":{"requirements":{"approved":true}}}`: workflow.Todo,
		`{"phase":"implementation"}`: workflow.Doing, `{"phase":"implementation-complete"}`: workflow.Done,
		`{"phase":"design","ready_for_implementation":true}`: workflow.Todo,
		`{}`: "", `[`: "",
	} {
		if got := layout.FileState(text); got != want {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]workflow.State{
		"- [ ] a\n- [ ] b\n": workflow.Todo, "- [x] a\n1. [ ] b\n": workflow.Doing,
		"* [X] a\n": workflow.Done, "a\n": "",
	} {
		if got := layout.TasksState(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestSamePlan(t *testing.T) {
	const plan = "# Tasks\n\n- [x] 1. Begin\n- [ ] 2.1 Write it\n  - carefully\n- [ ] T003 [P] Test it\n"
	for name, c := range map[string]struct {
		after string
		want  bool
	}{
		"ticked": {strings.ReplaceAll(plan, "[ ]", "[x]"), true},
		"ticked with a report": {strings.Replace(plan, "[ ] 2.1 Write it\n  - carefully",
			"[x] 2.1 Write it (done)\n  - 12 tests pass", 1), true},
		"done work told otherwise": {strings.Replace(plan, "Begin", "Begun", 1), false},
		"done work told further":   {strings.Replace(plan, "Begin", "Begin: 3 files", 1), true},
		"work added as done":       {plan + "- [x] T004 More\n", false},
		"open work rewritten":      {strings.Replace(plan, "Test it", "Skip the test", 1), false},
		"open work taken out":      {strings.Replace(plan, "- [ ] T003 [P] Test it\n", "", 1), false},
		"open work made optional":  {strings.Replace(plan, "[ ] 2.1", "[ ]* 2.1", 1), false},
		"done work opened again":   {strings.Replace(plan, "[x]", "[ ]", 1), false},
		"work added":               {plan + "- [ ] T004 More\n", false},
		"partly done":              {strings.Replace(plan, "[ ] T003", "[~] T003", 1), true},
		"told around the tasks":    {plan + "\n**Done**: 1, 2.1\n", true},
		"told below open work":     {strings.Replace(plan, "- carefully", "- carelessly", 1), false},
		"no tasks":                 {"# Tasks\n", false},
	} {
		if got := layout.SamePlan(plan, c.after); got != c.want {
			t.Errorf("%s: same plan %t", name, got)
		}
	}
}

// TestPlanOfPhases: numbers that begin anew with each phase name no task, and what
// stands indented below a task is told of it also after an empty line.
func TestPlanOfPhases(t *testing.T) {
	const plan = "## Phase 1\n\n- [ ] 1. Begin\n\n## Phase 2\n\n- [ ] 1. Test it\n\n  With three users.\n"
	ticked := strings.Replace(plan, "[ ] 1. Begin", "[x] 1. Begin", 1)
	for after, want := range map[string]bool{
		ticked: true,
		strings.Replace(ticked, "1. Test it", "1. Skip the test", 1): false,
		strings.Replace(plan, "three", "no", 1):                      false,
	} {
		if got := layout.SamePlan(plan, after); got != want {
			t.Errorf("same plan %t:\n%s", got, after)
		}
	}
}

// TestTasksOfOneText: of two tasks that say the same, one that is ticked says nothing of
// the other.
func TestTasksOfOneText(t *testing.T) {
	const plan = "## A\n- [ ] Write tests\n  For login.\n\n## B\n- [ ] Write tests\n  For logout.\n"
	ticked := strings.Replace(plan, "[ ]", "[x]", 1)
	for after, want := range map[string]bool{
		ticked: true, strings.Replace(ticked, "For logout", "For nothing", 1): false,
		"## A\n- [x] Write tests\n  For login.\n": false,
	} {
		if got := layout.SamePlan(plan, after); got != want {
			t.Errorf("same plan %t:\n%s", got, after)
		}
	}
}

// TestSynced: a spec of what exists follows from the deltas that are archived, or it is
// to be reviewed.
func TestSynced(t *testing.T) {
	const (
		login  = "### Requirement: Login\nThe system SHALL ask for a password.\n\n#### Scenario: Right\n- **THEN** a session begins\n"
		logout = "### Requirement: Logout\nThe system SHALL end the session.\n"
		was    = "# auth Specification\n\n## Purpose\nSessions.\n\n## Requirements\n" + login + "\n" + logout
	)
	third := strings.ReplaceAll(logout, "Logout", "Leaving")
	twice := strings.Replace(login, "a password", "a password and a code", 1)
	for name, c := range map[string]struct {
		before, after, deltas string
		want                  bool
	}{
		"modified": {was, strings.Replace(was, login, twice, 1), "## MODIFIED Requirements\n" + twice, true},
		"removed": {
			was, strings.Replace(was, "\n"+logout, "", 1),
			"## REMOVED Requirements\n### Requirement: Logout\n**Reason**: none\n", true,
		},
		"renamed": {
			was, strings.Replace(was, ": Logout", ": Goodbye", 1),
			"## RENAMED Requirements\n- FROM: `### Requirement: Logout`\n- TO: `### Requirement: Goodbye`\n", true,
		},
		"new": {"", "# auth Specification\n\n## Purpose\nSessions.\n" +
			"## Requirements\n" + login, "## ADDED Requirements\n\n" + login, true},
		"new, and more": {
			"", "# auth Specification\n\n## Purpose\nAnybody MAY log in.\n## Requirements\n" + login,
			"## ADDED Requirements\n" + login, false,
		},
		"weaker than its delta": {
			was, strings.Replace(was, "SHALL ask for", "MAY ask for", 1),
			"## MODIFIED Requirements\n" + login, false,
		},
		"another lost": {
			was, strings.Replace(strings.Replace(was, login, twice, 1), logout, "", 1),
			"## MODIFIED Requirements\n" + twice, false,
		},
		"of another requirement": {
			was, strings.Replace(was, "end the session", "ask for a password", 1),
			"## MODIFIED Requirements\n" + login, false,
		},
		"a scenario lost": {
			was, strings.Replace(was, "- **THEN** a session begins\n", "", 1),
			"## ADDED Requirements\n### Requirement: Login with a card\nIt SHALL.\n", false,
		},
		"a title of another": {
			was, strings.Replace(was, login, "### Requirement: Login with a card\nIt SHALL.\n", 1),
			"## ADDED Requirements\n### Requirement: Login with a card\nIt SHALL.\n", false,
		},
		"what stands before": {was, strings.Replace(was, "Sessions.", "No sessions.", 1), "## ADDED Requirements\n", false},
		"another heading": {
			was, strings.Replace(was, "# auth", "# Auth", 1) + "\n## ADDED Requirements\n" + third,
			"## ADDED Requirements\n" + third, true,
		},
		"a purpose that was missing": {
			strings.Replace(was, "Sessions.", "TBD - created by archiving change login.", 1), was, "## ADDED Requirements\n", true,
		},
		"a demand for a purpose": {
			strings.Replace(was, "Sessions.", "TBD", 1), strings.Replace(was, "Sessions.", "Anybody MAY log in.", 1),
			"## ADDED Requirements\n", false,
		},
		"a title that nobody told": {
			was, was + "### Requirement: Any password is accepted\n",
			"## ADDED Requirements\n", false,
		},
		"a name for two": {
			was, strings.Replace(was, logout, "### Requirement: Goodbye\nThe system SHALL end the session.\n"+logout, 1),
			"## RENAMED Requirements\n- FROM: `### Requirement: Logout`\n- TO: `### Requirement: Goodbye`\n", false,
		},
		"as one of two archived deltas says": {
			was, strings.Replace(was, login, twice, 1),
			"## MODIFIED Requirements\n" + login + "- **AND** more\n\n## MODIFIED Requirements\n" + twice, true,
		},
		"a title that stands there twice": {was, was + login, "## MODIFIED Requirements\n" + login, false},
		"of a fence":                      {was, strings.Replace(was, login, twice, 1), "```\n## MODIFIED Requirements\n" + twice + "```\n", false},
		"of what is removed":              {was, strings.Replace(was, login, twice, 1), "## REMOVED Requirements\n" + twice, false},
		"not all that is added":           {"", "# auth\n\n## Requirements\n" + login, "## ADDED Requirements\n" + login + logout, false},
		"nothing but a purpose":           {"", "# auth\nAny password is accepted.\n", "## ADDED Requirements\n", false},
	} {
		if got := layout.Synced(c.before, c.after, c.deltas); got != c.want {
			t.Errorf("%s: synced %t", name, got)
		}
	}
}

// FuzzLayout: whatever a config says and a repository holds, nothing panics, and
// a state line that was set is the one that is read.
func FuzzLayout(f *testing.F) {
	f.Add(
		"specs/{state}/{feature}.md",
		"proposed",
		"specs/proposed/x.md",
		"**Status**: Draft\n- [x] 1.1 a\n",
	)
	f.Add("a/{x,y}/**/{feature}", "b-????", "a/x/b/c", "| Status |\n")
	f.Add("{", "**", "", "Status:")
	f.Add("{state}", "\xf8", "0", "0")
	f.Fuzz(func(t *testing.T, pattern, folder, path, text string) {
		s, err := layout.NewSet(
			[]layout.Layout{
				{
					Spec:       layout.Patterns{pattern},
					Companions: layout.Patterns{pattern},
					State: layout.State{
						Line: "Status", Folders: layout.Folders{Proposed: layout.Patterns{folder}, Todo: layout.Patterns{"todo"}},
					},
				},
			},
		)
		if m, ok := s.Match(path); err == nil && ok {
			if to, moves := m.In(workflow.Todo); moves {
				if again, ok := s.Match(to); ok && again.State == workflow.Todo &&
					s.Canonical(to) != s.Canonical(path) {
					t.Errorf("%q and %q are not one document", path, to)
				}
			}
			m.Companions().Among([]string{path})
		}
		layout.Content(text, folder)
		layout.SamePlan(text, path)
		if out, changed := layout.SetLine(text, "Status", "Approved"); changed {
			if got := (layout.State{Line: "Status"}).LineState(out); got != workflow.Todo {
				t.Errorf("%q reads as %q", out, got)
			}
		}
	})
}

// TestExtendingKeepsEveryKeyThatIsNotSaid: also those below state; what a root
// moves are the files, not the branches.
func TestExtendingKeepsEveryKeyThatIsNotSaid(t *testing.T) {
	kit := layout.Layout{Extends: "spec-kit", State: layout.State{Approved: "Accepted"}}.Complete()
	if s := kit.State; s.Line != "Status" || s.Approved != "Accepted" || s.Complete != "Complete" ||
		s.Tasks != "tasks.md" ||
		kit.OnApproved != "line" {
		t.Errorf("spec-kit: %+v", kit)
	}
	own := layout.Layout{
		Extends: "workflow",
		State:   layout.State{Folders: layout.Folders{Done: layout.Patterns{"archive"}}},
	}.Complete()
	s := set(t, own)
	for path, want := range map[string]workflow.State{
		"specs/archive/a.md": workflow.Done, "specs/doing/a.md": workflow.Doing, "specs/done/a.md": "",
	} {
		if m, _ := s.Match(path); m.State != want {
			t.Errorf("%s is %q, want %q", path, m.State, want)
		}
	}
	below := set(
		t,
		layout.Layout{Extends: "spec-kit", Root: "docs", Companions: layout.Patterns{}}.Complete(),
	)
	if got := below.Branch("feature/001-login"); !slices.Equal(got, []string{"001-login"}) {
		t.Errorf("branch %q", got)
	}
	if m, _ := below.Match("docs/specs/1-a/plan.md"); m.Feature != "1-a" {
		t.Errorf("an empty list says nothing: %+v", m)
	}
	if got := layout.Builtin(); !cmp.Equal(got[2].State.Approved, "Approved") ||
		got[2].Spec[0] != "specs/{feature}/spec.md" {
		t.Errorf("the built-in one was changed: %+v", got[2])
	}
}

// TestWordsOfAProject: a state line may say any word that the layout names.
func TestWordsOfAProject(t *testing.T) {
	own := layout.Layout{
		Spec: layout.Patterns{"stories/{feature}.md"}, Reports: []string{"Dev Record"},
		State: layout.State{
			Line: "Stage", Proposed: "idea", Approved: "ready-for-dev|ready to be built", Doing: "in code review by two", Complete: "✅ shipped",
		},
	}
	if err := own.Check(); err == nil || !strings.Contains(err.Error(), "✅") {
		t.Errorf("a word that no line can tell: %v", err)
	}
	own.State.Complete = "2 done"
	if err := own.Check(); err != nil {
		t.Fatal(err)
	}
	full := own.Complete()
	m, _ := set(t, full).Match("stories/a.md")
	text := func(word string) string {
		return "# A\n\nStage: " + word + "\n\n## Dev Record\n" + word + "\n\n## Criteria\n\n- [ ] b\n"
	}
	for word, want := range map[string]workflow.State{
		"idea": workflow.Proposed, "ready-for-dev": workflow.Todo, "Ready to be built": workflow.Todo, "'ready-for-dev' # or done": workflow.Todo,
		"in code review by two": workflow.Doing, "2 done": workflow.Done, "ready": "", "something else": "",
	} {
		if got := full.State.LineState(text(word)); got != want {
			t.Errorf("%q is %q, want %q", word, got, want)
		}
		if word == "something else" {
			continue
		}
		if layout.Content(text(word), m.Line()) != layout.Content(text("idea"), m.Line()) &&
			!strings.Contains(word, "#") {
			t.Errorf("%q is content:\n%s", word, layout.Content(text(word), m.Line()))
		}
	}
	out, _ := layout.SetLine(
		text("in code review by two"),
		m.Line(),
		full.State.Word(workflow.Todo),
	)
	if !strings.Contains(out, "Stage: ready-for-dev\n") {
		t.Error(out)
	}
	if layout.Content(text("idea")+"More.\n", m.Line()) == layout.Content(text("idea"), m.Line()) {
		t.Error("what follows a section that reports work is content")
	}
	for name, begin := range map[string]string{
		"its title": "# Dev Record\n", "a fence": "```\n## Dev Record\n```\n",
		"an indented mark": "## Dev Record\n    ```\n## New\n", "code in a line": "## Dev Record\n```x``` is it\n## New\n",
		"a fence in a list": "## Dev Record\n- ```\n## New\n", "code in a line before a fence": "```x``` is it\n```\n## Dev Record\n```\n",
		"no end of a fence":  "```\n    ```\n## Dev Record\n",
		"a fence in a fence": "```\n~~~\n## Dev Record\n```\n", "a longer fence": "````\n```\n## Dev Record\n````\n",
	} {
		if layout.Content(begin+"One.\n", m.Line()) == layout.Content(begin+"Two.\n", m.Line()) {
			t.Errorf("%s hides what a document says", name)
		}
	}
}

// TestWithSchemas: documents of an own schema of OpenSpec.
func TestWithSchemas(t *testing.T) {
	l, _ := layout.Named("openspec")
	l = l.WithSchemas([]string{
		"artifacts:\n  - {id: plan, generates: plan.md, requires: [brief]}\n  - {id: brief, generates: brief.md}\n" +
			"  - {id: behaviour, generates: functional-spec.md}\n  - {id: work, generates: '**/todo.md', requires: [plan]}\n" +
			"apply: {requires: [work], tracks: '**/todo.md'}\n",
		"artifacts:\n  - {id: specs, generates: 'req/*.md'}\n  - {id: a, generates: ../spec.md}\n  - {id: b, generates: my-spec.md}\n",
		"artifacts: {", "apply: {tracks: /etc/passwd}",
	})
	s := set(t, l)
	for path, want := range map[string]string{
		"openspec/changes/x/functional-spec.md": "1", "openspec/changes/x/req/a.md": "1", "openspec/changes/x/my-spec.md": "7",
		"openspec/changes/archive/2026-01-02-x/api/todo.md": "3", "openspec/changes/x/specs/a/spec.md": "1", "openspec/changes/x/plan.md": "7",
	} {
		if m, _ := s.Match(path); kindName(m.Kind) != want || m.Feature != "x" {
			t.Errorf("%s is %s of %q", path, kindName(m.Kind), m.Feature)
		}
	}
	m, _ := s.Match("openspec/changes/x/functional-spec.md")
	got := m.Companions().Among(
		[]string{
			"openspec/changes/x/plan.md",
			"openspec/changes/x/a.md",
			"openspec/changes/x/brief.md",
		},
	)
	if want := []string{"openspec/changes/x/brief.md", "openspec/changes/x/plan.md", "openspec/changes/x/a.md"}; !slices.Equal(
		got,
		want,
	) {
		t.Errorf("in the order of requires: %q", got)
	}
}
