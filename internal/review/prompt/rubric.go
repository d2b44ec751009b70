package prompt

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/review/foreign"
)

// Rubric is what a review of one type must grade, in the order of its criteria.
type Rubric []Criterion

// Criterion is one criterion: the id by which an answer grades it, unique in its rubric, and its
// heading.
type Criterion struct{ ID, Name string }

// MaxCriteria is how many criteria a review grades.
const MaxCriteria = 40

var (
	headingNumber = lazyregexp.New(
		`^(?:\d+(?:\.\d+)*[.)]\s+|(?i:section|criterion)\s+\d+\s*[:.–-]\s*)`,
	)
	// announcesCriteria is the heading of a list of criteria in the schemas of documents and code
	// that the workflow of this program began with.
	announcesCriteria = lazyregexp.New(
		`(?i)\b(?:criteria|quality standards|validation rules|checklist)\b`,
	)
)

// rubricOf lists the criteria that a text states, at least one: the headings below one that
// announces them, else those of the second level, or of the third where there is but one of these.
// A text without such a list is one criterion. more are those that are left out.
func rubricOf(schema string) (r Rubric, more int) {
	var below, second, third []string
	list := 0 // level of the heading that announces criteria, 0 outside
	for _, s := range sections(schema) {
		if s.level <= list {
			list = 0
		}
		name := markdown.Line(headingNumber.ReplaceAllString(s.Title, ""), 80)
		switch {
		case list > 0 && s.level == list+1:
			below = append(below, name)
		case list == 0 && s.level > 1 && announcesCriteria.MatchString(name):
			list = s.level
		case s.level == 2:
			second = append(second, name)
		case s.level == 3:
			third = append(third, name)
		}
	}
	for _, names := range [][]string{below, second, third} {
		if len(names) > 1 {
			kept := min(len(names), MaxCriteria)
			return rubric(names[:kept]), len(names) - kept
		}
	}
	return rubric(append(slices.Concat(below, second, third), "Criteria")[:1]), 0
}

// rubric gives each name an id: in lower case, with "-" for all that is neither letter nor digit.
func rubric(names []string) Rubric {
	var out Rubric
	for _, name := range names {
		words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
			return !foreign.IsWord(r)
		})
		if len(words) == 0 {
			words = []string{"criterion"}
		}
		id := strings.Join(words, "-")
		for n := 2; slices.Contains(out.IDs(), id); n++ {
			id = fmt.Sprintf("%s-%d", strings.Join(words, "-"), n)
		}
		out = append(out, Criterion{id, name})
	}
	return out
}

// IDs are the ids of the criteria, in their order.
func (r Rubric) IDs() []string {
	var out []string
	for _, c := range r {
		out = append(out, c.ID)
	}
	return out
}

// text is the part of the instructions that lists the ids.
func (r Rubric) text() string {
	var b strings.Builder
	b.WriteString("Grade each of these criteria by its id:\n")
	for _, c := range r {
		fmt.Fprintf(&b, "\n- `%s`: %s", c.ID, c.Name)
	}
	return b.String()
}
