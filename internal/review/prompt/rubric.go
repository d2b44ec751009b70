package prompt

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/review/foreign"
)

// Rubric is what a review of one type must grade, in the order of its criteria.
type Rubric []Criterion

// Criterion is one criterion: the id by which an answer grades it, unique in its rubric, and its
// heading.
type Criterion struct{ ID, Name string }

// rubricOf lists the criteria that a text states; there is always one.
func rubricOf(schema string) Rubric {
	var out Rubric
	for _, name := range CriteriaNames(schema) {
		id := criterionID(name)
		for n := 2; slices.Contains(out.IDs(), id); n++ {
			id = fmt.Sprintf("%s-%d", criterionID(name), n)
		}
		out = append(out, Criterion{id, name})
	}
	return out
}

// criterionID is a name in lower case with "-" for all that is neither letter nor digit.
func criterionID(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !foreign.IsWord(r) })
	if len(words) == 0 {
		return "criterion"
	}
	return strings.Join(words, "-")
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
