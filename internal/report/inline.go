package report

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

const (
	// maxInline is how many comments are put into the diff; more make the page unusable.
	maxInline = 30
	// context is how many unchanged lines GitHub shows, and takes comments on, around a change.
	context = 3
)

// Inline is a review comment on lines of the diff.
type Inline struct {
	Path      string
	Line      int    // the last line, in the head's file
	StartLine int    // the first, 0 if there is only one
	Side      string // RIGHT
	Body      string // Markdown; ends in a marker by which Settled knows it again
	Key       string // the same for the same finding on the same text of a line
	spot      spot
}

// spot tells a finding from the others of a run.
type spot struct{ review, id string }

func (f finding) spot(r Report) spot { return spot{f.of(r).Artifact.Name(), f.Key} }

// inlined are the findings that are shown in the diff.
func (r Report) inlined() map[spot]bool {
	out := map[spot]bool{}
	for _, i := range r.Inline {
		out[i.spot] = true
	}
	return out
}

// InDiff picks the findings of a severity, at the least, that can stand in the diff, the most
// severe first, and returns the rest. hunks returns a file's hunks between merge base and head.
// Every anchor is a line that GitHub takes: one wrong line would make it refuse all comments.
func (r Report) InDiff(set change.Set, least workflow.Level, hunks func(path string) []change.Hunk) (
	inline []Inline, rest []workflow.Finding,
) {
	changed := map[string]bool{}
	for _, f := range set.Files {
		changed[f.Path] = f.Status != change.Deleted && !f.Binary
	}
	anchors := map[string]map[int]anchor{}
	type said struct {
		review, title string
		line          int
	}
	seen := map[said]bool{}
	for _, f := range r.findings() {
		wanted := f.result >= 0 && changed[f.File] && !f.isAdvice() && rank(f.Level) <= rank(least)
		if !wanted || len(inline) == maxInline {
			rest = append(rest, f.Finding)
			continue
		}
		if anchors[f.File] == nil {
			anchors[f.File] = anchorsOf(hunks(f.File))
		}
		c, ok := r.comment(f, anchors[f.File])
		switch {
		case !ok:
			rest = append(rest, f.Finding)
		case !seen[said{c.spot.review, f.File + f.Title, f.Line}]:
			seen[said{c.spot.review, f.File + f.Title, f.Line}] = true
			inline = append(inline, c)
		}
	}
	return inline, rest
}

// anchor is a line of the diff's new side.
type anchor struct {
	hunk int
	text string
}

// anchorsOf are the lines of the new side that GitHub shows in the diff, with the hunk each is in.
func anchorsOf(hunks []change.Hunk) map[int]anchor {
	out := map[int]anchor{}
	for h, hunk := range hunks {
		for i, l := range hunk.Lines {
			if l.New > 0 && l.Op != '-' && nearChange(hunk.Lines, i) {
				out[l.New] = anchor{h, l.Text}
			}
		}
	}
	return out
}

// nearChange reports whether a line is at most context lines from a changed one.
func nearChange(lines []change.Line, i int) bool {
	for k := max(0, i-context); k <= min(len(lines)-1, i+context); k++ {
		if lines[k].Op != ' ' {
			return true
		}
	}
	return false
}

// comment is the inline comment of a finding, false if the diff does not show its line.
func (r Report) comment(f finding, anchors map[int]anchor) (Inline, bool) {
	if _, ok := anchors[f.Line]; !ok {
		return Inline{}, false
	}
	res := r.Results[f.result]
	c := Inline{Path: f.File, Line: f.Line, Side: "RIGHT", Key: key(res, f.Finding), spot: f.spot(r)}
	old, whole := linesOf(f.Finding, anchors)
	if whole && f.EndLine > f.Line {
		c.StartLine, c.Line = f.Line, f.EndLine
	}
	issue := f.Finding
	offered := whole && offer(issue, old)
	if offered {
		issue.Suggestion = nil // shown as GitHub's own block below
	}
	parts := []string{"**" + markdown.Inline(markdown.Clip(issue.Title, 300)) + "**", record.Issue(issue)}
	if offered {
		parts = append(parts, suggestionBlock(*f.Suggestion))
	}
	parts = append(parts, r.setAside(res, issue.Key), fold("As a prompt for your agent", fill("fix-one", issue)))
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	body := markdown.Cut(strings.Join(parts, "\n\n"), maxComment/2, cutNote)
	// Which review it belongs to, and which finding of it, wherever that stands now.
	marker := "<!-- workflow-reviewer:finding " + threadID(res.Artifact.Name()) + " " + issue.Key + " -->"
	c.Body = body + "\n\n<sub>" + markdown.Inline(res.Artifact.Name()) + "</sub>\n" + marker
	return c, true
}

// setAside is the comment that sets a finding aside, ready to be copied; "" where none does.
func (r Report) setAside(res workflow.Result, id string) string {
	if !r.isPull() || r.Event.Fork || res.Unasked != "" || !mayBeOverruled(res) {
		return ""
	}
	who := "A maintainer"
	if !r.AuthorDecides {
		who += " other than the author"
	}
	return "Not right? " + who + " comments on the pull request:\n\n" +
		markdown.Fence(r.Commands.Of(workflow.CommandDismiss)+" "+id+" <reason>", "")
}

// linesOf returns the text of the issue's lines; whole is false unless all of them are in one hunk.
func linesOf(i workflow.Finding, anchors map[int]anchor) (old string, whole bool) {
	end := max(i.Line, i.EndLine)
	if end-i.Line > 500 {
		return "", false
	}
	var lines []string
	for n := i.Line; n <= end; n++ {
		a, ok := anchors[n]
		if !ok || a.hunk != anchors[i.Line].hunk {
			return "", false
		}
		lines = append(lines, a.text)
	}
	return strings.Join(lines, "\n"), true
}

// offer reports whether the suggestion may be applied by a click: it changes
// something, hides nothing, and nothing was redacted in it.
func offer(i workflow.Finding, old string) bool {
	if i.Suggestion == nil || len(*i.Suggestion) > 8<<10 {
		return false
	}
	s := strings.TrimSuffix(strings.ReplaceAll(*i.Suggestion, "\r\n", "\n"), "\n")
	return markdown.Visible(s) && s != old && !strings.Contains(s, "[redacted: ") && !strings.Contains(s, "[withheld: ")
}

// suggestionBlock is GitHub's suggestion. markdown.Fence drops that language, for foreign text may
// not choose it.
func suggestionBlock(s string) string {
	s = strings.TrimSuffix(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	fenced := markdown.Fence(s, "")
	fence, rest, _ := strings.Cut(fenced, "\n")
	if s == "" {
		rest = fence
	}
	return fence + "suggestion\n" + rest
}

func key(res workflow.Result, i workflow.Finding) string {
	return threadID(res.Artifact.Name()) + "." + i.Key
}
