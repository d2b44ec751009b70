package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// TerminalOptions say what the terminal can show.
type TerminalOptions struct {
	Color   bool
	Width   int  // columns, at least 40; 0 = 80
	Verbose bool // everything, not only what blocks
}

// Terminal prints the reviews, then warnings and the verdict, which stands last where a developer
// looks first. Of the findings it prints what blocks, or all. Errors of w are left to w: there is
// nobody to tell.
func (r Report) Terminal(w io.Writer, opt TerminalOptions) {
	opt.Width = cmp.Or(opt.Width, 80)
	t := &terminal{w: w, color: opt.Color, width: max(40, opt.Width)}
	if !opt.Verbose {
		t.brief(r)
		return
	}
	for _, res := range r.Results {
		t.review(res)
	}
	for _, i := range r.Issues {
		t.issue(i)
	}
	t.violations(r.orphans(), red, violationWord)
	t.violations(r.Weakened, yellow, warningWord)
	t.notes(r)
	t.steps(r)
	t.verdict(r)
	t.text(0, "", r.Cost())
	for i, res := range r.Results {
		if i == 0 {
			t.line(t.paint(faint, "Review files, in the report's folder:"))
		}
		t.line(t.paint(faint, "  "+oneLine(res.ReviewPath, 0)))
	}
	t.folder(r)
}

// terminal prints a report in lines of at most width columns, with or without colours.
type terminal struct {
	w     io.Writer
	color bool
	width int
	said  map[any]bool // what the brief form printed
}

// The colours, as SGR parameters.
const (
	bold   = "1"
	faint  = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
)

