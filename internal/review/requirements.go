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
	spec, _ := p.Set.HeadTree.ReadFile(a.SpecPath) // which names no plan where it cannot be read
	named := requirements.NamedPlans(string(spec) + "\n" + p.Intent.Body)
	plans := slices.Concat(named, requirements.PlanPaths(a.Feature, a.SpecPath))
	head := demanded(p.Set.HeadTree, a, a.SpecPath, plans)
	warnings = head.warnings
	for _, f := range named {
		if _, err := p.Set.HeadTree.Stat(f); prompt.IsNotFound(err) {
			warnings = append(warnings, foreign.Label(f)+" not found, though the spec or the "+
				"description names it: its criteria were not verified")
		}
	}
	var changes []requirements.Change
	before := p.specInBase(a)
	if prompt.StateOf(before) != workflow.Proposed && !p.approvedSpec(a) {
		former := a
		former.Type = workflow.Spec // a report of a bug demands nothing of the base
		base := demanded(p.Set.MergeBaseTree, former, before, plans)
		changes = requirements.Compare(base.list, head.list)
	}
	counting, more := requirements.Counting(head.list, changes)
	if n := head.omitted + more; n > 0 {
		warnings = append(
			warnings,
			fmt.Sprintf("The spec states more than %d criteria: %d are not in "+
				"the list of requirements", requirements.Max, n),
		)
	}
	if n := len(changes); n > 0 {
		warnings = append(warnings, "This pull request changes or removes "+
			workflow.Count(n, "acceptance criterion")+" of the base; the base's count")
	}
	traces := requirements.Traces(counting, p.sources(a))
	for i, r := range counting {
		list = append(list, workflow.Requirement{
			ID: r.ID, Text: r.Text, Spec: fmt.Sprintf("%s:%d", r.File, r.Line),
			Changed: changed(changes, r),
			Status:  workflow.CannotTell, Reason: "No model was asked.",
			Tests: traces[i].Tests, Code: traces[i].Code,
		})
	}
	return list, warnings
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
	isBundle := a.Layout == layout.BundleName
	for _, c := range a.Companions {
		if path.Base(c) == path.Base(spec) && !isBundle {
			docs = append(docs, c)
		}
	}
	for _, doc := range docs {
		switch {
		case isBundle && doc == spec && spec != "":
			d.add(bundle.Read(tree, bundle.Folder(spec)).Requirements())
		case path.Ext(doc) == ".md":
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
	tree := p.Set.MergeBaseTree
	if tree == nil {
		return ""
	}
	if a.SpecPath == "" {
		if f := p.former["specs/*/"+a.Feature+".md"]; f.Status == change.Deleted {
			return f.Path
		}
		return ""
	}
	if f := p.former[p.Canonical(a.SpecPath)]; f.Path == a.SpecPath && f.OldPath != "" {
		return f.OldPath
	}
	candidates := []string{a.SpecPath}
	for _, s := range prompt.Lifecycle {
		candidates = append(candidates, strings.Replace(p.Canonical(a.SpecPath), "*", string(s), 1))
	}
	for _, file := range candidates {
		// Of a bundle its folder counts.
		if _, err := tree.Stat(file); err == nil || a.Layout == layout.BundleName {
			return file
		}
	}
	return ""
}

// approvedSpec reports whether this run knows the head's spec to be approved.
func (p *planner) approvedSpec(a workflow.Artifact) bool {
	a.Type = workflow.Spec
	j, ok := p.planned[a.Name()]
	d, known := j.Standing()
	return ok && known && d == workflow.Approved && j.Artifact.Path() == a.SpecPath
}

// sources are the files in which an artifact's requirements may be named.
func (p *planner) sources(a workflow.Artifact) (out []requirements.Source) {
	add := func(file string, isTest bool) {
		data, err := p.Set.HeadTree.ReadFile(file)
		if prompt.Unreadable(data, err) == "" {
			out = append(out, requirements.Source{Path: file, Text: data, Test: isTest})
		}
	}
	for _, f := range prompt.FilePaths(a) {
		isTest := a.Type == workflow.Tests
		if path.Ext(f) != ".md" && (isTest || !slices.Contains(a.Tests, f)) {
			add(f, isTest)
		}
	}
	for _, t := range a.Tests {
		add(t, true)
	}
	return out
}

// changed says how the head weakens or changes a requirement of the base, "" if it does not.
func changed(changes []requirements.Change, r requirements.Requirement) string {
	for _, c := range changes {
		switch {
		case c.Before.File != r.File || c.Before.Line != r.Line || c.Before.Text != r.Text:
		case c.After == nil:
			return "removed by this pull request"
		case c.Weakened != "":
			return fmt.Sprintf(
				"weakened by this pull request (%s) to: %s",
				c.Weakened,
				c.After.Text,
			)
		default:
			return "changed by this pull request to: " + c.After.Text
		}
	}
	return ""
}

// withStands is the requirements as they are now with what an earlier verdict of the same context
// said of them.
func withStands(now, former []workflow.Requirement) []workflow.Requirement {
	out := slices.Clone(now)
	for i := range out {
		isSame := func(f workflow.Requirement) bool { return f.ID == out[i].ID }
		if k := slices.IndexFunc(former, isSame); k >= 0 {
			f := former[k]
			out[i].Status, out[i].Reason = f.Status, f.Reason
			out[i].File, out[i].Line = f.File, f.Line
		}
	}
	return out
}
