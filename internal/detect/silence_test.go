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

// TestNeverSilent: what its author takes for a spec is reviewed, or named in a warning.
func TestNeverSilent(t *testing.T) {
	named := func(names ...string) []layout.Layout {
		var out []layout.Layout
		for _, n := range names {
			l, _ := layout.Named(n)
			out = append(out, l)
		}
		return out
	}
	own, err := layout.NewSet(
		[]layout.Layout{{Name: "own", Spec: layout.Patterns{"rfcs/{feature}.adoc"}}},
	)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		base, path string
		layouts    []layout.Layout
		warning    string
	}{
		"a name that begins as a template":   {"", "rfcs/template-engine.md", nil, "no layout in use names it"},
		"a name that begins as a tool":       {"", "rfcs/agents-memory.md", nil, "no layout in use names it"},
		"a name that begins as an index":     {"", "specs/proposed/index-rebuild.md", named("openspec"), "not in use"},
		"a template":                         {"", "rfcs/template.md", nil, ""},
		"a translated read-me":               {"", "specs/README-de.md", nil, ""},
		"below a folder of agents":           {"", "my/apps/agents/openspec/changes/a/specs/b/spec.md", nil, "no root"},
		"below a folder of templates":        {"", "templates/openspec/changes/a/specs/b/spec.md", nil, ""},
		"a state's folder":                   {".specify/a", "specs/proposed/login.md", named("spec-kit"), "workflow, which is not in use"},
		"a capability called rules":          {"", "openspec/changes/add-x/specs/rules/spec.md", named("workflow"), "not in use"},
		"a text that is no Markdown":         {"", "rfcs/login.adoc", own.Layouts, "only Markdown"},
		"in capitals":                        {".specify/a", "specs/001-x/SPEC.md", nil, "named like a spec"},
		"an extension in capitals":           {".specify/a", "specs/001-x/spec.MD", nil, "spec"},
		"a sibling of the specs":             {"openspec/project.md", "openspec/changes/x/spec.md", nil, "named like a spec"},
		"a spec without a folder in Kiro":    {".kiro/specs/x/requirements.md", ".kiro/specs/cart.md", nil, "named like a spec"},
		"a contract":                         {".specify/a", "specs/001-x/contracts/api-spec.md", nil, ""},
		"a list of a state's specs":          {"specs/doing/a.md", "specs/proposed/README.md", nil, ""},
		"a template of a state":              {"specs/doing/a.md", "specs/done/TEMPLATE.md", nil, ""},
		"a change put aside":                 {"openspec/project.md", "openspec/deferred/x/specs/a/spec.md", nil, "no layout in use names it"},
		"a sibling in Kiro":                  {".kiro/specs/x/requirements.md", ".kiro/specs/x/spec.md", nil, "named like a spec"},
		"a list to check requirements by":    {".specify/a", "specs/001-x/checklists/requirements.md", nil, ""},
		"a group of changes":                 {"openspec/project.md", "openspec/changes/team/x/specs/a/spec.md", nil, "named like a spec"},
		"a spec among the tool's files":      {".specify/a", ".specify/memory/login-spec.md", nil, "named like a spec"},
		"a template of the tool":             {".specify/a", ".specify/templates/spec.md", nil, ""},
		"a list of what exists":              {"openspec/project.md", "openspec/specs/README.md", nil, ""},
		"a design reference of a feature":    {".specify/a", "specs/010-x/design/responsive-system.md", nil, ""},
		"a folder of rules among specs":      {"", "docs/specs/rules/pricing.md", nil, "no layout in use names it"},
		"an index of somebody":               {"", "docs/specs/index-of-users.md", nil, "no layout in use names it"},
		"a rule of a tool":                   {"", "tools/rules/specs/a.md", nil, ""},
		"a hidden folder":                    {"", ".specs/x.md", nil, "no layout in use names it"},
		"a story of a library of components": {"", "src/stories/Button.mdx", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			old := files{"README.md": "# A\n"}
			if c.base != "" {
				old[c.base] = "# B\n"
			}
			got := find(t, old, with(old, files{c.path: aSpec}), detect.Options{Layouts: c.layouts})
			said := ""
			for _, n := range got.Notices {
				if n.Warns() && n.File == c.path {
					said = n.Text
				}
			}
			if len(got.Artifacts) != 0 || (said == "") != (c.warning == "") ||
				!strings.Contains(said, c.warning) {
				t.Errorf("%v, warning %q", names(got), said)
			}
		})
	}
}

// TestNeverSilentByHeadings: a document that no layout names, with the headings of a spec, a story, a plan or a bug
// report, is named in a warning with a setting that takes it.
func TestNeverSilentByHeadings(t *testing.T) {
	const other = "# Login\n\n## Usage\n\nCall it.\n\n## Requirements\n\nPython.\n"
	for path, c := range map[string]struct{ text, setting string }{
		"docs/login.md":   {"# Login\n\n## User Scenarios & Testing *(mandatory)*\n\n### Functional Requirements\n", `"docs/{feature}.md"`},
		"notes/a.md":      {"# A\n\n## Story\n\nAs a user.\n\n## Acceptance Criteria\n\n1. It is.\n", `"notes/{feature}.md"`},
		"crash.md":        {"# Crash\n\n## Steps to reproduce\n\n1. Run.\n\n## Root cause\n\nNone.\n", `"{feature}.md"`},
		"docs/b.md":       {"# B\n\n## Technical Context\n\nGo.\n\n## Constitution Check\n\nFine.\n", `"docs/{feature}.md"`},
		"docs/plans/c.md": {"# C\n", `"docs/plans/{feature}.md"`}, "docs/use.md": {other, ""}, "README.md": {c2, ""},
		".github/ISSUE_TEMPLATE/bug.md": {"# B\n\n## Steps to reproduce\n\n## Actual behavior\n", ""},
	} {
		got := find(t, nil, files{path: c.text}, detect.Options{})
		i := slices.IndexFunc(
			got.Notices,
			func(n workflow.Finding) bool { return n.Warns() && n.File == path },
		)
		if (i < 0) != (c.setting == "") ||
			i >= 0 && !strings.Contains(got.Notices[i].Text, c.setting) {
			t.Errorf("%s: %+v", path, got.Notices)
		}
		said, err := detect.Explain(
			t.Context(),
			changetest.Set(nil, nil, files{path: c.text}),
			detect.Options{},
			[]string{path},
		)
		if err != nil || i >= 0 && !strings.HasSuffix(got.Notices[i].Text, said[0].Why[0]) {
			t.Errorf("%s: explained %+v, %v", path, said, err)
		}
	}
}

