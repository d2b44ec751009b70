package bundle

import (
	"regexp"
	"slices"

	"workflow-reviewer/internal/requirements"
	"workflow-reviewer/internal/workflow"
)

var (
	// excluded matches a requirement's statement that it is none of this version.
	excluded = regexp.MustCompile(`(?im)^[\s*_>|-]*priority[\s*_|]*:[\s*_|"']*won['’]?t\b`)
	// namesBrief matches a reference to the brief as a whole; where the
	// brief gives its goals no ids, a word for them is enough.
	namesBrief = regexp.MustCompile(`product-brief(?:\.md)?\b`)
	namesGoal  = regexp.MustCompile(`(?i)\b(?:goals?|brief|vision|objectives?)\b`)
)

// chain follows the ids from the brief's goals to the acceptance criteria.
func (b *Bundle) chain(l *links) workflow.Chain {
	c := workflow.Chain{Requirements: []workflow.ChainRequirement{}}
	for _, d := range b.byKind[requirement] {
		r := workflow.ChainRequirement{
			ID: d.id, Title: d.title, Goals: l.to(d.id, goal), Decisions: l.to(d.id, decision), Stories: l.to(d.id, story),
			Criteria: len(b.criteria(d)), Excluded: excluded.MatchString(d.text),
		}
		if len(r.Stories) == 0 {
			r.Stories = l.to(d.id, epic)
		}
		if len(r.Goals) == 0 && b.documents[brief] != nil &&
			(namesBrief.MatchString(d.text) || len(l.ids(goal)) == 0 && namesGoal.MatchString(d.text)) {
			r.Goals = []string{brief}
		}
		c.Requirements = append(c.Requirements, r)
	}
	g := gaps{bundle: b}
	demanded := slices.DeleteFunc(
		slices.Clone(c.Requirements),
		func(r workflow.ChainRequirement) bool { return r.Excluded },
	)
	c.Stages = append(
		c.Stages,
		g.stage(
			"goal → requirement",
			"no requirement names",
			l.ids(goal),
			func(id string) bool { return len(l.to(id, requirement)) > 0 },
		),
		g.ofRequirements(
			"requirement → goal",
			"no goal of the brief is named by",
			demanded,
			func(r workflow.ChainRequirement) bool {
				return len(r.Goals) > 0
			},
		),
		g.stage("decision → requirement", "no requirement is named by", l.ids(decision), func(id string) bool {
			return len(l.to(id, requirement)) > 0
		}),
		g.ofRequirements("requirement → epic, story", "no epic or story takes up", functional(demanded),
			func(r workflow.ChainRequirement) bool { return len(r.Stories) > 0 }),
		g.stage("epic → requirement", "no requirement is named by", l.ids(epic), func(id string) bool {
			return len(l.to(id, requirement)) > 0
		}),
		g.ofRequirements("requirement → acceptance criteria", "no acceptance criterion was found in", demanded,
			func(r workflow.ChainRequirement) bool { return r.Criteria > 0 }),
	)
	c.Gaps = g.list
	for _, k := range []kind{requirement, decision, epic} {
		for _, d := range b.byKind[k] {
			c.Gaps = append(c.Gaps, lost(l, d)...)
		}
	}
	for _, name := range single() {
		if d := b.documents[name]; d != nil {
			c.Gaps = append(c.Gaps, lost(l, d)...)
		}
	}
	return c
}

// lost are the ids that a document names and that no document of the bundle has.
func lost(l *links, d *document) []workflow.ChainGap {
	if ids := l.lost[d.file]; len(ids) > 0 {
		return []workflow.ChainGap{{Kind: "the bundle has no document of", IDs: ids, File: d.file, Dangling: true}}
	}
	return nil
}

// functional leaves out the quality requirements, which hold for all stories.
func functional(all []workflow.ChainRequirement) []workflow.ChainRequirement {
	return slices.DeleteFunc(
		slices.Clone(all),
		func(r workflow.ChainRequirement) bool { return len(r.ID) > 3 && r.ID[:3] == "NFR" },
	)
}

// gaps collects what the stages lack.
type gaps struct {
	bundle *Bundle
	list   []workflow.ChainGap
}

// stage counts how many ids the next step of the chain takes up, and notes the others as a gap in
// the file of the first.
func (g *gaps) stage(name, lacks string, ids []string, covered func(string) bool) workflow.ChainStage {
	s := workflow.ChainStage{Name: name, Of: len(ids)}
	gap := workflow.ChainGap{Kind: lacks}
	for _, id := range ids {
		if covered(id) {
			s.Covered++
			continue
		}
		gap.IDs = append(gap.IDs, id)
	}
	if len(gap.IDs) > 0 {
		gap.File = g.bundle.fileOf(gap.IDs[0])
		g.list = append(g.list, gap)
	}
	return s
}

// ofRequirements is stage for requirements.
func (g *gaps) ofRequirements(name, lacks string, all []workflow.ChainRequirement,
	covered func(workflow.ChainRequirement) bool,
) workflow.ChainStage {
	byID := map[string]bool{}
	var ids []string
	for _, r := range all {
		ids = append(ids, r.ID)
		byID[r.ID] = covered(r)
	}
	return g.stage(name, lacks, ids, func(id string) bool { return byID[id] })
}

// fileOf is the document of an id; a goal's is the brief.
func (b *Bundle) fileOf(id string) string {
	for _, docs := range b.byKind {
		for _, d := range docs {
			if d.id == id {
				return d.file
			}
		}
	}
	if d := b.documents[brief]; d != nil {
		return d.file
	}
	return ""
}

// criteria are the acceptance criteria of one requirement, by ids that begin with its own.
func (b *Bundle) criteria(d *document) []requirements.Requirement {
	all, _ := requirements.FromMarkdown(d.file, []byte(d.text))
	var out []requirements.Requirement
	for _, r := range all {
		foreign := ofDocument.MatchString(r.ID) && r.ID != d.id
		if foreign || r.ID == d.id {
			continue // another requirement is referred to, or this one is told as a whole
		}
		if len(r.ID) <= len(d.id) || r.ID[:len(d.id)] != d.id {
			r.ID = d.id + "." + r.ID
		}
		out = append(out, r)
	}
	return out
}

// Requirements lists what a bundle demands: the acceptance criteria of each requirement, and a
// requirement as a whole that has none. omitted counts those beyond requirements.Max.
func (b *Bundle) Requirements() (list []requirements.Requirement, omitted int) {
	var lists [][]requirements.Requirement
	for _, d := range b.byKind[requirement] {
		if excluded.MatchString(d.text) {
			continue
		}
		own := b.criteria(d)
		if len(own) == 0 {
			own = []requirements.Requirement{
				{ID: d.id, Text: d.title, File: d.file, Line: 1, Kind: requirements.Identified},
			}
		}
		lists = append(lists, own)
	}
	return requirements.Merge(lists...)
}
