package rules

import (
	"fmt"
	"path"
	"strings"

	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/workflow"
)

// bundled is the layout of specs in several documents.
const bundled = layout.BundleName

// ofBundle reports whether a rule looks at a bundle as a whole, not at each of its documents.
func (r rule) ofBundle() bool {
	return r.Layout == bundled || r.ID == workflow.ScoreCheck || r.ID == "artifact/unreadable"
}

func bundleIncomplete(s *subject) []workflow.Issue {
	if s.Bundle == nil {
		return nil
	}
	d := s.Bundle.Dimensions[0]
	if len(d.Issues) == 0 {
		return nil
	}
	var missing []string
	for _, i := range d.Issues {
		missing = append(missing, strings.TrimPrefix(i, "Missing: "))
	}
	return []workflow.Issue{{File: s.Artifact.Path(), Title: cutLine("The bundle lacks "+strings.Join(missing, ", "), 160)}}
}

// namedIDs is how many ids the title of a gap lists.
const namedIDs = 6

func brokenChain(s *subject) workflow.Check {
	if s.Bundle == nil {
		return workflow.Check{Outcome: workflow.Absent, Summary: "no chain: the spec is no bundle"}
	}
	c := workflow.Check{Figures: map[string]float64{}}
	var told []string
	for _, stage := range s.Bundle.Chain.Stages {
		told = append(told, fmt.Sprintf("%s %d of %d", stage.Name, stage.Covered, stage.Of))
		c.Figures[stage.Name] = float64(stage.Covered)
		c.Figures[stage.Name+", of"] = float64(stage.Of)
	}
	c.Summary = strings.Join(told, " · ")
	for _, g := range s.Bundle.Chain.Gaps {
		ids := strings.Join(g.IDs[:min(len(g.IDs), namedIDs)], ", ")
		if n := len(g.IDs) - namedIDs; n > 0 {
			ids += fmt.Sprintf(" and %d more", n)
		}
		title := strings.ToUpper(g.Kind[:1]) + g.Kind[1:] + " " + ids
		if g.Dangling {
			title += ", which " + path.Base(g.File) + " names"
		}
		c.Issues = append(c.Issues, workflow.Issue{File: g.File, Line: 1, Title: cutLine(title, 160)})
	}
	return c
}

// bundleScore is the quality score of a bundle.
func bundleScore(s *subject) workflow.Check {
	c := workflow.Check{Outcome: workflow.Passed, Figures: map[string]float64{"score": s.Bundle.Score}}
	var parts, why []string
	for _, d := range s.Bundle.Dimensions {
		c.Figures[d.Name] = d.Score
		parts = append(parts, fmt.Sprintf("%s %g", d.Name, d.Score))
		why = append(why, d.Issues...)
	}
	gate := workflow.ScoreGate(s.Bundle.Score)
	c.Summary = fmt.Sprintf("quality score %.1f of 100, %s (%s)", s.Bundle.Score, gate, strings.Join(parts, ", "))
	switch gate {
	case workflow.GateFail:
		c.Outcome = workflow.Failed
		c.Issues = []workflow.Issue{{
			File: s.Artifact.Path(), Title: fmt.Sprintf("The spec's quality score is below %d", workflow.ScoreReview),
			Description: fmt.Sprintf("It is %.1f: %s, of 100 each. %s.", s.Bundle.Score, strings.Join(parts, ", "), strings.Join(why,
				"; ")),
		}}
	case workflow.GateReview:
		c.Outcome = workflow.Noted
	}
	return c
}
