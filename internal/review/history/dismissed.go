package history

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"workflow-reviewer/internal/workflow"
)

// dismissed is a dismissal with the first line, from 1, at which its text stands now.
type dismissed struct {
	workflow.Dismissal
	at int
}

// Dismiss takes over what people set aside, as far as the lines are as they were.
func (h *History) Dismiss(list ...workflow.Dismissal) {
	h.dismissed = slices.Clone(h.dismissed)
	for _, d := range list {
		var at []int
		for i, text := range h.passages(d.Issue.File, d.Lines) {
			if text == d.Text {
				at = append(at, i+1)
			}
		}
		// Of several places of one text it is the one where the finding was.
		if len(at) > 1 && slices.Contains(at, d.Issue.Line) {
			at = []int{d.Issue.Line}
		}
		if len(at) == 1 {
			h.dismissed = append(h.dismissed, dismissed{d, at[0]})
		} else {
			h.lapsed = append(h.lapsed, d)
		}
	}
}

// Dismissals are those whose lines are still as they were.
func (h History) Dismissals() []workflow.Dismissal {
	var out []workflow.Dismissal
	for _, d := range h.dismissed {
		out = append(out, d.Dismissal)
	}
	return out
}

// isDismissed reports whether a person set the finding aside: the same one, on the same lines
// wherever they stand now.
func (h History) isDismissed(i workflow.Finding) bool {
	return slices.ContainsFunc(h.dismissed, func(d dismissed) bool {
		isThere := d.Lines == 0 && i.Line == 0 || i.Line >= d.at && i.Line < d.at+d.Lines
		return d.Issue.Alike(i) && isThere
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
