package layout

import (
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// schema is what a schema of OpenSpec says of a change's documents.
type schema struct {
	Artifacts []generated
	Apply     struct{ Tracks string }
}

// generated is an artifact of an OpenSpec schema, with those that it needs.
type generated struct {
	ID, Generates string
	Requires      []string
}

// WithSchemas is a layout with the documents that schemas, given as texts, say its changes have:
// the spec is the artifact called spec or specs, else each whose file name says spec; what apply
// tracks is a list of tasks; all others are companions, in the order in which they require each
// other. A schema that cannot be read says nothing.
func (l Layout) WithSchemas(texts []string) Layout {
	if len(l.Roadmap) == 0 {
		return l
	}
	work := path.Dir(l.Roadmap[0])
	for _, text := range texts {
		var s schema
		if yaml.Unmarshal([]byte(text), &s) != nil {
			continue
		}
		isSpec := func(g generated) bool { return g.ID == "spec" || g.ID == "specs" }
		if !slices.ContainsFunc(s.Artifacts, isSpec) {
			isSpec = func(g generated) bool {
				return strings.Contains(strings.ToLower(path.Base(g.Generates)), "spec")
			}
		}
		var specs, shown Patterns
		for _, g := range s.ordered() {
			switch p, ok := below(work, g.Generates); {
			case !ok || g.Generates == s.Apply.Tracks:
			case isSpec(g):
				specs = append(specs, p)
			default:
				shown = append(shown, p)
			}
		}
		if p, ok := below(work, s.Apply.Tracks); ok {
			l.Roadmap = slices.Concat(l.Roadmap, Patterns{p})
		}
		l.Spec, l.Companions = slices.Concat(l.Spec, specs), slices.Concat(shown, l.Companions)
	}
	return l
}

// ordered are the artifacts, each after those that it requires as far as they can be.
func (s schema) ordered() (out []generated) {
	known := map[string]bool{}
	for left := s.Artifacts; len(left) > 0; {
		isReady := func(g generated) bool {
			return !slices.ContainsFunc(g.Requires, func(id string) bool { return !known[id] })
		}
		i := max(slices.IndexFunc(left, isReady), 0)
		out, known[left[i].ID] = append(out, left[i]), true
		left = slices.Delete(slices.Clone(left), i, i+1)
	}
	return out
}

// below is the pattern of documents in a change's folder, false for what is no path or glob there.
func below(folder, generates string) (string, bool) {
	outside := path.IsAbs(generates) || strings.Contains("/"+generates+"/", "/../")
	if generates == "" || outside || strings.ContainsAny(generates, `{}[]\`) {
		return "", false
	}
	return path.Join(folder, generates), true
}
