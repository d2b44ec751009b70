package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"workflow-reviewer/internal/integrity"
	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// Terminal prints the verdict, what was compared with what, and each violation with its two lines
// of evidence.
func (r Integrity) Terminal(w io.Writer, opt TerminalOptions) {
	opt.Width = cmp.Or(opt.Width, 80)
	t := &terminal{w: w, color: opt.Color, width: max(40, opt.Width)}
	t.line(t.paint(bold, "Test integrity: ") + t.paint(bold+";"+verdictColor(r), string(r.Verdict())))
	t.text(0, "", r.compared())
	for _, f := range r.Features {
		if f.Known() {
			t.text(2, "", featureLine(f))
		}
	}
	t.violations(r.Breaches(), red, violationWord)
	t.violations(r.Workarounds, red, violationWord)
	t.violations(r.Weakened, yellow, warningWord)
	for _, q := range r.questions() {
		t.line("")
		t.text(0, "? ", oneLine(record.Location(q.File, q.Line), 0)+" "+oneLine(q.Text, 0))
		t.evidence(2, q.Evidence)
	}
	if n := r.notices(); len(n)+len(r.NotAnalysed) > 0 {
		t.line("")
		t.integrityNotes(n, r.NotAnalysed)
	}
	t.line("")
	t.text(0, "", r.conclusion())
}

// integrityNotes prints what was not analysed, then warnings and notes.
func (t *terminal) integrityNotes(notices []workflow.Finding, notAnalysed []string) {
	for _, s := range notAnalysed {
		t.text(0, "not analysed: ", oneLine(s, 0))
	}
	for _, n := range notices {
		first := "note: "
		if n.Warns() {
			first = "warning: "
		}
		t.text(0, first, oneLine(NoticeText(n), 0))
	}
}

// compared says which commits were compared.
func (r Integrity) compared() string {
	switch {
	case r.Failed:
		return "The check did not run."
	case r.Given:
		return fmt.Sprintf("Head %s compared with the tests of %s.", cut10(r.Head), cut10(r.Base))
	case r.MergeBase != r.Base && r.MergeBase != "":
		return fmt.Sprintf("Head %s compared with what is approved on the base %s (merge base %s).", cut10(r.Head),
			cut10(r.Base), cut10(r.MergeBase))
	}
	return fmt.Sprintf("Head %s compared with what is approved on the base %s.", cut10(r.Head), cut10(r.Base))
}

// featureLine tells one feature's approved tests and where their approval is from.
func featureLine(f integrity.Feature) string {
	if f.Source == baseline.Given {
		return workflow.Count(len(f.Files), "file") + " taken as approved."
	}
	s := oneLine(f.String(), 0)
	if f.Feature != "" {
		s = oneLine(f.Feature, 100) + ": " + s
	}
	if f.Unauthenticated != "" && f.Source != baseline.Given {
		s += " Unauthenticated: " + f.Unauthenticated + "."
	}
	return s
}

// conclusion says what the verdict means and what to do.
func (r Integrity) conclusion() string {
	breaches, tricks := len(r.Breaches()), len(r.Workarounds)
	switch r.Verdict() {
	case integrity.Breach:
		return workflow.Count(breaches, "violation") + ". " + r.Remedy()
	case integrity.Failing:
		return r.Failing.String() + ". Correct the code; the tests were run as they were approved."
	case integrity.Workaround:
		s := workflow.Count(tricks, "workaround") + " in the implementation."
		if r.WarnOnly {
			return s + " The config only warns of them."
		}
		return s + " Implement what the tests ask for, or excuse it on the base in .workflow/integrity-allow.json."
	case integrity.Unverifiable:
		if len(r.Questions) > 0 && r.Unread() {
			return "A changed file of the implementation could not be read: have a reviewer look at it, or excuse it on the base in " +
				".workflow/integrity-allow.json (rule unread)."
		}
		return "It cannot be verified that the approved tests are unchanged."
	}
	n := 0
	for _, f := range r.Features {
		n += f.Compared
	}
	switch {
	case r.open() > 0:
		return fmt.Sprintf("The approved tests pass on this code. %s for the tests review, or a person, to answer.",
			workflow.Count(r.open(), "question"))
	case len(r.Weakened) > 0:
		return "Nobody is known to have approved these tests, and they demand less than in the merge base: " +
			workflow.Count(len(r.Weakened), "change") + ". " +
			`It does not block; "integrity": {"baseline": "enforce"} in the config would.`
	case r.Verdict() == integrity.NoBaseline:
		return "No approved tests were found to compare with."
	case n == 0:
		return "The change leaves the approved tests of " + names(r.Untouched) + " alone."
	}
	s := workflow.Count(n, "approved file") + ": none demands less than was approved."
	if n := len(r.questions()); n > 0 {
		s += " " + workflow.Count(n, "question") + " for a reviewer."
	}
	return s
}

// open is how many questions decide, and are not answered here.
func (r Integrity) open() (n int) {
	for _, a := range r.Asks {
		if a.Open {
			n++
		}
	}
	return n
}

// names lists a few names and counts the rest.
func names(list []string) string {
	if len(list) <= 5 {
		return strings.Join(list, ", ")
	}
	return strings.Join(list[:5], ", ") + fmt.Sprintf(" and %d more", len(list)-5)
}

func cut10(sha string) string { return sha[:min(10, len(sha))] }

// verdictColor is green, red or yellow, by the exit status.
func verdictColor(r Integrity) string {
	switch r.ExitCode() {
	case 0:
		return green
	case 1:
		return red
	default:
		return yellow
	}
}

// evidence prints the lines of a two-line diff in their colours.
func (t *terminal) evidence(indent int, text string) {
	for l := range strings.SplitSeq(markdown.Clean(text), "\n") {
		if l == "" {
			continue
		}
		color := map[byte]string{'-': red, '+': green}[l[0]]
		first := l[:1] + " "
		for _, part := range wrap(strings.ReplaceAll(strings.TrimPrefix(l[1:], " "), "\t", "    "), t.width-indent-2) {
			t.line(strings.Repeat(" ", indent) + t.paint(color, strings.TrimRight(first+part, " ")))
			first = "  "
		}
	}
}
