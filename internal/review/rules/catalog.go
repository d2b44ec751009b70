package rules

import (
	"embed"
	"path"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/txtar"

	"workflow-reviewer/internal/workflow"
)

// Rule documents one check.
type Rule struct {
	ID          string            // stable, "spec/no-acceptance-criteria"
	Types       []workflow.Type   // of the artifacts it looks at
	Severity    workflow.Severity // of its issues, at the most
	Layout      string            // the only one for whose documents it holds, "" for all
	Gate        bool              // its failure decides whatever a model says
	Criterion   string            // what it counts towards in the evaluation
	Title       string            // of its issues
	Explanation string            // what it looks for and why, in sentences
	BadExample  string            // a sample it fires on
	GoodExample string            // the same sample, put right
}

// rule is a Rule with its check.
type rule struct {
	Rule
	pass string // its summary when there is nothing to say
	fix  string // what to do about an issue
	run  func(*subject) workflow.Check
}

func (r rule) appliesTo(t workflow.Type) bool { return slices.Contains(r.Types, t) }

// issues makes a check of a function that lists what it found.
func issues(find func(*subject) []workflow.Issue) func(*subject) workflow.Check {
	return func(s *subject) workflow.Check { return workflow.Check{Issues: find(s)} }
}

// all lists the rules in the order in which their checks are shown. They are
// made once, for the sake of their patterns, and never changed.
var all = sync.OnceValue(func() []rule {
	return slices.Concat(
		evidenceRules(),
		documentRules(),
		visionRules(),
		scopeRules(),
		roadmapRules(),
		layoutRules(),
		specRules(),
		skeletonRules(),
		testRules(),
		implementationRules(),
		bugFixRules(),
		codeRules(),
	)
})

//go:embed testdata/*/*/*.txtar
var samples embed.FS

// Catalog lists all rules, each with the samples that its tests run.
func Catalog() []Rule {
	var out []Rule
	for _, r := range all() {
		r.BadExample = example(r.ID, "bad")
		r.GoodExample = example(r.ID, "good")
		r.Types = slices.Clone(r.Types)
		out = append(out, r.Rule)
	}
	return out
}

// example is a rule's sample as a reader wants it: a lone file's text, else
// each file below its name.
func example(id, kind string) string {
	data, err := samples.ReadFile(path.Join("testdata", id, kind+".txtar"))
	if err != nil {
		return "" // a test holds every rule to its samples
	}
	archive := txtar.Parse(data)
	var b strings.Builder
	for _, f := range archive.Files {
		if len(archive.Files) > 1 {
			b.WriteString("-- " + f.Name + " --\n")
		}
		b.Write(f.Data)
	}
	return b.String()
}

// Types of artifacts that rules share.
func documents() []workflow.Type {
	return []workflow.Type{workflow.Vision, workflow.Scope, workflow.Roadmap, workflow.Spec}
}

func only(types ...workflow.Type) []workflow.Type { return types }
