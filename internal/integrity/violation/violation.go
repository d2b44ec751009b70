// Package violation names what can be wrong with approved tests, and builds the
// findings that say so with their evidence.
package violation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"workflow-reviewer/internal/workflow"
)

// The types of violation, as outputs spell them.
const (
	Modification workflow.Category = "test_modification" // approved tests say something else now
	// approved tests demand less, or do not run
	Weakening workflow.Category = "test_weakening"
	// the implementation satisfies tests by a trick
	Workaround workflow.Category = "workaround"
	Tampering  workflow.Category = "approval_tampering" // the record of the approval was touched
)

// The sides of a comparison that a violation's line counts in.
const (
	Before = "before" // the approved file
	After  = "after"  // the head's file
)

// Place is a line of one side; Text is what stands there.
type Place struct {
	Path string
	Line int // from 1
	Text string
}

// Removed is a finding whose line stands in the approved file and has no counterpart in the head.
func Removed(kind Kind, was Place, description string) workflow.Finding {
	return build(kind, was, Before, description, was.Text, "")
}

// Added is a finding whose line stands in the head and has no counterpart in the approved file.
func Added(kind Kind, is Place, description string) workflow.Finding {
	return build(kind, is, After, description, "", is.Text)
}

// Changed is a finding about a line of the head that stood differently in the approved file.
func Changed(kind Kind, was, is Place, description string) workflow.Finding {
	return build(kind, is, After, description, was.Text, is.Text)
}

// Between is a finding about two places of which one may be absent: its line is 0.
func Between(kind Kind, was, is Place, description string) workflow.Finding {
	switch {
	case is.Line == 0:
		return Removed(kind, was, description)
	case was.Line == 0:
		return Added(kind, is, description)
	}
	return Changed(kind, was, is, description)
}

// build makes a finding of a kind at a place; its category follows from the kind.
func build(kind Kind, at Place, side, description, before, after string) workflow.Finding {
	return workflow.Finding{
		Category: kind.Type(), Kind: string(kind), File: at.Path, Line: max(at.Line, 1), Side: side,
		Text: description, Evidence: evidence(before, after),
	}
}

// maxOfFile bounds the findings in one file.
const maxOfFile = 20

// Distinct sorts findings by place, of one place and kind the first, and keeps the first ones of
// each file; the last one kept says how many there are besides.
func Distinct(found []workflow.Finding) (out []workflow.Finding) {
	place := func(a, b workflow.Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			cmp.Compare(b.Side, a.Side))
	}
	slices.SortStableFunc(found, place)
	of, more := 0, 0 // where the file's findings begin in out, and how many are left out
	for i, v := range found {
		same := func(o workflow.Finding) bool { return o.Kind == v.Kind && place(o, v) == 0 }
		if i == 0 || found[i-1].File != v.File {
			of, more = len(out), 0
		}
		switch {
		case slices.ContainsFunc(out[of:], same):
		case len(out)-of < maxOfFile:
			out = append(out, v)
		default:
			more++
		}
		last := i+1 == len(found) || found[i+1].File != v.File
		if last && more > 0 {
			out[len(out)-1].Text += fmt.Sprintf(" (%d more in this file)", more)
		}
	}
	return out
}

// maxEvidence bounds one line of evidence, in runes.
const maxEvidence = 300

// evidence is a diff of at most two lines, which are never equal.
func evidence(before, after string) string {
	b, a := oneLine(strings.Join(strings.Fields(before), " ")),
		oneLine(strings.Join(strings.Fields(after), " "))
	if a == b { // they differ in white space alone, or where the line is cut
		b, a = oneLine(strings.TrimSpace(before)), oneLine(strings.TrimSpace(after))
	}
	var lines []string
	if b != "" && a != b {
		lines = append(lines, "- "+b)
	}
	if a != "" {
		lines = append(lines, "+ "+a)
	}
	return strings.Join(lines, "\n")
}

// oneLine is a text without line breaks and control characters, cut to maxEvidence with a visible
// mark.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return '\uFFFD'
		}
		return r
	}, s)
	if r := []rune(s); len(r) > maxEvidence {
		return string(r[:maxEvidence]) + " …"
	}
	return s
}
