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

// unreadMark stands for what nobody but the built-in checks looked at.
const unreadMark = "⚪"

// mark is the sign beside a verdict.
func (r Report) mark(res workflow.Result) string {
	if res.Decision == workflow.Approved && res.ReviewedBy() == workflow.ByRules {
		return r.drawn(unreadMark)
	}
	return r.drawn(decisionMark(res.Decision))
}

// onPage are signs in characters that every font has.
var onPage = map[string]string{"✅": "✓", "❌": "✕", "➖": "–", "⚠️": "!", unreadMark: "○", "🔴": ""}

func (r Report) drawn(emoji string) string {
	if r.page {
		return onPage[emoji]
	}
	return emoji
}

// decisionMark is the sign of a decision.
func decisionMark(d workflow.Decision) string {
	return cmp.Or(
		map[workflow.Decision]string{workflow.Approved: "✅", workflow.NeedsChanges: "❌", workflow.None: "➖"}[d],
		"⚠️",
	)
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

// reviewLine tells a review in one line.
func (r Report) reviewLine(res workflow.Result) string {
	parts := []string{fmt.Sprintf("%s **%s: %s** %s", r.mark(res), res.Artifact.Type,
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

// unreadByRules names the languages of which a review by the checks alone read no code, "" if there
// is none.
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

// decisionWords is a decision as words of a sentence.
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
	if r.page {
		return "[review](" + strings.NewReplacer("(", "%28", ")", "%29").Replace((&url.URL{Path: res.ReviewPath}).EscapedPath()) + ")"
	}
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

// link links a text to a place at a commit, and is the text alone where there is none to link to.
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

// toMerge says first what makes a run green that is not, and what does not stand in its way.
func (r Report) toMerge() string {
	steps := r.steps()
	if len(steps) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("**To merge:**\n")
	for n, s := range steps {
		fmt.Fprintf(&b, "\n%d. %s", n+1, markdown.Inline(s))
	}
	if s := r.passing(); s != "" {
		b.WriteString("\n\nDoes not block: " + s + ".")
	}
	return b.String()
}

// findingLists are what blocks, and what does not: folded beside what blocks, and where built-in
// checks advise, which is often of no use to who reviews.
func (r Report) findingLists() []section {
	blocking, other := r.parted()
	var advice []finding
	if len(blocking) == 0 {
		advice = slices.DeleteFunc(slices.Clone(other), func(f finding) bool { return !f.isAdvice() })
		other = slices.DeleteFunc(other, finding.isAdvice)
	}
	beside := section{name: "findings that do not block", title: "Worth a look", body: r.findingList(other, "")}
	if len(blocking) > 0 {
		beside.title, beside.fold = "Does not block: "+workflow.Count(len(other), "finding"), true
	}
	return []section{
		{name: "what blocks", title: "What blocks", class: "BLOCKS", body: r.findingList(blocking, r.drawn("🔴"))},
		beside,
		{
			name: "advice", title: fmt.Sprintf("Advice of the built-in checks: %d", len(advice)), fold: true,
			body: r.findingList(advice, ""),
		},
	}
}

// findingList lists findings, one line each; what has a thread in the diff is told there.
func (r Report) findingList(fs []finding, mark string) string {
	inline := r.inlined()
	if mark != "" {
		mark += " "
	}
	var b strings.Builder
	for n, f := range fs[:min(len(fs), shownFirst)] {
		if n > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%d. %s**%s** %s", n+1, mark, markdown.Inline(string(f.Level)), markdown.Inline(markdown.Clip(f.Title, 300)))
		for _, part := range []string{r.place(f.File, f.Line), markdown.Code(f.Key)} {
			if part != "" {
				b.WriteString(" · " + part)
			}
		}
		if rec := firstSentence(f.Fix); rec != "" && !inline[f.spot(r)] {
			b.WriteString("<br>→ " + markdown.Inline(rec))
		}
	}
	if n := len(fs) - shownFirst; n > 0 {
		fmt.Fprintf(&b, "\n\n… and %s, see the reviews below.", workflow.Count(n, "more finding"))
	}
	return b.String()
}

// isAdvice reports whether a finding is a Low one of a built-in check.
func (f finding) isAdvice() bool { return f.Kind != "" && rank(f.Level) == rank(workflow.Note) }

// firstSentence is what of a recommendation fits a line.
func firstSentence(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return oneLine(s, 240)
}

const shownViolations = 20

// breach lists violations of test integrity.
func (r Report) breach() string {
	vs := r.AllViolations()
	if len(vs) == 0 {
		return ""
	}
	return "**" + workflow.Count(len(vs), "violation") + " of test integrity:**\n\n" + r.violationList(vs)
}

// weakened is about tests that nobody is known to have approved.
func (r Report) weakened() string {
	if len(r.Weakened) == 0 {
		return ""
	}
	return "These tests were never approved, so this does not block. Look whether it is meant.\n\n" + r.violationList(r.Weakened)
}

// violationList numbers violations with place and evidence, at most shownViolations.
func (r Report) violationList(vs []workflow.Finding) string {
	var parts []string
	for n, v := range vs[:min(len(vs), shownViolations)] {
		p := fmt.Sprintf(
			"%d. **%s** · %s",
			n+1,
			markdown.Inline(strings.ReplaceAll(v.Kind, "_", " ")),
			r.violationPlace(v),
		)
		if d := markdown.Inline(markdown.Clip(v.Text, 1000)); d != "" {
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
func beforeWords(v workflow.Finding) string {
	if v.Feature == "" {
		return "before the change"
	}
	return "as approved"
}

// violationPlace links the line of the head. A line of the approved file is no
// line of the head, so that only the file is linked.
func (r Report) violationPlace(v workflow.Finding) string {
	if v.Side != "before" {
		return r.place(v.File, v.Line)
	}
	text := markdown.Code(record.Location(v.File, v.Line))
	if !strings.Contains(v.Kind, "deleted") && !strings.Contains(v.Kind, "removed") || v.Kind == "assertion_removed" {
		text = r.link(text, v.File, 0, r.Head)
	}
	return text + " " + beforeWords(v)
}

// heldBack says which other verdicts on the commit keep the check from being green, and what ends
// that.
func (r Report) heldBack() string {
	if r.held == nil {
		return ""
	}
	var lines []string
	for _, l := range r.held.Lines[:min(len(r.held.Lines), shownFirst)] {
		lines = append(lines, "- "+linked(markdown.Clip(l.Text, 500), l.Pull))
	}
	lines = more(lines, len(r.held.Lines)-len(lines))
	text := "**This commit is judged elsewhere, too:**\n\n" + strings.Join(lines, "\n") +
		"\n\nThe check is green once all of these are. A run that is under way replaces this verdict when it ends. " +
		"What did not run is run again by its job or by a " + markdown.Code(r.Commands.Of(workflow.CommandReview)) +
		" there. A pull request that is closed does not count."
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
	return strings.Join(parts[:min(len(parts), 20)], "\n") +
		"\n\n" + r.noVerdict()
}

// noVerdict says what a failure means for the change.
func (r Report) noVerdict() string {
	if r.unsaved() {
		return "The reviews have their verdicts; nothing was written to the branch."
	}
	return "This is no verdict on the change. Nothing was moved for a review that did not run."
}

// failure says what happened, a line for each thing that is wrong; what to do is among the steps.
func failure(what string, f workflow.Failure) string {
	lines := strings.Split(strings.TrimSpace(f.Message), "\n")
	s := "- **" + markdown.Inline(what) + ":** " + markdown.Inline(lines[0])
	for _, l := range lines[1:] {
		s += "\n- " + markdown.Inline(l)
	}
	return s
}

// allWarnings are the reviews' and the run's, each with what it speaks of, in plain text.
func (r Report) allWarnings() []string {
	var lines []string
	for _, res := range r.Results {
		for _, w := range res.Warnings {
			lines = append(lines, res.Artifact.Name()+": "+w)
		}
	}
	for _, n := range r.Notices {
		if n.Warns() {
			lines = append(lines, NoticeText(n))
		}
	}
	return lines
}

// notes are what explains decisions of the run.
func (r Report) notes() []string {
	var lines []string
	for _, n := range r.Notices {
		if !n.Warns() {
			lines = append(lines, NoticeText(n))
		}
	}
	return lines
}

// omitted is what the reviewers were not shown whole.
func (r Report) omitted() []string {
	var lines []string
	for _, res := range r.Results {
		for _, o := range res.Omitted {
			lines = append(lines, res.Artifact.Name()+": "+o)
		}
	}
	return lines
}

// bullets lists plain texts.
func bullets(texts []string) string {
	const shown = 30
	var lines []string
	for _, s := range texts[:min(len(texts), shown)] {
		lines = append(lines, "- "+markdown.Inline(s))
	}
	return strings.Join(more(lines, len(texts)-shown), "\n")
}

// more is lines with a count of those that were left out.
func more(lines []string, n int) []string {
	if n > 0 {
		return append(lines, fmt.Sprintf("- … and %d more", n))
	}
	return lines
}

// fold is a block that opens on a click.
func fold(title, body string) string {
	safe := strings.ReplaceAll(html.EscapeString(oneLine(title, 300)), "@", "@\u200b")
	return "<details>\n<summary>" + safe + "</summary>\n\n" + body + "\n\n</details>"
}

// NoticeText is the notice with the path it speaks of.
func NoticeText(n workflow.Finding) string {
	if n.File == "" || strings.Contains(n.Text, n.File) {
		return n.Text
	}
	return n.File + ": " + n.Text
}
