// Package placeholder finds text that stands for what is not written yet.
package placeholder

import (
	"strings"

	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// Entry is the check.
var Entry = check.Entry{
	ID:    "document/placeholder",
	Types: []workflow.Type{workflow.Vision, workflow.Scope, workflow.Roadmap, workflow.Spec},

	Severity: workflow.Block, Category: workflow.Clarity, Fact: true,
	Title: "Text of a template is left",
	Why: "What is not decided cannot be built. [NEEDS CLARIFICATION: …], lorem ipsum and the " +
		"fields of a template block; a lone TODO or TBD is a note. Code, ticked boxes and " +
		"comments are not looked at.",
	Fix: "Write what belongs here, or say that it is out of scope.",
	Run: find,
}

var (
	clarification = lazyregexp.New(`(?i)\[needs clarification\b[^\]\n]*\]?`)
	filler        = lazyregexp.New(
		`(?i)\blorem ipsum\b|\{\{\s*[\w .-]+\s*\}\}|\[(?:INSERT|DESCRIBE|FEATURE NAME|YOUR|ADD|DATE|AUTHOR|ARGUMENTS)\b[^\]\n]*\]`,
	)
	unwritten = lazyregexp.New(`^\W*(?:TODO|TBD|TBC|FIXME|\?\?\?)\b.{0,40}$`)
)

func find(s *check.Subject) check.Result { return check.InDocuments(s, "line", left) }

func left(d *check.Document) (issues []workflow.Finding, lines int) {
	for _, part := range d.Prose() {
		if part.Kind == markdown.Item && strings.HasPrefix(strings.ToLower(part.Text), "[x]") {
			continue
		}
		for i, line := range strings.Split(part.Text, "\n") {
			if lines++; d.Added(part.Line + i) {
				issues = append(issues, in(d.Path, part.Line+i, line)...)
			}
		}
	}
	return issues, lines
}

func in(file string, line int, text string) []workflow.Finding {
	issue := workflow.Finding{File: file, Line: line}
	plain := markdown.Plain(text)
	switch {
	case clarification.MatchString(plain):
		asked := clarification.FindString(text)
		issue.Title = "The document says itself that this is undecided: " + asked
		issue.Text = "It asks: " + asked
	case filler.MatchString(plain):
		issue.Title = "Text of a template is left: " + markdown.Line(filler.FindString(plain), 60)
	case unwritten.MatchString(plain):
		issue.Title = "Not written yet: " + markdown.Line(strings.TrimSpace(plain), 60)
		issue.Level = workflow.Note
	default:
		return nil
	}
	return []workflow.Finding{issue}
}
