package detect

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/workflow"
)

// claim gives each feature's claims that work is done to the artifact that answers for them: its
// implementation, else the first there is. Claims of a feature without one that are not met are a
// warning, or where its layout lets them block an artifact of their own.
func (d *detector) claim(artifacts []workflow.Artifact) ([]workflow.Artifact, error) {
	claims, documents := d.claims()
	for _, feature := range slices.Sorted(maps.Keys(claims)) {
		isDone := func(c workflow.Claim) bool { return c.Done != "" }
		if i := slices.IndexFunc(claims[feature], isDone); i >= 0 {
			tests, err := d.testsOf(group{typ: workflow.Implementation, feature: feature})
			if err != nil {
				return nil, err
			}
			claims[feature][i].Tests = tests
		}
		if i := d.answersFor(artifacts, feature); i >= 0 {
			artifacts[i].Claims = claims[feature]
			continue
		}
		c := documents[feature]
		typ := workflow.Spec
		if c.match.Kind == layout.Roadmap {
			typ = workflow.Roadmap
		}
		a := workflow.Artifact{
			Type:     typ,
			Feature:  feature,
			SpecPath: d.rules.pathOf(feature),
			Claims:   claims[feature],
		}
		said := ""
		if d.opt.Unmet != nil {
			said = d.opt.Unmet(a)
		}
		blocks := slices.ContainsFunc(
			claims[feature],
			func(c workflow.Claim) bool { return c.Blocks },
		)
		switch {
		case said == "":
		case !blocks:
			d.notes.warn(c.Path, "%s", said)
		default:
			c.class, c.typ, c.whyClass = document, typ, "it says that work is done that is not there"
			c.found = resolution{
				feature: feature,
				why:     "the layout " + c.match.Layout.Name + " names it",
				byPath:  true,
			}
			own, err := d.artifact(group{typ, feature, []*candidate{c}})
			if err != nil {
				return nil, err
			}
			a = own
			a.Claims = claims[feature]
			artifacts = append(artifacts, a)
		}
	}
	order := workflow.Types()
	slices.SortStableFunc(artifacts, func(a, b workflow.Artifact) int {
		return slices.Index(order, a.Type) - slices.Index(order, b.Type)
	})
	return artifacts, nil
}

// answersFor is the artifact of a feature that answers for its claims, -1 if there is none.
func (d *detector) answersFor(artifacts []workflow.Artifact, feature string) int {
	for _, t := range slices.Backward(workflow.Types()) {
		isIt := func(a workflow.Artifact) bool { return a.Type == t && a.Feature == feature }
		if i := slices.IndexFunc(artifacts, isIt); i >= 0 {
			return i
		}
	}
	return -1
}

// claims are the documents of each feature in which the change says that work is done, and the
// first of them.
func (d *detector) claims() (map[string][]workflow.Claim, map[string]*candidate) {
	claims, documents := map[string][]workflow.Claim{}, map[string]*candidate{}
	for _, f := range d.set.Files {
		c := &candidate{File: f, place: d.rules.place(f.Path)}
		c.match, _ = c.place.layouts.Match(c.place.rel)
		if c.match.Feature == "" || f.Status == change.Deleted || !isRegular(f.Mode) ||
			d.rules.of(f.Path).closed {
			continue
		}
		c.class, c.typ = document, documentKinds()[c.match.Kind]
		feature := c.place.name(c.place.specs.canonical(c.match.Feature))
		claim, ok := d.claimIn(c, feature)
		if !ok {
			continue
		}
		claim.Blocks = c.match.Layout.Ticks == layout.TicksBlock
		claims[feature] = append(claims[feature], claim)
		if documents[feature] == nil {
			documents[feature] = c
		}
	}
	return claims, documents
}

// claimIn is what the change of a document says is done, false if nothing. Of a feature whose
// implementation was approved with this change it may say that all is.
func (d *detector) claimIn(c *candidate, feature string) (claim workflow.Claim, ok bool) {
	var implemented, earlier bool
	if d.opt.Implemented != nil {
		implemented, earlier = d.opt.Implemented(feature)
	}
	now, err := d.headText(c.Path)
	if err != nil {
		return claim, false // what cannot be read says nothing
	}
	before, err := d.oldText(c)
	if err != nil {
		before = ""
	}
	claim.Path = c.Path
	claim.Before, _ = d.oldDocument(c)
	if claim.Implemented = implemented; !implemented || earlier {
		claim.Done = d.saysDone(c, claim.Before, before, now)
	}
	if c.match.Kind != layout.Spec && c.match.Kind != layout.Roadmap {
		return claim, claim.Done != ""
	}
	claim.All = claim.Done != "" && !implemented && c.match.Kind == layout.Roadmap
	return claim, claim.Done != "" || len(layout.TickedOff(before, now)) > 0
}

// saysDone is how the change of a document, which was elsewhere and said something else, calls its
// feature done.
func (d *detector) saysDone(c *candidate, old, before, now string) string {
	was, _ := c.place.layouts.Match(strings.TrimPrefix(old, c.place.prefix))
	state := c.match.Layout.State
	switch {
	case c.match.State == workflow.Done && was.Layout != nil && was.State != workflow.Done:
		return "was moved to " + path.Dir(c.Path) + "/"
	case c.match.Kind == layout.Spec && state.LineState(now) == workflow.Done && state.LineState(before) != workflow.Done:
		return fmt.Sprintf("says %s in its line %s", state.Word(workflow.Done), state.Line)
	case c.match.Kind == layout.Companion && path.Base(c.Path) == cmp.Or(state.File, "-") &&
		layout.FileState([]byte(now)) == workflow.Done && layout.FileState([]byte(before)) != workflow.Done:
		return "says that the work is complete"
	default:
		return ""
	}
}
