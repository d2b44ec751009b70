package detect_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/workflow"
)

// TestABugReportTakesFilesOfItsOwnRootAlone: a fix in one project takes no code of
// another out of its review.
func TestABugReportTakesFilesOfItsOwnRootAlone(t *testing.T) {
	const report = "p/d/bugs/fixing/oops.md"
	fix := files{report: "b\n", "p/d/src/adder.py": pyReal, "p/d/tests/test_oops.py": pyTest}
	others := files{
		"p/a/src/x.py":          pyReal,
		"p/a/tests/test_x.py":   pyTest,
		"p/a/tests/conftest.py": pyTest,
		"tools/y.py":            pyReal,
	}
	a := files{"p/a/specs/doing/login.md": aSpec}
	const oops = "bug-fix: p/d/oops = " + report + " p/d/src/adder.py p/d/tests/test_oops.py"
	for name, c := range map[string]struct {
		old, now files
		want     []string
	}{
		"others without a spec": {nil, with(fix, others), []string{
			"tests: p/a/b = p/a/tests/conftest.py p/a/tests/test_x.py", "implementation: b = tools/y.py",
			"implementation: p/a/b = p/a/src/x.py", oops,
		}},
		"the only spec in work": {a, with(fix, others), []string{
			"tests: p/a/login = p/a/tests/conftest.py p/a/tests/test_x.py", "implementation: b = tools/y.py",
			"implementation: p/a/login = p/a/src/x.py", oops,
		}},
		"the report of no root": {
			nil,
			files{"bugs/fixing/oops.md": "b\n", "tools/y.py": pyReal, "p/a/src/x.py": pyReal},
			[]string{"implementation: p/a/b = p/a/src/x.py", "bug-fix: oops = bugs/fixing/oops.md tools/y.py"},
		},
		"a report in each": {nil, with(fix, files{"p/a/bugs/fixing/oops.md": "src/adder.py\n", "p/a/src/x.py": pyReal}), []string{
			"bug-fix: p/a/oops = p/a/bugs/fixing/oops.md p/a/src/x.py", oops,
		}},
		// the source of another root is no reason to leave the fix in its feature
		"the fix is in a feature that is in work": {
			files{"p/d/specs/doing/adder.md": aSpec},
			with(fix, files{"p/a/src/x.py": pyReal}),
			[]string{"implementation: p/a/b = p/a/src/x.py", oops},
		},
		"a conftest of another root": {nil, files{"p/a/tests/conftest.py": pyTest, "p/d/tests/login/test_login.py": pyTest}, []string{
			"tests: p/a/b = p/a/tests/conftest.py", "tests: p/d/b = p/d/tests/login/test_login.py",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			got := find(t, c.old, with(c.old, c.now), detect.Options{
				Branch: "b", Trunks: []string{"b"}, Recent: func(string) bool { return true }, Roots: []string{"p/*"},
			})
			wantNames(t, got, c.want...)
		})
	}
}

// TestFoldersOfDocumentsAreNoRoots: globs that name the folders of a project's
// documents take no spec out of review.
func TestFoldersOfDocumentsAreNoRoots(t *testing.T) {
	now := files{
		"specs/proposed/a.md": aSpec, "bugs/fixing/b.md": "b\n", "p/specs/proposed/c.md": aSpec, "p/web/specs/proposed/d.md": aSpec,
		"p/web/src/specs/x.py": pyReal, "p/web/openspec/changes/add-e/specs/f/spec.md": aSpec, "project-meta/specs/proposed/g.md": aSpec,
		"rfcs/7-h.md": aSpec, "p/web/vendor/v.py": pyReal, "reviews/specs/r.md": "r\n",
	}
	rfcs := []layout.Layout{
		{Name: layout.Auto},
		layout.Layout{Spec: layout.Patterns{"rfcs/{feature}.md"}}.Complete(),
	}
	for name, c := range map[string]struct {
		globs []string
		want  string // the specs and the bug report
	}{
		"none":           {nil, "7-h a add-e g b"},
		"the contract's": {[]string{"", "project-meta", "p/*"}, "7-h a g p/web/add-e p/web/d b"},
		"a level":        {[]string{"*"}, "7-h a g p/add-e p/c b"},
		"all":            {[]string{"**"}, "7-h a g p/c p/web/add-e p/web/d b"},
		"all below":      {[]string{"p/**"}, "7-h a g p/c p/web/add-e p/web/d b"},
		"two levels":     {[]string{"p", "p/*"}, "7-h a g p/c p/web/add-e p/web/d b"},
		"documents":      {[]string{"specs", "specs/*", "bugs", "rfcs", "reviews/*"}, "7-h a add-e g b"},
	} {
		t.Run(name, func(t *testing.T) {
			got := find(t, nil, now, detect.Options{Branch: "x", Roots: c.globs, Layouts: rfcs})
			var names []string
			for _, a := range got.Artifacts {
				if a.Type == workflow.Spec || a.Type == workflow.BugFix {
					names = append(names, a.Feature)
				}
				if strings.Contains(a.Files[0].Path, "vendor/") {
					t.Errorf("vendored code is reviewed: %s", a.Name())
				}
			}
			if d := cmp.Diff(c.want, strings.Join(names, " ")); d != "" {
				t.Errorf("specs (-want +got):\n%s\n%v", d, got.Notices)
			}
		})
	}
}

