package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"workflow-reviewer/internal/checks"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// finding is an issue with the review it belongs to, nil for the run's own.
type finding struct {
	workflow.Finding
	of *workflow.Result
}

// key tells a finding from the others of a run.
func (f finding) key() string {
	if f.of == nil {
		return f.Key
	}
	return threadID(f.of.Artifact.Name()) + "." + f.Key
}

// blocks reports whether a finding keeps the run from approving.
func (f finding) blocks() bool { return f.of == nil || f.of.Blocks(f.Finding) }

// find gathers the issues of the run and of all reviews, the most severe first, else in the order
// of the reviews.
func (r Report) find() []finding {
	var out []finding
	for _, is := range r.Issues {
		out = append(out, finding{is, nil})
	}
	for i := range r.Results {
		for _, is := range r.Results[i].Issues {
			out = append(out, finding{is, &r.Results[i]})
		}
	}
	slices.SortStableFunc(out, func(a, b finding) int {
		return a.Level.Rank() - b.Level.Rank()
	})
	return out
}

// splitFindings are the findings that block and those that do not.
func (r Report) splitFindings() (blocking, other []finding) {
	listed := r.listedAsWeakened()
	for _, f := range r.found {
		switch {
		case listed[spot{f.Kind, f.File, f.Line}]:
		case f.blocks():
			blocking = append(blocking, f)
		default:
			other = append(other, f)
		}
	}
	return blocking, other
}

// blockers are the findings that block, the requirements that are not met without one of these, and
// the criteria that fail where there is none of both.
func (r Report) blockers() (findings, requirements, criteria []finding) {
	findings, _ = r.splitFindings()
	for _, res := range r.refused() {
		for _, q := range notMet(res) {
			title := q.ID + ": " + markdown.Clip(q.Text, 200) + " – " + q.Reason
			requirements = append(requirements, finding{workflow.Finding{
				Level: "Not met", File: q.File, Line: q.Line,
				Title: strings.TrimSuffix(title, " – "),
			}, &res})
		}
		for _, c := range failing(res.Criteria) {
			criteria = append(criteria, finding{workflow.Finding{
				Level: workflow.Level(c.Grade), Title: c.Name + ": " + c.Finding,
			}, &res})
		}
	}
	if len(findings)+len(requirements) > 0 {
		criteria = nil // what they grade is among these
	}
	return findings, requirements, criteria
}

// spot is where a finding of a kind is.
type spot struct {
	kind, file string
	line       int
}

// listedAsWeakened are the issues that the list of weakened tests says, too.
func (r Report) listedAsWeakened() map[spot]bool {
	out := map[spot]bool{}
	for _, v := range r.Weakened {
		out[spot{"integrity/" + v.Kind, v.File, v.Line}] = true
	}
	return out
}

// isAdvice reports whether a finding is a Low one of a built-in check.
func (f finding) isAdvice() bool { return f.Kind != "" && f.Level == workflow.Note }

// listed is a finding as lists have it.
type listed struct {
	workflow.Finding
	Mark, Place, Advice string
}

// findingList lists findings, one line each; what has a thread in the diff is told there.
func (r Report) findingList(fs []finding, mark string) string {
	inline := r.inlined()
	var list []listed
	for _, f := range fs {
		advice, _, _ := strings.Cut(strings.TrimSpace(f.Fix), "\n")
		if inline[f.key()] {
			advice = ""
		}
		list = append(list, listed{f.Finding, mark, r.place(f.Finding), markdown.Line(advice, 240)})
	}
	return fill("findings", list)
}

// placed are violations with their places.
func (r Report) placed(vs []workflow.Finding) []listed {
	var list []listed
	for _, v := range vs {
		list = append(list, listed{Finding: v, Place: r.place(v)})
	}
	return list
}

// decided are overrides and dismissals, each with who and why, as lines of a list.
func (r Report) decided() []string {
	var lines []string
	for _, res := range r.Results {
		if res.Override != nil {
			lines = append(lines, fill("overridden", res))
		}
		if d := record.Dismissed(res.Dismissed); d != "" {
			lines = append(lines, strings.Split(d, "\n")...)
		}
	}
	return lines
}

// unreadByRules names the languages of which a review by the checks alone read no code, "" if there
// is none.
func unreadByRules(res workflow.Result) string {
	if isRead(res) {
		return ""
	}
	return checks.NotRead(res.Artifact)
}

// count says how many findings there are: "2 High, 1 Low", "" for none.
func count(is []workflow.Finding) string {
	var parts []string
	for _, level := range []workflow.Level{workflow.Block, workflow.Warn, workflow.Note} {
		n := 0
		for _, i := range is {
			if i.Level.Rank() == level.Rank() {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, level))
		}
	}
	return strings.Join(parts, ", ")
}

