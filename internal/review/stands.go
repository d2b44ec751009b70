package review

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/workflow"
)

// AnswerRequirement is what a model says of one requirement.
type AnswerRequirement struct {
	ID     string                     `json:"id"`
	Status workflow.RequirementStatus `json:"status"`
	File   *string                    `json:"file"`
	Line   *int                       `json:"line"`
	Reason string                     `json:"reason"`
}

// stands takes an answer's entries over into a copy of the requirements. missing names those without an entry that
// counts, and entries that were made up: met needs a place that shows it, and no entry may name a place that the head
// does not hold. Of two entries the worse counts.
func stands(list []workflow.Requirement, answers []AnswerRequirement, at *anchors) (out []workflow.Requirement, missing []string) {
	out = slices.Clone(list)
	for i := range out {
		r := &out[i]
		r.Status, r.File, r.Line, r.Reason = workflow.CannotTell, "", 0, "The reviewer took no stand."
		trouble := r.ID + " has no entry"
		found := false
		for _, a := range answers {
			if a.ID != r.ID || found && worse(r.Status, a.Status) {
				continue
			}
			file, n, problem := at.shows(a, r.Spec)
			reason := markdown.Line(a.Reason, maxReason)
			switch {
			case problem == "" && foreign.HasWords(a.Reason):
				found = true
				r.Status, r.File, r.Line, r.Reason = a.Status, file, n, reason
			case a.Status == workflow.NotMet:
				// That it is not met counts without its place, too.
				found = true
				r.Status, r.File, r.Line, r.Reason = a.Status, "", 0, reason
				trouble = ""
			case !found:
				problem = cmp.Or(problem, "gives no reason")
				trouble = r.ID + " " + problem
				r.Reason = "The reviewer's entry does not count: it " + problem + "."
			}
		}
		if !found {
			missing = append(missing, trouble)
		}
	}
	wanted := idsOf(list, func(r workflow.Requirement) string { return r.ID })
	return out, append(missing, madeUp(requirementIDs(answers), wanted)...)
}

func requirementIDs(answers []AnswerRequirement) []string {
	return idsOf(answers, func(a AnswerRequirement) string { return a.ID })
}

// worse reports whether the first status weighs more against an approval.
func worse(a, b workflow.RequirementStatus) bool {
	order := []workflow.RequirementStatus{workflow.NotMet, workflow.CannotTell, workflow.Met}
	return slices.Index(order, a) <= slices.Index(order, b)
}

// shows checks the place of an entry against the head; problem says in words what is wrong with it.
func (at *anchors) shows(a AnswerRequirement, spec string) (file string, n int, problem string) {
	named := value(a.File)
	if named == "" {
		if a.Status == workflow.Met {
			return "", 0, "names no place that shows it to be met"
		}
		return "", 0, ""
	}
	place := workflow.Issue{Line: value(a.Line)}
	if !at.place(named, &place) {
		return "", 0, fmt.Sprintf("names the file %s, which the head does not hold", foreign.Label(markdown.Clip(named, 200)))
	}
	if total := at.count(place.File); place.Line < 0 || place.Line > total {
		return "", 0, fmt.Sprintf("names line %d of %s, which has %d lines", place.Line, foreign.Label(place.File), total)
	}
	stated := spec[:max(strings.LastIndexByte(spec, ':'), 0)]
	if _, own := at.own[place.File]; a.Status == workflow.Met && (place.File == stated || path.Ext(place.File) == ".md" && !own) {
		return "", 0, fmt.Sprintf("names %s, a document, which shows nothing to be met", foreign.Label(place.File))
	}
	if a.Status == workflow.Met && place.Line == 0 {
		return "", 0, "names no line"
	}
	return place.File, place.Line, ""
}

// notMet are the issues that follow from requirements that are not met and that
// no High issue of the reviewer speaks of.
func notMet(r workflow.Result) []workflow.Issue {
	var out []workflow.Issue
	for _, q := range r.Requirements {
		told := slices.ContainsFunc(r.Issues, func(i workflow.Issue) bool {
			return i.Severity == workflow.High &&
				(strings.Contains(i.Title+" "+i.Description, q.ID) && strings.ContainsAny(q.ID, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") ||
					i.File == q.File && i.Line == q.Line && i.File != "")
		})
		if q.Status != workflow.NotMet || told {
			continue
		}
		out = append(out, workflow.Issue{
			Severity: workflow.High, Category: workflow.Compliance, Title: markdown.Line("Requirement "+q.ID+" is not met: "+q.Text, maxTitle),
			File: q.File, Line: q.Line,
			Description: foreign.Block(q.Reason), Rule: "requirements/not-met",
			Recommendation: "Do what " + foreign.Label(q.Spec) + " demands, or have the spec changed and approved.", Subject: q.ID,
		})
	}
	return out
}

// standing counts the requirements of a status.
func standing(r workflow.Result, s workflow.RequirementStatus) int {
	return count(r.Requirements, func(q workflow.Requirement) bool { return q.Status == s })
}

// withStands is the requirements as they are now with what an earlier verdict of the same context said of them.
func withStands(now, former []workflow.Requirement) []workflow.Requirement {
	out := slices.Clone(now)
	for i := range out {
		if k := slices.IndexFunc(former, func(f workflow.Requirement) bool { return f.ID == out[i].ID }); k >= 0 {
			f := former[k]
			out[i].Status, out[i].File, out[i].Line, out[i].Reason = f.Status, f.File, f.Line, f.Reason
		}
	}
	return out
}
