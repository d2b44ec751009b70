package bundle

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// Assess scores the bundle in four dimensions of a quarter each. Weights and points are those of
// the reviewer role that the form comes from.
func (b *Bundle) Assess() workflow.Bundle {
	l := b.link()
	out := workflow.Bundle{
		Folder: b.folder, Session: clip(b.settings.Session), Topic: clip(b.settings.Topic),
		Complexity: clip(b.settings.Complexity), Chain: b.chain(l),
	}
	for _, p := range parts() {
		out.Documents = append(
			out.Documents, workflow.BundleDocument{Name: p.name, Count: b.count(p.name)},
		)
	}
	out.Dimensions = []workflow.BundleDimension{
		b.completeness(),
		b.consistency(l),
		b.traceability(out.Chain),
		b.depth(out.Chain),
	}
	for i, d := range out.Dimensions {
		out.Score += d.Score / float64(len(out.Dimensions))
		out.Dimensions[i].Score = rounded(d.Score)
	}
	out.Score = rounded(out.Score)
	return out
}

// rounded is a score to one decimal.
func rounded(f float64) float64 { return math.Round(f*10) / 10 }

// count is how many documents of a part can be read.
func (b *Bundle) count(part string) int {
	if part == config && b.unread {
		return 0
	}
	return len(b.of(part))
}

// completeness adds up the weights of the parts that are there, to 100.
func (b *Bundle) completeness() workflow.BundleDimension {
	d := workflow.BundleDimension{Name: "completeness", Issues: b.lost}
	for _, p := range parts() {
		switch {
		case b.count(p.name) > 0:
			d.Score += p.weight
		case p.name == config && b.unread:
			d.Issues = append(d.Issues, config+" is not a JSON object")
		case p.weight > 0:
			d.Issues = append(d.Issues, "Missing: "+p.name)
		}
	}
	return d
}

// frontMatter begins a document that has a head.
var frontMatter = lazyregexp.New(`^---\n(?s:.+?)\n---`)

// Points that an inconsistency takes.
const (
	sessionPoints = 15 // the brief is of another session
	headPoints    = 20 // some main documents have front matter and some have none
	lostPoints    = 5  // an id is named that no document has
	maxLostPoints = 20
)

// consistency takes points from 100 for what documents say differently.
func (b *Bundle) consistency(l *links) workflow.BundleDimension {
	d := workflow.BundleDimension{Name: "consistency", Score: 100}
	for _, doc := range b.of(brief) {
		if !strings.Contains(doc.text, b.settings.Session) {
			take(&d, sessionPoints, "The product brief does not name the session_id of "+config)
		}
	}
	with, main := b.matching(frontMatter, brief, requirementsIndex, architectureIndex, epicsIndex)
	if with > 0 && with < main {
		take(
			&d, headPoints,
			fmt.Sprintf("YAML front matter in %d of the %d main documents", with, main),
		)
	}
	n := 0
	for _, ids := range l.lost {
		n += len(ids)
	}
	if n > 0 {
		take(
			&d, math.Min(float64(n*lostPoints), maxLostPoints),
			workflow.Count(n, "reference")+" to ids that no document has",
		)
	}
	return d
}

// stagePoints is the share of each link of the chain; the last quarter is given where half of the
// chain stands.
const stagePoints = 25

// traceability gives each link of the chain its share of stagePoints. A link without one of its
// main documents is not judged, and counts nothing.
func (b *Bundle) traceability(c workflow.Chain) workflow.BundleDimension {
	d := workflow.BundleDimension{Name: "traceability"}
	between := map[string][]string{ // the main documents without which a link is not judged
		"requirement → goal":     {brief, requirementsIndex},
		"decision → requirement": {requirementsIndex, architectureIndex},
		"requirement → epic":     {requirementsIndex, epicsIndex},
	}
	for _, s := range c.Stages {
		ends, counts := between[s.Name]
		lacking := slices.IndexFunc(ends, func(name string) bool { return len(b.of(name)) == 0 })
		switch {
		case !counts:
		case lacking >= 0:
			d.Issues = append(
				d.Issues,
				fmt.Sprintf("%s: not judged without %s", s.Name, ends[lacking]),
			)
		case s.Of == 0 || s.Covered < s.Of:
			d.Issues = append(d.Issues, fmt.Sprintf("%s: %d of %d", s.Name, s.Covered, s.Of))
			fallthrough
		default:
			d.Score += stagePoints * float64(s.Covered) / float64(max(s.Of, 1))
		}
	}
	if d.Score >= 2*stagePoints {
		d.Score += stagePoints
	}
	return d
}

var (
	alternatives = lazyregexp.New(
		`(?i)\balternatives?\b|\boptions considered\b|\bpros\b|\bcons\b|\btrade-?offs?\b|替代`,
	)
	sized = lazyregexp.New(
		`\b(?:XS|S|M|L|XL|XXL)\b|\b(?:Small|Medium|Large)\b|` +
			`(?i:\b(?:size|estimate|effort|story points?)\b)`,
	)
	diagram = lazyregexp.New("(?m)^\\s*```mermaid")
)

// Points that a lack of depth takes.
const (
	depthPoints   = 25
	diagramPoints = 10
)

// depth takes points from 100, by their share, for requirements without criteria, decisions without
// alternatives and epics without sizes.
func (b *Bundle) depth(c workflow.Chain) workflow.BundleDimension {
	d := workflow.BundleDimension{Name: "depth", Score: 100}
	last := c.Stages[len(c.Stages)-1]
	none := len(b.of(requirement)) == 0
	takeShare(&d, last.Covered, last.Of, none, "Requirements with acceptance criteria")
	n, all := b.matching(alternatives, decision)
	takeShare(&d, n, all, false, "Decisions that weigh alternatives")
	n, all = b.matching(sized, epic)
	takeShare(&d, n, all, false, "Epics whose stories have a size")
	if n, _ := b.matching(diagram, architectureIndex, epicsIndex); n == 0 {
		take(&d, diagramPoints, "No Mermaid diagram in "+architectureIndex+" or "+epicsIndex)
	}
	return d
}

// matching counts the documents of some parts, and those of them that a pattern matches.
func (b *Bundle) matching(re *lazyregexp.Regexp, parts ...string) (n, all int) {
	for _, p := range parts {
		for _, d := range b.of(p) {
			all++
			if re.MatchString(d.text) {
				n++
			}
		}
	}
	return n, all
}

// take lowers a dimension for a reason.
func take(d *workflow.BundleDimension, points float64, why string) {
	d.Score = math.Max(0, d.Score-points)
	d.Issues = append(d.Issues, why)
}

// takeShare lowers a dimension by what n of all lack; none at all counts only where it must not be.
func takeShare(d *workflow.BundleDimension, n, all int, needed bool, what string) {
	switch {
	case all == 0 && needed:
		take(d, depthPoints, what+": none")
	case n < all:
		take(d, depthPoints*float64(all-n)/float64(all), fmt.Sprintf("%s: %d of %d", what, n, all))
	}
}
