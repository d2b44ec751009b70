package report

import (
	"fmt"
	"strings"
)

const cutNote = "*Cut here: GitHub allows no more. The whole report is in the run's report folder.*"

// document collects Markdown blocks up to a size. What does not fit is counted
// and named at the end, never dropped silently.
type document struct {
	b    strings.Builder
	max  int // bytes
	left []string
}

// noteRoom is kept free for the note on what was left out.
const noteRoom = 600

// room is how much more fits.
func (d *document) room() int { return max(0, d.max-d.b.Len()-noteRoom) }

// add appends a block if it fits, else notes that name was left out.
func (d *document) add(name, block string) {
	if block == "" {
		return
	}
	if d.b.Len()+len(block)+noteRoom > d.max {
		d.left = append(d.left, name)
		return
	}
	if d.b.Len() > 0 {
		d.b.WriteString("\n\n")
	}
	d.b.WriteString(block)
}

func (d *document) sections(all []section) {
	for _, s := range all {
		d.add(s.name, s.text())
	}
}

// String is the document with a note of what was left out.
func (d *document) String() string {
	if len(d.left) == 0 {
		return d.b.String()
	}
	names := strings.Join(d.left[:min(3, len(d.left))], ", ")
	if n := len(d.left) - 3; n > 0 {
		names += fmt.Sprintf(" and %d more", n)
	}
	return d.b.String() + "\n\n*Left out, because GitHub allows no more: " + oneLine(names, 300) +
		". The whole report is in the run's report folder.*"
}
