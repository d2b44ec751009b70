package report

import (
	"fmt"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// maxInline is how many comments are put into the diff; more make the page unusable.
const maxInline = 30

// inlined are the keys of the findings that are shown in the diff.
func (r Report) inlined() map[string]bool {
	out := map[string]bool{}
	for _, i := range r.Inline {
		out[i.Key] = true
	}
	return out
}

// InDiff picks the findings of a severity, at the least, that can stand in the diff, the most
// severe first. hunks returns what GitHub shows of a file's diff, nil for a file that is not in it:
// one comment on another line would make it refuse all.
func (r Report) InDiff(
	least workflow.Level, hunks func(path string) []change.Hunk,
) (inline []change.LineComment) {
	anchors, seen := map[string]map[int]anchor{}, map[string]bool{}
	for _, f := range r.found {
		isWanted := f.of != nil && !f.isAdvice() && f.Level.Rank() <= least.Rank()
		if !isWanted || len(inline) == maxInline {
			continue
		}
		if anchors[f.File] == nil {
			anchors[f.File] = anchorsOf(hunks(f.File))
		}
		said := fmt.Sprint(f.of.Artifact.Name(), f.File, f.Line, f.Title)
		if c, ok := r.comment(f, anchors[f.File]); ok && !seen[said] {
			seen[said] = true
			inline = append(inline, c)
		}
	}
	return inline
}

// anchor is a line of the diff's new side.
type anchor struct {
	hunk int
	text string
}

// anchorsOf are the lines of the new side, with the hunk each is in.
func anchorsOf(hunks []change.Hunk) map[int]anchor {
	out := map[int]anchor{}
	for h, hunk := range hunks {
		for _, l := range hunk.Lines {
			if l.New > 0 && l.Op != '-' {
				out[l.New] = anchor{h, l.Text}
			}
		}
	}
	return out
}

// comment is the inline comment of a finding, false if the diff does not show its line.
func (r Report) comment(f finding, anchors map[int]anchor) (change.LineComment, bool) {
	if _, ok := anchors[f.Line]; !ok {
		return change.LineComment{}, false
	}
	c := change.LineComment{Path: f.File, Line: f.Line, Key: f.key()}
	old, whole := linesOf(f.Finding, anchors)
	if whole && f.EndLine > f.Line {
		c.StartLine, c.Line = f.Line, f.EndLine
	}
	v := threadView{
		Report: r, Finding: f.Finding, Review: f.of.Artifact.Name(),
		IsOpen: r.mayDismiss(*f.of),
	}
	if whole && offer(f.Finding, old) {
		v.Offer, v.Finding.Suggestion = suggestionBlock(*f.Suggestion), nil
	}
	// The marker says which review it belongs to, and which finding of it, wherever that stands.
	c.Body = markdown.Cut(fill("thread", v), maxComment/2, cutNote) + "\n\n" + fill("thread-end", v)
	return c, true
}

// threadView is a finding for the form of a comment in the diff.
type threadView struct {
	Report
	Finding workflow.Finding
	Review  string
	Offer   string // GitHub's suggestion, "" for none
	IsOpen  bool   // to people who set it aside
}

// mayDismiss reports whether a comment can set a finding of a review aside.
func (r Report) mayDismiss(res workflow.Result) bool {
	return r.isPull() && !r.Event.Fork && res.Unasked == "" && mayBeOverruled(res)
}

// linesOf returns the text of the lines; whole is false unless all of them are in one hunk.
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
	return markdown.Visible(s) && s != old && !strings.Contains(s, "[redacted: ") &&
		!strings.Contains(s, "[withheld: ")
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