// Summary is the verdict with its reason on one line.
func (r Report) Summary() string {
	if reason := r.reason(); reason != "" {
		return markdown.Line(r.Title()+": "+reason, 1000)
	}
	return r.Title() + "."
}

// reason is the verdict's reason in a sentence, "" where the title says all.
func (r Report) reason() string {
	parts := strings.FieldsFunc(fill("reason", r), func(c rune) bool { return c == '\n' })
	switch {
	case len(parts) > 0:
		return strings.Join(parts, "; ") + "."
	case r.Decision == workflow.None:
		return r.nothing()
	}
	return ""
}

// nothing says why there was nothing to review.
func (r Report) nothing() string {
	if r.Skipped != "" {
		return strings.TrimRight(r.Skipped, ".") + "."
	}
	return "The change touches no workflow artifact."
}

// tally counts the reviews: "3 reviews: 1 did not run, 1 needs changes, 1 approved (2 High, 1
// Low)".
func (r Report) tally() string {
	n, all := map[string]int{}, slices.Clone(r.Issues)
	for _, res := range r.Results {
		n[lookOfResult(res).counted]++
		all = append(all, res.Issues...)
	}
	var parts []string
	for _, words := range []string{
		"did not run", "needs changes", "approved", "without findings that block",
	} {
		switch k := n[words]; {
		case k == 1:
			parts = append(parts, "1 "+words)
		case k > 1:
			parts = append(parts, fmt.Sprint(k, " ", strings.Replace(words, "needs", "need", 1)))
		}
	}
	s := workflow.Count(len(r.Results), "review")
	switch {
	case r.Decision == workflow.Approved: // the title says it
	case len(parts) == 1:
		s += " " + strings.TrimLeft(parts[0], "0123456789 ")
	case len(parts) > 1:
		s += ": " + strings.Join(parts, ", ")
	}
	if c := count(all); c != "" {
		s += " (findings: " + c + ")"
	}
	return s
}

// Cost is what the run took: money if the prices are known, tokens and time.
func (r Report) Cost() string {
	s := cost(r.Tokens, r.Duration)
	if usd, known := r.Prices.Of(r.Tokens); known {
		s = fmt.Sprintf("about $%.2f · %s", usd, s)
	}
	return s
}

// cost tells tokens and time.
func cost(t workflow.Tokens, d time.Duration) string {
	s := "no tokens"
	if t != (workflow.Tokens{}) {
		s = thousands(t.Input) + " tokens in"
		if t.Cached > 0 {
			s += " (" + thousands(t.Cached) + " cached)"
		}
		s += ", " + thousands(t.Output) + " out"
	}
	return s + " · " + span(d)
}

// thousands is a number with commas.
func thousands(n int64) string { return message.NewPrinter(language.English).Sprint(n) }

// span is a duration for people.
func span(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	default:
		d = d.Round(time.Second)
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	}
}

// orphans are the violations that no result shows.
func (r Report) orphans() []workflow.Finding {
	shown := map[workflow.Finding]bool{}
	for _, res := range r.Results {
		for _, v := range res.Violations {
			shown[v] = true
		}
	}
	return filter(r.AllViolations(), func(v workflow.Finding) bool { return !shown[v] })
}

// filter are the entries of a list of which something is so.
func filter[T any](in []T, is func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(in), func(v T) bool { return !is(v) })
}

func met(rs []workflow.Requirement) []workflow.Requirement {
	return filter(rs, func(q workflow.Requirement) bool { return q.Status == workflow.Met })
}

func unmet(rs []workflow.Requirement) []workflow.Requirement {
	return filter(rs, func(q workflow.Requirement) bool { return q.Status != workflow.Met })
}

func failing(cs []workflow.Criterion) []workflow.Criterion {
	return filter(cs, func(c workflow.Criterion) bool { return c.Grade == workflow.Fail })
}

// refused are the reviews that need changes.
func (r Report) refused() []workflow.Result {
	return filter(r.Results, func(res workflow.Result) bool {
		return res.Decision == workflow.NeedsChanges
	})
}

// notMet are the requirements that are not met and that no High issue speaks of.
func notMet(res workflow.Result) []workflow.Requirement {
	return filter(res.Requirements, func(q workflow.Requirement) bool {
		return q.Status == workflow.NotMet && !q.IsTold(res.Issues)
	})
}

func isRead(res workflow.Result) bool { return res.ReviewedBy() != workflow.ByRules }
