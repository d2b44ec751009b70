package report

import (
	"fmt"
	"net/url"
	"strings"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// page is what report.html shows.
type page struct {
	Name, Branch, Title, Sign string
	Decision, Lead            string
	Version, Cost, RunURL     string
	Stats                     []stat
	Failures                  []pageFailure
	Violations, Weakened      []pageViolation
	WhatNow                   string
	First                     []pageIssue
	FirstTitle, FirstMore     string
	Reviews                   []pageReview
	Warnings, Omitted         pageList
	Notes, Commits            pageList
}

type (
	stat        struct{ Name, Value string }
	pageFailure struct{ Name, Message, Action string }
	pageList    struct {
		Title string
		Items []string
	}
	pageViolation struct {
		Title, Where, URL, Description string
		Before                         string // which version has its line, "" for the head
		Evidence                       []diffLine
	}
	diffLine  struct{ Class, Text string }
	pageIssue struct {
		workflow.Issue
		Where, URL, Advice string
		HasSuggestion      bool
		Suggestion, Lines  string
	}
	pageCheck struct {
		workflow.Check
		Class string
	}
	pagePrevious struct{ State, Title, Note string }
	pageReview   struct {
		ID, Type, Feature, Decision, Verdict string
		Count, Facts, Path, MovedTo          string
		Files                                []string
		FilesMore                            string
		Open, Cached                         bool
		Summary                              string
		Warnings, Omitted                    []string
		Failure                              *workflow.Failure
		Requirements                         []workflow.Requirement
		Counts                               string // of the requirements
		Questions                            string // Markdown
		Criteria                             []workflow.Criterion
		Issues                               []pageIssue
		Violations                           int
		Integrity                            string // Markdown
		People                               string // Markdown
		Previous                             []pagePrevious
		Checks                               []pageCheck
	}
)

func (r Report) page() page {
	p := page{
		Name: r.name(), Branch: oneLine(r.Event.Head.Branch, 100), Title: r.Title(), Sign: r.glyph(), Decision: r.Decision.String(),
		Lead: r.lead(), Version: r.Version, Cost: r.Cost(), RunURL: r.RunURL, Stats: r.stats(), FirstTitle: r.firstHeading(),
	}
	p.WhatNow = r.whatNow()
	for _, v := range r.AllViolations() {
		p.Violations = append(p.Violations, r.pageViolation(v))
	}
	for _, v := range r.Weakened {
		p.Weakened = append(p.Weakened, r.pageViolation(v))
	}
	fs := r.findings()
	for _, f := range fs[:min(len(fs), shownFirst)] {
		p.First = append(p.First, r.pageIssue(f.Issue))
	}
	if n := len(fs) - shownFirst; n > 0 {
		p.FirstMore = workflow.Count(n, "more finding")
	}
	for i, res := range r.Results {
		p.Reviews = append(p.Reviews, r.pageReview(i, res))
	}
	if r.Failure != nil {
		p.Failures = append(p.Failures, pageFailure{"The run", r.Failure.Message, r.Failure.Action})
	}
	r.lists(&p)
	return p
}

// lists gathers from the run and its reviews what the page shows as bullets.
func (r Report) lists(p *page) {
	p.Warnings.Title, p.Omitted.Title, p.Notes.Title, p.Commits.Title = "Warnings", "Not looked at in full",
		"How this was decided", "Commits written"
	for _, res := range r.Results {
		name := res.Artifact.Name()
		if res.Failure != nil {
			p.Failures = append(p.Failures, pageFailure{name, res.Failure.Message, res.Failure.Action})
		}
		for _, w := range res.Warnings {
			p.Warnings.Items = append(p.Warnings.Items, name+": "+w)
		}
		for _, o := range res.Omitted {
			p.Omitted.Items = append(p.Omitted.Items, name+": "+o)
		}
	}
	for _, n := range r.Notices {
		if n.Warning {
			p.Warnings.Items = append(p.Warnings.Items, NoticeText(n))
		} else {
			p.Notes.Items = append(p.Notes.Items, NoticeText(n))
		}
	}
	for _, c := range r.Commits {
		p.Commits.Items = append(p.Commits.Items, strings.TrimSpace(short(c.SHA)+" "+c.Subject))
	}
}

// NoticeText is the notice with the path it speaks of.
func NoticeText(n workflow.Notice) string {
	if n.Path == "" || strings.Contains(n.Text, n.Path) {
		return n.Text
	}
	return n.Path + ": " + n.Text
}

// glyph is the sign of the verdict in a character that every font has.
func (r Report) glyph() string {
	switch {
	case r.Cancelled:
		return "■"
	case r.unread():
		return "○"
	case r.Decision == workflow.Approved:
		return "✓"
	case r.Decision == workflow.NeedsChanges:
		return "✕"
	case r.Decision == workflow.None:
		return "–"
	}
	return "!"
}

func (r Report) name() string {
	if r.Event.Owner == "" {
		return "local run"
	}
	s := r.Event.Owner + "/" + r.Event.Repo
	if r.Event.Number > 0 {
		s += fmt.Sprintf(" #%d", r.Event.Number)
	}
	return s
}

func (r Report) stats() []stat {
	var out []stat
	add := func(name, value string) {
		if value != "" {
			out = append(out, stat{name, value})
		}
	}
	add("Reviewed", r.Head[:min(7, len(r.Head))])
	add("Findings", orDash(count(r.issues())))
	if r.Tokens == (workflow.Tokens{}) {
		add("Tokens", "none")
	} else {
		add("Tokens in", thousands(r.Tokens.Input))
		add("of these cached", thousands(r.Tokens.Cached))
		add("Tokens out", thousands(r.Tokens.Output))
	}
	add("Time", span(r.Duration))
	return out
}

func (r Report) pageReview(i int, res workflow.Result) pageReview {
	p := pageReview{
		ID: fmt.Sprintf("review-%d", i+1), Type: strings.ToLower(res.Artifact.Type.Title()), Feature: oneLine(res.Artifact.Feature, 200),
		Decision: res.Decision.String(), Verdict: title(res.Decision), Count: findingCount(res),
		Path:  (&url.URL{Path: res.ReviewPath}).EscapedPath(),
		Facts: reviewFacts(res), MovedTo: res.MovedTo,
		Open: res.Decision <= workflow.NeedsChanges || len(r.Results) == 1, Cached: res.Cached,
		Summary: res.Summary, Warnings: res.Warnings, Omitted: res.Omitted, Failure: res.Failure, Criteria: res.Criteria,
		Questions: record.Questions(res.Questions), Violations: len(res.Violations), Integrity: integrityText(res),
	}
	if p.Requirements = res.Requirements; len(p.Requirements) > 0 {
		p.Counts = record.RequirementCounts(p.Requirements)
	}
	for n, f := range res.Artifact.Files {
		if n == 8 {
			p.FilesMore = fmt.Sprintf("%d more", len(res.Artifact.Files)-n)
			break
		}
		p.Files = append(p.Files, oneLine(f.Path, 0))
	}
	for _, is := range res.Issues {
		p.Issues = append(p.Issues, r.pageIssue(is))
	}
	p.People = record.People(res)
	for _, pr := range res.Previous {
		p.Previous = append(p.Previous, pagePrevious{record.PreviousState(pr), pr.Title, pr.Note})
	}
	for _, c := range res.Checks {
		p.Checks = append(p.Checks, pageCheck{c, strings.ReplaceAll(string(c.Outcome), " ", "-")})
	}
	return p
}

func reviewFacts(res workflow.Result) string {
	facts := []string{record.Reviewer(res)}
	if res.Effort != "" {
		facts = append(facts, "effort "+res.Effort)
	}
	facts = append(facts, cost(res.Tokens, res.Duration), res.Date.UTC().Format("2 January 2006 15:04 UTC"))
	if p := record.Progress(res); p != "" {
		facts = append(facts, p)
	}
	if res.Cached {
		facts = append(facts, "recorded earlier, nothing spent now")
	}
	return strings.Join(facts, " · ")
}

func (r Report) pageIssue(i workflow.Issue) pageIssue {
	p := pageIssue{
		Issue: i, Where: oneLine(record.Location(i.File, i.Line), 0), URL: r.blobURL(i.File, i.Line, r.Head),
		Advice: firstSentence(i.Recommendation),
	}
	p.Lines = fmt.Sprintf("line %d", i.Line)
	if i.EndLine > i.Line {
		p.Lines = fmt.Sprintf("lines %d–%d", i.Line, i.EndLine)
	}
	if i.Suggestion != nil {
		p.HasSuggestion, p.Suggestion = true, markdown.Clean(*i.Suggestion)
	}
	return p
}

func (r Report) pageViolation(v workflow.Violation) pageViolation {
	p := pageViolation{
		Title: strings.ReplaceAll(v.Kind, "_", " "), Where: oneLine(record.Location(v.File, v.Line), 0),
		Description: v.Description,
	}
	if v.Side != "before" {
		p.URL = r.blobURL(v.File, v.Line, r.Head)
	} else {
		p.Before = beforeWords(v)
	}
	for l := range strings.SplitSeq(strings.Trim(markdown.Clean(v.Evidence), "\n"), "\n") {
		if l != "" {
			p.Evidence = append(p.Evidence, diffLine{map[byte]string{'+': "add", '-': "del"}[l[0]], l})
		}
	}
	return p
}
