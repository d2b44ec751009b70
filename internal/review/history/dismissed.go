package history

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"workflow-reviewer/internal/workflow"
)

// dismissEarlier takes over what people had set aside when an earlier review was written.
func (h *History) dismissEarlier(ctx context.Context, src Source, r *workflow.Result) {
	for _, d := range r.Dismissed {
		isFile := func(f workflow.File) bool { return f.Path == d.Issue.File }
		if i := slices.IndexFunc(h.artifact.Files, isFile); i >= 0 && d.Lines > 0 {
			// Of a file that cannot be compared, no line is known to be where it was.
			if seen, known, _ := src.seen(ctx, *r, h.artifact.Files[i]); known {
				d.Issue = atLine(d.Issue, seen.now(d.Issue.Line))
			}
		}
		h.Dismiss(d)
	}
}

// Dismiss takes over what a person set aside, as far as the lines are as they were. Of several
// places of one text it is the one that the finding names.
func (h *History) Dismiss(d workflow.Dismissal) {
	var at []int
	for i, text := range h.passages(d.Issue.File, d.Lines) {
		if text == d.Text {
			at = append(at, i+1)
		}
	}
	if len(at) > 1 && slices.Contains(at, d.Issue.Line) {
		at = []int{d.Issue.Line}
	}
	if len(at) != 1 {
		h.lapsed = append(slices.Clone(h.lapsed), d)
		return
	}
	if d.Lines > 0 {
		d.Issue = atLine(d.Issue, at[0])
	}
	h.Dismissed = append(slices.Clone(h.Dismissed), d)
}

// atLine is a finding that begins at another line, of as many lines as before.
func atLine(i workflow.Finding, line int) workflow.Finding {
	if i.EndLine > 0 {
		i.EndLine += line - i.Line
	}
	i.Line = line
	return i
}

// isDismissed reports whether a person set the finding aside: the same one, on the same lines.
func (h History) isDismissed(i workflow.Finding) bool {
	return slices.ContainsFunc(h.Dismissed, func(d workflow.Dismissal) bool {
		return d.Issue.Alike(i) && d.Covers(i.Line)
	})
}

// Undismissed is the checks without the findings that people set aside.
func (h History) Undismissed(checks []workflow.Check) []workflow.Check {
	out := slices.Clone(checks)
	for k, c := range out {
		out[k].Issues = slices.DeleteFunc(slices.Clone(c.Issues), h.isDismissed)
		isEmptied := len(c.Issues) > 0 && len(out[k].Issues) == 0
		if isEmptied && !c.Gate && c.Outcome == workflow.Failed {
			out[k].Outcome = workflow.Noted
		}
	}
	return out
}

// Passage identifies what a finding is about: its lines, its whole file, or all files of the
// artifact. lines is 0 for the latter two. ok is false if it cannot be read.
func (h History) Passage(i workflow.Finding) (text string, lines int, ok bool) {
	if i.File != "" && i.Line > 0 {
		lines = max(i.Line, i.EndLine) - i.Line + 1
	}
	all := h.passages(i.File, lines)
	at := 0
	if lines > 0 {
		at = i.Line - 1
	}
	if at >= len(all) {
		return "", 0, false
	}
	return all[at], lines, true
}

// maxCompared caps the lines that are read to find a passage again, which takes two seconds.
const maxCompared = 1 << 24

// passages identify each run of so many lines of a file, the whole file for 0, and all files of the
// artifact where no file is named; nil if it cannot be read or would take too long.
func (h History) passages(file string, lines int) (out []string) {
	var all []string
	if file == "" {
		for _, f := range h.artifact.Files {
			all = append(all, h.artifact.Lasting(f.Path), f.Blob)
		}
		lines = len(all)
	} else {
		data, err := h.tree.ReadFile(file)
		if err != nil {
			return nil
		}
		all = []string{string(data)}
		if lines > 0 {
			all = strings.SplitAfter(string(data), "\n")
		}
	}
	lines = max(lines, 1)
	if (len(all)-lines)*lines > maxCompared {
		return nil
	}
	for n := lines; n <= len(all); n++ {
		out = append(out, digestOf(all[n-lines:n]))
	}
	return out
}

// digestOf identifies texts; that the last line of a file lacks its line feed makes no difference.
func digestOf(texts []string) string {
	h := sha256.New()
	for _, t := range texts {
		h.Write([]byte(strings.TrimRight(t, "\r\n") + "\n"))
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
