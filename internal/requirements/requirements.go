// Package requirements takes the acceptance criteria from a feature's spec and plan, without a
// model: what a review keeps its ledger of. It is pure; whatever it reads may be hostile.
package requirements

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"workflow-reviewer/internal/markdown"
)

// Kind names the form in which a spec states a requirement.
type Kind string

// The kinds of requirement.
const (
	Numbered   Kind = "numbered"   // by its number in a list of criteria
	Identified Kind = "identified" // by an id of its own, as FR-003
	Scenario   Kind = "scenario"   // as Given, When, Then
	Listed     Kind = "listed"     // without a number; its id is its position
)

// Requirement is one acceptance criterion.
type Requirement struct {
	ID   string // unique in its list: letters, digits, ".", "_" and "-", at most 40
	Text string // on one line, without its id, at most MaxText characters
	File string // that states it, "" where the caller gave none
	Line int    // in File, from 1
	Kind Kind
}

// Caps on what one list holds.
const (
	Max     = 200   // requirements
	MaxText = 1_000 // characters of one
	maxID   = 40
	maxDoc  = 256 << 10 // bytes that are read of a document
)

// CheckMarkdown says what FromMarkdown leaves out of a document for its form, nil for nothing.
func CheckMarkdown(data []byte) error {
	switch {
	case len(data) > maxDoc:
		return fmt.Errorf("only its first %d KiB are searched for criteria", maxDoc>>10)
	case !utf8.Valid(data):
		return errors.New("it is not UTF-8")
	}
	return nil
}

// FromMarkdown lists the acceptance criteria of a spec in their order; omitted
// counts those beyond Max. A document that is not UTF-8 holds none.
func FromMarkdown(file string, data []byte) (list []Requirement, omitted int) {
	if len(data) > maxDoc {
		data = data[:maxDoc]
		for len(data) > 0 && !utf8.RuneStart(data[len(data)-1]) {
			data = data[:len(data)-1]
		}
		data = data[:max(len(data)-1, 0)]
	}
	if !utf8.Valid(data) {
		return nil, 0
	}
	list, omitted = FromOutline(markdown.ParseOutline(data))
	for i := range list {
		list[i].File = file
	}
	return list, omitted
}

// FromOutline is FromMarkdown for a document that is parsed already.
func FromOutline(doc *markdown.Outline) (list []Requirement, omitted int) {
	w := &walker{sections: doc.Sections, list: list0()}
	w.walk()
	return w.list.all, w.list.omitted
}

// list is requirements with ids that are taken.
type list struct {
	all     []Requirement
	taken   map[string]bool
	omitted int
}

func list0() list { return list{taken: map[string]bool{}} }

// add takes a requirement into the list. One of an id and text that are there
// already is left out; another one of the same id gets the next free one.
func (l *list) add(r Requirement) {
	r.Text, r.ID = oneLine(r.Text), safeID(r.ID)
	if r.ID == "" || !strings.ContainsFunc(r.Text, letter) {
		return
	}
	if slices.ContainsFunc(
		l.all,
		func(o Requirement) bool { return o.ID == r.ID && Same(o.Text, r.Text) },
	) {
		return
	}
	if len(l.all) == Max {
		l.omitted++
		return
	}
	id := r.ID
	for n := 2; l.taken[strings.ToLower(r.ID)]; n++ {
		r.ID = fmt.Sprintf("%s-%d", id, n)
	}
	l.taken[strings.ToLower(r.ID)] = true
	l.all = append(l.all, r)
}

func letter(r rune) bool { return r > 0x7f || r|0x20 >= 'a' && r|0x20 <= 'z' }

// safeID keeps what an id may hold.
func safeID(id string) string {
	id = strings.Trim(strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && letter(r) || strings.ContainsRune("0123456789._-", r) {
			return r
		}
		return '-'
	}, id), "-.")
	return id[:min(len(id), maxID-4)] // room for what makes it unique
}

// oneLine is a requirement's text without the marks of lists and boxes.
func oneLine(text string) string {
	text = markdown.Line(box.ReplaceAllString(text, ""), 0)
	text = strings.Trim(strings.ReplaceAll(strings.ReplaceAll(text, "**", ""), "__", ""), " :–—-")
	if utf8.RuneCountInString(text) <= MaxText {
		return text
	}
	runes := []rune(text)
	return string(runes[:MaxText-1]) + "…"
}
