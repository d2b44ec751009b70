package report

import (
	"fmt"
	"html"
	"net/url"
	"path/filepath"
	"strings"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// mark is the sign beside a verdict.
func mark(d workflow.Decision) string {
	switch d {
	case workflow.Approved:
		return "✅"
	case workflow.NeedsChanges:
		return "❌"
	case workflow.None:
		return "➖"
	default:
		return "⚠️"
	}
}

// headline is the verdict as it stands in tables.
func headline(res workflow.Result) string {
	if res.Decision == workflow.Error {
		return mark(res.Decision) + " Did not run"
	}
	return mark(res.Decision) + " " + res.Decision.String()
}

func (r Report) table() string {
	if len(r.Results) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("| Review | Verdict | Findings | Review file |\n|---|---|---|---|")
	const rows = 100
	for i, res := range r.Results {
		if i == rows {
			fmt.Fprintf(&b, "\n| … and %d more | | | |", len(r.Results)-i)
			break
		}
		verdict := headline(res)
		if res.Override != nil {
			verdict += "<br>overridden"
		}
		if p := record.Progress(res); p != "" {
			verdict += "<br>" + p
		}
		if res.Cached {
			verdict += "<br>recorded earlier"
		}
		if res.MovedTo != "" {
			verdict += "<br>moved to " + markdown.CodeCell(res.MovedTo)
		}
		fmt.Fprintf(&b, "\n| **%s** %s | %s | %s | %s |", res.Artifact.Type, markdown.Cell(markdown.Clip(res.Artifact.Feature, 120)), verdict, orDash(tableCount(res)), r.reviewLink(res))
	}
	return b.String()
}

func tableCount(res workflow.Result) string {
	parts := []string{count(res.Issues)}
	if n := len(res.Violations); n > 0 {
		parts = append([]string{plural(n, "violation")}, parts...)
	}
	return strings.Trim(strings.Join(parts, ", "), ", ")
}

func orDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

// reviewLink leads to the review file where it stands in the repository, else
// it names the file.
func (r Report) reviewLink(res workflow.Result) string {
	commit := r.NewHead
	if res.Cached && commit == "" {
		commit = r.Head
	}
	if res.Decision == workflow.Error || r.blobURL(res.ReviewPath, 0, commit) == "" {
		return markdown.CodeCell(res.ReviewPath)
	}
	return r.link("review", res.ReviewPath, 0, commit)
}

// place is "file:line", linked to the reviewed commit.
func (r Report) place(file string, line int) string {
	if file == "" {
		return ""
	}
	return r.link(markdown.Code(record.Location(file, line)), file, line, r.Head)
}

func (r Report) link(text, file string, line int, commit string) string {
	u := r.blobURL(file, line, commit)
	switch {
	case u != "":
		return "[" + text + "](" + u + ")"
	case text == "review":
		return markdown.CodeCell(file)
	}
	return text
}

// blobURL is a file's page on GitHub, "" if it cannot have one. Nothing in it
// ends a Markdown link.
func (r Report) blobURL(file string, line int, commit string) string {
	if r.ServerURL == "" || r.Event.Owner == "" || commit == "" || !filepath.IsLocal(file) || !markdown.Visible(file) {
		return ""
	}
	var parts []string
	for p := range strings.SplitSeq(file, "/") {
		parts = append(parts, url.PathEscape(p))
	}
	u := fmt.Sprintf("%s/%s/%s/blob/%s/%s", r.ServerURL, url.PathEscape(r.Event.Owner), url.PathEscape(r.Event.Repo), url.PathEscape(commit), strings.Join(parts, "/"))
	if line > 0 {
		u += fmt.Sprintf("#L%d", line)
	}
	return strings.NewReplacer("(", "%28", ")", "%29").Replace(u)
}

const shownFirst = 10

// fixFirst lists the most severe findings, one line each.
func (r Report) fixFirst() string {
	fs := r.findings()
	if len(fs) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("### " + r.firstHeading() + "\n")
	for n, f := range fs {
		if n == shownFirst {
			fmt.Fprintf(&b, "\n\n… and %s, see the reviews below.", plural(len(fs)-n, "more finding"))
			break
		}
		fmt.Fprintf(&b, "\n%d. **%s** %s", n+1, markdown.Inline(string(f.Severity)), markdown.Inline(markdown.Clip(f.Title, 300)))
		if p := r.place(f.File, f.Line); p != "" {
			b.WriteString(" · " + p)
		}
		if rec := firstSentence(f.Recommendation); rec != "" {
			b.WriteString("<br>→ " + markdown.Inline(rec))
		}
	}
	return b.String()
}

// firstHeading does not call urgent what is not.
func (r Report) firstHeading() string {
	fs := r.findings()
	if r.Decision == workflow.Approved || len(fs) > 0 && rank(fs[0].Severity) == 2 {
		return "Worth a look"
	}
	return "Fix first"
}

// firstSentence is what of a recommendation fits a line.
func firstSentence(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return oneLine(s, 240)
}

func (r Report) violationSection() string {
	vs := r.AllViolations()
	if len(vs) == 0 {
		return ""
	}
	const shown = 20
	s := "### Test integrity\n\n" + record.Violations(vs[:min(shown, len(vs))])
	if n := len(vs) - shown; n > 0 {
		s += fmt.Sprintf("\n\n… and %s.", plural(n, "more violation"))
	}
	return s
}

// weakened is about tests that nobody is known to have approved.
func (r Report) weakened() string {
	if len(r.Weakened) == 0 {
		return ""
	}
	const shown = 20
	s := "### Tests that demand less\n\nNobody is known to have approved these tests, so this does not block. Look whether it is meant.\n\n" +
		record.Violations(r.Weakened[:min(shown, len(r.Weakened))])
	if n := len(r.Weakened) - shown; n > 0 {
		s += fmt.Sprintf("\n\n… and %d more.", n)
	}
	return s
}

// failures say for the run and for each review that did not run what happened
// and what to do.
func (r Report) failures() string {
	var parts []string
	if r.Failure != nil {
		parts = append(parts, failure("The run", *r.Failure))
	}
	for _, res := range r.Results {
		if res.Decision == workflow.Error && res.Failure != nil {
			parts = append(parts, failure(res.Artifact.Name(), *res.Failure))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "### What did not run\n\n" + strings.Join(parts[:min(len(parts), 20)], "\n") +
		"\n\nThis is no verdict on the change. Nothing was moved for a review that did not run."
}

func failure(what string, f workflow.Failure) string {
	s := "- **" + markdown.Inline(what) + ":** " + markdown.Inline(f.Message)
	if f.Action != "" {
		s += "<br>→ " + markdown.Inline(f.Action)
	}
	return s
}

// warnings are the reviews' and the run's, each with what it speaks of.
func (r Report) warnings() string {
	var lines []string
	for _, res := range r.Results {
		for _, w := range res.Warnings {
			lines = append(lines, "- "+markdown.Inline(res.Artifact.Name())+": "+markdown.Inline(w))
		}
	}
	lines = append(lines, r.noticeLines(true)...)
	return bullets("### Warnings", lines)
}

func (r Report) noticeLines(warning bool) []string {
	var lines []string
	for _, n := range r.Notices {
		if n.Warning != warning {
			continue
		}
		lines = append(lines, "- "+markdown.Inline(noticeText(n)))
	}
	return lines
}

// omitted is what the reviewers were not shown whole.
func (r Report) omitted() string {
	var lines []string
	for _, res := range r.Results {
		for _, o := range res.Omitted {
			lines = append(lines, "- "+markdown.Inline(res.Artifact.Name())+": "+markdown.Inline(o))
		}
	}
	return bullets("### Not looked at in full", lines)
}

func bullets(heading string, lines []string) string {
	const shown = 30
	if len(lines) == 0 {
		return ""
	}
	if n := len(lines) - shown; n > 0 {
		lines = append(lines[:shown:shown], fmt.Sprintf("- … and %d more", n))
	}
	return heading + "\n\n" + strings.Join(lines, "\n")
}

// fold is a block that opens on a click.
func fold(title, body string) string {
	safe := strings.ReplaceAll(html.EscapeString(oneLine(title, 300)), "@", "@\u200b")
	return "<details>\n<summary>" + safe + "</summary>\n\n" + body + "\n\n</details>"
}
