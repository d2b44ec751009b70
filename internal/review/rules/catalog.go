package rules

import (
	_ "embed" // the table
	"slices"
	"sync"

	"go.yaml.in/yaml/v3"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// Rule documents one check.
type Rule struct {
	ID          string            `yaml:"id"`          // stable, "spec/no-acceptance-criteria"
	Types       []workflow.Type   `yaml:"types"`       // of the artifacts it looks at
	Severity    workflow.Severity `yaml:"severity"`    // of its issues, at the most; "counted" if they are no findings
	Milder      workflow.Severity `yaml:"milder"`      // of the issues that the explanation says are less, "" if there are none
	Layout      string            `yaml:"layout"`      // the only one for whose documents it holds, "" for all
	Gate        bool              `yaml:"gate"`        // its failure decides whatever a model says
	Category    workflow.Category `yaml:"category"`    // of its issues
	Dimension   string            `yaml:"dimension"`   // of code/dimensions, "" for none
	Criterion   string            `yaml:"criterion"`   // what it counts towards in the evaluation
	Title       string            `yaml:"title"`       // of its issues
	Explanation string            `yaml:"explanation"` // what it looks for and why, in sentences
	Pass        string            `yaml:"pass"`        // its summary when there is nothing to say
	Fix         string            `yaml:"fix"`         // what to do about an issue
	Lacks       string            `yaml:"lacks"`       // a pattern that a document must match somewhere, "" for a check in code
}

// milder is the severity of issues that get their rule's second one, and counted of those that are no finding: they are
// in the check's summary, and count in the score of a spec and in the dimensions of code.
const (
	milder  workflow.Severity = "milder"
	counted workflow.Severity = "counted"
)

// rule is a Rule with its check.
type rule struct {
	Rule
	run func(*subject) workflow.Check
}

// issues makes a check of a function that lists what it found.
func issues(find func(*subject) []workflow.Issue) func(*subject) workflow.Check {
	return func(s *subject) workflow.Check { return workflow.Check{Issues: find(s)} }
}

// ofDocument makes a check of what is found in the artifact's document.
func ofDocument(find func(s *subject, d *document) []workflow.Issue) func(*subject) workflow.Check {
	return issues(func(s *subject) []workflow.Issue {
		if d := s.main(); d != nil {
			return find(s, d)
		}
		return nil
	})
}

// againstSpec makes a check of what is compared with the feature's spec.
func againstSpec(find func(s *subject, spec *document) []workflow.Issue) func(*subject) workflow.Check {
	return func(s *subject) workflow.Check {
		spec := s.doc(s.Artifact.SpecPath)
		if s.Artifact.Type == workflow.Spec {
			spec = s.main()
		}
		if spec == nil {
			return workflow.Check{Outcome: workflow.Absent, Summary: "the feature's spec: not found"}
		}
		return workflow.Check{Issues: find(s, spec)}
	}
}

//go:embed checks.yaml
var table []byte

// all lists the rules in the order in which their checks are shown, which is that of the table. They are made once, for
// the sake of their patterns, and never changed.
var all = sync.OnceValue(func() []rule {
	var rows []Rule
	if err := yaml.Unmarshal(table, &rows); err != nil {
		panic("checks.yaml: " + err.Error()) // a test reads it
	}
	finders := finders()
	out := make([]rule, len(rows))
	for i, row := range rows {
		out[i] = rule{Rule: row, run: finders[row.ID]}
		if row.Lacks != "" {
			out[i].run = lacks(lazyregexp.New(row.Lacks))
		}
	}
	return out
})

// Catalog lists all rules.
func Catalog() []Rule {
	var out []Rule
	for _, r := range all() {
		r.Types = slices.Clone(r.Types)
		out = append(out, r.Rule)
	}
	return out
}
