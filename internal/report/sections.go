package report

import (
	"cmp"
	"fmt"
	"html"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"workflow-reviewer/internal/checks"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// mark is the sign beside a verdict.
// unreadMark stands for what nobody but the built-in checks looked at.
const unreadMark = "⚪"

func mark(res workflow.Result) string {
	if res.Decision == workflow.Approved && res.ReviewedBy() == workflow.ByRules {
		return unreadMark
	}
	return decisionMark(res.Decision)
}

func decisionMark(d workflow.Decision) string {
	return cmp.Or(
		map[workflow.Decision]string{workflow.Approved: "✅", workflow.NeedsChanges: "❌", workflow.None: "➖"}[d],
		"⚠️",
	)
}

// headline is the verdict as it stands in tables.
func headline(res workflow.Result) string {
	if res.Decision == workflow.Error {
		return mark(res) + " Did not run"
	}
	return mark(res) + " " + res.Decision.String()
}

// reviewLines are the reviews, one line each.
func (r Report) reviewLines() string {
	const shown = 100
	var lines []string
	for _, res := range r.Results[:min(len(r.Results), shown)] {
		lines = append(lines, "- "+r.reviewLine(res))
	}
	if n := len(r.Results) - shown; n > 0 {
		lines = append(lines, fmt.Sprintf("- … and %s", workflow.Count(n, "more review")))
	}
	return strings.Join(lines, "\n")
}

func (r Report) reviewLine(res workflow.Result) string {
	parts := []string{fmt.Sprintf("%s **%s: %s** %s", mark(res), res.Artifact.Type,
		markdown.Inline(markdown.Clip(res.Artifact.Feature, 120)), verdictWords(res))}
	if c := findingCount(res); c != "" {
		parts = append(parts, c)
	}
	if c := requirementCount(res.Requirements); c != "" {
		parts = append(parts, c)
	}
	if res.Override != nil {
		parts = append(parts, "overridden")
	}
	if p := record.Progress(res); p != "" {
		parts = append(parts, p)
	}
	if unread := unreadByRules(res); unread != "" {
		parts = append(parts, unread)
	}
	if res.Cached {
		parts = append(parts, "recorded earlier")
	}
	if res.MovedTo != "" {
		parts = append(parts, "moved to "+markdown.Code(res.MovedTo))
	}
	return strings.Join(append(parts, r.reviewLink(res)), " · ")
}

// unreadByRules names the languages of which a review by the checks alone read no code, "" if there is none.
func unreadByRules(res workflow.Result) string {
	if res.ReviewedBy() != workflow.ByRules {
		return ""
	}
	return checks.NotRead(res.Artifact)
}

// verdictWords is a decision within a sentence.
func verdictWords(res workflow.Result) string {
	if res.Decision == workflow.Approved && res.ReviewedBy() == workflow.ByRules {
		return "nothing blocks, not read by a model"
	}
	return decisionWords(res.Decision)
}

// ownWords is the run's own verdict where another scope holds the gate.
func (r Report) ownWords() string {
	if r.own == workflow.Approved && r.allByRules() {
		return "nothing blocks, not read by a model"
	}
	return decisionWords(r.own)
}

func decisionWords(d workflow.Decision) string {
	return cmp.Or(map[workflow.Decision]string{
		workflow.Approved: "approved", workflow.NeedsChanges: "needs changes", workflow.None: "not reviewed",
	}[d], "did not run")
}

// requirementCount says how many of a spec's criteria are met, "" without any.
func requirementCount(rs []workflow.Requirement) string {
	if len(rs) == 0 {
		return ""
	}
	if record.Unjudged(rs) {
		return strings.TrimSuffix(record.RequirementCounts(rs), ".")
	}
	return fmt.Sprintf("%d of %s met", len(rs)-len(unmet(rs)), workflow.Count(len(rs), "criterion"))
}

// findingCount says what a review found. Violations are counted once for the
// whole run, not for each review that they concern.
func findingCount(res workflow.Result) string {
	parts := []string{count(res.Issues)}
	if len(res.Violations) > 0 {
		parts = append([]string{"violates test integrity"}, parts...)
	}
	return strings.Trim(strings.Join(parts, ", "), ", ")
}

func orDash(s string) string {
	return cmp.Or(s, "–")
}

// reviewLink leads to the review file where it stands in the repository, else it names the file.
func (r Report) reviewLink(res workflow.Result) string {
	commit := r.NewHead
	if res.Cached && commit == "" {
		commit = r.Head
	}
	if res.Decision == workflow.Error || r.blobURL(res.ReviewPath, 0, commit) == "" {
		return markdown.Code(res.ReviewPath)
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
		return markdown.Code(file)
	}
	return text
}

// blobURL is a file's page on GitHub, "" if it cannot have one. Nothing in it ends a Markdown link.
func (r Report) blobURL(file string, line int, commit string) string {
	if r.ServerURL == "" || r.Event.Owner == "" || commit == "" || !filepath.IsLocal(file) || !markdown.Visible(file) {
		return ""
	}
	var parts []string
	for p := range strings.SplitSeq(file, "/") {
		parts = append(parts, url.PathEscape(p))
	}
	u := fmt.Sprintf("%s/%s/%s/blob/%s/%s", r.ServerURL, url.PathEscape(r.Event.Owner), url.PathEscape(r.Event.Repo),
		url.PathEscape(commit), strings.Join(parts, "/"))
	if line > 0 {
		u += fmt.Sprintf("#L%d", line)
	}
	return strings.NewReplacer("(", "%28", ")", "%29").Replace(u)
}

const shownFirst = 10

// fixFirst lists the most severe findings, one line each.
func (r Report) fixFirst() string {
	fs, advice := r.advised()
	if len(fs) == 0 {
		return advice
	}
	inline := r.inlined()
	var b strings.Builder
	b.WriteString("### " + r.firstHeading() + "\n")
	for n, f := range fs {
		if n == shownFirst {
			fmt.Fprintf(&b, "\n\n… and %s, see the reviews below.", workflow.Count(len(fs)-n, "more finding"))
			break
		}
		fmt.Fprintf(
			&b,
			"\n%d. **%s** %s",
			n+1,
			markdown.Inline(string(f.Severity)),
			markdown.Inline(markdown.Clip(f.Title, 300)),
		)
		if p := r.place(f.File, f.Line); p != "" {
			b.WriteString(" · " + p)
		}
		if f.ID != "" {
			b.WriteString(" · " + markdown.Code(f.ID)) // what a dismissal asks for
		}
		if rec := firstSentence(f.Recommendation); rec != "" && !inline[f.spot(r)] {
			b.WriteString("<br>→ " + markdown.Inline(rec))
		}
	}
	if advice != "" {
		b.WriteString("\n\n" + advice)
	}
	if r.decidable() {
		b.WriteString("\n\nNot right? Somebody with write permission sets a finding aside by the comment " +
			markdown.Code(r.Commands.Of(workflow.CommandDismiss)+" ID reason") + ", or answers for a review by " +
			markdown.Code(r.Commands.Of(workflow.CommandOverride)+" TYPE:FEATURE reason") + ".")
	}
	return b.String()
}

// advised splits the findings into those that are listed, and the Low ones of
// built-in checks, which are folded: they are often of no use to who reviews.
func (r Report) advised() (listed []finding, advice string) {
	var lines []string
	for _, f := range r.findings() {
		if !f.isAdvice() {
			listed = append(listed, f)
			continue
		}
		line := markdown.Inline(markdown.Clip(f.Title, 300))
		if p := r.place(f.File, f.Line); p != "" {
			line += " · " + p
		}
		if f.ID != "" {
			line += " · " + markdown.Code(f.ID)
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		return listed, ""
	}
	shown := lines[:min(len(lines), shownFirst)]
	if n := len(lines) - len(shown); n > 0 {
		shown = append(slices.Clone(shown), fmt.Sprintf("… and %d more, see the reviews below", n))
	}
	return listed, fold("Advice of the built-in checks: "+fmt.Sprint(len(lines)), bullets(shown))
}

// isAdvice reports whether a finding is a Low one of a built-in check.
func (f finding) isAdvice() bool { return f.Rule != "" && rank(f.Severity) == rank(workflow.Low) }

// decidable reports whether a person may decide otherwise than a review of this run did.
func (r Report) decidable() bool {
	return r.Event.Number > 0 && !r.Event.Fork && slices.ContainsFunc(r.Results, func(res workflow.Result) bool {
		return res.Decision == workflow.NeedsChanges && len(res.Violations) == 0 &&
			(res.Unasked == "" || res.Unasked == workflow.ByLimit)
	})
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

const shownViolations = 20

// breach says what to do about violations of test integrity, and lists them.
func (r Report) breach() string {
	vs := r.AllViolations()
	if len(vs) == 0 {
		return ""
	}
	return "**What now:** " + r.whatNow() + "\n\n**" + workflow.Count(len(vs), "violation") +
		" of test integrity:**\n\n" + r.violationList(vs)
}

// whatNow is what to do about violations.
func (r Report) whatNow() string {
	switch {
	case !r.breached():
		return workaroundAction
	case slices.ContainsFunc(r.Results, breaksUnapproved):
		return "have the tests demand again what they demand in the merge base; nobody approved them, but the config enforces them. " +
			meantAction
	}
	return "put the approved lines back (`workflow-reviewer restore` writes them into the work tree) and change the code instead. " +
		meantAction
}

// breaksUnapproved reports whether a review ended for tests that nobody approved.
func breaksUnapproved(res workflow.Result) bool {
	return len(res.Violations) > 0 && res.Integrity != nil && res.Integrity.Unapproved
}

const (
	meantAction = "If the new tests are meant, somebody with write permission sets the label `re-review:tests`: they are reviewed " +
		"and approved anew."
	workaroundAction = "make the code do what the tests check, for any input. " +
		"What is meant as it stands can be excused in `.workflow/integrity-allow.json` of the base branch."
)

// weakened is about tests that nobody is known to have approved.
func (r Report) weakened() string {
	if len(r.Weakened) == 0 {
		return ""
	}
	return "### Tests that demand less\n\n" +
		"Nobody is known to have approved these tests, so this does not block. Look whether it is meant.\n\n" + r.violationList(r.Weakened)
}

func (r Report) violationList(vs []workflow.Violation) string {
	var parts []string
	for n, v := range vs[:min(len(vs), shownViolations)] {
		p := fmt.Sprintf(
			"%d. **%s** · %s",
			n+1,
			markdown.Inline(strings.ReplaceAll(v.Kind, "_", " ")),
			r.violationPlace(v),
		)
		if d := markdown.Inline(markdown.Clip(v.Description, 1000)); d != "" {
			p += "<br>" + d
		}
		if v.Evidence != "" {
			p += "\n" + indented(markdown.Fence(markdown.Clean(v.Evidence), "diff"))
		}
		parts = append(parts, p)
	}
	if n := len(vs) - shownViolations; n > 0 {
		parts = append(parts, fmt.Sprintf("… and %s.", workflow.Count(n, "more violation")))
	}
	return strings.Join(parts, "\n")
}

// indented makes a block a part of the numbered entry above it.
func indented(block string) string {
	return "    " + strings.ReplaceAll(block, "\n", "\n    ")
}

// beforeWords say which version has the line of a violation that is not in the head.
func beforeWords(v workflow.Violation) string {
	if v.Feature == "" {
		return "before the change"
	}
	return "as approved"
}

// violationPlace links the line of the head. A line of the approved file is no
// line of the head, so that only the file is linked.
func (r Report) violationPlace(v workflow.Violation) string {
	if v.Side != "before" {
		return r.place(v.File, v.Line)
	}
	text := markdown.Code(record.Location(v.File, v.Line))
	if !strings.Contains(v.Kind, "deleted") && !strings.Contains(v.Kind, "removed") || v.Kind == "assertion_removed" {
		text = r.link(text, v.File, 0, r.Head)
	}
	return text + " " + beforeWords(v)
}

// heldBack says which other verdicts on the commit keep the check from being green, and what ends that.
func (r Report) heldBack() string {
	if r.held == nil {
		return ""
	}
	var lines []string
	for _, l := range r.held.Lines[:min(len(r.held.Lines), shownFirst)] {
		lines = append(lines, "- "+linked(markdown.Clip(l.Text, 500), l.Pull))
	}
	if n := len(r.held.Lines) - len(lines); n > 0 {
		lines = append(lines, fmt.Sprintf("- … and %d more", n))
	}
	text := "**This commit is judged elsewhere, too:**\n\n" + bullets(lines) +
		"\n\nThe check is green once all of these are. A run that is under way replaces this verdict when it ends. " +
		"What did not run is run again by its job or by a " + markdown.Code(r.Commands.Of(workflow.CommandReview)) +
		" there. A pull request " +
		"that is closed does not count."
	if r.passed {
		text += " This run itself: " + r.ownWords() + "."
	}
	return text
}

// linked is a line of text in which GitHub links the pull request that it names.
func linked(s string, pull int) string {
	ref := fmt.Sprintf("#%d", pull)
	before, after, ok := strings.Cut(s, ref)
	if pull == 0 || !ok {
		return markdown.Inline(s)
	}
	return strings.TrimSpace(markdown.Inline(before) + " " + ref + " " + markdown.Inline(after))
}

// failures say for the run and for each review that did not run what happened and what to do.
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
	if len(lines) == 0 {
		return ""
	}
	return "### Warnings\n\n" + bullets(lines)
}

func (r Report) noticeLines(warning bool) []string {
	var lines []string
	for _, n := range r.Notices {
		if n.Warning != warning {
			continue
		}
		lines = append(lines, "- "+markdown.Inline(NoticeText(n)))
	}
	return lines
}

// omitted is what the reviewers were not shown whole.
func (r Report) omitted() []string {
	var lines []string
	for _, res := range r.Results {
		for _, o := range res.Omitted {
			lines = append(lines, "- "+markdown.Inline(res.Artifact.Name())+": "+markdown.Inline(o))
		}
	}
	return lines
}

func bullets(lines []string) string {
	const shown = 30
	if n := len(lines) - shown; n > 0 {
		lines = append(lines[:shown:shown], fmt.Sprintf("- … and %d more", n))
	}
	return strings.Join(lines, "\n")
}

// fold is a block that opens on a click.
func fold(title, body string) string {
	safe := strings.ReplaceAll(html.EscapeString(oneLine(title, 300)), "@", "@\u200b")
	return "<details>\n<summary>" + safe + "</summary>\n\n" + body + "\n\n</details>"
}
