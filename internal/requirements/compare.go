package requirements

import "slices"

// Change is a requirement of the base that the head states no more in the same
// words.
type Change struct {
	Before Requirement
	After  *Requirement // what the head has under its id; nil if it is gone
}

// Compare lists what becomes of the base's requirements in the head: those that
// are gone or say something else. One that only has another id is the same.
func Compare(base, head []Requirement) []Change {
	said := map[string]bool{}
	for _, r := range head {
		said[Phrase(r.Text)] = true
	}
	kept := map[string]bool{}
	for _, r := range base {
		kept[Phrase(r.Text)] = true
	}
	var out []Change
	for _, r := range base {
		if said[Phrase(r.Text)] {
			continue
		}
		c := Change{Before: r}
		if i := slices.IndexFunc(head, func(h Requirement) bool { return h.ID == r.ID && !kept[Phrase(h.Text)] }); i >= 0 {
			c.After = &head[i]
		}
		out = append(out, c)
	}
	return out
}

// Counting is the head's requirements with the base's words where the head
// weakens them: each of changes takes the place of what replaced it, or is added
// at the end.
func Counting(head []Requirement, changes []Change) (list []Requirement, omitted int) {
	l := list0()
	for _, r := range head {
		if i := slices.IndexFunc(changes, func(c Change) bool { return c.After != nil && c.After.ID == r.ID }); i >= 0 {
			r = changes[i].Before
		}
		l.add(r)
	}
	for _, c := range changes {
		if c.After == nil {
			l.add(c.Before)
		}
	}
	return l.all, l.omitted
}
