package requirements

import "slices"

// Change is a requirement of the base that the head states no more in the same words.
type Change struct {
	Before Requirement
	After  *Requirement // what the head has under its id; nil if it is gone
	// Weakened says how the head demands less, "" where that cannot be told.
	Weakened string
}

// Compare lists what becomes of the base's requirements in the head: those that are gone or say
// something else. One that only has another id or place is the same.
func Compare(base, head []Requirement) []Change {
	was, is := said(base), said(head)
	var out []Change
	for _, r := range base {
		if is.has(r.Text) {
			continue
		}
		c := Change{Before: r, Weakened: "removed"}
		isNew := func(h Requirement) bool { return h.ID == r.ID && !was.has(h.Text) }
		if i := slices.IndexFunc(head, isNew); i >= 0 {
			c.After, c.Weakened = &head[i], Weakening(r.Text, head[i].Text)
		}
		out = append(out, c)
	}
	return out
}

// texts are those of a list by their phrases.
type texts map[string][]string

// said maps each criterion's normal form to the texts that come to it.
func said(list []Requirement) texts {
	out := texts{}
	for _, r := range list {
		p := Phrase(r.Text)
		out[p] = append(out[p], r.Text)
	}
	return out
}

// has reports whether a text is the same as one of the list.
func (t texts) has(text string) bool {
	return slices.ContainsFunc(t[Phrase(text)], func(o string) bool { return sameTargets(o, text) })
}

// Counting is the head's requirements with the base's words where the head changes them, weakened
// or not: each of changes takes the place of what replaced it, or is added at the end.
func Counting(head []Requirement, changes []Change) (list []Requirement, omitted int) {
	l := list0()
	for _, r := range head {
		isIts := func(c Change) bool { return c.After != nil && c.After.ID == r.ID }
		if i := slices.IndexFunc(changes, isIts); i >= 0 {
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
