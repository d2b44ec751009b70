package bundle

import (
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/requirements"
	"workflow-reviewer/internal/workflow"
)

// goal is what the ids of the brief stand for.
const goal = "goal"

var (
	// named is an id as it is named in a text.
	named = lazyregexp.New(
		`\b(?:REQ|NFR|ADR|EPIC|GOAL|BG|OBJ|G)(?:-[A-Z]{1,10})?-?\d{1,4}[a-z]?\b`,
	)
	// goalID is the id of a goal at the beginning of a heading, list item, row or paragraph.
	goalID = lazyregexp.New(`^[\s*_\x60\[#|(>+-]*((?:GOAL|BG|OBJ|G)-?\d{1,4})\b`)
	// ofDocument is an id that must have a document in the bundle.
	ofDocument = lazyregexp.New(`^(?:REQ|NFR|ADR|EPIC)(?:-[A-Z]{1,10})?-\d{1,4}[a-z]?$`)
	// excluded matches a requirement's statement that it is none of this version.
	excluded = lazyregexp.New(`(?im)^[\s*_>|-]*priority[\s*_|]*:[\s*_|"']*won['’]?t\b`)
	// namesGoal matches a reference to the brief, where that gives its goals no ids.
	namesGoal = lazyregexp.New(`(?i)\b(?:goals?|brief|vision|objectives?)\b`)
)

// maxLine limits what is read of a line, in characters.
const maxLine = 4_000

// links tell which ids are named together.
type links struct {
	kinds map[string]string // the part that an id is of, or goal
	pairs map[[2]string]bool
	lost  map[string][]string // ids without a document, by the file that names them
}

// link reads which ids the documents name: one that has an id is linked with all that it names, the
// others tie together what stands on one line.
func (b *Bundle) link() *links {
	l := &links{
		kinds: map[string]string{}, pairs: map[[2]string]bool{}, lost: map[string][]string{},
	}
	for _, d := range b.documents {
		if d.id != "" {
			l.kinds[d.id] = d.part
		}
	}
	for _, d := range b.of(brief) {
		for _, line := range prose(d) {
			if m := goalID.FindStringSubmatch(line); m != nil && l.kinds[m[1]] == "" {
				l.kinds[m[1]] = goal
			}
		}
	}
	for _, d := range b.documents {
		for _, line := range prose(d) {
			ids := l.known(d, line)
			if d.id != "" {
				ids = append([]string{d.id}, ids...)
			}
			for i, id := range ids {
				if d.id != "" && i > 0 {
					break // what one document names is linked with it alone
				}
				l.join(id, ids[i+1:])
			}
		}
	}
	return l
}

// prose lists the lines of a document that stand in no code block, none of one that is no text of
// the spec. Front matter counts: it names what a document comes from.
func prose(d document) []string {
	if path.Ext(d.file) != ".md" || d.part == "discussions" {
		return nil
	}
	lines := strings.Split(markdown.OwnWords(d.text), "\n")
	for i, line := range lines {
		lines[i] = markdown.Clip(line, maxLine)
	}
	return lines
}

// join links an id with others in both directions, as far as they are of different kinds.
func (l *links) join(id string, others []string) {
	for _, other := range others {
		if l.kinds[id] != l.kinds[other] {
			l.pairs[[2]string{id, other}], l.pairs[[2]string{other, id}] = true, true
		}
	}
}

// known are the ids of the bundle that a line names; those that should have a document and have
// none are noted as lost.
func (l *links) known(d document, line string) []string {
	var out []string
	for _, id := range named.FindAllString(line, -1) {
		switch {
		case l.kinds[id] != "":
			out = append(out, id)
		case ofDocument.MatchString(id) && !slices.Contains(l.lost[d.file], id):
			l.lost[d.file] = append(l.lost[d.file], id)
		}
	}
	return out
}