// paint colours a text where the terminal takes colours.
func (t *terminal) paint(code, s string) string {
	if !t.color || s == "" || code == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (t *terminal) line(s string) { _, _ = fmt.Fprintln(t.w, strings.TrimRight(s, " ")) }

// text wraps foreign text at the width, with every line indented.
func (t *terminal) text(indent int, first, s string) {
	pad := strings.Repeat(" ", indent)
	lead := first
	for para := range strings.SplitSeq(strings.TrimSpace(markdown.Clean(s)), "\n") {
		for _, l := range wrap(strings.ReplaceAll(para, "\t", "    "), t.width-indent-utf8.RuneCountInString(first)) {
			t.line(pad + lead + l)
			lead = strings.Repeat(" ", utf8.RuneCountInString(first))
		}
	}
}

// wrap breaks a line at spaces; a word that is too long is broken too. The
// indent of the line is kept for all its parts.
func wrap(s string, width int) []string {
	body := strings.TrimLeft(s, " ")
	indent := s[:len(s)-len(body)]
	if len(indent) > width/2 {
		indent = ""
	}
	width = max(10, width-len(indent))
	var out []string
	cur := ""
	for _, word := range strings.Fields(body) {
		for utf8.RuneCountInString(word) > width {
			if cur != "" {
				out, cur = append(out, indent+cur), ""
			}
			head := string([]rune(word)[:width])
			out, word = append(out, indent+head), word[len(head):]
		}
		switch {
		case cur == "":
			cur = word
		case utf8.RuneCountInString(cur)+1+utf8.RuneCountInString(word) <= width:
			cur += " " + word
		default:
			out, cur = append(out, indent+cur), word
		}
	}
	return append(out, indent+cur)
}

// review prints one review.
func (t *terminal) review(res workflow.Result) {
	t.heading(res, "")
	t.text(2, "", t.facts(res))
	if res.Failure != nil {
		t.line("")
		t.failure(*res.Failure)
	}
	if res.Summary != "" {
		t.line("")
		t.text(2, "", res.Summary)
	}
	t.requirements(res)
	for _, i := range res.Issues {
		t.issue(i)
	}
	t.violations(res.Violations, red, violationWord)
	t.integrity(res)
	t.checks(res)
	t.line("")
}

// facts are reviewer, cost and file in one line.
func (t *terminal) facts(res workflow.Result) string {
	facts := []string{record.Reviewer(res), cost(res.Tokens, res.Duration)}
	if res.Cached {
		facts = append(facts, "recorded earlier, nothing spent now")
	}
	if n := len(res.Artifact.Files); n == 1 {
		facts = append([]string{res.Artifact.Path()}, facts...)
	} else if n > 1 {
		facts = append([]string{workflow.Count(n, "file")}, facts...)
	}
	if res.MovedTo != "" {
		facts = append(facts, "moves to "+res.MovedTo)
	}
	return strings.Join(facts, " · ")
}

// failure prints why a review did not run, and what to do.
func (t *terminal) failure(f workflow.Failure) {
	t.text(2, "", "Review did not run: "+f.Message)
}

// shownRequirements is how many of a review's requirements a terminal lists.
const shownRequirements = 30

// requirements lists how each stands. Where no model was asked, only what the change did to them is
// told.
func (t *terminal) requirements(res workflow.Result) {
	rs := res.Requirements
	if record.Unjudged(rs) {
		rs = slices.DeleteFunc(slices.Clone(rs), func(r workflow.Requirement) bool { return r.Changed == "" })
	}
	if len(rs) == 0 {
		return
	}
	t.line("")
	t.text(2, "", record.RequirementCounts(res.Requirements))
	for n, r := range rs {
		if n == shownRequirements {
			t.text(4, "", fmt.Sprintf("… and %d more, see the review file", len(rs)-n))
			return
		}
		color := map[workflow.RequirementStatus]string{workflow.Met: green, workflow.NotMet: red, workflow.CannotTell: faint}[r.Status]
		t.line("    " + t.paint(color, fmt.Sprintf("%-11s", oneLine(string(r.Status), 11))) + " " + t.paint(bold, oneLine(r.ID, 40)))
		t.text(16, "", oneLine(r.Text, 200))
		if r.Changed != "" {
			t.text(16, "! ", oneLine(r.Changed, 200))
		}
		t.text(16, "→ ", strings.Join(traces(r), " · "))
	}
}

// traces are the places of a requirement: what shows its status, the tests and the code that name
// it.
func traces(r workflow.Requirement) []string {
	var out []string
	if at := record.Location(r.File, r.Line); at != "" {
		out = append(out, oneLine(at, 0))
	}
	for _, side := range []struct {
		name   string
		places []string
	}{{"tests ", r.Tests}, {"code ", r.Code}} {
		if len(side.places) > 0 {
			out = append(out, side.name+oneLine(strings.Join(side.places, ", "), 200))
		}
	}
	if len(r.Tests) == 0 {
		out = append(out, "no test names it")
	}
	return out
}

// issue prints one issue with its place.
func (t *terminal) issue(i workflow.Finding) {
	t.line("")
	at := oneLine(record.Location(i.File, i.Line), 0)
	color := []string{red, yellow, faint}[rank(i.Level)]
	t.line("  " + t.paint(color, fmt.Sprintf("%-7s", oneLine(string(i.Level), 20))) + " " + t.paint(bold, at))
	t.text(10, "", i.Title)
	if i.Text != "" {
		t.text(10, "", i.Text)
	}
	if i.Fix != "" {
		t.text(10, "→ ", i.Fix)
	}
	if i.Kind != "" {
		t.text(10, "", "["+i.Kind+"]")
	}
}

// violations prints violations, each under a word in a colour.
func (t *terminal) violations(vs []workflow.Finding, color string, word func(workflow.Finding) string) {
	for _, v := range vs {
		t.line("")
		side := ""
		if v.Side == "before" {
			side = " (" + beforeWords(v) + ")"
		}
		t.line("  " + t.paint(color, word(v)) + " " + t.paint(bold, oneLine(record.Location(v.File, v.Line), 0)) + side)
		t.text(10, "", v.Text+" ["+oneLine(v.Kind, 60)+"]")
		t.evidence(10, v.Evidence)
	}
}

// violationWord names what a violation is.
func violationWord(v workflow.Finding) string {
	if v.Category == "workaround" {
		return "Workaround"
	}
	return "Breach "
}

// warningWord is for tests that nobody is known to have approved.
func warningWord(workflow.Finding) string { return "Warning" }

// checks prints those that decide, or whose findings are not among the issues above; the rest is in
// the review file.
func (t *terminal) checks(res workflow.Result) {
	listed := map[string]bool{}
	for _, i := range res.Issues {
		listed[i.Kind] = true
	}
	found, _ := workflow.Told(res.Checks)
	for _, c := range found {
		if c.Outcome != workflow.Passed && !listed[c.ID] {
			t.text(2, "", oneLine(c.ID, 60)+": "+oneLine(c.Summary, 300))
		}
	}
}

// notes are what the reviewer did not see, warnings, and how it was decided.
func (t *terminal) notes(r Report) {
	n := 0
	note := func(first, s string) {
		t.text(0, first, s)
		n++
	}
	for _, res := range r.Results {
		for _, w := range res.Warnings {
			note("warning: ", res.Artifact.Name()+": "+oneLine(w, 0))
		}
		for _, o := range res.Omitted {
			note("not seen in full: ", res.Artifact.Name()+": "+oneLine(o, 0))
		}
	}
	for _, nt := range r.Notices {
		first := "note: "
		if nt.Warns() {
			first = "warning: "
		}
		note(first, oneLine(NoticeText(nt), 0))
	}
	if n > 0 {
		t.line("")
	}
}

// verdict prints the last lines: the title, and what it comes from.
func (t *terminal) verdict(r Report) {
	if r.Failure != nil && strings.Contains(strings.TrimSpace(r.Failure.Message), "\n") {
		t.failure(*r.Failure)
		t.line("")
	}
	lines := wrap(oneLine(r.Summary(), 0), t.width)
	title := r.Title()
	lines[0] = t.paint(decisionColor(r.Decision)+";"+bold, title) + strings.TrimPrefix(lines[0], title)
	for _, l := range lines {
		t.line(l)
	}
}

// steps say what to do where the gate does not pass.
func (t *terminal) steps(r Report) {
	for i, s := range r.steps() {
		if i == 0 {
			t.line(t.paint(bold, "To merge:"))
		}
		t.text(0, fmt.Sprintf("%d. ", i+1), s)
	}
}

// folder prints where the report is.
func (t *terminal) folder(r Report) {
	if r.Dir != "" {
		t.line(t.paint(faint, "Report: "+oneLine(r.Dir, 0)))
	}
}

// decisionColor is green, red or yellow.
func decisionColor(d workflow.Decision) string {
	switch d {
	case workflow.Approved, workflow.None:
		return green
	case workflow.NeedsChanges:
		return red
	default:
		return yellow
	}
}
