package report

import (
	"cmp"
	"path/filepath"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/form"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// CheckName is the name of the gate, the check that a branch protection requires.
const CheckName = "workflow-reviewer"

// GitHub's limits for a check run, in characters; here they count bytes, which are never fewer.
const (
	maxCheckText       = 65535
	maxAnnotationTitle = 255
	maxAnnotationText  = 64 << 10
	maxAnnotations     = 500
)

// Check is a completed check run.
type Check struct {
	Name        string
	Conclusion  string // success, failure, cancelled
	Title       string
	Summary     string // Markdown
	Text        string // Markdown, may be empty
	ExternalID  string
	Decision    workflow.Decision   // of a review; of the gate see Report
	Waits       bool                // for the verdict of another scope
	Annotations []change.Annotation // the most important first, 500 at most
}

// Check is the gate, CheckName. Its ExternalID is the decision, so that a later run can read it. It
// alone carries the annotations of all reviews, so that a line is not marked twice.
func (r Report) Check() Check {
	c := Check{
		Name: CheckName, Conclusion: conclusion(r.Decision, r.Cancelled), Title: r.Title(),
		Summary: r.part(maxCheckText, r.addOverview), Text: r.part(maxCheckText, r.addDetails),
		ExternalID: r.Decision.String(), Annotations: r.annotations(false),
	}
	if r.Passed {
		c.Conclusion, c.Waits = conclusion(workflow.Error, false), r.Held.Waits
	}
	return c
}

// ResultCheck is the check of Results[i], "workflow-reviewer / <type>: <feature>". Its ExternalID
// is record.Digest of the review file, which vouches for the record. That of a re-used record
// vouches for nothing: it may be believed only because the base of this run holds it.
func (r Report) ResultCheck(i int) Check {
	res := r.Results[i]
	c := Check{
		Name:       CheckName + " / " + markdown.Line(res.Artifact.Name(), 200),
		Conclusion: conclusion(res.Decision, r.Cancelled && res.Decision == workflow.Error),
		Title:      resultTitle(res),
		Text: markdown.Cut(record.Body(record.Fit(res, maxCheckText/2), 2), maxCheckText,
			cutNote),
		ExternalID: "recorded", Decision: res.Decision,
	}
	if !res.Cached {
		c.ExternalID = record.Digest(record.Render(res))
	}
	if c.Conclusion == "cancelled" {
		c.Title = TitleCancelled
	}
	c.Summary = markdown.Cut(
		fill("result", resultView{res, r.reviewLink(res)}), maxCheckText, cutNote,
	)
	return c
}

// resultView is a review for the summary of its check.
type resultView struct {
	workflow.Result
	Link string
}

// Happened is why the review did not run.
func (v resultView) Happened() failed { return failed{"What happened", *v.Failure} }

// conclusion is a decision as GitHub's conclusion. It is never neutral or skipped, which count as
// passed.
func conclusion(d workflow.Decision, cancelled bool) string {
	switch {
	case cancelled:
		return "cancelled"
	case d.ExitCode() == 0:
		return "success"
	default:
		return "failure"
	}
}

// LogAnnotations are for a run whose only place is the log: of findings of whole files too, with
// line 0.
func (r Report) LogAnnotations() []change.Annotation { return r.annotations(true) }

// annotations are the marks on lines, each once and at most maxAnnotations, violations first; with
// those of whole files if it is asked for.
func (r Report) annotations(whole bool) []change.Annotation {
	var out []change.Annotation
	seen := map[change.Annotation]bool{}
	add := func(a change.Annotation) {
		if len(out) < maxAnnotations && filepath.IsLocal(a.Path) && markdown.Visible(a.Path) &&
			!strings.ContainsAny(a.Path, "\n\t") && !seen[a] {
			seen[a] = true
			out = append(out, a)
		}
	}
	for _, v := range r.AllViolations() {
		add(violationNote(v, "failure"))
	}
	for _, v := range r.Weakened {
		add(violationNote(v, "warning"))
	}
	inline := r.inlined()
	for _, f := range r.found {
		if f.Line > 0 && !inline[f.key()] || whole && f.Line == 0 {
			add(issueNote(f.Finding))
		}
	}
	return out
}

// issueNote is the annotation of an issue.
func issueNote(i workflow.Finding) change.Annotation {
	text := i.Text
	if i.Fix != "" {
		text += "\n\nRecommendation: " + i.Fix
	}
	return note(i, []string{"failure", "warning", "notice"}[i.Level.Rank()],
		string(i.Level)+": "+i.Title, cmp.Or(text, i.Title))
}

// violationNote is the annotation of a violation. The head may have fewer lines than the approved
// file: what stood there is marked on the first.
func violationNote(v workflow.Finding, level string) change.Annotation {
	text := cmp.Or(v.Text, v.Kind)
	v.Line = max(1, v.Line)
	if v.Side == "before" {
		text += " (" + form.Location(v.File, v.Line) + " before)"
		v.Line = 1
	}
	return note(v, level, "Test integrity: "+strings.ReplaceAll(v.Kind, "_", " "), text)
}

// note is an annotation within GitHub's limits; its message must not be empty.
func note(f workflow.Finding, level, title, text string) change.Annotation {
	return change.Annotation{
		Path: f.File, StartLine: f.Line, EndLine: max(f.Line, f.EndLine), Level: level,
		Title: markdown.Line(title, maxAnnotationTitle),
		Message: markdown.Clip(cmp.Or(strings.TrimSpace(markdown.Clean(text)), "No description."),
			maxAnnotationText),
	}
}
