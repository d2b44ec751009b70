package answers

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/review/prompt"
	"workflow-reviewer/internal/workflow"
)

// Caps on what is taken over from a model, in characters.
const (
	MaxTitle      = 200
	MaxReason     = 1_000
	MaxSuggestion = 8_000
	ShortestCut   = 80 // what is shorter stays whole until it is searched for secrets
)

// Question is what a model says of one question.
type Question struct {
	ID     string                  `json:"id"`
	Answer workflow.QuestionAnswer `json:"answer"`
	Reason string                  `json:"reason"`
}

func (q Question) id() string { return q.ID }

// OfChecks is the kind of a question about the finding of a built-in check.
const OfChecks = "check"

// answersTo are the answers that a question takes.
func answersTo(q workflow.Finding) []workflow.QuestionAnswer {
	if q.Kind == OfChecks {
		return []workflow.QuestionAnswer{workflow.Confirmed, workflow.Refuted}
	}
	return []workflow.QuestionAnswer{workflow.Honest, workflow.Cheat}
}

// AnswerQuestions takes an assessment's answers over into a copy of the questions. One that is
// given twice counts as the worse; one that settles a question without a reason is none.
func AnswerQuestions(questions []workflow.Finding, answers []Question) []workflow.Finding {
	out := slices.Clone(questions)
	for i := range out {
		q := &out[i]
		q.Answer, q.Reason = "", ""
		for _, a := range answers {
			counts := a.ID == q.Key && slices.Contains(answersTo(*q), a.Answer) &&
				(!a.Answer.Settles() || foreign.HasWords(a.Reason))
			if counts && !q.Answer.Against() {
				q.Answer, q.Reason = a.Answer, markdown.Line(a.Reason, MaxReason)
			}
		}
	}
	return out
}

// Grade takes an answer's grades over, one for each criterion: a criterion without a grade that
// says what was found or where is a FAIL, and so is an entry for what is no criterion. Of two
// grades the worse counts. missing names the criteria without one.
func Grade(r prompt.Rubric, answers []Criterion) (out []workflow.Criterion, missing []string) {
	fail := func(name, finding string) workflow.Criterion {
		return workflow.Criterion{Name: name, Grade: workflow.Fail, Finding: finding}
	}
	for _, c := range r {
		row, isGraded := fail(c.Name, "The reviewer did not grade it."), false
		for _, a := range answers {
			counts := a.ID == c.ID && foreign.HasWords(a.Finding+a.Evidence)
			if counts && (!isGraded || isWorse(a.Result, row.Grade, grades)) {
				isGraded, row = true, workflow.Criterion{
					Name: c.Name, Grade: a.Result, Finding: foreign.Block(a.Finding),
					Evidence: foreign.Block(a.Evidence), Impact: foreign.Block(a.Impact),
				}
			}
		}
		if !isGraded {
			missing = append(missing, c.ID+" has no entry with a finding and evidence")
		}
		out = append(out, row)
	}
	for _, id := range unknown(idsOf(answers, Criterion.id), r.IDs()) {
		out = append(out, fail(markdown.Line(id, MaxTitle), "This review has no such criterion."))
	}
	return out, missing
}

// The grades and statuses, what weighs most against an approval first.
var (
	grades   = []workflow.Grade{workflow.Fail, workflow.Concern, workflow.Pass}
	statuses = []workflow.RequirementStatus{workflow.NotMet, workflow.CannotTell, workflow.Met}
)

// isWorse reports whether a stands before b.
func isWorse[T comparable](a, b T, worstFirst []T) bool {
	return slices.Index(worstFirst, a) < slices.Index(worstFirst, b)
}

// Requirement is what a model says of one requirement.
type Requirement struct {
	ID     string                     `json:"id"`
	Status workflow.RequirementStatus `json:"status"`
	File   *string                    `json:"file"`
	Line   *int                       `json:"line"`
	Reason string                     `json:"reason"`
}

func (r Requirement) id() string { return r.ID }

// JudgeRequirements takes an answer's entries over into a copy of the requirements. missing names
// those without an entry that counts, and entries that were made up: met needs a place that shows
// it, and no entry may name a place that the head does not hold; that one is not met counts without
// its place, too. Of two entries the worse counts.
func JudgeRequirements(
	list []workflow.Requirement,
	answers []Requirement,
	at *Anchors,
) (out []workflow.Requirement, missing []string) {
	out = slices.Clone(list)
	for i := range out {
		r := &out[i]
		r.Status, r.File, r.Line = workflow.CannotTell, "", 0
		r.Reason = "The reviewer took no stand."
		trouble := r.ID + " has no entry"
		for _, a := range answers {
			isNew := trouble != "" || isWorse(a.Status, r.Status, statuses)
			if a.ID != r.ID || !isNew {
				continue
			}
			file, line, problem := at.shows(a, r.Spec)
			if !foreign.HasWords(a.Reason) {
				problem = cmp.Or(problem, "gives no reason")
			}
			switch {
			case problem == "" || a.Status == workflow.NotMet:
				trouble = ""
				r.Status, r.File, r.Line = a.Status, file, line
				r.Reason = markdown.Line(a.Reason, MaxReason)
			case trouble != "":
				trouble = r.ID + " " + problem
				r.Reason = "The reviewer's entry does not count: it " + problem + "."
			}
		}
		if trouble != "" {
			missing = append(missing, trouble)
		}
	}
	made := unknown(idsOf(answers, Requirement.id), requirementIDs(list))
	return out, append(missing, irregular(made, nil)...)
}

// shows checks the place of an entry against the head; problem says in words what is wrong with it,
// and there is no place then.
func (at *Anchors) shows(a Requirement, spec string) (file string, line int, problem string) {
	isMet, named := a.Status == workflow.Met, value(a.File)
	switch {
	case named == "" && isMet:
		return "", 0, "names no place that shows it to be met"
	case named == "":
		return "", 0, ""
	}
	file, line, problem = at.place(named, value(a.Line))
	if problem != "" {
		return "", 0, problem
	}
	stated := spec[:max(strings.LastIndexByte(spec, ':'), 0)]
	isDocument := file == stated || path.Ext(file) == ".md" && !slices.Contains(at.own, file)
	switch {
	case isMet && isDocument:
		return "", 0, "names " + foreign.Label(file) + ", a document, which shows nothing to be met"
	case isMet && line == 0:
		return "", 0, "names no line"
	}
	return file, line, ""
}

// irregular says which given ids are none of the wanted ones, and which have several entries.
func irregular(given, wanted []string) (problems []string) {
	for _, id := range unknown(given, wanted) {
		problems = append(problems, fmt.Sprintf("%q is none of the ids", markdown.Clip(id, 100)))
	}
	entries := map[string]int{}
	for _, id := range given {
		entries[id]++
	}
	for _, id := range wanted {
		if n := entries[id]; n > 1 {
			problems = append(problems, fmt.Sprintf("%s has %d entries", id, n))
		}
	}
	return problems
}

// unknown are the given ids that were made up, each once.
func unknown(given, wanted []string) (out []string) {
	for _, id := range given {
		if !slices.Contains(wanted, id) && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// idsOf are the ids of entries, in order.
func idsOf[T any](entries []T, id func(T) string) (out []string) {
	for _, e := range entries {
		out = append(out, id(e))
	}
	return out
}

func requirementIDs(list []workflow.Requirement) []string {
	return idsOf(list, func(r workflow.Requirement) string { return r.ID })
}

func questionIDs(list []workflow.Finding) []string {
	return idsOf(list, func(q workflow.Finding) string { return q.Key })
}
