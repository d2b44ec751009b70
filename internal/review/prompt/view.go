package prompt

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/review/symbols"
	"workflow-reviewer/internal/textdiff"
	"workflow-reviewer/internal/workflow"
)

// Of a changed file of more lines than maxWhole the functions that changed are shown, with some
// lines around; of a function of more than maxFunction lines its head and the lines around the
// change. What the changed lines name elsewhere is shown apart (around.go), so that these can be
// few.
const (
	maxWhole    = 60
	maxFunction = 60
	maxHead     = 6       // lines of a function's head
	nearby      = 5       // lines beside a change
	wholeFile   = 1 << 30 // context lines that no file reaches
)

// View is the artifact as a prompt shows it.
type View struct {
	Docs    []Document
	files   []*file
	Omitted []string           // what is not shown whole, a line each
	Blind   []workflow.Finding // files that nobody can review
	Shown   bool               // at least one file is shown in part
}

// View renders the files of an artifact. Each file is shown once, as its new text with the change
// marked in it: every line carries its number in the head, so that an issue can be placed exactly,
// and removed lines stand where they were. What does not fit the budget, in characters, is reduced
// to the changes with some context, then to a first part, then to its name; the smallest files go
// first so that most of them stay whole.
func (m *Material) View(ctx context.Context, a workflow.Artifact, budget int) View {
	var v View
	for _, wf := range a.Files {
		v.files = append(v.files, m.load(wf.Path))
	}
	order := slices.Clone(v.files)
	slices.SortStableFunc(order, func(f, g *file) int { return len(f.new) - len(g.new) })
	for i, f := range order {
		f.choose(ctx, a.StateLine)
		budget -= f.render(budget / (len(order) - i))
	}
	for _, f := range v.files {
		v.Docs = append(v.Docs, f.doc)
		v.Shown = v.Shown || f.doc.Body != ""
		if f.lost != nil {
			v.Omitted = append(v.Omitted, foreign.Label(f.path)+": "+strings.Join(f.lost, "; "))
		}
		if f.blind != "" {
			v.Blind = append(v.Blind, unreviewable(f.path, f.blind))
		}
	}
	return v
}

// Blind are the files of an artifact that nobody can review, as View has them.
func (m *Material) Blind(a workflow.Artifact) (out []workflow.Finding) {
	for _, f := range a.Files {
		data, err := m.Set.HeadTree.ReadFile(f.Path)
		if why := Unreadable(data, err); why != "" {
			out = append(out, unreviewable(f.Path, why))
		}
	}
	return out
}

func unreviewable(file, why string) workflow.Finding {
	return workflow.Finding{
		Level: workflow.Block, Category: workflow.Clarity,
		Title: "File cannot be reviewed", File: file, Subject: "unreviewable",
		Text: foreign.Label(file) + " is part of the change, but " + why + ".",
		Fix: "Replace it by a text file of reviewable size, or exclude it from the review by the " +
			"configuration's ignore list.",
	}
}

// file is one file on its way into the prompt.
type file struct {
	path     string
	change   change.File  // zero if the change did not touch it
	old, new []byte       // old is nil where there is none that can be compared
	blind    string       // why it cannot be shown
	keep     map[int]bool // the lines of a long file that are shown; nil for all
	doc      Document
	lost     []string     // what of it is not shown
	shown    map[int]bool // the lines of the new text that the document has
}

// load reads a file on both sides. What cannot be read is kept with the reason.
func (m *Material) load(p string) *file {
	f := &file{path: p, change: m.changed[p], shown: map[int]bool{}}
	data, err := m.Set.HeadTree.ReadFile(p)
	if f.blind = Unreadable(data, err); f.blind != "" {
		return f
	}
	f.new = data
	before := map[change.Status]string{change.Modified: p, change.Renamed: f.change.OldPath}
	if old := before[f.change.Status]; old != "" && m.Set.MergeBaseTree != nil {
		data, err := m.Set.MergeBaseTree.ReadFile(old)
		if Unreadable(data, err) == "" {
			f.old = data
		}
	}
	return f
}

func (f *file) isMarked() bool { return f.old != nil && !bytes.Equal(f.old, f.new) }

// choose decides which lines of a changed file are shown: of a document whose state alone changed
// and of long code those around the change.
func (f *file) choose(ctx context.Context, stateLine string) {
	isDocument := strings.EqualFold(path.Ext(f.path), ".md")
	content := func(text []byte) string { return layout.Content(string(text), stateLine) }
	switch {
	case !f.isMarked(), !isDocument && CountLines(f.new) <= maxWhole:
		return
	case isDocument && content(f.old) != content(f.new):
		return
	}
	hunks := textdiff.Hunks(f.old, f.new, 0)
	f.keep = beside(hunks)
	units := symbols.Units(ctx, f.path, f.new)
	for _, h := range hunks {
		for _, u := range units {
			if u.Start > h.NewStart+max(h.NewLines, 1) || u.End < h.NewStart {
				continue
			}
			end := u.End
			if end-u.Start >= maxFunction {
				end = min(u.Head, u.Start+maxHead-1)
			}
			for n := u.Start; n <= end; n++ {
				f.keep[n] = true
			}
		}
	}
}

// beside are the lines of the new text beside changes.
func beside(hunks []change.Hunk) map[int]bool {
	near := map[int]bool{}
	for _, h := range hunks {
		for n := h.NewStart - nearby; n < h.NewStart+max(h.NewLines, 1)+nearby; n++ {
			near[n] = true
		}
	}
	return near
}

