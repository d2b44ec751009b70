package detect

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/workflow"
)

// Explanation says what a path is taken for, and why.
type Explanation struct {
	Path    string         `json:"path"`
	Layout  string         `json:"layout"`  // "" where no layout names the path
	Type    workflow.Type  `json:"type"`    // "" for what is in no artifact
	Feature string         `json:"feature"` // "" likewise, but for documents that are shown only
	State   workflow.State `json:"state"`   // of the feature, "" if nothing tells it
	Why     []string       `json:"why"`
}

// Explain says of paths what Artifacts would take them for.
func Explain(
	ctx context.Context,
	set change.Set,
	opt Options,
	paths []string,
) ([]Explanation, error) {
	opt.Paths, opt.Types = paths, nil
	d, err := detected(ctx, set, opt)
	if err != nil {
		return nil, err
	}
	var out []Explanation
	for _, p := range paths {
		out = append(out, d.explain(path.Clean(strings.TrimSpace(p))))
	}
	return out, nil
}

// explain says what a path is taken for and by which rules, whether the change touches it or not.
func (d *detector) explain(p string) Explanation {
	k, at := d.rules.of(p), d.rules.place(p)
	why := cmp.Or(d.notes.reason(p), d.missingMessage(p), k.why)
	e := Explanation{Path: p, State: k.match.State, Why: []string{why}}
	if k.match.Layout != nil {
		e.Layout = k.match.Layout.Name
	}
	if k.match.Feature != "" {
		e.Feature = at.name(at.specs.canonical(k.match.Feature))
	}
	if i := slices.IndexFunc(d.files, func(c *candidate) bool { return c.Path == p }); i >= 0 {
		c := d.files[i]
		e.Type, e.Feature, e.Why = c.typ, c.found.feature, []string{
			c.why,
			"feature: " + c.found.why,
		}
		if c.class == testHelper {
			e.Type = workflow.Tests
		}
		if len(c.bugs) > 0 {
			e.Type, e.Feature = workflow.BugFix, c.bugs[0].found.feature
		}
	}
	pr, name := d.rules.projectOf(e.Feature)
	docs := pr.specs.of(name)
	if e.State == "" && k.match.Kind != layout.Capability && len(docs) > 0 && !docs[0].existing {
		state, why := d.stateOf(docs[0])
		e.State, e.Why = state, append(e.Why, "state: "+why)
	}
	return e
}

// missingMessage is what is said of a path that names no file, "" if it names one.
func (d *detector) missingMessage(p string) string {
	for _, m := range d.missing {
		if m.Path == p {
			return m.Message
		}
	}
	return ""
}
