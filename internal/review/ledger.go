package review

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/bundle"
	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/requirements"
	"workflow-reviewer/internal/review/answers"
	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/review/prompt"
	"workflow-reviewer/internal/workflow"
)

// ledger lists the acceptance criteria that an artifact is held against: those of its spec, of the
// spec's companions of the same kind and of its plan, for a bug fix those of the report first. What
// the base demands counts where the pull request weakens it, unless nobody had approved it or
// somebody approved the change. Nothing is said of them yet but where tests and code name them.
func (p *planner) ledger(a workflow.Artifact) (list []workflow.Requirement, warnings []string) {
	switch a.Type {
	case workflow.Tests, workflow.Implementation, workflow.BugFix:
	default:
		return nil, nil
	}
	named := p.namedPlans(a)
	plans := slices.Concat(named, requirements.PlanPaths(a.Feature, a.SpecPath))
	now := demanded(p.Set.HeadTree, a, a.SpecPath, plans)
	head, omitted, warnings := now.list, now.omitted, now.warnings
	for _, f := range named {
		if _, err := p.Set.HeadTree.Stat(f); prompt.IsNotFound(err) {
			warnings = append(warnings, foreign.Label(f)+" not found, though the spec or the description names it: "+
				"its criteria were not verified")
		}
	}
	before := p.specInBase(a)
	asBefore := workflow.Artifact{Feature: a.Feature, Companions: a.Companions, Layout: a.Layout}
	base := demanded(p.Set.MergeBaseTree, asBefore, before, plans).list
	var changes []requirements.Change
	if prompt.StateOf(before) != workflow.Proposed && !p.approvedSpec(a) {
		changes = requirements.Compare(base, head)
	}
	counting, more := requirements.Counting(head, changes)
	if n := omitted + more; n > 0 {
		warnings = append(
			warnings,
			fmt.Sprintf("The spec states more than %d criteria: %d are not in the list of requirements",
				requirements.Max, n),
		)
	}
	if len(changes) > 0 {
		warnings = append(warnings, fmt.Sprintf("This pull request %s; the base's count", describeChanges(changes)))
	}
	traces := requirements.Traces(counting, p.sources(a))
	for i, r := range counting {
		list = append(list, workflow.Requirement{
			ID: r.ID, Text: r.Text, Spec: fmt.Sprintf("%s:%d", r.File, r.Line), Changed: changed(changes, r),
			Status: workflow.CannotTell, Reason: "No model was asked.", Tests: traces[i].Tests, Code: traces[i].Code,
		})
	}
	return list, warnings
}

// namedPlans are the plans that an artifact's spec or the author's words name.
func (p *planner) namedPlans(a workflow.Artifact) []string {
	spec, _ := p.Set.HeadTree.ReadFile(a.SpecPath) // which names none where it cannot be read
	return requirements.NamedPlans(string(spec) + "\n" + p.Intent.Body)
}

// demands are the criteria of a tree's documents, and what of these was not read.
type demands struct {
	list     []requirements.Requirement
	omitted  int
	warnings []string
}

// take reads the criteria of one document, and reports whether it is there.
func (d *demands) take(
	tree change.Tree,
	file string,
	check func([]byte) error,
	from func(string, []byte) ([]requirements.Requirement, int),
) bool {
	data, err := tree.ReadFile(file)
	if prompt.IsNotFound(err) {
		return false
	}
	why := prompt.Unreadable(data, err)
	if why == "" {
		d.add(from(file, data))
		if err := check(data); err != nil {
			why = markdown.Line(err.Error(), 200)
		}
	}
	if why != "" {
		d.warnings = append(d.warnings,
			foreign.Label(file)+": criteria are missing from the list of requirements: "+why)
	}
	return true
}

// add merges criteria into the list, and counts what the limit leaves out.
func (d *demands) add(list []requirements.Requirement, omitted int) {
	var more int
	d.list, more = requirements.Merge(d.list, list)
	d.omitted += omitted + more
}

// demanded is what a tree's documents demand of an artifact; the first of the plans that is there
// counts.
func demanded(tree change.Tree, a workflow.Artifact, spec string, plans []string) (d demands) {
	if tree == nil {
		return d
	}
	docs := []string{spec}
	if a.Type == workflow.BugFix {
		docs = []string{a.Path(), spec}
	}
	for _, c := range a.Companions {
		if path.Base(c) == path.Base(spec) && a.Layout != layout.BundleName {
			docs = append(docs, c)
		}
	}
	for _, doc := range docs {
		if a.Layout == layout.BundleName && doc == spec && spec != "" {
			d.add(bundle.Read(tree, bundle.Folder(spec)).Requirements())
		} else if path.Ext(doc) == ".md" {
			d.take(tree, doc, requirements.CheckMarkdown, requirements.FromMarkdown)
		}
	}
	for _, f := range plans {
		if d.take(tree, f, requirements.CheckPlan, requirements.FromPlan) {
			break
		}
	}
	return d
}

// specInBase is where the base has the spec of an artifact, "" if it has none: in another folder of
// its lifecycle, under its former name, or deleted by the change.
func (p *planner) specInBase(a workflow.Artifact) string {
	if p.Set.MergeBaseTree == nil {
		return ""
	}
	exists := func(file string) bool {
		_, err := p.Set.MergeBaseTree.Stat(file)
		return err == nil
	}
	for _, f := range p.Set.Files {
		switch {
		case a.SpecPath != "" && f.Path == a.SpecPath && f.OldPath != "":
			return f.OldPath
		case a.SpecPath == "" && f.Status == change.Deleted && p.Canonical(f.Path) == "specs/*/"+a.Feature+".md":
			return f.Path
		}
	}
	if a.SpecPath == "" || exists(a.SpecPath) || a.Layout == layout.BundleName { // of a bundle its folder counts
		return a.SpecPath
	}
	canonical := p.Canonical(a.SpecPath)
	for _, s := range prompt.Lifecycle {
		if file := strings.Replace(canonical, "*", string(s), 1); exists(file) {
			return file
		}
	}
	return ""
}