// render makes the file's document of at most budget characters and returns how many it took.
func (f *file) render(budget int) int {
	f.doc = Document{Heading: foreign.Label(f.path), Path: f.path}
	switch {
	case f.blind != "":
		f.doc.Note = "Not shown: " + f.blind + "."
		f.lost = []string{"not shown, " + f.blind}
		return 0
	case len(f.new) == 0:
		f.doc.Note = "The file is empty."
		return 0
	}
	f.doc.Note = f.describe()
	if bad := foreign.InvalidBytes(string(f.new)); bad > 0 {
		f.lose(notUTF8(bad), fmt.Sprintf("%d bytes are not UTF-8", bad))
	}
	w := f.write(f.keep)
	if f.keep != nil {
		f.doc.Note += " Its surroundings are shown, read_file has the rest."
	}
	if f.old != nil && utf8.RuneCountInString(w.b.String()) > budget {
		w = f.write(beside(textdiff.Hunks(f.old, f.new, 0)))
		f.lose(
			" Only the changes are shown, with a few lines around them; read_file shows the rest.",
			"only the changes are shown",
		)
	}
	if w.cut > 0 {
		f.lose(
			"",
			fmt.Sprintf("%s cut after %d characters", workflow.Count(w.cut, "line"), maxLine),
		)
	}
	f.doc.Body = f.first(w.b.String(), budget)
	for _, n := range w.rows[:strings.Count(f.doc.Body, "\n")] {
		f.shown[n] = true
	}
	return utf8.RuneCountInString(f.doc.Body)
}

// lose says in the document, and among what is omitted, what of a file is not shown.
func (f *file) lose(note, what string) {
	f.doc.Note += note
	f.lost = append(f.lost, what)
}

// first keeps the lines of a rendering that fit.
func (f *file) first(body string, budget int) string {
	if utf8.RuneCountInString(body) <= budget {
		return body
	}
	end := strings.LastIndexByte(body[:foreign.Offset(body, max(budget, 0))], '\n') + 1
	kept, total := strings.Count(body[:end], "\n"), strings.Count(body, "\n")
	if kept == 0 {
		f.lose(tooLongNote+"Read it with read_file and diff.",
			"not shown, the request would become too long")
		return ""
	}
	f.lose(fmt.Sprintf(" Only the first %d of %d lines of this view are shown; read the rest with "+
		"read_file.", kept, total), fmt.Sprintf("%d of %d lines shown", kept, total))
	return body[:end]
}

// describe says how the file came to be as it is.
func (f *file) describe() string {
	renamed := f.change.Status == change.Renamed
	switch {
	case f.change.Status == change.Added:
		return "New file."
	case renamed && f.old != nil:
		return "Renamed from " + foreign.Label(f.change.OldPath) +
			" and changed; + and - mark the change."
	case f.isMarked():
		return "Changed; + and - mark the change."
	case f.old != nil:
		return "Content unchanged."
	case f.change.Status == change.Modified || renamed:
		return "Changed; the former version cannot be compared."
	default:
		return "Not changed by this pull request."
	}
}

// write numbers the file's lines and marks its change. Of unchanged lines those in keep are
// written, nil for all.
func (f *file) write(keep map[int]bool) *lineWriter {
	w := &lineWriter{marks: f.isMarked()}
	from, to := 0, 0 // the lines that are left out
	for _, l := range f.lines() {
		if keep != nil && l.Op == ' ' && !keep[l.New] {
			if from == 0 {
				from = l.New
			}
			to = l.New
			continue
		}
		w.gap(from, to)
		from = 0
		w.line(l)
	}
	w.gap(from, to)
	return w
}

// lines are all lines of the file, those that the change removes where they were.
func (f *file) lines() (lines []change.Line) {
	if f.isMarked() {
		for _, h := range textdiff.Hunks(f.old, f.new, wholeFile) {
			lines = append(lines, h.Lines...)
		}
		return lines
	}
	for l := range strings.Lines(string(f.new)) {
		l = strings.TrimSuffix(l, "\n")
		lines = append(lines, change.Line{Op: ' ', Text: l, New: len(lines) + 1})
	}
	return lines
}

// lineWriter writes "+ 12 text" or, without marks, "12 text".
type lineWriter struct {
	b     strings.Builder
	marks bool
	cut   int   // lines that were cut
	rows  []int // the number in the new text of each row that was written, 0 for none
}

// line writes a line with its number, cut to maxLine characters.
func (w *lineWriter) line(l change.Line) {
	w.rows = append(w.rows, l.New)
	text := strings.TrimSuffix(markdown.Clean(l.Text+"\n"), "\n")
	if short := markdown.Clip(text, maxLine); short != text {
		w.cut++
		text = short
	}
	if w.marks {
		w.b.WriteByte(l.Op)
	}
	number := ""
	if l.New > 0 {
		number = fmt.Sprint(l.New)
	}
	fmt.Fprintf(&w.b, "%5s %s\n", number, text)
}

// gap says which unchanged lines are not shown; from is 0 if none is left out.
func (w *lineWriter) gap(from, to int) {
	if from > 0 {
		w.rows = append(w.rows, 0)
		fmt.Fprintf(&w.b, "      … lines %d to %d are unchanged\n", from, to)
	}
}

// Numbered is a text with numbered lines.
func Numbered(text []byte) string {
	f := file{new: text}
	return f.write(nil).b.String()
}

// CountLines counts the lines of a text; the last may lack its line feed.
func CountLines(data []byte) int {
	n := bytes.Count(data, []byte("\n"))
	if len(data) > 0 && data[len(data)-1] != '\n' {
		n++
	}
	return n
}

// FilePaths are the paths of an artifact's files, in their order.
func FilePaths(a workflow.Artifact) []string {
	var paths []string
	for _, f := range a.Files {
		paths = append(paths, f.Path)
	}
	return paths
}
