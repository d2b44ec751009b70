package report

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"workflow-reviewer/internal/workflow"
)

// brief prints what fits a screen: a line a review, what blocks, each violation once, warnings, the
// verdict, and where the report is.
func (t *terminal) brief(r Report) {
	for _, res := range r.Results {
		t.heading(res, res.MovedTo)
		if unread := unreadByRules(res); unread != "" {
			t.text(2, "", unread)
		}
	}
	t.said = map[any]bool{}
	for _, res := range r.Results {
		if res.Decision != workflow.Approved {
			t.blocking(res)
		}
	}
	for _, i := range r.Issues {
		t.finding(i)
	}
	t.violations(r.orphans(), red, violationWord)
	t.violations(r.Weakened, yellow, warningWord)
	t.line("")
	t.warnings(r)
	t.steps(r)
	t.verdict(r)
	if r.Tokens != (workflow.Tokens{}) {
		t.text(0, "", r.Cost())
	}
	t.folder(r)
}

// blocking prints why a review is not approved. What another review said of approved tests is not
// said again.
func (t *terminal) blocking(res workflow.Result) {
	summary, _, _ := strings.Cut(res.Summary, "\n\n")
	printed := func(v workflow.Finding) bool { return t.repeats(v) }
	fresh := slices.DeleteFunc(slices.Clone(res.Violations), printed)
	t.violations(fresh, red, violationWord)
	switch {
	case res.Failure != nil:
		t.line("")
		t.text(2, "", res.Artifact.Name()+":")
		t.failure(*res.Failure)
	case len(res.Violations) == 0:
		t.line("")
		t.text(2, "", res.Artifact.Name()+": "+oneLine(summary, 0))
	}
	t.demands(res)
}

// demands prints findings and requirements of which each blocks by itself.
func (t *terminal) demands(res workflow.Result) {
	for _, i := range res.Issues {
		if i.Level == workflow.Block || res.Blocks(i) {
			t.finding(i)
		}
	}
	for _, r := range res.Requirements {
		if r.Status == workflow.NotMet {
			t.line("")
			t.line("  " + t.paint(red, "Not met") + " " + t.paint(bold, oneLine(r.ID, 40)))
			t.text(10, "", oneLine(r.Text, 200))
		}
	}
}

// finding prints an issue without its description, once.
func (t *terminal) finding(i workflow.Finding) {
	i.Text = ""
	if !t.repeats(fmt.Sprint(i.File, i.Line, i.Title)) {
		t.issue(i)
	}
}

// repeats reports whether what can be compared was printed before, and remembers it.
func (t *terminal) repeats(what any) bool {
	before := t.said[what]
	t.said[what] = true
	return before
}

// warnings prints the warnings of all reviews and of the run.
func (t *terminal) warnings(r Report) {
	n := 0
	for _, res := range r.Results {
		for _, w := range res.Warnings {
			t.text(0, "warning: ", res.Artifact.Name()+": "+oneLine(w, 0))
			n++
		}
	}
	for _, nt := range r.Notices {
		if nt.Warns() {
			t.text(0, "warning: ", oneLine(NoticeText(nt), 0))
			n++
		}
	}
	if n > 0 {
		t.line("")
	}
}

// heading is the line of a review: its name, where it moves if that fits, and how it was decided.
func (t *terminal) heading(res workflow.Result, movedTo string) {
	name, verdict := oneLine(res.Artifact.Name(), t.width-20), res.Decision.String()
	beside := ""
	if movedTo != "" {
		beside = "  → " + oneLine(movedTo, 0)
	}
	gap := t.width - utf8.RuneCountInString(name+beside) - len(verdict)
	if gap < 2 {
		beside, gap = "", max(2, gap+utf8.RuneCountInString(beside))
	}
	verdict = strings.Repeat(" ", gap) + t.paint(decisionColor(res.Decision), verdict)
	t.line(t.paint(bold, name) + t.paint(faint, beside) + verdict)
}
