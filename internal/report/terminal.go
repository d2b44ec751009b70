package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/template"
	"unicode/utf8"

	"workflow-reviewer/internal/form"
	"workflow-reviewer/internal/integrity"
	"workflow-reviewer/internal/lazyregexp"
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
	name := "brief"
	if opt.Verbose {
		name = "verbose"
	}
	opt.print(w, name, r)
}

// Terminal prints the verdict, what was compared with what, and each violation with its two lines
// of evidence.
func (r Integrity) Terminal(w io.Writer, opt TerminalOptions) { opt.print(w, "integrity", r) }

// print fills a form of terminal.tmpl.
func (opt TerminalOptions) print(w io.Writer, name string, data any) {
	t := terminal{opt.Color, max(40, cmp.Or(opt.Width, 80)), map[any]bool{}}
	own := template.Must(parsedForms().Clone()).Funcs(t.functions())
	for line := range strings.Lines(withoutCommands(form.Written(own, name, data))) {
		_, _ = fmt.Fprintln(w, strings.TrimRight(line, " \n"))
	}
}

// withoutCommands is a text for a terminal in which the runner of GitHub Actions, which reads the
// output of any step, finds no commands.
func withoutCommands(text string) string { return runnerCommand.ReplaceAllString(text, `$1\$2`) }

var runnerCommand = lazyregexp.New(`(?m)(^[\s\p{Z}]*:|##)([:\[])`)

// terminal sets a report in lines of at most width columns, with or without colours.
type terminal struct {
	color bool
	width int
	said  map[any]bool // what fresh was asked of
}

// functions are those of terminal.tmpl that depend on what the terminal can show.
func (t terminal) functions() template.FuncMap {
	return template.FuncMap{
		"paint": t.paint, "wrap": t.wrap, "evidence": t.evidence, "heading": t.heading,
		"verdict": t.verdict, "fresh": t.fresh,
	}
}

// The colours.
const (
	red    = "red"
	green  = "green"
	yellow = "yellow"
)

// paint colours a text where the terminal takes colours, which are named with a space between them.
func (t terminal) paint(colors, s string) string {
	if !t.color || s == "" || colors == "" {
		return s
	}
	codes := strings.NewReplacer(
		"bold", "1", "faint", "2", red, "31", green, "32", yellow, "33", " ", ";",
	)
	return "\x1b[" + codes.Replace(colors) + "m" + s + "\x1b[0m"
}

// wrap is foreign text in lines of the width, every one indented, the first behind a lead.
func (t terminal) wrap(indent int, first, s string) string {
	var b strings.Builder
	beside := utf8.RuneCountInString(first)
	for para := range strings.SplitSeq(strings.TrimSpace(markdown.Clean(s)), "\n") {
		for _, l := range wrapped(strings.ReplaceAll(para, "\t", "    "), t.width-indent-beside) {
			b.WriteString(strings.Repeat(" ", indent) + first + l + "\n")
			first = strings.Repeat(" ", beside)
		}
	}
	return b.String()
}

