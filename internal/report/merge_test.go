package report_test

import (
	"fmt"
	"strings"
	"testing"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/proof"
	"workflow-reviewer/internal/record/recordtest"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/workflow"
)

// TestToMerge: every red run says first what to do and by whom, and a green one does not.
func TestToMerge(t *testing.T) {
	with := func(res workflow.Result, change func(*report.Run)) report.Run {
		r := run(res)
		change(&r)
		return r
	}
	same := func(*report.Run) {}
	limited, unread := recordtest.NeedsChanges(), recordtest.Approved()
	limited.Unasked = workflow.ByLimit
	unread.Decision, unread.MustBeReadBy, unread.Issues = workflow.NeedsChanges, workflow.ByModel, nil
	unsaved := &workflow.Failure{Class: workflow.FailedCommit, Message: "the reviews could not be committed", Action: "Give the job rights."}
	graded := recordtest.NeedsChanges()
	graded.Issues, graded.Requirements = nil, nil
	failing := recordtest.NeedsChanges()
	failing.Issues = []workflow.Finding{{Kind: proof.Rule, Level: workflow.Block, Title: "The approved tests do not pass"}}
	failing.Requirements, failing.Criteria, failing.Unasked = nil, nil, workflow.ByIntegrity
	untold := recordtest.NeedsChanges()
	untold.Issues[1].Text = strings.ReplaceAll(untold.Issues[1].Text, "AC-7", "AC-70")
	hostile := report.PutBack{Commit: strings.Repeat("c", 40), Paths: []string{"tests/$(rm -rf).py"}}
	for name, c := range map[string]struct {
		run   report.Run
		title string
		says  []string
		not   string
	}{
		"approved": {with(recordtest.Approved(), same), "Approved", nil, "To merge"},
		"refused": {
			with(recordtest.NeedsChanges(), func(r *report.Run) { r.Event.Author = "dev" }), "Needs changes",
			[]string{"Correct what blocks (3 findings)", "other than the author", "dev cannot", "Does not block: 1 other finding"},
			"**Not met**",
		},
		"a requirement that no finding names": {
			with(untold, same), "Needs changes",
			[]string{"Correct what blocks (3 findings, 1 requirement)", "4. 🔴 **Not met** AC-7: Five failed"},
			"",
		},
		"only criteria fail": {
			with(graded, same), "Needs changes",
			[]string{"Correct what blocks (2 criteria)", "1. 🔴 **FAIL** Follows the spec: The lockout"},
			"",
		},
		"approved tests fail": {
			with(failing, same), "Approved tests fail",
			[]string{"1. Correct the code until the approved tests pass", "1. 🔴 **High** The approved tests do not pass"},
			"Correct what blocks",
		},
		"an author may decide": {
			with(recordtest.NeedsChanges(), func(r *report.Run) { r.AuthorDecides, r.Event.Author = true, "dev" }), "Needs changes",
			[]string{"Somebody with write permission comments"},
			"cannot:",
		},
		"from a fork": {
			with(recordtest.NeedsChanges(), func(r *report.Run) { r.Event.Fork = true }), "Needs changes", []string{"Correct what blocks"}, "Not right?",
		},
		"rounds are used up": {
			with(limited, same), "Needs changes – a person must decide", []string{"a person decides", "`/review` opens one round more"}, "",
		},
		"nobody read it": {with(unread, same), "Needs changes – spec: user-authentication must be read by a model", []string{"engine `codex`"}, ""},
		"not saved": {
			with(recordtest.Approved(), func(r *report.Run) { r.Failure = unsaved }), "Reviews are done, but could not be saved",
			[]string{"Give the job rights.", "The reviews have their verdicts"},
			"no verdict on the change",
		},
		"breach": {
			with(recordtest.Violated(), func(r *report.Run) {
				r.PutBack = []report.PutBack{{Commit: "c6b33c3e", Paths: []string{"tests/a.py"}}, {Paths: []string{"conftest.py"}}}
			}),
			"Test integrity breach",
			[]string{"`git checkout c6b33c3 -- tests/a.py`, `git rm -- conftest.py`", "`re-review:tests`", "No comment"},
			"/dismiss",
		},
		"breach in a file that a shell would take for more": {
			with(recordtest.Violated(), func(r *report.Run) { r.PutBack = []report.PutBack{hostile} }), "Test integrity breach",
			[]string{"`workflow-reviewer restore`"},
			"rm -rf",
		},
		"on a developer's machine": {
			with(recordtest.Violated(), func(r *report.Run) { r.Event = change.Event{} }), "Test integrity breach",
			[]string{"have them approved in the pull request"},
			"label",
		},
	} {
		rep := report.Build(c.run)
		text := rep.Check().Summary
		if rep.Title() != c.title {
			t.Errorf("%s: title %q", name, rep.Title())
		}
		if len(c.says) > 0 && !strings.HasPrefix(text, "**To merge:**\n\n1. ") {
			t.Errorf("%s does not begin with what to do:\n%s", name, text)
		}
		for _, s := range c.says {
			if !strings.Contains(text, s) {
				t.Errorf("%s lacks %q:\n%s", name, s, text)
			}
		}
		if c.not != "" && strings.Contains(text, c.not) {
			t.Errorf("%s says %q:\n%s", name, c.not, text)
		}
	}
}

// TestSARIFRules are described for people, and ranked where they are about security.
func TestSARIFRules(t *testing.T) {
	res := recordtest.NeedsChanges()
	res.Issues = append(res.Issues, workflow.Finding{Kind: "code/secret", Level: workflow.Block, Category: workflow.Security, Title: "t"})
	data, err := report.Build(run(res, recordtest.Violated())).SARIF()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"text": "A secret is written into the repository"`, `"security-severity": "8.0"`, `"id": "review/implementation/security"`,
		`"text": "Test integrity: assertion weakened"`, `"helpUri": "https://github.com/OWNER/workflow-reviewer/blob/v1/docs/integrity.md"`,
	} {
		if !strings.Contains(string(data), want) {
			t.Errorf("%s is missing in\n%s", want, data)
		}
	}
}

// TestManyReviews: of 300 reviews those that did not pass are seen first, and the others are not between them and what blocks.
func TestManyReviews(t *testing.T) {
	var all []workflow.Result
	for i := range 300 {
		res := recordtest.Approved()
		res.Artifact.Feature = fmt.Sprintf("feature-%03d", i)
		all = append(all, res)
	}
	refused := recordtest.NeedsChanges()
	refused.Artifact.Feature = "refused"
	comment := report.Build(run(append(all, refused)...)).Comment("")
	first, rest, _ := strings.Cut(comment, "<details>\n<summary>281 more reviews</summary>")
	if strings.Count(first, "\n- ✅") != 19 || strings.Index(first, "implementation: refused") > strings.Index(first, "spec: feature-000") {
		t.Errorf("the list begins\n%s", first)
	}
	for part, want := range map[string]string{first: "### What blocks", rest: "- … and 181 more reviews"} {
		if !strings.Contains(part, want) {
			t.Errorf("%q is not in\n%s", want, part)
		}
	}
	if prompt, ledger := strings.Index(rest, "as a prompt"), strings.Index(rest, "Requirements of"); prompt < 0 || prompt > ledger {
		t.Errorf("the prompt is at %d, the requirements at %d", prompt, ledger)
	}
}
