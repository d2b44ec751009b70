package prompt

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/textdiff"
)

// Lines numbers the file's lines and marks its change, with up to context
// unchanged lines around each; long counts lines that were cut.
func (f *File) Lines(context int) (body string, long int) {
	w := lineWriter{marks: f.old != nil && !bytes.Equal(f.old, f.New)}
	if !w.marks {
		n := 0
		for l := range strings.Lines(string(f.New)) {
			n++
			w.line(change.Line{Op: ' ', Text: strings.TrimSuffix(l, "\n"), New: n})
		}
		f.rows = w.rows
		return w.b.String(), w.long
	}
	next := 1
	for _, h := range textdiff.Hunks(f.old, f.New, context) {
		start := h.NewStart
		if h.NewLines == 0 {
			start++
		}
		w.gap(next, start-1)
		w.some(h.Lines, f.keep)
		next = start + h.NewLines
	}
	w.gap(next, CountLines(f.New))
	f.rows = w.rows
	return w.b.String(), w.long
}

// some writes the lines of a hunk that are to be kept; nil keeps all. Lines that the change adds or
// removes always are.
func (w *lineWriter) some(lines []change.Line, keep map[int]bool) {
	from, last := 0, 0 // the lines that are left out
	flush := func() {
		if from > 0 {
			w.gap(from, last)
		}
		from = 0
	}
	for _, l := range lines {
		if keep != nil && l.Op == ' ' && !keep[l.New] {
			from = cmp.Or(from, l.New)
			last = l.New
			continue
		}
		flush()
		w.line(l)
	}
	flush()
}

// lineWriter writes "+ 12 text" or, without marks, "12 text".
type lineWriter struct {
	b     strings.Builder
	marks bool
	long  int
	rows  []int // the number in the new text of each row that was written, 0 for none
}

// line writes a line with its number. Lines longer than maxLine are cut and counted.
func (w *lineWriter) line(l change.Line) {
	w.rows = append(w.rows, l.New)
	text := markdown.Clean(l.Text + "\n")
	text = strings.TrimSuffix(text, "\n")
	if cutText := markdown.Clip(text, maxLine); cutText != text {
		w.long++
		text = cutText
	}
	if w.marks {
		w.b.WriteByte(l.Op)
	}
	if l.New > 0 {
		fmt.Fprintf(&w.b, "%5d", l.New)
	} else {
		w.b.WriteString("     ")
	}
	w.b.WriteByte(' ')
	w.b.WriteString(text)
	w.b.WriteByte('\n')
}

// gap says which unchanged lines are not shown.
func (w *lineWriter) gap(from, to int) {
	if to >= from {
		w.rows = append(w.rows, 0)
		fmt.Fprintf(&w.b, "      … lines %d to %d are unchanged\n", from, to)
	}
}

// CountLines counts the lines of a text; the last may lack its line feed.
func CountLines(data []byte) int {
	n := bytes.Count(data, []byte("\n"))
	if len(data) > 0 && data[len(data)-1] != '\n' {
		n++
	}
	return n
}
