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
// implementation, else the last type there is. Claims of a feature without one that are not met are
// a warning, or where its layout lets them block an artifact of their own.
func (d *detector) claim(artifacts []workflow.Artifact) ([]workflow.Artifact, error) {
	claims, documents := d.claims()
	for _, feature := range slices.Sorted(maps.Keys(claims)) {
		own := claims[feature]
		isDone := func(c workflow.Claim) bool { return c.Done != "" }
		if i := slices.IndexFunc(own, isDone); i >= 0 {
			code := group{typ: workflow.Implementation, feature: feature}
			var err error
			if own[i].Tests, err = d.testsOf(code); err != nil {
				return nil, err
			}
		}
		answers := -1
		for i, a := range artifacts { // which are in the order of their types
			if a.Feature == feature {
				answers = i
			}
		}
		if answers >= 0 {
			artifacts[answers].Claims = own
			continue
		}
		a, err := d.unanswered(documents[feature], feature, own)
		if err != nil {
			return nil, err
		}
		artifacts = append(artifacts, a...)
	}
	order := workflow.Types()
	slices.SortStableFunc(artifacts, func(a, b workflow.Artifact) int {
		return slices.Index(order, a.Type) - slices.Index(order, b.Type)
	})
	return artifacts, nil
}

// unanswered is the artifact of claims of a feature that has none, where they are not met and
// block.
func (d *detector) unanswered(
	c *candidate,
	feature string,
	claims []workflow.Claim,
) ([]workflow.Artifact, error) {
	typ := workflow.Spec
	if c.match.Kind == layout.Roadmap {
		typ = workflow.Roadmap
	}
	said := ""
	if d.opt.Unmet != nil {
		path := d.rules.pathOf(feature)
		said = d.opt.Unmet(
			workflow.Artifact{Type: typ, Feature: feature, SpecPath: path, Claims: claims},
		)
	}
	blocks := slices.ContainsFunc(claims, func(c workflow.Claim) bool { return c.Blocks })
	if said == "" || !blocks {
		if said != "" {
			d.notes.warn(c.Path, "%s", said)
		}
		return nil, nil
	}
	c.class, c.typ, c.why = document, typ, "it says that work is done that is not there"
	c.found = resolution{
		feature: feature,
		why:     "the layout " + c.match.Layout.Name + " names it",
		byPath:  true,
	}
	a, err := d.artifact(group{typ, feature, []*candidate{c}})
	a.Claims = claims
	return []workflow.Artifact{a}, err
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
	earlier := false
	if d.opt.Implemented != nil {
		claim.Implemented, earlier = d.opt.Implemented(feature)
	}
	now, err := d.headText(c.Path)
	if err != nil {
		return claim, false // what cannot be read says nothing
	}
	before, _ := d.oldText(c) // likewise
	claim.Path = c.Path
	claim.Before, _ = d.oldDocument(c)
	if !claim.Implemented || earlier {
		claim.Done = d.saysDone(c, claim.Before, before, now)
	}
	isTasks := c.match.Kind == layout.Roadmap
	claim.All = claim.Done != "" && !claim.Implemented && isTasks
	hasTicks := (isTasks || c.match.Kind == layout.Spec) && len(layout.TickedOff(before, now)) > 0
	return claim, claim.Done != "" || hasTicks
}

// saysDone is how the change of a document, which was elsewhere and said something else, calls its
// feature done.
func (d *detector) saysDone(c *candidate, old, before, now string) string {
	was, _ := c.place.layouts.Match(strings.TrimPrefix(old, c.place.prefix))
	state := c.match.Layout.State
	isNew := func(of func(string) workflow.State) bool {
		return of(now) == workflow.Done && of(before) != workflow.Done
	}
	switch {
	case c.match.State == workflow.Done && was.Layout != nil && was.State != workflow.Done:
		return "was moved to " + path.Dir(c.Path) + "/"
	case c.match.Kind == layout.Spec && isNew(state.LineState):
		return fmt.Sprintf("says %s in its line %s", state.Word(workflow.Done), state.Line)
	case c.match.Kind == layout.Companion && path.Base(c.Path) == cmp.Or(state.File, "-") &&
		isNew(layout.FileState):
		return "says that the work is complete"
	default:
		return ""
	}
}