// wrapped breaks a line at spaces; a word that is too long is broken too. The indent of the line is
// kept for all its parts.
func wrapped(s string, width int) []string {
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

// evidence has the lines of a diff in their colours.
func (t terminal) evidence(indent int, text string) string {
	var b strings.Builder
	for l := range strings.SplitSeq(markdown.Clean(text), "\n") {
		if l == "" {
			continue
		}
		color, first, code := map[byte]string{'-': red, '+': green}[l[0]], "  ", l
		if strings.ContainsAny(l[:1], "-+ ") {
			first, code = l[:1]+" ", strings.TrimPrefix(l[1:], " ")
		}
		code = strings.ReplaceAll(code, "\t", "    ")
		for _, part := range wrapped(code, t.width-indent-2) {
			b.WriteString(strings.Repeat(" ", indent) +
				t.paint(color, strings.TrimRight(first+part, " ")) + "\n")
			first = "  "
		}
	}
	return b.String()
}

// heading is the line of a review: its name, where it moves if that fits, and how it was decided.
func (t terminal) heading(res workflow.Result, movedTo string) string {
	name, verdict := markdown.Line(res.Artifact.Name(), t.width-20), res.Decision.String()
	beside := ""
	if movedTo != "" {
		beside = "  → " + markdown.Line(movedTo, 0)
	}
	gap := t.width - utf8.RuneCountInString(name+beside) - len(verdict)
	if gap < 2 {
		beside, gap = "", max(2, gap+utf8.RuneCountInString(beside))
	}
	return t.paint("bold", name) + t.paint("faint", beside) + strings.Repeat(" ", gap) +
		t.paint(lookOf(res.Decision, true).color+" bold", verdict)
}

// verdict is the title, and what it comes from.
func (t terminal) verdict(r Report) string {
	rest, ok := strings.CutPrefix(t.wrap(0, "", r.Summary()), r.Title())
	if !ok {
		return t.wrap(0, "", r.Summary())
	}
	return t.paint(lookOf(r.Decision, true).color+" bold", r.Title()) + rest
}

// fresh reports whether it is asked of something for the first time.
func (t terminal) fresh(what any) bool {
	before := t.said[what]
	t.said[what] = true
	return !before
}

// terminalFunctions are those of terminal.tmpl that are the same on every terminal.
func terminalFunctions() template.FuncMap {
	return template.FuncMap{
		"place": func(f workflow.Finding) string {
			return markdown.Line(form.Location(f.File, f.Line), 0)
		},
		"color": func(l workflow.Level) string {
			return []string{red, yellow, "faint"}[l.Rank()]
		},
		"warnings": Report.warnings, "omitted": Report.omitted, "orphans": Report.orphans,
		"notes":        func(r Report) []string { return r.noticeTexts(workflow.Note) },
		"lead":         func(s string) string { s, _, _ = strings.Cut(s, "\n\n"); return s },
		"severalLines": func(s string) bool { return strings.Contains(strings.TrimSpace(s), "\n") },
		"beforeWords":  beforeWords, "isRead": isRead, "notMet": notMet, "noticeText": NoticeText,
		"judged": judged, "traces": traces, "unlisted": unlisted,
		"requirementCounts": record.RequirementCounts,

		"questions": Integrity.questions, "notices": Integrity.notices,
		"openQuestions": Integrity.open,
		"comparedFiles": Integrity.compared,
		"cut10":         func(sha string) string { return sha[:min(10, len(sha))] },
		"compared":      func(r Integrity) string { return fill("compared", r) },
		"conclusion":    func(r Integrity) string { return fill("conclusion", r) },
		"featureLine":   func(f integrity.Feature) string { return fill("feature", f) },
		"exitColor":     func(code int) string { return []string{green, red, yellow}[code] },
	}
}

// judged are the requirements that have a status. Where no model was asked, only what the change
// did to them is told.
func judged(res workflow.Result) []workflow.Requirement {
	if !record.Unjudged(res.Requirements) {
		return res.Requirements
	}
	return filter(res.Requirements, func(r workflow.Requirement) bool { return r.Changed != "" })
}

// traces are the places of a requirement: what shows its status, the tests and the code that name
// it.
func traces(r workflow.Requirement) string {
	var out []string
	add := func(name, places string, most int) {
		if places != "" {
			out = append(out, name+markdown.Line(places, most))
		}
	}
	add("", form.Location(r.File, r.Line), 0)
	add("tests ", strings.Join(r.Tests, ", "), 200)
	add("code ", strings.Join(r.Code, ", "), 200)
	if len(r.Tests) == 0 {
		out = append(out, "no test names it")
	}
	return strings.Join(out, " · ")
}

// unlisted are the checks that did not pass and whose findings are not among the issues; the rest
// is in the review file.
func unlisted(res workflow.Result) []workflow.Check {
	found, _ := workflow.Told(res.Checks)
	return filter(found, func(c workflow.Check) bool {
		isOf := func(i workflow.Finding) bool { return i.Kind == c.ID }
		return c.Outcome != workflow.Passed && !slices.ContainsFunc(res.Issues, isOf)
	})
}
