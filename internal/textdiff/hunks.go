// Package textdiff compares two texts line by line. It never fails: whatever the bytes are,
// applying the hunks to the old text gives the new one, in bounded time.
package textdiff

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
)

// Hunks lists what differs between two texts, with up to context unchanged lines around each
// change; equal texts have no hunks. A line ends in a line feed, a carriage return before it
// belongs to the line. Texts that are too far apart to be compared within bounds are replaced as a
// whole.
func Hunks(old, new []byte, context int) []change.Hunk {
	oldLines, newLines := split(old), split(new)
	ids := intern(oldLines, newLines)
	b := builder{old: oldLines, new: newLines, context: max(context, 0)}
	for _, s := range spans(ids[0], ids[1]) {
		b.add(s)
	}
	b.close()
	return b.hunks
}

// builder gathers spans into hunks; a and b are the next lines to write.
type builder struct {
	old, new []string
	context  int
	hunks    []change.Hunk
	lines    []change.Line
	a0, b0   int // where the open hunk starts
	a, b     int
}

// add takes the next span of differing lines, with the lines before it. It begins a new hunk if
// more than twice the context lies between it and the last one. Spans come in order and do not
// overlap.
func (h *builder) add(s span) {
	if len(h.lines) > 0 && s.a0-h.a > 2*h.context {
		h.close()
	}
	if len(h.lines) == 0 {
		lead := min(h.context, s.a0)
		h.a, h.b = s.a0-lead, s.b0-lead
		h.a0, h.b0 = h.a, h.b
	}
	h.keep(s.a0)
	for ; h.a < s.a1; h.a++ {
		h.line('-', h.old, h.a, h.a+1, 0)
	}
	for ; h.b < s.b1; h.b++ {
		h.line('+', h.new, h.b, 0, h.b+1)
	}
}

// keep writes unchanged lines up to line end of the old text.
func (h *builder) keep(end int) {
	for ; h.a < end; h.a, h.b = h.a+1, h.b+1 {
		h.line(' ', h.old, h.a, h.a+1, h.b+1)
	}
}

// line appends one line of a side. Numbers are from 1, and 0 for the side that lacks the line.
func (h *builder) line(op byte, from []string, i, oldNo, newNo int) {
	text, ended := strings.CutSuffix(from[i], "\n")
	l := change.Line{Op: op, Text: text, Old: oldNo, New: newNo, NoNewline: !ended}
	h.lines = append(h.lines, l)
}

// close ends the open hunk, if any, with its trailing context.
func (h *builder) close() {
	if len(h.lines) == 0 {
		return
	}
	h.keep(min(h.a+h.context, len(h.old)))
	h.hunks = append(h.hunks, change.Hunk{
		OldStart: start(h.a0, h.a), OldLines: h.a - h.a0,
		NewStart: start(h.b0, h.b), NewLines: h.b - h.b0,
		Lines: h.lines,
	})
	h.lines = nil
}

// start numbers lines from 1; an empty range is numbered by the line before it, as in unified
// diffs.
func start(from, to int) int {
	if from == to {
		return from
	}
	return from + 1
}

// AddedLines are the numbers, in the new text, of lines that the hunks add.
func AddedLines(hunks []change.Hunk) map[int]bool {
	out := map[int]bool{}
	for _, h := range hunks {
		for _, l := range h.Lines {
			if l.Op == '+' {
				out[l.New] = true
			}
		}
	}
	return out
}

// split cuts a file into its lines, each with its line feed; only the last may lack one. A carriage
// return belongs to the line's text, so that a change of line endings is a change.
func split(data []byte) []string { return slices.Collect(strings.Lines(string(data))) }

// Pairs are the indices of the elements that two lists have in common, in their order: as many as
// can be found within bounds.
func Pairs[T comparable](old, new []T) (out [][2]int) {
	ids := intern(old, new)
	i, j := 0, 0
	for _, s := range append(spans(ids[0], ids[1]), span{len(old), len(old), len(new), len(new)}) {
		for ; i < s.a0; i, j = i+1, j+1 {
			out = append(out, [2]int{i, j})
		}
		i, j = s.a1, s.b1
	}
	return out
}

// intern gives equal lines of both files the same small number.
func intern[T comparable](files ...[]T) [][]int32 {
	ids := map[T]int32{}
	out := make([][]int32, len(files))
	for i, lines := range files {
		out[i] = make([]int32, len(lines))
		for j, line := range lines {
			id, ok := ids[line]
			if !ok {
				id = int32(len(ids)) //nolint:gosec // fewer lines than 2^31: a file in memory
				ids[line] = id
			}
			out[i][j] = id
		}
	}
	return out
}
