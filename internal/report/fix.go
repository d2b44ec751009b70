package report

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// Material is what a fix prompt quotes beside its review. Its secrets are redacted already.
type Material struct {
	// text of the spec that the artifact is measured by, "" if there is none
	Spec    string
	Earlier []workflow.Finding // what the latest earlier review found
}

const (
	maxFixText = 4 << 10  // bytes of one text of a finding
	maxFixSpec = 48 << 10 // bytes of a spec
)

// fixFiles are the prompts by their paths: one for each review that needs changes, and of several
// one for all. main is the path of that for all.
func (r Report) fixFiles() (files map[string][]workflow.Result, main string) {
	todo := r.refused()
	files = map[string][]workflow.Result{}
	for i, res := range todo {
		name := record.Slug(string(res.Artifact.Type) + "-" + res.Artifact.Feature)
		main = path.Join("fix", name+".md")
		files[main] = todo[i : i+1]
	}
	if len(todo) > 1 {
		main = "fix/all.md"
		files[main] = todo
	}
	return files, main
}

// FixContext is the path of the prompt for all that needs changes, "" if nothing does.
func (r Report) FixContext() string {
	_, main := r.fixFiles()
	if main == "" || r.Dir == "" {
		return ""
	}
	return filepath.Join(r.Dir, filepath.FromSlash(main))
}

// Fix is the prompt by which a person's agent can resolve what the reviews found, "" if nothing
// needs changes.
func (r Report) Fix() string {
	if todo := r.refused(); len(todo) > 0 {
		return r.prompt(todo, true)
	}
	return ""
}

// fixView is a review for the form of fix.tmpl.
type fixView struct {
	workflow.Result
	Open     []workflow.Finding
	Resolved []resolved
	Unmet    []workflow.Requirement
	Failing  []workflow.Criterion
	Spec     string
}

// resolved is an earlier finding that is not open any more.
type resolved struct{ Title, State string }

// Unsaid reports whether a review says nothing but its summary.
func (v fixView) Unsaid() bool {
	return len(v.Violations)+len(v.Open)+len(v.Unmet)+len(v.Failing)+len(v.Resolved) == 0
}

// prompt is about some reviews; where it is not whole, without the specs and what findings say
// already. Whatever a reviewer, a model or the repository wrote stands in fences.
func (r Report) prompt(todo []workflow.Result, whole bool) string {
	var views []fixView
	for _, res := range todo {
		m := r.Materials[res.Artifact.Name()]
		v := fixView{Result: res}
		v.sort(m.Earlier)
		if whole || len(v.Open) == 0 {
			v.Unmet, v.Failing = unmet(res.Requirements), failing(res.Criteria)
		}
		if whole {
			v.Spec = m.Spec
		}
		views = append(views, v)
	}
	return fill("fix", views) + "\n"
}

// sort parts the findings into those that are open, those of earlier reviews with what these said
// of them, and those that are not open any more.
func (v *fixView) sort(earlier []workflow.Finding) {
	v.Open = slices.Clone(v.Issues)
	for _, p := range v.Previous {
		switch {
		case slices.ContainsFunc(v.Open, p.IsAbout):
		case p.Resolved, p.Dismissed:
			v.Resolved = append(v.Resolved,
				resolved{p.Title, strings.ToLower(record.PreviousState(p))})
		default:
			v.Open = append(v.Open, formerly(p, earlier))
		}
	}
}

// formerly is an open finding of an earlier review as that review told it.
func formerly(p workflow.Previous, earlier []workflow.Finding) workflow.Finding {
	if i := slices.IndexFunc(earlier, p.IsAbout); i >= 0 {
		found := earlier[i]
		found.Suggestion = nil // for lines that may have moved
		return found
	}
	return workflow.Finding{Level: workflow.Warn, Title: p.Title, Text: p.Note}
}

var blankLines = lazyregexp.New(`\n{3,}`)

// quote puts foreign text into one fence that nothing in it can end.
func quote(text string) string {
	return markdown.Fence(strings.TrimSpace(blankLines.ReplaceAllString(text, "\n\n")), "text")
}
