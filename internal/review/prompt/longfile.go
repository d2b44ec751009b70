package prompt

import (
	"bytes"
	"context"
	"path"
	"strings"

	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/review/symbols"
	"workflow-reviewer/internal/textdiff"
)

// Of a changed file of more lines than maxWhole the functions that changed are shown, with some
// lines around; of a function of more than maxFunction lines the lines around the change. What the
// changed lines name elsewhere is shown apart (surroundings.go), so that these can be few.
const (
	maxWhole    = 60
	maxFunction = 60
	around      = 5 // lines beside a change
	nearby      = 0 // lines beside a function that changed
)

// choose decides which lines of a changed file are shown.
func (f *File) choose(ctx context.Context, stateLine string) {
	if f.old == nil || bytes.Equal(f.old, f.New) {
		return
	}
	if strings.EqualFold(path.Ext(f.path), ".md") {
		f.terse = layout.Content(string(f.old), stateLine) == layout.Content(string(f.New), stateLine)
		return
	}
	lines := strings.Split(string(f.New), "\n")
	if len(lines) <= maxWhole {
		return
	}
	f.keep = map[int]bool{}
	keep := func(from, to int) {
		for n := max(from, 1); n <= min(to, len(lines)); n++ {
			f.keep[n] = true
		}
	}
	units := symbols.Units(ctx, f.path, f.New)
	for _, h := range textdiff.Hunks(f.old, f.New, 0) {
		from, to := h.NewStart, h.NewStart+max(h.NewLines, 1)-1
		keep(from-around, to+around)
		for _, u := range units {
			if u.Start <= to+1 && u.End >= from && u.End-u.Start < maxFunction {
				keep(u.Start-nearby, u.End+nearby)
			}
		}
		for _, n := range enclosing(lines, from) {
			keep(n, n)
		}
	}
}

// enclosing are the lines that open the blocks around a line, by indentation: the
// class of a method, the function of a change far inside of it.
func enclosing(lines []string, n int) []int {
	indent := func(l string) int { return len(l) - len(strings.TrimLeft(l, " \t")) }
	if n < 1 || n > len(lines) {
		return nil
	}
	var out []int
	least := indent(lines[n-1])
	for i := n - 1; i >= 1 && least > 0; i-- {
		l := lines[i-1]
		if strings.TrimSpace(l) != "" && indent(l) < least {
			least = indent(l)
			out = append(out, i)
		}
	}
	return out
}
