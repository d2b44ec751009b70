package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/form"
	"workflow-reviewer/internal/inspect"
	"workflow-reviewer/internal/integrity"
	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/workflow"
)

// compared says what was compared with what, so that a reader can tell a clean verdict from one
// that had little to compare.
func compared(f integrity.Feature, known bool, o integrity.Outcome) []string {
	var out []string
	if known {
		out = append(out, "Compared with the approved tests: "+f.String())
		if !f.Known() {
			out[0] = f.String()
		}
		if f.Unauthenticated != "" {
			out = append(out, "Unauthenticated: "+f.Unauthenticated+".")
		}
	}
	var others []string
	for _, other := range o.Features {
		switch {
		case other.Source == baseline.MergeBase:
			out = append(out, "Compared with the merge base: "+other.String())
		case other.Feature != f.Feature && other.Known():
			others = append(others, other.Feature)
		}
	}
	if len(others) > 0 {
		out = append(
			out,
			"Compared too, as this change touches them: the approved tests of "+enumerate(
				others,
			)+".",
		)
	}
	if len(o.Untouched) > 0 {
		out = append(
			out, "This change leaves alone: the approved tests of "+enumerate(o.Untouched)+".",
		)
	}
	return out
}

// enumerate lists names, five at most and the number of the others.
func enumerate(names []string) string {
	if n := len(names) - 5; n > 0 {
		return strings.Join(names[:5], ", ") + fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(names, ", ")
}

// breachesOf are the violations that end a review: any for code, which is not
// measured by tests that were tampered with; for tests their own.
func breachesOf(o integrity.Outcome, a workflow.Artifact) []workflow.Finding {
	all := o.Breaches()
	var own []workflow.Finding
	for _, v := range all {
		if v.Feature == a.Feature || Holds(a, v.File) {
			own = append(own, v)
		}
	}
	if len(own) > 0 || a.Type == workflow.Tests {
		return own
	}
	return all
}

// Holds reports whether a file is one of an artifact's.
func Holds(a workflow.Artifact, path string) bool {
	return slices.ContainsFunc(a.Files, func(f workflow.File) bool { return f.Path == path })
}

// asksOf reports whether a review is asked about tests that demand less: those
// of the feature that has the file, else one alone, of code if there is one.
func asksOf(path string, a workflow.Artifact, all []workflow.Artifact) bool {
	var first workflow.Artifact
	owned := false
	for _, o := range all {
		if !slices.Contains(inspect.Types(), o.Type) {
			continue
		}
		if Holds(o, path) {
			owned = true
			if o.Feature == a.Feature {
				return true
			}
		}
		if first.Type == "" || isCode(o) && !isCode(first) {
			first = o
		}
	}
	return !owned && (first.Type == "" || a.Name() == first.Name())
}

func isCode(a workflow.Artifact) bool {
	return a.Type == workflow.Implementation || a.Type == workflow.BugFix
}

// within are the violations in an artifact's files.
func within(vs []workflow.Finding, a workflow.Artifact) []workflow.Finding {
	return slices.DeleteFunc(
		slices.Clone(vs), func(v workflow.Finding) bool { return !Holds(a, v.File) },
	)
}

// questionsFor are the questions about an artifact's files. One about a file of no
// artifact, data or vendored code, goes to all implementations.
func questionsFor(
	qs []workflow.Finding, a workflow.Artifact, all []workflow.Artifact,
) []workflow.Finding {
	var out []workflow.Finding
	for _, q := range qs {
		owned := slices.ContainsFunc(
			all, func(o workflow.Artifact) bool { return Holds(o, q.File) },
		)
		if Holds(a, q.File) || !owned && isCode(a) {
			out = append(out, q)
		}
	}
	return out
}

// rejection ends a review at once.
func rejection(vs []workflow.Finding, what, remedy string) workflow.Result {
	first := vs[0]
	more := ""
	if n := len(vs) - 1; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return workflow.Result{
		Decision: workflow.NeedsChanges, Violations: vs,
		Summary: fmt.Sprintf(
			"AUTOMATIC REJECTION: %s in %s: %s%s.\n\nNo reviewer was asked. %s", what,
			form.Location(first.File, first.Line), strings.TrimRight(first.Text, "."),
			more, remedy,
		),
	}
}

// cannotVerify ends a review that has nothing to hold the tests against.
func cannotVerify(f integrity.Feature) workflow.Result {
	return workflow.Result{
		Decision: workflow.Error,
		Summary:  f.String(),
		Failure: &workflow.Failure{
			Class: "integrity",
			Message: fmt.Sprintf(
				"it cannot be verified which tests of %s were approved: %s", f.Feature, f.Missing,
			),
			Action: `Have the tests approved first (the label re-review:tests reviews them), ` +
				`check out with ` +
				`"fetch-depth: 0" if history is ` +
				`missing, or set "integrity": {"on_missing_baseline": "warn"} in the config.`,
		},
	}
}
