package rules

import (
	"fmt"
	"maps"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// edgeCase is how a spec speaks of limits.
var edgeCase = lazyregexp.New(`(?i)\b(?:edge|corner|special|boundary) (?:cases?|conditions?|values?)\b|\bboundar(?:y|ies)\b` +
	`|\blimits?\b|\bempty\b|\bmissing\b|\bduplicates?\b|\bmaximum\b|\bminimum\b|\bat most\b|\bat least\b|\bconcurren\w+|\binvalid\b` +
	`|\balready\b|\bnull\b|\bzero\b|\bunknown\b|\bexpired?\b|\btime-?outs?\b|\btoo (?:long|large|many|short|few)\b|\botherwise\b` +
	`|\bdo(?:es)? not exist`)

// unsaid is what a spec leaves out that only its score tells: in the layouts other documents say it.
func (d *document) unsaid(layout string) map[string]int {
	out := map[string]int{}
	for what, said := range map[string]bool{
		"edge cases": d.has(edgeCase), "error cases": d.hasErrorCase(), "purpose": layout != "" ||
			d.saysPurpose(), "exclusions": layout != "" || d.has(excludes),
	} {
		if !said && d.english() {
			out[what] = 1
		}
	}
	return out
}

// deductions are what a finding of a rule takes from a dimension, in points of 100; names without a slash are of
// unsaid. Sections and references make a spec complete, criteria that tests can be made of give it depth.
func deductions() map[string]map[string]int {
	return map[string]map[string]int{
		"completeness": {
			"spec/no-acceptance-criteria": 40, "spec/no-interface": 15, "error cases": 10, "edge " +
				"cases": 15, "purpose": 10, "exclusions": 10,
			"document/placeholder": 5, "document/too-short": 30, "document/schema": 5,
		},
		"consistency": {
			"document/contradiction": 50, "document/duplicate-heading": 10, "document/stated-count": 15, "document/placeholder": 5,
		},
		"traceability": {
			"spec/no-acceptance-criteria": 50, "spec/requirement-without-scenario": 25, "spec/not-in-roadmap": 30,
			"document/broken-link":         10,
			"spec/value-without-criterion": 5,
		},
		"depth": {"spec/open-question": 10, "document/too-short": 30},
	}
}

// dimensions are those of the score, each a quarter of it.
func dimensions() []string { return []string{"completeness", "consistency", "traceability", "depth"} }

// qualityScore sums the rules that ran before it up in one figure: it is the
// last of a spec. FAIL is a High issue: it blocks where no model can answer it.
func qualityScore(s *subject) workflow.Check {
	if s.Bundle != nil {
		return bundleScore(s)
	}
	d := s.main()
	if d == nil {
		return workflow.Check{Outcome: workflow.Absent, Summary: "no score: the spec cannot be read"}
	}
	found := s.found
	maps.Copy(found, d.unsaid(s.Artifact.Layout))
	figures, sum := map[string]float64{}, 0
	var parts []string
	for _, name := range dimensions() {
		score := scored(found, deductions()[name])
		if name == "depth" {
			score = max(0, score-(100-testability(d, len(untestable(nil, d)))))
		}
		figures[name], sum = float64(score), sum+score
		parts = append(parts, fmt.Sprintf("%s %d", name, score))
	}
	score := (sum + len(parts)/2) / len(parts)
	figures["score"] = float64(score)
	c := workflow.Check{Outcome: workflow.Passed, Figures: figures}
	gate := workflow.ScoreGate(float64(score))
	switch gate {
	case workflow.GateFail:
		if lacks := noCriteria(s).Issues; len(lacks) > 0 && lacks[0].Severity == counted {
			c.Outcome = workflow.Noted // the change is not to blame for what was not there before
			break
		}
		c.Outcome = workflow.Failed
		if s.failed {
			break // what was found already costs the points, and blocks
		}
		c.Issues = []workflow.Issue{{
			File: d.path, Title: fmt.Sprintf("The spec's quality score is below %d", workflow.ScoreReview),
			Description: fmt.Sprintf("It is %d: %s, of 100 each. Points are lost by the other findings of form, and by what is not said: "+
				"purpose, edge cases, exclusions.",
				score, strings.Join(parts, ", ")),
		}}
	case workflow.GateReview:
		c.Outcome = workflow.Noted
	}
	c.Summary = fmt.Sprintf("quality score %d of 100, %s (%s)", score, gate, strings.Join(parts, ", "))
	return c
}

// scored takes from 100 the weight of each finding, the fourth and later of one rule not counted.
func scored(found, weights map[string]int) int {
	score := 100
	for id, weight := range weights {
		score -= weight * min(found[id], 4)
	}
	return max(0, score)
}

// testability is the share of criteria that can be tested. A lone criterion,
// or demands without criteria, are half the way.
func testability(d *document, untestable int) int {
	n := len(d.criteriaOf())
	switch {
	case n == 0 && d.demands() >= 3:
		return 50
	case n == 0:
		return 0
	case n == 1:
		return 50 * (n - untestable)
	default:
		return 100 * (n - untestable) / n
	}
}

// inDimensions sums the rules that ran before it up by their dimension. It is
// the last of code and finds nothing of its own.
func inDimensions(s *subject) workflow.Check {
	c := workflow.Check{Outcome: workflow.Passed, Figures: map[string]float64{}}
	var parts []string
	for _, d := range []string{"quality", "security", "architecture", "requirements"} {
		c.Figures[d] = float64(s.dimensions[d])
		part := d + ": nothing found"
		if n := s.dimensions[d]; n > 0 {
			c.Outcome = workflow.Noted
			part = d + ": " + workflow.Count(n, "finding")
		}
		parts = append(parts, part)
	}
	if total := len(s.Requirements); total > 0 {
		named := 0
		for _, q := range s.Requirements {
			if len(q.Tests)+len(q.Code) > 0 {
				named++
			}
		}
		c.Figures["requirements_named"], c.Figures["requirements_total"] = float64(named), float64(total)
		parts[len(parts)-1] += fmt.Sprintf(", %d of %d named by tests or code", named, total)
	}
	c.Summary = strings.Join(parts, "; ")
	return c
}