// TestADocumentThatIsNotReadIsAWarningWithTheSetting: whatever keeps a document of
// a built-in layout from its review, the warning names what would change that.
func TestADocumentThatIsNotReadIsAWarningWithTheSetting(t *testing.T) {
	auto := layout.Layout{Name: layout.Auto}
	in := func(name, root string) layout.Layout { return layout.Layout{Extends: name, Root: root}.Complete() }
	kit, _ := layout.Named("spec-kit")
	rfcs := map[workflow.Type][]string{workflow.Spec: {"rfcs/*.md"}}
	none := detect.Options{}
	for name, c := range map[string]struct {
		path, want string
		opt        detect.Options
	}{
		"replaced": {
			"openspec/changes/a/tasks.md", `the layout openspec, which the config's "layouts" have elsewhere: name it there`,
			detect.Options{Layouts: []layout.Layout{auto, in("openspec", "docs")}},
		},
		"replaced, a vision": {
			"ROADMAP.md", `the layout workflow, which the config's "layouts" have elsewhere: name it there`,
			detect.Options{Layouts: []layout.Layout{auto, in("workflow", "docs")}},
		},
		"replaced, in a folder that another layout would have": {
			".kiro/specs/a/tasks.md", `the layout kiro, which the config's "layouts" have elsewhere`,
			detect.Options{Layouts: []layout.Layout{auto, in("kiro", "a")}},
		},
		"paths, in use": {
			"specs/001-b/spec.md", `the layout spec-kit, which does not count where the config's "paths" name files of that type`,
			detect.Options{Globs: rfcs},
		},
		"paths, not in use": {
			"openspec/changes/x/specs/s/spec.md", `the layout openspec, which does not count where the config's "paths"`,
			detect.Options{Globs: rfcs},
		},
		"workflow left out": {
			"VISION.md", `the layout workflow, which is not in use: name it in the config's "layouts"`,
			detect.Options{Layouts: []layout.Layout{kit}},
		},
		"another name": {"notes/ROADMAP.md", "which is read only under exactly that name in the root", detect.Options{}},
		"no root":      {"p/web/specs/doing/a.md", `below p/web, which is no root: name that folder in the config's "roots"`, none},
		"a root above": {"p/web/specs/doing/a.md", "below p/web, which is no root", detect.Options{Roots: []string{"p"}}},
		"a root that is called like documents": {
			"p/specs/doing/a.md", "the layout workflow below p, which is no root", detect.Options{Roots: []string{"p/*"}},
		},
		"no name of roots": {"p/my app/specs/doing/a.md", `or in "layouts": {"extends": "workflow", "root": "p/my app"}`, detect.Options{}},
	} {
		t.Run(name, func(t *testing.T) {
			got := find(t, nil, files{".specify/a": "x", c.path: aSpec}, c.opt)
			wantNames(t, got)
			wantNotice(t, got, c.path, c.want)
			if !got.Notices[1].Warns() && !got.Notices[0].Warns() {
				t.Errorf("no warning: %v", got.Notices)
			}
		})
	}
	named := in("workflow", "p/my app")
	got := find(
		t,
		nil,
		files{"p/my app/specs/doing/a.md": aSpec},
		detect.Options{Layouts: []layout.Layout{auto, named}},
	)
	wantNames(t, got, "spec: a = p/my app/specs/doing/a.md")
}

// TestRootsThatNameNoFolder are told of.
func TestRootsThatNameNoFolder(t *testing.T) {
	now := files{"packages/web/src/a.py": pyReal, "specs/doing/a.md": aSpec}
	globs := []string{
		"",
		"project-meta",
		"packages/*",
		"./packages/web/",
		"**",
		"service/*",
		"specs",
	}
	var told []string
	for _, n := range find(t, nil, now, detect.Options{Branch: "x", Roots: globs}).Notices {
		if n.Warns() && strings.Contains(n.Text, `"roots"`) {
			told = append(told, strings.Fields(n.Text)[3])
		}
	}
	if d := cmp.Diff([]string{`"service/*"`, `"specs"`}, told); d != "" {
		t.Errorf("globs (-want +got):\n%s", d)
	}
}