// c2 is a read-me that has the headings of a spec.
const c2 = "# Shop\n\n## Story\n\n## Acceptance Criteria\n"

// TestGroupsOfKiro: a spec in a folder of several is reviewed under its own name, and so
// is the code beside it.
func TestGroupsOfKiro(t *testing.T) {
	const dir = ".kiro/specs/completed/login/"
	old := files{".kiro/specs/cart/requirements.md": aSpec}
	got := find(t, old, with(old, files{
		dir + "requirements.md": aSpec, dir + "design.md": "# How\n", dir + "tasks.md": someTasks, "src/login.py": pyReal,
	}), detect.Options{Branch: "new"})
	wantNames(
		t,
		got,
		"roadmap: login = "+dir+"tasks.md",
		"spec: login = "+dir+"requirements.md",
		"implementation: login = src/login.py",
	)
	if a := got.Artifacts[1]; len(a.Companions) == 0 || a.Companions[0] != dir+"design.md" {
		t.Errorf("companions %v", a.Companions)
	}
	moved := files{dir + "requirements.md": aSpec, ".kiro/specs/cart/requirements.md": aSpec}
	wantNames(
		t,
		find(
			t,
			with(old, files{".kiro/specs/login/requirements.md": aSpec}),
			moved,
			detect.Options{},
		),
	)
}

// TestOddStateLine: an approval leaves a state line that says more than a state, and tells
// so before.
func TestOddStateLine(t *testing.T) {
	const file = "specs/001-x/spec.md"
	old := files{".specify/a": "# A\n"}
	for line, want := range map[string]bool{
		"**Status**: Draft by Ada": true, "**Status**: Draft": false, "**Status**: Approved": false, "**Status**:": false, "": false,
		"**Status**: see below\n**Status**: Draft": false,
	} {
		got := find(
			t,
			old,
			with(old, files{file: strings.Replace(aSpec, "\n", "\n\n"+line+"\n", 1)}),
			detect.Options{AutoMove: always},
		)
		said := slices.ContainsFunc(got.Notices, func(n workflow.Finding) bool {
			return n.File == file && strings.Contains(n.Text, `as "Approved"`)
		})
		if said != want {
			t.Errorf("%q: %+v", line, got.Notices)
		}
	}
}

// TestUTF16IsReviewedForWhatItHolds: git calls it binary, and a secret in it is one.
// TestSecretsOfOthers: what must be told counts in vendored and generated files as well, but not in
// what the config ignores.
func TestSecretsOfOthers(t *testing.T) {
	now := files{
		"vendor/a/a.go": goReal, "dist/app.js": "f()\n", "go.sum": "x\n", "src/api.go": "// Code generated by x. DO NOT EDIT.\n" + goReal, "conf.yaml": "# @generated\n",
		"ignored/a.py": pyReal,
	}
	set := changetest.Set(nil, nil, now)
	got := findIn(t, set, detect.Options{
		Branch: "x", Ignore: []string{"ignored/**"},
		Demands: func(p string, foreign bool) bool { return foreign || p == "conf.yaml" },
	})
	wantNames(t, got, "implementation: x = conf.yaml dist/app.js go.sum src/api.go vendor/a/a.go")
	isOwn := func(_ string, foreign bool) bool { return !foreign }
	got = find(t, nil, files{"Makefile": "# pytest\n", ".husky/pre-push": "# npm test\n"},
		detect.Options{Branch: "x", Demands: isOwn})
	wantNames(t, got, "implementation: x = .husky/pre-push Makefile")
	large := strings.Repeat("x\n", 2<<20)
	got = find(t, nil, files{"dist/a.js": large, "dist/b.js": large}, detect.Options{
		Demands: func(p string, _ bool) bool { return p == "dist/b.js" },
	})
	wantNotice(t, got, "", "searched for secrets up to 4 MiB alone")
	got = find(t, nil, files{"dist/a.js": large + "x\n", "dist/b.js": "x\n"}, detect.Options{
		Branch: "x", Demands: func(p string, _ bool) bool { return p == "dist/b.js" },
	})
	wantNames(t, got, "implementation: x = dist/b.js")
}

func TestUTF16IsReviewedForWhatItHolds(t *testing.T) {
	now := files{".env": "\xff\xfet\x00=\x00k\x00", "logo.png": "\x89PNG\x00"}
	got := find(
		t,
		nil,
		now,
		detect.Options{Branch: "x", Demands: func(p string, _ bool) bool { return p == ".env" }},
	)
	wantNames(t, got, "implementation: x = .env")
}
