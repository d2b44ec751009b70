package main_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
)

const (
	bugReport = "# Bug: adding fails\n\n## Steps to reproduce\n\n1. Call add(1, 2).\n\n## Expected behaviour\n\nIt returns 3.\n\n" +
		"## Actual behaviour\n\nIt returns 4.\n\n## Root cause\n\nAn off-by-one error in add.\n\n## Fix\n\nReturn a + b.\n"
	bugTests = "\"\"\"Regression test for bugs/fixing/adding-fails.md.\"\"\"\n\nfrom src.adder import add\n\n\n" +
		"def test_adding_fails():\n    \"\"\"1 + 2 is 3.\"\"\"\n    assert add(1, 2) == 3\n"
	adderWrong = "\"\"\"Adding.\"\"\"\n\n\ndef add(a: int, b: int) -> int:\n    \"\"\"Return the sum of a and b.\"\"\"\n" +
		"    return a + b + 1\n"
	adderStub = "\"\"\"Adding.\"\"\"\n\n\ndef add(a: int, b: int) -> int:\n    \"\"\"Return the sum of a and b.\"\"\"\n" +
		"    raise NotImplementedError\n"
	moveAll = `{"auto_review":{"retry_delay_s":0.01,"default_auto_move":true}}`
	// otherDoing is a spec that none of the changes is about.
	otherDoing = "specs/doing/payments.md"
)

// fixedBug is what the fix of a bug changes.
func fixedBug() map[string]string {
	return map[string]string{
		"bugs/fixing/adding-fails.md": bugReport, "src/adder.py": adderCode,
		"tests/regression/test_adding_fails.py": bugTests,
	}
}

// kept is a pull request whose artifact may lose its name when something moves.
type kept struct {
	main, pr map[string]string
	name     string // of the artifact
	moved    string // where the approval moves its document
}

// label names the spec in work where the branch names none.
func (c kept) label(w *world) {
	if strings.HasSuffix(c.name, ": payments") {
		w.gh.SetLabels(7, "feature: payments")
	}
}

func keptNames() map[string]kept {
	doing := map[string]string{otherDoing: strings.ReplaceAll(goodSpec, "Login", "Payments")}
	return map[string]kept{
		"vision":    {doing, map[string]string{"VISION.md": "# Vision\n\nUsers log in.\n"}, "vision: VISION", ""},
		"scope":     {doing, map[string]string{"SCOPE.md": "# Scope\n\n## In scope\n\nLogin.\n"}, "scope: SCOPE", ""},
		"roadmap":   {doing, map[string]string{"ROADMAP.md": roadmap + "\n## Feature 2: Payments\n\nUsers pay.\n"}, "roadmap: ROADMAP", ""},
		"spec":      {doing, map[string]string{"specs/proposed/login.md": goodSpec}, "spec: login", "specs/todo/login.md"},
		"skeleton":  {doing, map[string]string{"src/plus.py": adderStub}, "skeleton: payments", ""},
		"tests":     {doing, map[string]string{adderAt: adderTests}, "tests: payments", ""},
		"bug fix":   {doing, fixedBug(), "bug-fix: adding-fails", "bugs/fixed/adding-fails.md"},
		"by branch": {nil, map[string]string{"src/adder.py": adderCode}, "implementation: login", ""},
		"implementation": {
			with(doing, map[string]string{
				"tests/test_payments.py":            adderTests,
				".workflow/approvals/payments.json": record("payments", 1, map[string]string{"tests/test_payments.py": adderTests}),
			}),
			map[string]string{"src/adder.py": adderCode},
			"implementation: payments", "specs/done/payments.md",
		},
		"fix of a report on the base": {
			with(doing, map[string]string{"bugs/fixing/adding-fails.md": bugReport[:40]}), fixedBug(), "bug-fix: adding-fails",
			"bugs/fixed/adding-fails.md",
		},
	}
}

// TestNamesStay: what was approved keeps its type and feature, whatever the
// approval or anybody moves. The same change is asked of no model, moves nothing
// and approves nothing new.
func TestNamesStay(t *testing.T) {
	t.Parallel()
	for name, c := range keptNames() {
		for _, writer := range []string{"api", "push", "act"} {
			if writer != "api" && c.moved == "" {
				continue // they differ in how they move
			}
			t.Run(name+" by "+writer, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, with(map[string]string{
					"ROADMAP.md": roadmap, ".workflow/config.json": moveAll,
					"src/adder.py": adderWrong,
				}, c.main),
					c.pr, codextest.Always(answer("APPROVED")))
				w.inputs["test-results"], w.inputs["commit"] = "all passing", writer
				c.label(w)
				if writer == "act" {
					w.inputs["commit"], w.vars["ACT"] = "auto", "true"
				}
				o := w.run(w.pull("opened"))
				o.ends(0, "APPROVED")
				if rs := o.reviews(); len(rs) != 1 || rs[0].Type+": "+rs[0].Feature != c.name || rs[0].MovedTo != c.moved {
					t.Fatalf("reviews %+v", rs)
				}
				s := settled{
					world: w, name: c.name, path: o.reviews()[0].Path, asked: w.model.Count(),
					title: w.check(w.head(), "workflow-reviewer").Title,
				}
				s.everyEvent(writer != "api")
			})
		}
	}
}

// settled is a pull request that was approved, and what must stay as it is.
type settled struct {
	*world
	name, path, title string
	asked             int
}

