package answers

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/review/prompt"
	"workflow-reviewer/internal/workflow"
)

// Anchors checks the places that a model names against the head's tree. It is for one result and
// not safe for concurrent use.
type Anchors struct {
	tree  change.Tree
	own   []string            // the artifact's paths
	lines map[string][]string // of files that were asked for; nil = no such file
}

// NewAnchors returns the anchors of an artifact in a head.
func NewAnchors(tree change.Tree, a workflow.Artifact) *Anchors {
	return &Anchors{tree: tree, own: prompt.FilePaths(a), lines: map[string][]string{}}
}

// Issue takes over an issue. A place that does not exist is taken away and kept in words; note is a
// warning about that, if any.
func (at *Anchors) Issue(in Issue) (out workflow.Finding, note string) {
	out = workflow.Finding{
		Level: in.Severity, Category: in.Category, Title: markdown.Line(in.Title, MaxTitle),
		Text: foreign.Block(in.Description), Trigger: foreign.Block(in.Trigger),
		Fix: foreign.Block(in.Recommendation),
	}
	out.Title = cmp.Or(out.Title, markdown.Line(out.Text, ShortestCut))
	if named := value(in.File); named != "" {
		file, line, problem := at.place(named, value(in.Line))
		if problem != "" {
			note = fmt.Sprintf("Issue %q %s", markdown.Clip(out.Title, 80), problem)
			out.Text += fmt.Sprintf("\n\n(The reviewer's entry %s.)", problem)
		}
		out.File, out.Line = file, line
		if end := min(value(in.EndLine), len(at.linesOf(file))); line > 0 && end > line {
			out.EndLine = end
		}
	}
	at.suggest(in.Suggestion, in.EndLine, &out)
	if out.Line > 0 {
		out.Subject = strings.TrimSpace(at.linesOf(out.File)[out.Line-1])
	}
	return out, note
}

// suggest keeps a replacement only where it can be applied as it was meant: on lines of the
// artifact that exist, and whole. Else it is kept in words.
func (at *Anchors) suggest(text *string, end *int, out *workflow.Finding) {
	if text == nil {
		return
	}
	s := strings.ReplaceAll(*text, "\r\n", "\n")
	isPlaced := slices.Contains(at.own, out.File) && out.Line > 0
	isWhole := value(end) <= max(out.Line, out.EndLine) &&
		utf8.RuneCountInString(s) <= MaxSuggestion
	if isPlaced && isWhole && markdown.Clean(s) == s {
		s = strings.TrimSuffix(s, "\n")
		out.Suggestion = &s
	} else if s = foreign.Block(s); s != "" {
		out.Fix = strings.TrimSpace(
			out.Fix + "\n\nSuggested text:\n\n" + foreign.Fenced(s))
	}
}

// place finds the file of the head that a model names by its path, which may stand in quotation
// marks and end in ":line" or ":line-line". problem says what is wrong; the file is "" where there
// is none, and the line 0 where it has none of that number.
func (at *Anchors) place(named string, n int) (file string, line int, problem string) {
	file = path.Clean(strings.Trim(strings.TrimSpace(named), "`\"'"))
	if i := strings.LastIndexByte(file, ':'); i > 0 && at.linesOf(file) == nil {
		digits, _, _ := strings.Cut(file[i+1:], "-")
		if number, err := strconv.Atoi(digits); err == nil {
			file, n = file[:i], cmp.Or(n, number)
		}
	}
	lines := at.linesOf(file)
	switch {
	case lines == nil:
		return "", 0, fmt.Sprintf("names the file %s, which the head does not hold",
			foreign.Label(markdown.Clip(named, 300)))
	case n < 0 || n > len(lines):
		return file, 0, fmt.Sprintf("names line %d of %s, which has %d lines",
			n, foreign.Label(file), len(lines))
	}
	return file, n, ""
}

// linesOf are the lines of a file of the head, nil if there is no such file.
func (at *Anchors) linesOf(file string) []string {
	lines, known := at.lines[file]
	if known || file == "" || path.IsAbs(file) || strings.HasPrefix(file, "../") {
		return lines
	}
	if data, err := at.tree.ReadFile(file); err == nil {
		lines = strings.Split(string(data), "\n")[:prompt.CountLines(data)]
	}
	at.lines[file] = lines
	return lines
}

// value dereferences p, and returns zero for nil.
func value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}
