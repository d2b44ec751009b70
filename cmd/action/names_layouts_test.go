package main_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
)

// ownLayouts is a config that moves what is approved, with a layout of the project's own.
func ownLayouts(layout string) string {
	return `{"auto_review":{"retry_delay_s":0.01,"default_auto_move":true},"layouts":["auto",{` + layout + `}]}`
}

const ownFolders = `"spec":"proposals/{state}/{feature}.md","companions":"proposals/{state}/{feature}/**","on_approved":"move",` +
	`"state":{"folders":{"proposed":"draft","todo":"accepted","doing":"wip","done":["implemented","archive"]}}`

// TestNamesStayInOwnFolders is TestNamesStay where the folders are the
// project's own.
func TestNamesStayInOwnFolders(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kept
		layout string
	}{
		"spec": {kept{
			nil,
			map[string]string{"proposals/draft/cart.md": goodSpec, "proposals/draft/cart/notes.md": "# Notes\n"},
			"spec: cart", "proposals/accepted/cart.md",
		}, ownFolders},
		"implementation": {kept{map[string]string{
			"proposals/wip/payments.md": goodSpec, "tests/test_payments.py": adderTests,
			".workflow/approvals/payments.json": record("payments", 1, map[string]string{"tests/test_payments.py": adderTests}),
		}, map[string]string{"src/adder.py": adderCode}, "implementation: payments", "proposals/implemented/payments.md"}, ownFolders},
		"bug fix": {
			kept{nil, map[string]string{
				"defects/open/adding-fails.md": bugReport, "src/adder.py": adderCode, "tests/test_adding_fails.py": bugTests,
			}, "bug-fix: adding-fails", "defects/closed/adding-fails.md"},
			`"spec":"rfcs/{feature}.md","bug":"defects/open/{feature}.md","fixed":"defects/closed/{feature}.md"`,
		},
		"bug fix, its name in the folder": {
			kept{nil, map[string]string{
				"bugs/open/adding-fails/report.md": bugReport, "src/adder.py": adderCode, "tests/test_adding_fails.py": bugTests,
			}, "bug-fix: adding-fails", "bugs/closed/adding-fails/report.md"},
			`"spec":"rfcs/{feature}.md","bug":"bugs/open/{feature}/report.md","fixed":"bugs/closed/{feature}/report.md"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := map[string]string{".workflow/config.json": ownLayouts(c.layout), "src/adder.py": adderWrong}
			w := newWorld(t, with(before, c.main), c.pr, codextest.Always(answer("APPROVED")))
			w.inputs["test-results"] = "all passing"
			c.label(w)
			o := w.run(w.pull("opened"))
			o.ends(0, "APPROVED")
			if rs := o.reviews(); len(rs) != 1 || rs[0].Type+": "+rs[0].Feature != c.name || rs[0].MovedTo != c.moved {
				t.Fatalf("reviews %+v", rs)
			}
			settled{
				world: w, name: c.name, path: o.reviews()[0].Path, asked: w.model.Count(),
				title: w.check(w.head(), "workflow-reviewer").Title,
			}.everyEvent(true)
		})
	}
}

// TestFixedReportAsksForNoTestsAgain: that a report is moved beside the fixed
// ones is nothing new to who reviewed another feature's tests.
func TestFixedReportAsksForNoTestsAgain(t *testing.T) {
	t.Parallel()
	tests := strings.ReplaceAll(adderTests, "src.adder", "src.payments")
	before := map[string]string{"ROADMAP.md": roadmap, ".workflow/config.json": moveAll, otherDoing: goodSpec, "src/adder.py": adderWrong}
	w := newWorld(t, before,
		with(fixedBug(), map[string]string{"tests/test_payments.py": tests, "src/payments.py": adderCode}),
		codextest.Always(answer("APPROVED")))
	w.inputs["test-results"] = "all passing"
	w.run(w.pull("opened")).ends(0, "APPROVED")
	w.holds("bugs/fixed/adding-fails.md: # Bug")
	w.nothingAgain()
}

// TestArchiveAsksNothingAgain: that an approved change of OpenSpec is archived in the same
// pull request, with all that its reviewers were shown, is a move.
func TestArchiveAsksNothingAgain(t *testing.T) {
	t.Parallel()
	const open, archived = "openspec/changes/login/", "openspec/changes/archive/2026-01-01-login/"
	files := map[string]string{
		"specs/session/spec.md": "## ADDED Requirements\n" + goodSpec, "proposal.md": "# Why\n", "design.md": "# How\n",
	}
	pr, move := map[string]string{"app/auth.py": loginCode, "tests/test_auth.py": loginTest}, map[string][]byte{}
	for p, text := range files {
		pr[open+p], move[open+p], move[archived+p] = text, nil, []byte(text)
	}
	w := newWorld(t, map[string]string{".workflow/config.json": config, "openspec/project.md": "# P\n"}, pr,
		codextest.Always(answer("APPROVED")))
	w.inputs["test-results"] = "all passing"
	w.run(w.pull("opened")).ends(0, "APPROVED")
	asked := w.model.Count()
	w.repo.Commit("feature/login", "Archive", move)
	w.run(w.pull("synchronize")).ends(0, "APPROVED")
	if n := w.model.Count() - asked; n != 0 {
		t.Errorf("%d model requests for an archive", n)
	}
}
