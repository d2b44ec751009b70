package review

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// rubric is what a review of one type must grade, in the order of its criteria.
type rubric []rubricItem

// rubricItem is one criterion: the id by which an answer grades it, unique in its rubric, and its heading.
type rubricItem struct{ id, name string }

// rubricOf lists the criteria that a text states; there is always one.
func rubricOf(schema string) rubric {
	var out rubric
	for _, name := range criteriaNames(schema) {
		id := criterionID(name)
		for n := 2; slices.Contains(out.ids(), id); n++ {
			id = fmt.Sprintf("%s-%d", criterionID(name), n)
		}
		out = append(out, rubricItem{id, name})
	}
	return out
}

// criterionID is a name in lower case with "-" for all that is neither letter nor digit.
func criterionID(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !isWord(r) })
	if len(words) == 0 {
		return "criterion"
	}
	return strings.Join(words, "-")
}

func (r rubric) ids() []string {
	var out []string
	for _, c := range r {
		out = append(out, c.id)
	}
	return out
}

// text is the part of the instructions that lists the ids.
func (r rubric) text() string {
	var b strings.Builder
	b.WriteString("Grade each of these criteria by its id:\n")
	for _, c := range r {
		fmt.Fprintf(&b, "\n- `%s`: %s", c.id, c.name)
	}
	return b.String()
}

// grade takes an answer's grades over, one for each criterion: a criterion without a grade that says what was found or
// where is a FAIL, and so is an entry for what is no criterion. Of two grades the worse counts. problems names
// what is wrong with the entries.
func (r rubric) grade(answers []AnswerCriterion) (out []workflow.Criterion, problems []string) {
	for _, c := range r {
		row := workflow.Criterion{Name: c.name, Grade: workflow.Fail, Finding: "The reviewer did not grade it."}
		graded := false
		for _, a := range answers {
			given := criterion(c.name, a)
			if a.ID == c.id && says(a.Finding+a.Evidence) && (!graded || worseGrade(given.Grade, row.Grade)) {
				row, graded = given, true
			}
		}
		if !graded {
			problems = append(problems, c.id+" has no entry with a finding and evidence")
		}
		out = append(out, row)
	}
	given := idsOf(answers, func(a AnswerCriterion) string { return a.ID })
	for _, id := range strangers(given, r.ids()) {
		out = append(out, workflow.Criterion{
			Name: markdown.Line(id, maxTitle), Grade: workflow.Fail, Finding: "This review has no such criterion.",
		})
	}
	problems = append(problems, madeUp(given, r.ids())...)
	return out, append(problems, doubled(given, r.ids())...)
}

func worseGrade(a, b workflow.Grade) bool {
	order := []workflow.Grade{workflow.Fail, workflow.Concern, workflow.Pass}
	return slices.Index(order, a) < slices.Index(order, b)
}

func criterion(name string, c AnswerCriterion) workflow.Criterion {
	return workflow.Criterion{
		Name: name, Grade: c.Result, Finding: block(c.Finding), Evidence: block(c.Evidence), Impact: block(c.Impact),
	}
}

func idsOf[T any](entries []T, id func(T) string) []string {
	var out []string
	for _, e := range entries {
		out = append(out, id(e))
	}
	return out
}

// strangers are the ids that were made up, each once.
func strangers(given, wanted []string) []string {
	var out []string
	for _, id := range given {
		if !slices.Contains(wanted, id) && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

func madeUp(given, wanted []string) []string {
	return idsOf(strangers(given, wanted), func(id string) string { return fmt.Sprintf("%q is none of the ids", markdown.Clip(id, 100)) })
}

// doubled says which ids have more than one entry.
func doubled(given, wanted []string) []string {
	var out []string
	for _, id := range wanted {
		if n := count(given, func(g string) bool { return g == id }); n > 1 {
			out = append(out, fmt.Sprintf("%s has %d entries", id, n))
		}
	}
	return out
}
