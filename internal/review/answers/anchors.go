package answers

import (
	"cmp"
	"fmt"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/review/prompt"
	"workflow-reviewer/internal/workflow"
)

// Anchors checks the places that a model names against the head's tree. It is
// for one result and not safe for concurrent use.
type Anchors struct {
	tree  change.Tree
	known []string       // paths that the model was shown, the artifact's first
	own   map[string]int // the artifact's paths
	lines map[string]int // line counts already taken; -1 = no such file
}

// NewAnchors returns the anchors of an artifact in a head.
func NewAnchors(tree change.Tree, a workflow.Artifact) *Anchors {
	at := &Anchors{tree: tree, own: map[string]int{}, lines: map[string]int{}}
	for i, f := range a.Files {
		at.known = append(at.known, f.Path)
		at.own[f.Path] = i
	}
	at.known = append(at.known, a.Tests...)
	if a.SpecPath != "" {
		at.known = append(at.known, a.SpecPath)
	}
	return at
}

// Issue takes over an issue. A place that does not exist is taken away and
// kept in words; note is a warning about that, if any.
func (at *Anchors) Issue(in Issue) (out workflow.Issue, note string) {
	out = workflow.Issue{
		Severity: in.Severity, Category: in.Category, Title: markdown.Line(in.Title, MaxTitle),
		Description: foreign.Block(
			in.Description,
		), Trigger: foreign.Block(in.Trigger), Recommendation: foreign.Block(in.Recommendation),
		Line: value(in.Line), EndLine: value(in.EndLine),
	}
	if out.Title == "" {
		out.Title = markdown.Line(out.Description, ShortestCut)
	}
	named := value(in.File)
	if named == "" {
		out.Line, out.EndLine = 0, 0
	} else if !at.place(named, &out) {
		out.Line, out.EndLine = 0, 0
		out.Description += fmt.Sprintf("\n\n(The reviewer named the file %s, which the head does not hold.)",
			foreign.Label(markdown.Clip(named, 300)))
		note = fmt.Sprintf("Issue %q names a file that the head does not hold", markdown.Clip(out.Title, 80))
	} else if n := at.count(out.File); out.Line > n || out.Line < 0 {
		note = fmt.Sprintf("Issue %q names line %d of %s, which has %d lines",
			markdown.Clip(out.Title, 80), out.Line, foreign.Label(out.File), n)
		out.Line, out.EndLine = 0, 0
	} else if out.EndLine = min(out.EndLine, n); out.EndLine <= out.Line || out.Line == 0 {
		out.EndLine = 0
	}
	at.suggest(in.Suggestion, in.EndLine, &out)
	out.Subject = at.code(out.File, out.Line)
	return out, note
}

// suggest keeps a replacement only where it can be applied as it was meant: on
// lines of the artifact that exist, and whole. Else it is kept in words.
func (at *Anchors) suggest(text *string, end *int, out *workflow.Issue) {
	if text == nil {
		return
	}
	s := strings.ReplaceAll(*text, "\r\n", "\n")
	_, own := at.own[out.File]
	whole := value(end) <= max(out.Line, out.EndLine)
	visible := markdown.Clean(s)
	if own && whole && out.Line > 0 && utf8.RuneCountInString(s) <= MaxSuggestion && visible == s {
		s = strings.TrimSuffix(s, "\n")
		out.Suggestion = &s
		return
	}
	if s = foreign.Block(s); s != "" {
		out.Recommendation = strings.TrimSpace(out.Recommendation + "\n\nSuggested text:\n\n" + foreign.Fenced(s))
	}
}

// place finds the file that a model means: its path as given, without what diffs and shells put
// before it, with ":line" behind it, or shortened to an unambiguous end of a path that it was
// shown.
func (at *Anchors) place(named string, out *workflow.Issue) bool {
	named = strings.TrimSpace(strings.Trim(strings.TrimSpace(named), "`\"'"))
	if file, number, ok := cutLine(named); ok && at.count(named) < 0 {
		named = file
		out.Line = cmp.Or(out.Line, number)
	}
	candidates := []string{named, path.Clean(named), strings.TrimPrefix(strings.TrimPrefix(named, "a/"), "b/")}
	if end := at.ending(named); end != "" {
		candidates = append(candidates, end)
	}
	for _, c := range candidates {
		if at.count(c) >= 0 {
			out.File = c
			return true
		}
	}
	return false
}

// ending is the one known path that ends in the named one, "" if there is none
// or more than one.
func (at *Anchors) ending(named string) string {
	found := ""
	for _, k := range at.known {
		if !strings.HasSuffix(k, "/"+strings.TrimPrefix(named, "./")) || k == found {
			continue
		}
		if found != "" {
			return ""
		}
		found = k
	}
	return found
}

// count is how many lines a file of the head has, -1 if there is no such file.
func (at *Anchors) count(file string) int {
	if n, ok := at.lines[file]; ok {
		return n
	}
	n := -1
	if file != "" && !path.IsAbs(file) && path.Clean(file) == file && !strings.HasPrefix(file, "../") {
		if data, err := at.tree.ReadFile(file); err == nil {
			n = prompt.CountLines(data)
		}
	}
	at.lines[file] = n
	return n
}

// code is a line of a file of the head, "" where there is none.
func (at *Anchors) code(file string, line int) string {
	if line <= 0 {
		return ""
	}
	data, err := at.tree.ReadFile(file)
	if lines := strings.Split(string(data), "\n"); err == nil && line <= len(lines) {
		return strings.TrimSpace(lines[line-1])
	}
	return ""
}

// cutLine splits "src/a.py:12" or "src/a.py:12-15".
func cutLine(s string) (file string, n int, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i <= 0 {
		return "", 0, false
	}
	digits, _, _ := strings.Cut(s[i+1:], "-")
	n, err := strconv.Atoi(digits)
	return s[:i], n, err == nil && n > 0
}

// value dereferences p, and returns zero for nil.
func value[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}
