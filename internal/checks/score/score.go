// Package score measures the form of a spec in one number.
package score

import (
	"fmt"
	"math"
	"strings"

	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// Entry is the check.
var Entry = check.Entry{
	ID: workflow.ScoreCheck, Types: []workflow.Type{workflow.Spec}, Category: workflow.Clarity,
	Title: "The spec's quality score",
	Why: "A number from 0 to 100 for what stands in the spec: sections, criteria with values, " +
		"ids, references. It counts form, not meaning, and decides nothing: PASS from 80, REVIEW " +
		"from 60, else FAIL.",
	Fix: "Read the spec.",
	Run: measure,
}

var (
	edge = lazyregexp.New(
		`(?i)\b(?:edge|corner|error|invalid|empty|missing|limit|fail|reject|timeout|at most|at least)`,
	)
	excluded  = lazyregexp.New(`(?i)\bout[ -]of[ -]scope|\bnon-?goals?|\bnot (?:in scope|included)`)
	reference = lazyregexp.New(`\]\(|\b[A-Z]{2,5}-?\d+\b|(?i)\b(?:depends on|roadmap|see )`)
	definite  = lazyregexp.New("\\d|`|\"[^\"]+\"")
)

func measure(s *check.Subject) check.Result {
	if s.Bundle != nil {
		return ofBundle(s.Bundle)
	}
	documents := s.Documents()
	if len(documents) == 0 {
		return check.NotProvided("the spec cannot be read")
	}
	var text strings.Builder
	sections, criteria, exact := 0, 0, 0
	for _, d := range documents {
		for _, sec := range d.Sections {
			if sec.Level > 1 && len(sec.Blocks) > 0 {
				sections++
			}
			text.WriteString(sec.Raw + "\n")
			for _, part := range sec.Blocks {
				text.WriteString(part.Text + "\n")
			}
		}
		for _, c := range d.Criteria {
			criteria++
			exact += one(definite.MatchString(c.Text))
		}
	}
	all := text.String()
	hasCode, hasExclusions := strings.Contains(all, "`"), excluded.MatchString(all)
	isOpen := strings.Contains(all, "TODO") || strings.Contains(all, "TBD")
	depth := 15*min(criteria, 3) + 35*exact/max(criteria, 1) + 20*one(edge.MatchString(all))
	return scored(
		figure{"completeness", 20*min(sections, 3) + 20*one(hasCode) + 20*one(hasExclusions)},
		figure{"consistency", 100 - 50*one(isOpen)},
		figure{"traceability", 50*one(criteria > 0) + 50*one(reference.MatchString(all))},
		figure{"depth", depth},
	)
}

// figure is one dimension of the score, 0 to 100.
type figure struct {
	name  string
	value int
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

func scored(of ...figure) check.Result {
	figures, sum := map[string]float64{}, 0.0
	var parts []string
	for _, f := range of {
		figures[f.name] = float64(f.value)
		sum += float64(f.value)
		parts = append(parts, fmt.Sprintf("%s %d", f.name, f.value))
	}
	return result(math.Round(sum/float64(len(of))), figures, parts)
}

func ofBundle(b *workflow.Bundle) check.Result {
	figures := map[string]float64{}
	var parts []string
	for _, d := range b.Dimensions {
		figures[d.Name] = d.Score
		parts = append(parts, fmt.Sprintf("%s %g", d.Name, d.Score))
	}
	return result(b.Score, figures, parts)
}

func result(score float64, figures map[string]float64, parts []string) check.Result {
	figures["score"] = score
	return check.Result{
		Figures: figures,
		Summary: fmt.Sprintf("form: %g of 100, %s (%s)",
			score, workflow.ScoreGate(score), strings.Join(parts, ", ")),
	}
}