// ids lists what is known of a kind and fits, sorted; never nil.
func (l *links) ids(kind string, fits func(id string) bool) []string {
	out := []string{}
	for id, k := range l.kinds {
		if k == kind && fits(id) {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

// to lists the ids of a kind that an id is linked with, sorted; never nil.
func (l *links) to(id, kind string) []string {
	return l.ids(kind, func(other string) bool { return l.pairs[[2]string{id, other}] })
}

// all fits every id.
func all(string) bool { return true }

// chain follows the ids from the brief's goals to the acceptance criteria. A requirement that is
// none of this version needs nothing, one of quality no epic.
func (b *Bundle) chain(l *links) workflow.Chain {
	c := workflow.Chain{Requirements: []workflow.ChainRequirement{}}
	byID := map[string]workflow.ChainRequirement{}
	var demanded, functional []string
	for _, d := range b.of(requirement) {
		r := b.chainOf(l, d)
		c.Requirements = append(c.Requirements, r)
		if r.Excluded {
			continue
		}
		byID[d.id] = r
		demanded = append(demanded, d.id)
		if !strings.HasPrefix(d.id, "NFR") {
			functional = append(functional, d.id)
		}
	}
	isDemanded := func(id string) bool { return len(l.to(id, requirement)) > 0 }
	for _, s := range []struct {
		name, lacks string
		ids         []string
		covered     func(id string) bool
	}{
		{"goal → requirement", "no requirement names", l.ids(goal, all), isDemanded},
		{
			"requirement → goal", "no goal of the brief is named by", demanded,
			func(id string) bool { return len(byID[id].Goals) > 0 },
		},
		{
			"decision → requirement", "no requirement is named by", l.ids(decision, all),
			isDemanded,
		},
		{
			"requirement → epic", "no epic takes up", functional,
			func(id string) bool { return len(byID[id].Stories) > 0 },
		},
		{"epic → requirement", "no requirement is named by", l.ids(epic, all), isDemanded},
		{
			"requirement → acceptance criteria", "no acceptance criterion was found in", demanded,
			func(id string) bool { return byID[id].Criteria > 0 },
		},
	} {
		lacking := slices.DeleteFunc(slices.Clone(s.ids), s.covered)
		c.Stages = append(c.Stages, workflow.ChainStage{
			Name: s.name, Covered: len(s.ids) - len(lacking), Of: len(s.ids),
		})
		if len(lacking) > 0 {
			c.Gaps = append(c.Gaps, workflow.ChainGap{
				Kind: s.lacks, IDs: lacking, File: b.fileOf(lacking[0]),
			})
		}
	}
	for _, d := range b.documents {
		if ids := l.lost[d.file]; len(ids) > 0 {
			c.Gaps = append(c.Gaps, workflow.ChainGap{
				Kind: "the bundle has no document of", IDs: ids, File: d.file, Dangling: true,
			})
		}
	}
	return c
}

// chainOf is what a requirement comes from and what becomes of it.
func (b *Bundle) chainOf(l *links, d document) workflow.ChainRequirement {
	r := workflow.ChainRequirement{
		ID: d.id, Title: d.title, Goals: l.to(d.id, goal), Decisions: l.to(d.id, decision),
		Stories: l.to(d.id, epic), Criteria: len(criteria(d)),
		Excluded: excluded.MatchString(d.text),
	}
	namesBrief := strings.Contains(d.text, "product-brief") ||
		len(l.ids(goal, all)) == 0 && namesGoal.MatchString(d.text)
	if len(r.Goals) == 0 && len(b.of(brief)) > 0 && namesBrief {
		r.Goals = []string{brief}
	}
	return r
}

// fileOf is the document of an id; a goal's is the brief.
func (b *Bundle) fileOf(id string) string {
	i := slices.IndexFunc(b.documents, func(d document) bool { return d.id == id })
	if i >= 0 {
		return b.documents[i].file
	}
	return path.Join(b.folder, brief)
}

// criteria are the acceptance criteria of one requirement, by ids that begin with its own.
func criteria(d document) []requirements.Requirement {
	all, _ := requirements.FromMarkdown(d.file, []byte(d.text))
	var out []requirements.Requirement
	for _, r := range all {
		foreign := ofDocument.MatchString(r.ID) && r.ID != d.id
		if foreign || r.ID == d.id {
			continue // another requirement is referred to, or this one is told as a whole
		}
		if !strings.HasPrefix(r.ID, d.id) || len(r.ID) == len(d.id) {
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
	for _, d := range b.of(requirement) {
		if excluded.MatchString(d.text) {
			continue
		}
		own := criteria(d)
		if len(own) == 0 {
			own = []requirements.Requirement{
				{ID: d.id, Text: d.title, File: d.file, Line: 1, Kind: requirements.Identified},
			}
		}
		lists = append(lists, own)
	}
	return requirements.Merge(lists...)
}
