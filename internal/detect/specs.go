package detect

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/workflow"
)

// spec is one spec document of the head or the base.
type spec struct {
	path  string
	stem  string
	state workflow.State // "" for a spec in a folder of the config's choice
	head  bool           // it is in the head
}

// specIndex holds the specs by the key of their stems, each list best first:
// those of the head, then doing, todo, done, proposed.
type specIndex map[string][]spec

// keyOf is what names are compared by: letter case, "-" and "_" do not count.
func keyOf(name string) string {
	return strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(name))
}

func stemOf(p string) string { return strings.TrimSuffix(path.Base(p), path.Ext(p)) }

func (d *detector) indexSpecs() error {
	d.specs = specIndex{}
	for _, tree := range []change.Tree{d.set.HeadTree, d.set.BaseTree} {
		if tree == nil {
			continue
		}
		for _, folder := range d.specFolders() {
			entries, err := tree.List(folder)
			if err != nil {
				return fmt.Errorf("list specs of %s in %q: %w", short(tree.Commit()), folder, err)
			}
			d.specs.add(entries, d.rules, tree == d.set.HeadTree)
		}
	}
	for key := range d.specs {
		slices.SortStableFunc(d.specs[key], compareSpecs)
	}
	return nil
}

// specFolders are where specs may be; with globs of the config, anywhere.
func (d *detector) specFolders() []string {
	if d.rules.has(workflow.Spec) {
		return []string{""}
	}
	return []string{"specs", "project-meta/specs", "project-content/specs"}
}

func (x specIndex) add(entries []change.Entry, r rules, head bool) {
	for _, e := range entries {
		at := placeOf(e.Path)
		if r.isDocument(workflow.Spec, e.Path, at) == "" || !isRegular(e.Mode) {
			continue
		}
		s := spec{path: e.Path, stem: stemOf(e.Path), state: stateOf(at.rel), head: head}
		x.put(keyOf(s.stem), s)
		x.put(keyOf(slug(s.stem)), s)
	}
}

func (x specIndex) put(key string, s spec) {
	if key != "" && !slices.ContainsFunc(x[key], func(o spec) bool { return o.path == s.path }) {
		x[key] = append(x[key], s)
	}
}

func compareSpecs(a, b spec) int {
	if a.head != b.head {
		if a.head {
			return -1
		}
		return 1
	}
	if c := rank(a.state) - rank(b.state); c != 0 {
		return c
	}
	return strings.Compare(a.path, b.path)
}

func rank(s workflow.State) int {
	return slices.Index([]workflow.State{workflow.Doing, workflow.Todo, workflow.Done, workflow.Proposed, ""}, s)
}

// get is the best spec of a name.
func (x specIndex) get(name string) (spec, bool) {
	list := x[keyOf(name)]
	if len(list) == 0 {
		return spec{}, false
	}
	return list[0], true
}

// canonical is a feature's name as its spec spells it, safe in file names.
func (x specIndex) canonical(feature string) string {
	if s, ok := x.get(feature); ok {
		return slug(s.stem)
	}
	return slug(feature)
}

// pathOf is the head's spec of a feature, "" if there is none.
func (x specIndex) pathOf(feature string) string {
	if s, ok := x.get(feature); ok && s.head {
		return s.path
	}
	return ""
}

// onlyDoing is the one spec of the head that is being worked on.
func (x specIndex) onlyDoing() (spec, bool) {
	found := map[string]spec{}
	for _, list := range x {
		for _, s := range list {
			if s.head && s.state == workflow.Doing {
				found[s.path] = s
			}
		}
	}
	for _, s := range found {
		return s, len(found) == 1
	}
	return spec{}, false
}

func isRegular(mode string) bool {
	return mode == change.ModeRegular || mode == change.ModeExecutable
}

func short(commit string) string { return commit[:min(len(commit), 8)] }
