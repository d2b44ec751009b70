package answers

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

// Requirement is what a model says of one requirement.
type Requirement struct {
	ID     string                     `json:"id"`
	Status workflow.RequirementStatus `json:"status"`
	File   *string                    `json:"file"`
	Line   *int                       `json:"line"`
	Reason string                     `json:"reason"`
}

// JudgeRequirements takes an answer's entries over into a copy of the requirements. missing names
// those without an entry that counts, and entries that were made up: met needs a place that shows
// it, and no entry may name a place that the head does not hold. Of two entries the worse counts.
func JudgeRequirements(
	list []workflow.Requirement,
	answers []Requirement,
	at *Anchors,
) (out []workflow.Requirement, missing []string) {
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
			reason := markdown.Line(a.Reason, MaxReason)
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

func requirementIDs(answers []Requirement) []string {
	return idsOf(answers, func(a Requirement) string { return a.ID })
}

// worse reports whether the first status weighs more against an approval.
func worse(a, b workflow.RequirementStatus) bool {
	order := []workflow.RequirementStatus{workflow.NotMet, workflow.CannotTell, workflow.Met}
	return slices.Index(order, a) <= slices.Index(order, b)
}

// shows checks the place of an entry against the head; problem says in words what is wrong with it.
func (at *Anchors) shows(a Requirement, spec string) (file string, n int, problem string) {
	named := value(a.File)
	if named == "" {
		if a.Status == workflow.Met {
			return "", 0, "names no place that shows it to be met"
		}
		return "", 0, ""
	}
	place := workflow.Issue{Line: value(a.Line)}
	if !at.place(named, &place) {
		return "", 0, fmt.Sprintf(
			"names the file %s, which the head does not hold",
			foreign.Label(markdown.Clip(named, 200)),
		)
	}
	if total := at.count(place.File); place.Line < 0 || place.Line > total {
		return "", 0, fmt.Sprintf(
			"names line %d of %s, which has %d lines",
			place.Line,
			foreign.Label(place.File),
			total,
		)
	}
	stated := spec[:max(strings.LastIndexByte(spec, ':'), 0)]
	if _, own := at.own[place.File]; a.Status == workflow.Met &&
		(place.File == stated || path.Ext(place.File) == ".md" && !own) {
		return "", 0, fmt.Sprintf("names %s, a document, which shows nothing to be met", foreign.Label(place.File))
	}
	if a.Status == workflow.Met && place.Line == 0 {
		return "", 0, "names no line"
	}
	return place.File, place.Line, ""
}
