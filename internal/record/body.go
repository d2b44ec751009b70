package record

import (
	"embed"
	"slices"
	"strings"
	"sync"
	"text/template"

	"workflow-reviewer/internal/form"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

//go:embed *.tmpl
var formFiles embed.FS

// Forms are the texts of review files.
var Forms = sync.OnceValue(func() *template.Template {
	return form.New(formFiles, template.FuncMap{
		"reviewer": Reviewer, "progress": Progress, "outcome": Outcome, "comment": commentLink,
		"previousState": PreviousState, "labelled": labelled, "verdictWords": verdictWords,
		"contains": strings.Contains, "requirementCounts": RequirementCounts,
		"unjudged": Unjudged, "unnamedFirst": unnamedFirst,
	})
})

// Body is the review as Markdown without its title, as it stands in the file,
// with its sections at the heading level given (2 in the file).
func Body(r workflow.Result, level int) string {
	v := view{Result: r, Sub: strings.Repeat("#", level+1)}
	v.Found, v.Rest = workflow.Told(r.Checks)
	return form.Fill(Forms(), "review", v)
}

// Issue is one issue as Markdown blocks, without its title.
func Issue(i workflow.Finding) string { return form.Fill(Forms(), "issue", i) }

// Dismissed lists findings that people set aside, each with who and why, one on a line.
func Dismissed(ds []workflow.Dismissal) string { return form.Fill(Forms(), "dismissed", ds) }

// Requirements is the ledger of a review as a table: each acceptance criterion, whether it is met,
// where and why, and the tests and code that name it. "" for none.
func Requirements(rs []workflow.Requirement) string {
	return form.Fill(Forms(), "requirements", rs)
}

// view is a result for the form of a review.
type view struct {
	workflow.Result
	Sub   string // begins a heading within a section
	Found []workflow.Check
	Rest  []string // what other checks came to
}

// Heading is that of a section.
func (v view) Heading(title string) string { return v.Sub[1:] + " " + title }

// Ran reports whether the review came to a verdict.
func (v view) Ran() bool { return v.Decision != workflow.Error }

// IfAsked is a text about what a reviewer did not say, "" where nobody looked.
func (v view) IfAsked(text string) string {
	if v.Ran() && v.Unasked == "" {
		return text
	}
	return ""
}

// Unsaid are the issues of the checks that the review's do not say already. Issues are the same by
// rule, place and title.
func (v view) Unsaid() (out []workflow.Finding) {
	for _, c := range v.Checks {
		for _, i := range c.Issues {
			isSame := func(o workflow.Finding) bool {
				return i.Kind == o.Kind && i.File == o.File && i.Line == o.Line &&
					i.Title == o.Title
			}
			if !slices.ContainsFunc(v.Issues, isSame) {
				out = append(out, i)
			}
		}
	}
	return out
}

// heading is a feature's name for a heading, in which a # would end it.
func heading(feature string) string {
	return strings.ReplaceAll(markdown.Inline(feature), "#", `\#`)
}

// Reviewer names who reviewed: "codex (gpt-5-codex)", "rules".
func Reviewer(r workflow.Result) string {
	name, _, _ := strings.Cut(r.Engine, " ")
	switch {
	case name == "":
		return "none"
	case name == "rules":
		return name
	case r.Model == "":
		return name + " (default model)"
	}
	return name + " (" + r.Model + ")"
}

// labelled puts a label before a block, on its line where that is a paragraph.
func labelled(label, block string) string {
	switch {
	case block == "":
		return ""
	case strings.ContainsAny(block[:1], "`-*+>0123456789"):
		return label + "\n\n" + block
	}
	return label + " " + block
}

// verdictWords is a verdict as a sentence.
func verdictWords(verdict string) string {
	switch verdict {
	case "clean":
		return "No violation."
	case "breach":
		return "Breach."
	case "failing":
		return "The code fails approved tests."
	case "workaround":
		return "Workaround in the implementation."
	case "no-baseline":
		return "No approved tests to compare with."
	case "unverifiable":
		return "Cannot verify."
	default:
		return markdown.Inline(verdict)
	}
}