// approvedSpec reports whether this run knows the head's spec to be approved.
func (p *planner) approvedSpec(a workflow.Artifact) bool {
	j, ok := p.specs[a.Feature]
	d, known := j.Standing()
	return ok && known && d == workflow.Approved && j.Artifact.Path() == a.SpecPath
}

// sources are the files in which an artifact's requirements may be named.
func (p *planner) sources(a workflow.Artifact) []requirements.Source {
	var out []requirements.Source
	add := func(file string, test bool) {
		data, err := p.Set.HeadTree.ReadFile(file)
		if prompt.Unreadable(data, err) == "" {
			out = append(out, requirements.Source{Path: file, Text: data, Test: test})
		}
	}
	for _, f := range a.Files {
		if test := a.Type == workflow.Tests; path.Ext(f.Path) != ".md" && (test || !slices.Contains(a.Tests, f.Path)) {
			add(f.Path, test)
		}
	}
	for _, t := range a.Tests {
		add(t, true)
	}
	return out
}

// changed says how the head weakens or changes a requirement of the base.
func changed(changes []requirements.Change, r requirements.Requirement) string {
	i := slices.IndexFunc(changes, func(c requirements.Change) bool {
		return c.Before.File == r.File && c.Before.Line == r.Line && c.Before.Text == r.Text
	})
	switch {
	case i < 0:
		return ""
	case changes[i].After == nil:
		return "removed by this pull request"
	case changes[i].Weakened != "":
		return fmt.Sprintf("weakened by this pull request (%s) to: %s", changes[i].Weakened, changes[i].After.Text)
	}
	return "changed by this pull request to: " + changes[i].After.Text
}

// describeChanges counts what the head makes of the base's criteria.
func describeChanges(changes []requirements.Change) string {
	weakened := 0
	for _, c := range changes {
		if c.Weakened != "" {
			weakened++
		}
	}
	var parts []string
	if weakened > 0 {
		parts = append(parts, "weakens or removes "+workflow.Count(weakened, "acceptance criterion")+" of the base")
	}
	if n := len(changes) - weakened; n > 0 {
		parts = append(parts, "changes "+workflow.Count(n, "acceptance criterion")+
			" of the base in a way of which it cannot be told whether that weakens it")
	}
	return strings.Join(parts, " and ")
}

// maxRequirements is the room for the list of requirements, in characters.
const maxRequirements = 60_000

// ledgerDocuments give the reviewer what it must take a stand on, entry by entry.
func ledgerDocuments(list []workflow.Requirement) []prompt.Document {
	if len(list) == 0 {
		return nil
	}
	var b strings.Builder
	each := max(200, min(1_000, maxRequirements/len(list)))
	for _, r := range list {
		fmt.Fprintf(&b, "- %s: %s (%s)\n", r.ID, markdown.Line(r.Text, each), foreign.Label(r.Spec))
		if r.Changed != "" {
			fmt.Fprintf(&b, "  - The base demands this; it was %s\n", markdown.Line(r.Changed, each))
		}
	}
	return []prompt.Document{{
		Heading: "Acceptance criteria",
		Note: fmt.Sprintf(
			"%d in all. Take a stand on each under `requirements`, by its id, before anything else: the spec is judged "+
				"first. "+
				"What the base demands counts although the pull request changes it.",
			len(list),
		),
		Body: b.String(),
	}}
}

// issuesOfRequirements are the issues that follow from requirements that are not met and that
// no High issue of the reviewer speaks of.
func issuesOfRequirements(r workflow.Result) []workflow.Issue {
	var out []workflow.Issue
	for _, q := range r.Requirements {
		told := slices.ContainsFunc(r.Issues, func(i workflow.Issue) bool {
			return i.Severity == workflow.High &&
				(strings.Contains(i.Title+" "+i.Description, q.ID) && strings.ContainsAny(q.ID, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") ||
					i.File == q.File && i.Line == q.Line && i.File != "")
		})
		if q.Status != workflow.NotMet || told {
			continue
		}
		out = append(out, workflow.Issue{
			Severity: workflow.High, Category: workflow.Compliance,
			Title: markdown.Line("Requirement "+q.ID+" is not met: "+q.Text, answers.MaxTitle),
			File:  q.File, Line: q.Line,
			Description: foreign.Block(q.Reason), Rule: "requirements/not-met",
			Recommendation: "Do what " + foreign.Label(
				q.Spec,
			) + " demands, or have the spec changed and approved.", Subject: q.ID,
		})
	}
	return out
}

// standing counts the requirements of a status.
func standing(r workflow.Result, s workflow.RequirementStatus) int {
	return count(r.Requirements, func(q workflow.Requirement) bool { return q.Status == s })
}

// withStands is the requirements as they are now with what an earlier verdict of the same context
// said of them.
func withStands(now, former []workflow.Requirement) []workflow.Requirement {
	out := slices.Clone(now)
	for i := range out {
		if k := slices.IndexFunc(former, func(f workflow.Requirement) bool { return f.ID == out[i].ID }); k >= 0 {
			f := former[k]
			out[i].Status, out[i].File, out[i].Line, out[i].Reason = f.Status, f.File, f.Line, f.Reason
		}
	}
	return out
}
