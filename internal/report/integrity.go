package report

import (
	"encoding/json"
	"fmt"
	"slices"

	"workflow-reviewer/internal/form"
	"workflow-reviewer/internal/integrity"
	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/workflow"
)

// Integrity is the report of the integrity command.
type Integrity struct {
	integrity.Outcome
	Base, MergeBase, Head string
	Given                 bool // Base was given as approved
	WarnOnly              bool // workarounds do not fail
	Failed                bool // the check did not run; the notices say why
}

// Verdict is the outcome's, unverifiable if the check did not run.
func (r Integrity) Verdict() integrity.Verdict {
	if r.Failed {
		return integrity.Unverifiable
	}
	return r.Outcome.Verdict()
}

// ExitCode is the process's exit status.
func (r Integrity) ExitCode() int {
	switch v := r.Verdict(); {
	case v == integrity.Clean, v == integrity.NoBaseline, v == integrity.Workaround && r.WarnOnly:
		return 0
	case v == integrity.Unverifiable:
		return 2
	default:
		return 1
	}
}

// integrity1 is what --json prints.
type integrity1 struct {
	Verdict     integrity.Verdict   `json:"verdict"`
	Baseline    baseline1           `json:"baseline"`
	Violations  workflow.Violations `json:"violations"`
	Questions   workflow.Questions  `json:"questions"`
	Notices     workflow.Notices    `json:"notices"`
	NotAnalysed []string            `json:"not_analysed"`
	Proof       *workflow.Proof     `json:"proof,omitempty"` // of running the approved tests
}

// baseline1 is what the JSON of integrity says was compared. Its fields are published: they are
// only added to.
type baseline1 struct {
	Commit    string     `json:"commit"`     // the base, or the revision given as approved
	MergeBase string     `json:"merge_base"` // what the change is counted from
	Head      string     `json:"head"`
	Features  []feature1 `json:"features"`
}

// feature1 is one feature's approved tests in that JSON.
type feature1 struct {
	Feature         string          `json:"feature"` // "" for all tests of a revision
	Source          baseline.Source `json:"source"`
	Commit          string          `json:"commit"`
	Record          string          `json:"record"` // path of the record or review, "" without one
	Revision        int             `json:"revision"`
	Files           int             `json:"files"`
	Trust           string          `json:"trust"`
	Unauthenticated bool            `json:"unauthenticated"`
	Missing         string          `json:"missing"` // why there is no baseline
}

// JSON is the outcome for programs. Lists are never null.
func (r Integrity) JSON() ([]byte, error) {
	out := integrity1{
		Verdict: r.Verdict(), Violations: nonNil(slices.Concat(r.Breaches(), r.Workarounds,
			r.Weakened, r.Suspected)),
		Questions: nonNil(r.questions()), Proof: r.Run.Proof(), Notices: nonNil(r.notices()),
		NotAnalysed: nonNil(r.NotAnalysed),
		Baseline: baseline1{
			Commit: r.Base, MergeBase: r.MergeBase, Head: r.Head,
			Features: []feature1{},
		},
	}
	for _, f := range r.Features {
		out.Baseline.Features = append(out.Baseline.Features, feature1{
			f.Feature, f.Source, f.Commit, f.Path, f.Revision, len(f.Files), f.Trust,
			f.Unauthenticated != "", f.Missing,
		})
	}
	data, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode the outcome: %w", err)
	}
	return append(data, '\n'), nil
}

// questions are those about the implementation, and those that running the approved tests leaves to
// a tests review.
func (r Integrity) questions() []workflow.Finding {
	out := slices.Clone(r.Questions)
	for _, a := range r.Asks {
		if !slices.ContainsFunc(out, func(q workflow.Finding) bool { return q.Key == a.Key }) {
			out = append(out, a.Finding)
		}
	}
	return out
}

// notices are the outcome's with what else a reader should know.
func (r Integrity) notices() []workflow.Finding {
	var out []workflow.Finding
	compared := len(r.Untouched) > 0
	for _, f := range r.Features {
		compared = compared || f.Known()
	}
	for _, f := range r.Features {
		switch {
		case f.Missing != "":
			out = append(out, workflow.Finding{Level: workflow.Warn, Text: f.String()})
		case !f.Known() && !compared:
			out = append(out, workflow.Finding{Text: f.String()})
		}
	}
	for _, v := range r.Excused {
		out = append(out, workflow.Finding{
			File: v.File,
			Text: "excused on the base: " + v.Text + " (" + form.Location(v.File, v.Line) + ")",
		})
	}
	for _, p := range r.Permitted {
		out = append(out, workflow.Finding{
			File: p.File,
			Text: "allowed by " + p.By + ": " + p.Text + " (" + form.Location(p.File, p.Line) +
				")",
		})
	}
	for _, h := range r.Harmless {
		out = append(out, workflow.Finding{Text: "harmless: " + h})
	}
	return append(out, r.Outcome.Notices...)
}

// open is how many questions decide, and are not answered here.
func (r Integrity) open() (n int) {
	for _, a := range r.Asks {
		if a.Open {
			n++
		}
	}
	return n
}

// compared is how many approved files were compared.
func (r Integrity) compared() (n int) {
	for _, f := range r.Features {
		n += f.Compared
	}
	return n
}