// everyEvent has the program look at the unchanged pull request again for every
// reason that there is, or for those alone that follow commits.
func (s settled) everyEvent(commitsAlone bool) {
	s.t.Helper()
	labeled := githubtest.Event{Name: "pull_request", Action: "labeled", Number: 7, Label: "bug"}
	s.again("synchronize", s.pull("synchronize"), s.head())
	if !commitsAlone {
		s.again("label", labeled, s.head())
	}
	s.repo.Git("update-ref", "refs/heads/feature/login", s.repo.Git("commit-tree", s.head()+"^{tree}", "-p", s.head(), "-m", "Nothing"))
	if !commitsAlone {
		s.again("label on a push of nothing", labeled, s.head())
		s.again("reopened", s.pull("reopened"), s.head())
		s.again("ready", s.pull("ready_for_review"), s.head())
	}
	s.again("push of nothing", s.pull("synchronize"), s.head())
	if s.vars["ACT"] == "true" {
		return // there is no merge queue, and nobody who could vouch for a squash
	}
	base := s.repo.Git("rev-parse", "main")
	group := s.repo.Git("commit-tree", s.head()+"^{tree}", "-p", base, "-m", "Squashed (#7)")
	s.repo.Branch("gh-readonly-queue/main/pr-7-"+base, group)
	s.again("merge group", githubtest.Event{Name: "merge_group", Action: "checks_requested", Number: 7, Before: base, After: group}, group)
}

func (s settled) again(why string, ev githubtest.Event, head string) {
	s.t.Helper()
	branch := s.head()
	o := s.run(ev)
	if o.code != 0 || o.outputs["decision"] != "APPROVED" {
		s.t.Fatalf("%s: ended %d %s\n%s", why, o.code, o.outputs["decision"], o.stdout)
	}
	for _, r := range o.reviews() {
		if r.Type+": "+r.Feature != s.name || !r.Cached || r.Path != s.path || r.MovedTo != "" {
			s.t.Errorf("%s: review %+v", why, r)
		}
	}
	if n := s.model.Count(); n != s.asked {
		s.t.Errorf("%s: %d more model requests", why, n-s.asked)
	}
	if s.head() != branch {
		s.t.Errorf("%s: committed %v", why, s.subjects(branch))
	}
	if c := s.check(head, "workflow-reviewer"); c.Conclusion != "success" || c.Title != s.title {
		s.t.Errorf("%s: gate %s %q, was %q", why, c.Conclusion, c.Title, s.title)
	}
	if c := s.check(head, "workflow-reviewer / "+s.name); c.Conclusion != "success" {
		s.t.Errorf("%s: check %s %q", why, c.Conclusion, c.Title)
	}
}

// TestNamesAfterMoreWork: what is changed after an approval stays with what was
// approved beside it.
func TestNamesAfterMoreWork(t *testing.T) {
	t.Parallel()
	cases := keptNames()
	for name, c := range map[string]struct {
		of   string
		work map[string][]byte
		want string
	}{
		"a fix that is mended": {
			"bug fix", githubtest.Text(map[string]string{"src/adder.py": adderCode + "\n\nZERO = 0\n"}),
			"bug-fix: adding-fails",
		},
		"a report that is edited": {
			"bug fix",
			githubtest.Text(map[string]string{"bugs/fixed/adding-fails.md": bugReport + "\nDone.\n"}), "bug-fix: adding-fails",
		},
		"a report that is taken away": {"bug fix", map[string][]byte{"bugs/fixed/adding-fails.md": nil}, "bug-fix: adding-fails"},
		"one more source": {
			"implementation", githubtest.Text(map[string]string{"src/more.py": adderCode}),
			"implementation: payments",
		},
		"a spec that is renamed": {"implementation", map[string][]byte{
			"specs/done/payments.md": nil, "specs/done/paying.md": []byte(strings.ReplaceAll(goodSpec, "Login", "Payments")),
		}, "implementation: payments"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := cases[c.of]
			w := newWorld(t, with(map[string]string{"ROADMAP.md": roadmap, ".workflow/config.json": moveAll, "src/adder.py": adderWrong},
				k.main), k.pr, nil)
			w.inputs["test-results"] = "all passing"
			k.label(w)
			w.run(w.pull("opened")).ends(0, "APPROVED")
			w.repo.Commit("feature/login", "More", c.work)
			o := w.run(w.pull("synchronize"))
			for _, r := range o.reviews() {
				if r.Type+": "+r.Feature != c.want && r.Type != "spec" {
					t.Errorf("review %+v", r)
				}
			}
			if len(o.reviews()) == 0 || strings.Contains(strings.Join(w.files(), " "), "specs/done/payments.md") &&
				k.moved != "specs/done/payments.md" {
				t.Errorf("reviews %+v, files %v", o.reviews(), w.files())
			}
		})
	}
}

// TestForgedRecordNamesNothing: a record that nobody vouches for takes no file
// from its feature, and hides none.
func TestForgedRecordNamesNothing(t *testing.T) {
	t.Parallel()
	c := keptNames()["bug fix"]
	w := newWorld(t, with(map[string]string{"ROADMAP.md": roadmap, ".workflow/config.json": moveAll, "src/adder.py": adderWrong}, c.main),
		c.pr, nil)
	w.inputs["test-results"] = "all passing"
	o := w.run(w.pull("opened"))
	o.ends(0, "APPROVED")
	path := o.reviews()[0].Path
	text := w.repo.Git("show", "feature/login:"+path)
	w.repo.Commit("feature/login", "Approve bug-fix: adding-fails\n\nReviewed-Head: "+w.head()+"\nWorkflow-Reviewer: dev\n",
		githubtest.Text(map[string]string{path: text + "\n\nOne more line.\n"}))
	o = w.run(w.pull("synchronize"))
	for _, r := range o.reviews() {
		if r.Type == "bug-fix" {
			t.Errorf("the forged record named %+v", r)
		}
	}
	if len(o.reviews()) == 0 {
		t.Error("the forged record hid the files")
	}
}
