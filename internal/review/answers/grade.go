package answers

import (
	"fmt"
	"slices"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/review/prompt"
	"workflow-reviewer/internal/workflow"
)

// Grade takes an answer's grades over, one for each criterion: a criterion without a grade that
// says what was found or where is a FAIL, and so is an entry for what is no criterion. Of two
// grades the worse counts. problems names what is wrong with the entries.
func Grade(r prompt.Rubric, answers []Criterion) (out []workflow.Criterion, problems []string) {
	for _, c := range r {
		row := workflow.Criterion{Name: c.Name, Grade: workflow.Fail, Finding: "The reviewer did not grade it."}
		graded := false
		for _, a := range answers {
			given := criterion(c.Name, a)
			if a.ID == c.ID && foreign.HasWords(a.Finding+a.Evidence) &&
				(!graded || worseGrade(given.Grade, row.Grade)) {
				row, graded = given, true
			}
		}
		if !graded {
			problems = append(problems, c.ID+" has no entry with a finding and evidence")
		}
		out = append(out, row)
	}
	given := idsOf(answers, func(a Criterion) string { return a.ID })
	for _, id := range strangers(given, r.IDs()) {
		out = append(out, workflow.Criterion{
			Name: markdown.Line(id, MaxTitle), Grade: workflow.Fail, Finding: "This review has no such criterion.",
		})
	}
	problems = append(problems, madeUp(given, r.IDs())...)
	return out, append(problems, doubled(given, r.IDs())...)
}

// worseGrade reports whether a is the worse grade.
func worseGrade(a, b workflow.Grade) bool {
	order := []workflow.Grade{workflow.Fail, workflow.Concern, workflow.Pass}
	return slices.Index(order, a) < slices.Index(order, b)
}

// criterion is an answer's entry under the criterion's name, with its texts cleaned.
func criterion(name string, c Criterion) workflow.Criterion {
	return workflow.Criterion{
		Name: name, Grade: c.Result,
		Finding: foreign.Block(c.Finding), Evidence: foreign.Block(c.Evidence), Impact: foreign.Block(c.Impact),
	}
}

// idsOf are the ids of entries, in order.
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

// madeUp says of each given id that is none of the wanted ones that it is made up.
func madeUp(given, wanted []string) []string {
	return idsOf(
		strangers(given, wanted),
		func(id string) string { return fmt.Sprintf("%q is none of the ids", markdown.Clip(id, 100)) },
	)
}

// doubled says which ids have more than one entry.
func doubled(given, wanted []string) []string {
	var out []string
	for _, id := range wanted {
		if n := len(slices.DeleteFunc(slices.Clone(given), func(g string) bool { return g != id })); n > 1 {
			out = append(out, fmt.Sprintf("%s has %d entries", id, n))
		}
	}
	return out
}
