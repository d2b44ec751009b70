package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"workflow-reviewer/internal/integrity"
	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// Integrity is the report of the integrity command.
type Integrity struct {
	integrity.Outcome
	Base, MergeBase, Head string
	Given                 bool // Base was given as approved
	WarnOnly              bool // workarounds do not fail
	Failed                bool // the check did not run; the notices say why
}

// Verdict is the outcome's, unverifiable if the check did not run.
func (r Integrity) Verdict() integrity.Verdict {
	if r.Failed {
		return integrity.Unverifiable
	}
	return r.Outcome.Verdict()
}

// ExitCode is the process's exit status.
func (r Integrity) ExitCode() int {
	switch v := r.Verdict(); {
	case v == integrity.Clean, v == integrity.Workaround && r.WarnOnly:
		return 0
	case v == integrity.Unverifiable:
		return 2
	default:
		return 1
	}
}

// integrity1 is what --json prints.
type integrity1 struct {
	Verdict     integrity.Verdict    `json:"verdict"`
	Baseline    baseline1            `json:"baseline"`
	Violations  []workflow.Violation `json:"violations"`
	Notices     []workflow.Notice    `json:"notices"`
	NotAnalysed []string             `json:"not_analysed"`
}

type baseline1 struct {
	Commit    string     `json:"commit"`     // the base, or the revision given as approved
	MergeBase string     `json:"merge_base"` // what the change is counted from
	Head      string     `json:"head"`
	Features  []feature1 `json:"features"`
}

type feature1 struct {
	Feature         string          `json:"feature"` // "" for all tests of a revision
	Source          baseline.Source `json:"source"`
	Commit          string          `json:"commit"`
	Record          string          `json:"record"` // path of the record or review, "" without one
	Revision        int             `json:"revision"`
	Files           int             `json:"files"`
	Trust           string          `json:"trust"`
	Unauthenticated bool            `json:"unauthenticated"`
	Missing         string          `json:"missing"` // why there is no baseline
}

// JSON is the outcome for programs. Lists are never null.
func (r Integrity) JSON() ([]byte, error) {
	out := integrity1{
		Verdict: r.Verdict(), Violations: some(append(r.Breaches(), r.Workarounds...)),
		Notices: some(r.notices()), NotAnalysed: some(r.NotAnalysed),
		Baseline: baseline1{Commit: r.Base, MergeBase: r.MergeBase, Head: r.Head, Features: []feature1{}},
	}
	for _, f := range r.Features {
		out.Baseline.Features = append(out.Baseline.Features, feature1{
			f.Feature, f.Source, f.Commit, f.Path, f.Revision, len(f.Files), f.Trust, f.Unauthenticated != "", f.Missing,
		})
	}
	data, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode the outcome: %w", err)
	}
	return append(data, '\n'), nil
}

// notices are the outcome's with what else a reader should know.
func (r Integrity) notices() []workflow.Notice {
	var out []workflow.Notice
	for _, f := range r.Features {
		switch {
		case f.Missing != "":
			out = append(out, workflow.Notice{Warning: true, Text: f.String()})
		case !f.Known():
			out = append(out, workflow.Notice{Text: f.String()})
		}
	}
	for _, v := range r.Excused {
		out = append(out, workflow.Notice{Path: v.File, Text: "excused on the base: " + v.Description + " (" + record.Location(v.File, v.Line) + ")"})
	}
	for _, p := range r.Permitted {
		out = append(out, workflow.Notice{Path: p.File, Text: "allowed by " + p.By + ": " + p.Description + " (" + record.Location(p.File, p.Line) + ")"})
	}
	for _, h := range r.Harmless {
		out = append(out, workflow.Notice{Text: "harmless: " + h})
	}
	return append(out, r.Outcome.Notices...)
}

// Terminal prints the verdict, what was compared with what, and each violation
// with its two lines of evidence.
func (r Integrity) Terminal(w io.Writer, opt TerminalOptions) {
	if opt.Width == 0 {
		opt.Width = 80
	}
	t := &terminal{w: w, color: opt.Color, width: max(40, opt.Width)}
	t.line(t.paint(bold, "Test integrity: ") + t.paint(bold+";"+verdictColor(r), string(r.Verdict())))
	t.text(0, "", r.compared())
	for _, f := range r.Features {
		if f.Known() {
			t.text(2, "", featureLine(f))
		}
	}
	t.violations(r.Breaches())
	t.violations(r.Workarounds)
	if n := r.notices(); len(n)+len(r.NotAnalysed) > 0 {
		t.line("")
		t.integrityNotes(n, r.NotAnalysed)
	}
	t.line("")
	t.text(0, "", r.conclusion())
}

func (t *terminal) integrityNotes(notices []workflow.Notice, notAnalysed []string) {
	for _, s := range notAnalysed {
		t.text(0, "not analysed: ", oneLine(s, 0))
	}
	for _, n := range notices {
		first := "note: "
		if n.Warning {
			first = "warning: "
		}
		t.text(0, first, oneLine(noticeText(n), 0))
	}
}

func (r Integrity) compared() string {
	switch {
	case r.Failed:
		return "The check did not run."
	case r.Given:
		return fmt.Sprintf("Head %s compared with the tests of %s.", cut10(r.Head), cut10(r.Base))
	case r.MergeBase != r.Base && r.MergeBase != "":
		return fmt.Sprintf("Head %s compared with what is approved on the base %s (merge base %s).", cut10(r.Head), cut10(r.Base), cut10(r.MergeBase))
	}
	return fmt.Sprintf("Head %s compared with what is approved on the base %s.", cut10(r.Head), cut10(r.Base))
}

func featureLine(f integrity.Feature) string {
	if f.Source == baseline.Given {
		return plural(len(f.Files), "file") + " taken as approved."
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
		return plural(breaches, "violation") + ". Restore the approved tests, or have the change of them approved first (an RFC in rfcs/approved/, or the label re-review:tests)."
	case integrity.Workaround:
		s := plural(tricks, "workaround") + " in the implementation."
		if r.WarnOnly {
			return s + " The config only warns of them."
		}
		return s + " Implement what the tests ask for, or excuse it on the base in .workflow/integrity-allow.json."
	case integrity.Unverifiable:
		return "It cannot be verified that the approved tests are unchanged."
	}
	n := 0
	for _, f := range r.Features {
		n += f.Compared
	}
	if n == 0 && len(r.Untouched) > 0 {
		return "The change leaves the approved tests of " + names(r.Untouched) + " alone."
	}
	if n == 0 {
		return "No approved tests were found to compare with."
	}
	return plural(n, "approved file") + ": none demands less than was approved."
}

// names lists a few names and counts the rest.
func names(list []string) string {
	if len(list) <= 5 {
		return strings.Join(list, ", ")
	}
	return strings.Join(list[:5], ", ") + fmt.Sprintf(" and %d more", len(list)-5)
}

func cut10(sha string) string { return sha[:min(10, len(sha))] }

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
