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
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := map[string]string{".workflow/config.json": ownLayouts(c.layout), "src/adder.py": adderWrong}
			w := newWorld(t, with(before, c.main), c.pr, codextest.Always(answer("APPROVED")))
			w.inputs["test-results"] = "all passing"
			o := w.run(w.pull("opened"))
			o.ends(0, "APPROVED")
			if rs := o.reviews(); len(rs) != 1 || rs[0].Type+": "+rs[0].Feature != c.name || rs[0].MovedTo != c.moved {
				t.Fatalf("reviews %+v", rs)
			}
			settled{
				world: w, name: c.name, path: o.reviews()[0].Path, asked: w.model.Count(),
				title: w.check(w.head(), "workflow-reviewer").Title,
			}.everyEvent()
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
