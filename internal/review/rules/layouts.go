package rules

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// workflowOnly lists what other layouts keep elsewhere than in the document that is checked: spec-kit describes
// interfaces in contracts/, Kiro in design.md, and none has a ROADMAP.md or states outcomes in its lists of tasks.
const workflowOnly = " roadmap/no-features roadmap/no-outcome roadmap/no-order roadmap/out-of-scope spec/not-in-roadmap spec/no-interface "

// notOfBundle lists what one document of a bundle need not have, as another one has it.
const notOfBundle = " spec/no-acceptance-criteria document/schema document/too-short "

// inLayout reports whether a rule holds for an artifact in its layout. What tells an
// agent of the product, as Kiro's steering/product.md does, argues for no vision.
func (r rule) inLayout(a workflow.Artifact) bool {
	if a.Layout == bundled && strings.Contains(notOfBundle, " "+r.ID+" ") ||
		strings.HasPrefix(r.ID, "vision/") && hidden.MatchString(a.Path()) {
		return false
	}
	return (a.Layout == "" || !strings.Contains(workflowOnly, " "+r.ID+" ")) && (r.Layout == "" || r.Layout == a.Layout)
}

// requirementLevel is the level of the headings of requirements.
const requirementLevel = 3

var (
	requirement = lazyregexp.New(`(?i)^requirement:`)
	withdrawn   = lazyregexp.New(`(?i)^(?:removed|renamed|deleted) requirements`)
	// withdraws says in few words that a capability is gone, or that none changes.
	withdraws = lazyregexp.New(`(?i)\b(?:deprecat|remov|supersed|retir)ed\b|(?:\b|_)no (?:new|modified|spec|capability)\b.{0,60}\bchange`)
)

// onlyWithdraws reports whether all parts of a document are of requirements that are
// removed or renamed, or it is a note of OpenSpec that says so: there is nothing to accept.
func (s *subject) onlyWithdraws(d *document) bool {
	said := ""
	for _, b := range d.prose() {
		said += b.plain + " "
	}
	if said == "" {
		said = s.textOf([]string{d.path}) // a comment alone
	}
	if s.Artifact.Layout == "openspec" && d.words() < 2*fewWords && d.demands() == 0 && len(d.bare()) == 0 && withdraws.MatchString(said) {
		return true
	}
	parts := slices.DeleteFunc(slices.Clone(d.sections), func(s section) bool { return s.level != requirementLevel-1 })
	return len(parts) > 0 && !slices.ContainsFunc(parts, func(s section) bool { return !withdrawn.MatchString(s.raw) })
}

func withoutScenario(s *subject, d *document) []workflow.Issue {
	before := parseDocument(d.path, []byte(s.before(d.path))).bare()
	bare := slices.DeleteFunc(d.bare(), func(now section) bool {
		return slices.ContainsFunc(before, func(was section) bool { return was.raw == now.raw })
	})
	if len(bare) == 0 {
		return nil
	}
	title := fmt.Sprintf("%q has no scenario", cutLine(bare[0].raw, 70))
	if len(bare) > 1 {
		title = fmt.Sprintf("%d requirements have no scenario, the first is %q", len(bare), cutLine(bare[0].raw, 70))
	}
	issue := workflow.Issue{File: d.path, Line: bare[0].line, Title: title}
	ownSchema := slices.ContainsFunc(s.atBase(), func(p string) bool { return strings.HasPrefix(p, "openspec/schemas/") })
	switch {
	case strings.Contains(d.path, archived):
		issue.Severity = counted
	case s.exists(d), ownSchema:
		issue.Severity = milder // it is there, or the project says itself what has scenarios
	}
	return []workflow.Issue{issue}
}

// archived is where OpenSpec keeps the changes that are done.
const archived = "openspec/changes/archive/"

// exists reports whether a document tells what is there already, as those that OpenSpec
// writes when a change is archived do.
func (s *subject) exists(d *document) bool {
	return s.Artifact.Layout == "openspec" && !strings.Contains(d.path, "/changes/")
}

// bare are the requirements of a document in force without a scenario: to openspec
// validate every heading of the next level is one; so is what bold letters call one.
func (d *document) bare() []section {
	var out []section
	skip := false
	for i, sec := range d.sections {
		if sec.level > 0 && sec.level < requirementLevel {
			skip = withdrawn.MatchString(sec.raw)
		}
		under := d.hasInPlace(i) || i+1 < len(d.sections) && strings.HasPrefix(strings.ToLower(d.sections[i+1].title), "scenario")
		if !skip && !under && sec.level == requirementLevel && requirement.MatchString(sec.raw) &&
			!slices.ContainsFunc(d.sections[i+1:d.until(i)], func(x section) bool {
				return x.level == requirementLevel+1 || x.level == labelLevel && strings.HasPrefix(strings.ToLower(x.title), "scenario")
			}) {
			out = append(out, sec)
		}
	}
	return out
}

// inPlace matches a scenario that is no heading: in bold letters, or the head of a table of them.
var inPlace = lazyregexp.New(`(?im)^\W*scenario\b[^\n]*[:–—]|\|\W*when\W*\|\W*then\W*\|`)

func (d *document) hasInPlace(i int) bool {
	for b := range d.below(i) {
		if inPlace.MatchString(b.text) {
			return true
		}
	}
	return false
}
