package runner

import (
	"fmt"
	"strconv"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/lazyregexp"
)

// maxFindings bounds what is said of one file to be harmless.
const maxFindings = 20

// comparison gathers what is found between two versions of a file.
type comparison struct {
	path          string
	around        Surroundings
	before, after []string // lines
	result        Result
	kind          violation.Kind // of all that is found in settings, "" for what they look like
}

// newComparison prepares the comparison of two versions, of which either may be nil.
func newComparison(path string, before, after []byte) *comparison {
	return &comparison{path: path, before: lines(before), after: lines(after)}
}

// report adds a violation: of two lines a change, of one an addition or a removal. A line of 0 is
// none.
func (c *comparison) report(kind violation.Kind, old, now int, text string) {
	was, is := c.place(c.before, old), c.place(c.after, now)
	if now > 0 && squeezed(was.Text) == squeezed(is.Text) { // evidence is never two equal lines
		was.Line = 0
	}
	c.result.Violations = append(c.result.Violations, violation.Between(kind, was, is, text))
}

// squeezed is a text with one space between its words.
func squeezed(s string) string { return strings.Join(strings.Fields(s), " ") }

// place is a line of a side with its text.
func (c *comparison) place(side []string, line int) violation.Place {
	p := violation.Place{Path: c.path, Line: line}
	if line >= 1 && line <= len(side) {
		p.Text = side[line-1]
	}
	return p
}

// harmless says why a difference does not matter.
func (c *comparison) harmless(format string, args ...any) {
	if len(c.result.Harmless) < maxFindings {
		c.result.Harmless = append(c.result.Harmless, c.path+": "+fmt.Sprintf(format, args...))
	}
}

// unread applies the byte rule: the file differs and cannot be understood.
func (c *comparison) unread(err error) {
	c.result.NotAnalysed = append(c.result.NotAnalysed, c.path+": "+err.Error())
	c.first(violation.FileChanged, plain(c.before), plain(c.after),
		"Test configuration changed in a file that cannot be analysed: "+err.Error())
}

// plain are lines with their numbers.
func plain(list []string) []value {
	out := make([]value, len(list))
	for i, l := range list {
		out[i] = value{l, i + 1}
	}
	return out
}

// first reports the first line in which two lists differ.
func (c *comparison) first(kind violation.Kind, was, is []value, text string) {
	if pre, post := around(was, is); pre+post < max(len(was), len(is)) {
		c.report(kind, at(was[:len(was)-post], pre).line, at(is[:len(is)-post], pre).line, text)
	}
}

// finish returns the result, at most 20 violations.
func (c *comparison) finish() Result {
	c.result.Violations = violation.Distinct(c.result.Violations)
	return c.result
}

// quoted lists texts for a sentence.
func quoted(texts []string) string {
	const most = 3
	var out []string
	for i, t := range texts {
		if i == most {
			out = append(out, fmt.Sprintf("%d more", len(texts)-most))
			break
		}
		out = append(out, strconv.Quote(cut(t)))
	}
	if len(out) == 0 {
		return "nothing"
	}
	return strings.Join(out, ", ")
}

// cut shortens a text to one line that fits a sentence.
func cut(s string) string {
	const most = 80
	s, _, _ = strings.Cut(s, "\n")
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// lines compares files of which each line counts by itself: those that came
// and those that went must be on a closed list.
func (c *comparison) lines(came, went string, harmless func(string) bool) {
	for _, side := range []struct {
		old, now []string
		text     string
	}{{c.before, c.after, came}, {c.after, c.before, went}} {
		had := map[string]bool{}
		for _, l := range side.old {
			had[strings.TrimSpace(l)] = true
		}
		for i, l := range side.now {
			l = strings.TrimSpace(l)
			switch {
			case had[l] || harmless(l) || side.text == "":
			case side.text == came:
				c.report(violation.ConfigNarrowed, 0, i+1, came+cut(l))
			default:
				c.report(violation.ConfigChanged, i+1, 0, went+cut(l))
			}
		}
	}
}

var registry = lazyregexp.New(strings.Trim(knownValues["registries"].String(), "^$"))

// unused reports that no approved file contains a name.
func (c *comparison) unused(name string) bool {
	return c.around.Unused != nil && c.around.Unused(name)
}
