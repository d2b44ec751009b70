package rules

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// workflowOnly lists what other layouts keep elsewhere than in the document that is
// checked: spec-kit describes interfaces in contracts/, Kiro in design.md, and none
// has a ROADMAP.md or states outcomes in its lists of tasks.
const workflowOnly = " roadmap/no-outcome roadmap/no-order roadmap/out-of-scope spec/not-in-roadmap spec/no-interface "

// notOfBundle lists what one document of a bundle need not have, as another one
// has it.
const notOfBundle = " spec/no-acceptance-criteria document/schema document/too-short "

// inLayout reports whether a rule holds for an artifact in its layout. What tells an
// agent of the product, as Kiro's steering/product.md does, argues for no vision.
func (r rule) inLayout(a workflow.Artifact) bool {
	if a.Layout == bundled && strings.Contains(notOfBundle, " "+r.ID+" ") ||
		strings.HasPrefix(r.ID, "vision/") && hidden.MatchString(a.Path()) {
		return false
	}
	return (a.Layout == "" || !strings.Contains(workflowOnly, " "+r.ID+" ")) && (r.Layout == "" || r.Layout == a.Layout)
}

// requirementLevel is the level of the headings of requirements.
const requirementLevel = 3

var (
	requirement = lazyregexp.New(`(?i)^requirement:`)
	withdrawn   = lazyregexp.New(`(?i)^(?:removed|renamed) requirements`)
)

// onlyWithdraws reports whether all parts of a document are of requirements that are
// removed or renamed: there is nothing to accept.
func (d *document) onlyWithdraws() bool {
	parts := slices.DeleteFunc(slices.Clone(d.sections), func(s section) bool { return s.level != requirementLevel-1 })
	return len(parts) > 0 && !slices.ContainsFunc(parts, func(s section) bool { return !withdrawn.MatchString(s.raw) })
}

func withoutScenario(_ *subject, d *document) []workflow.Issue {
	var out []workflow.Issue
	skip := false
	for i, sec := range d.sections {
		if sec.level > 0 && sec.level < requirementLevel {
			skip = withdrawn.MatchString(sec.raw)
		}
		if skip || sec.level != requirementLevel || !requirement.MatchString(sec.raw) {
			continue
		}
		// to openspec validate every heading of the next level is a scenario
		has := slices.ContainsFunc(d.sections[i+1:d.until(i)], func(x section) bool { return x.level == requirementLevel+1 })
		if !has {
			out = append(out, workflow.Issue{File: d.path, Line: sec.line, Title: fmt.Sprintf("%q has no scenario", cutLine(sec.raw, 70))})
		}
	}
	if len(out) > 1 {
		out[0].Title = fmt.Sprintf("%d requirements have no scenario, the first is %s", len(out), strings.TrimSuffix(out[0].Title,
			" has no scenario"))
		return out[:1]
	}
	return out
}
