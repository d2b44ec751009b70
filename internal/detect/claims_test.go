package detect_test

import (
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/workflow"
)

// TestClaims: ticks, state lines, phases, archives and moves are claims of their feature, which its implementation
// answers for if there is one.
func TestClaims(t *testing.T) {
	const status = "# A\n\n**Status**: Draft\n\n## Criteria\n\n- It works.\n"
	done := strings.Replace(status, "Draft", "Complete", 1)
	ticked := strings.ReplaceAll(someTasks, "[ ]", "[x]")
	kit := files{".specify/a": "a\n"}
	code := files{"src/x.py": pyReal}
	for name, c := range map[string]struct {
		old, now files
		want     string // "type: path, before, done"
	}{
		"ticks of spec-kit": {
			with(kit, files{"specs/001-a/tasks.md": someTasks}), with(code, files{"specs/001-a/tasks.md": ticked}),
			"implementation: specs/001-a/tasks.md<specs/001-a/tasks.md ",
		},
		"ticks of Kiro": {
			files{".kiro/specs/a/tasks.md": someTasks},
			with(code, files{".kiro/specs/a/tasks.md": ticked}),
			"implementation: .kiro/specs/a/tasks.md<.kiro/specs/a/tasks.md ",
		},
		"a state line": {
			with(kit, files{"specs/001-a/spec.md": status}), with(code, files{"specs/001-a/spec.md": done}),
			"implementation: specs/001-a/spec.md<specs/001-a/spec.md says Complete in its line Status",
		},
		"a phase": {
			files{".kiro/specs/a/requirements.md": aSpec, ".kiro/specs/a/spec.json": `{"phase":"implementation"}`},
			with(code, files{".kiro/specs/a/spec.json": `{"phase":"completed"}`}),
			"implementation: .kiro/specs/a/spec.json<.kiro/specs/a/spec.json says that the work is complete",
		},
		"an archive": {
			files{"openspec/changes/a/specs/c/spec.md": aSpec, "openspec/changes/a/tasks.md": ticked},
			with(code, files{
				"openspec/changes/a/specs/c/spec.md": "", "openspec/changes/a/tasks.md": "",
				"openspec/changes/archive/2026-01-31-a/specs/c/spec.md": aSpec, "openspec/changes/archive/2026-01-31-a/tasks.md": ticked,
			}),
			"implementation: openspec/changes/archive/2026-01-31-a/specs/c/spec.md<openspec/changes/a/specs/c/spec.md was moved to " +
				"openspec/changes/archive/2026-01-31-a/specs/c/; openspec/changes/archive/2026-01-31-a/tasks.md<openspec/changes/a/tasks.md was moved to " +
				"openspec/changes/archive/2026-01-31-a/",
		},
		"a move": {
			files{"specs/doing/a.md": aSpec},
			with(code, files{"specs/doing/a.md": "", "specs/done/a.md": aSpec}),
			"implementation: specs/done/a.md<specs/doing/a.md was moved to specs/done/",
		},
		"a story": {
			files{"_bmad-output/implementation-artifacts/1-1-a.md": "# A\n\nStatus: review\n\n- [ ] One\n"},
			with(code, files{"_bmad-output/implementation-artifacts/1-1-a.md": "# A\n\nStatus: done\n\n- [x] One\n"}),
			"implementation: _bmad-output/implementation-artifacts/1-1-a.md<_bmad-output/implementation-artifacts/1-1-a.md " +
				"says done in its line Status",
		},
		"only a plan": {kit, with(code, files{"specs/001-a/tasks.md": someTasks}), ""},
	} {
		got := find(t, c.old, with(c.old, c.now), detect.Options{Branch: "a"})
		var all []string
		for _, a := range got.Artifacts {
			for i, claim := range a.Claims {
				text := claim.Path + "<" + claim.Before + " " + claim.Done
				if i == 0 {
					text = string(a.Type) + ": " + text
				}
				all = append(all, text)
			}
		}
		if said := strings.Join(all, "; "); said != c.want {
			t.Errorf("%s: %s\nwant %s", name, said, c.want)
		}
	}
}

// TestClaimsThatNobodyAnswersFor are a warning, or where the layout says so an artifact of their own.
func TestClaimsThatNobodyAnswersFor(t *testing.T) {
	old := files{".specify/a": "a\n", "specs/001-a/tasks.md": someTasks}
	now := with(old, files{"specs/001-a/tasks.md": strings.ReplaceAll(someTasks, "[ ]", "[x]")})
	unmet := func(workflow.Artifact) string { return "001-a: `x.py` is not there" }
	got := find(t, old, now, detect.Options{Unmet: unmet})
	wantNames(t, got)
	if i := slices.IndexFunc(got.Notices, func(n workflow.Finding) bool { return n.Warns() }); i < 0 ||
		got.Notices[i].Text != unmet(workflow.Artifact{}) {
		t.Errorf("notices %v", got.Notices)
	}
	strict := layout.Layout{Extends: "spec-kit", Ticks: "block"}.Complete()
	got = find(t, old, now, detect.Options{Unmet: unmet, Layouts: []layout.Layout{strict}})
	wantNames(t, got, "roadmap: 001-a = specs/001-a/tasks.md")
	if c := got.Artifacts[0].Claims; len(c) != 1 || !c[0].Blocks {
		t.Errorf("claims %+v", c)
	}
	met := func(workflow.Artifact) string { return "" }
	wantNames(t, find(t, old, now, detect.Options{Unmet: met, Layouts: []layout.Layout{strict}}))
}

// TestClaimsOfWhatWasApproved: an approval of the change itself lets it say that all is done; an earlier one is told to
// whoever looks at its tests.
func TestClaimsOfWhatWasApproved(t *testing.T) {
	old := files{"specs/doing/a.md": aSpec, "src/x.py": pyReal}
	now := files{"specs/done/a.md": aSpec, "src/x.py": pyReal + "\n\nX = 1\n", "tests/a/test_x.py": pyTest}
	for name, c := range map[string]struct{ approved, before, claimed bool }{
		"never": {false, false, true}, "by the change": {true, false, false}, "before": {true, true, true},
	} {
		got := find(t, old, now, detect.Options{
			Branch: "a", Implemented: func(string) (bool, bool) { return c.approved, c.before },
		})
		i := slices.IndexFunc(got.Artifacts, func(a workflow.Artifact) bool { return a.Type == workflow.Implementation })
		claims := got.Artifacts[i].Claims
		if len(claims) > 0 != c.claimed {
			t.Fatalf("%s: claims %+v", name, claims)
		}
		if c.claimed && (claims[0].Implemented != c.approved || !slices.Equal(claims[0].Tests, []string{"tests/a/test_x.py"})) {
			t.Errorf("%s: claims %+v", name, claims)
		}
	}
}
