package report

import (
	"fmt"
	"slices"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// Titles of the gate check.
const (
	TitleApproved  = "Approved"
	TitleNothing   = "Nothing to review"
	TitleChanges   = "Needs changes"
	TitleBreach    = "Test integrity breach"
	TitleFailing   = "Approved tests fail"
	TitleUndecided = "Needs changes – a person must decide"
	TitleNotRun    = "Review did not run"
	TitleUnsaved   = "Reviews are done, but could not be saved"
	TitleCancelled = "Cancelled"
	TitleWaiting   = "Waiting for " // and for whom
)

// look is how a verdict is shown.
type look struct {
	sign  string // an emoji
	glyph string // for the page, in a character that every font has
	title string
	words string // within a sentence
	// counted are the words behind a number of reviews.
	counted string
	color   string // of a terminal
}

// lookOf is the look of a decision; read says that a model or a person read what it is about.
// Machine words are not in it.
func lookOf(d workflow.Decision, read bool) look {
	switch {
	case d == workflow.Approved && !read:
		return look{
			"⚪", "○", TitleApproved, "nothing blocks, not read by a model",
			"without findings that block", green,
		}
	case d == workflow.Approved:
		return look{"✅", "✓", TitleApproved, "approved", "approved", green}
	case d == workflow.NeedsChanges:
		return look{"❌", "✕", TitleChanges, "needs changes", "needs changes", red}
	case d == workflow.None:
		return look{"➖", "–", TitleNothing, "not reviewed", "", green}
	}
	return look{"⚠️", "!", TitleNotRun, "did not run", "did not run", yellow}
}

func lookOfResult(res workflow.Result) look { return lookOf(res.Decision, isRead(res)) }

// look is how the verdict of the run is shown.
func (r Report) look() look {
	l := lookOf(r.Decision, slices.ContainsFunc(r.Results, isRead))
	switch {
	case r.Cancelled:
		l.sign, l.glyph = "⏹️", "■"
	case r.Title() == TitleBreach:
		l.sign = "⛔"
	}
	return l
}

// ownWords is the run's own verdict where another scope holds the gate.
func (r Report) ownWords() string {
	return lookOf(r.own, slices.ContainsFunc(r.Results, isRead)).words
}

// mark is the sign beside a review.
func (r Report) mark(res workflow.Result) string {
	if r.page {
		return lookOfResult(res).glyph
	}
	return lookOfResult(res).sign
}

// Title is the verdict in the words that people see.
func (r Report) Title() string {
	changes := r.Decision == workflow.NeedsChanges
	switch {
	case r.Cancelled:
		return TitleCancelled
	case r.Passed:
		return r.Held.Title
	case changes && r.breached():
		return TitleBreach
	case changes && r.failing():
		return TitleFailing
	case r.Decision == workflow.Approved:
		return r.approvedTitle()
	case changes && slices.ContainsFunc(r.Results, awaitsPerson):
		return TitleUndecided
	case changes:
		return TitleChanges + r.unreadSuffix()
	case r.unsaved():
		return TitleUnsaved
	}
	return lookOf(r.Decision, true).title
}

// approvedTitle is TitleApproved with who is answerable for it where a review refused: "Approved,
// overridden by octocat", "Approved, 2 reviews overridden". Where neither a model nor a person read
// anything, nobody approved it.
func (r Report) approvedTitle() string {
	var by []string
	for _, res := range r.Results {
		if res.Override != nil {
			by = append(by, res.Override.By)
		}
	}
	switch {
	case !slices.ContainsFunc(r.Results, isRead):
		return unreadTitle(r.Results...)
	case len(by) == 0:
		return TitleApproved
	case len(by) == 1:
		return TitleApproved + ", overridden by " + markdown.Line(by[0], 100)
	}
	return TitleApproved + ", " + workflow.Count(len(by), "review") + " overridden"
}

// unreadTitle says of approvals by the built-in checks that nobody read what they looked at.
func unreadTitle(results ...workflow.Result) string {
	looked, found := map[string]bool{}, 0
	for _, res := range results {
		found += len(res.Issues)
		for _, c := range res.Checks {
			if c.Outcome != workflow.NotLooked {
				looked[c.ID] = true
			}
		}
	}
	what := "No findings"
	if found > 0 {
		what = "Nothing blocks, " + workflow.Count(found, "finding")
	}
	return fmt.Sprintf("%s by %s – not read by a model", what, workflow.Count(len(looked), "check"))
}

// unreadSuffix names the first review that only lacks a reader, where nothing else blocks.
func (r Report) unreadSuffix() string {
	refused := r.refused()
	isOther := func(res workflow.Result) bool { return res.MustBeReadBy == "" }
	if len(refused) == 0 || slices.ContainsFunc(refused, isOther) {
		return ""
	}
	return fmt.Sprintf(" – %s must be read by a %s", markdown.Line(refused[0].Artifact.Name(), 100),
		refused[0].MustBeReadBy)
}

// resultTitle is the title of a review's check.
func resultTitle(res workflow.Result) string {
	t := lookOf(res.Decision, true).title
	refused := res.Decision == workflow.NeedsChanges
	switch {
	case res.Override != nil && res.Decision == workflow.Approved:
		t = "Overridden by " + markdown.Line(res.Override.By, 100)
	case awaitsPerson(res):
		t = "A person must decide"
	case res.MustBeReadBy != "" && refused:
		t = "Must be read by a " + string(res.MustBeReadBy)
	case res.Decision == workflow.Approved && !isRead(res):
		t = unreadTitle(res)
	case refused && slices.ContainsFunc(res.Violations, isBreach):
		t = TitleBreach
	case failsApproved(res):
		t = TitleFailing
	}
	if res.Cached {
		t += " (recorded earlier)"
	}
	return t
}
