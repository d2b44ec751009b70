package detect

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// spec is one document of the head or the base that a feature is known by.
type spec struct {
	path     string
	feature  string
	state    workflow.State // by its folder, "" if that does not tell
	head     bool           // it is in the head
	touched  bool           // the change adds or moves it
	distant  bool           // it is listed under a name that is not wholly its own
	tasks    bool           // a list of tasks: the feature may have no spec
	existing bool           // a spec of what exists, not of one feature's work
	match    layout.Match
}

// hint reports whether its name in a path says less than what the change tells:
// only in the layout workflow are code and specs named after each other.
func (s spec) hint() bool {
	return s.existing || s.distant ||
		s.match.Layout != nil && s.match.Layout.Name != layout.Workflow && !s.touched
}

// specIndex holds the specs by the key of their names, each list best first.
type specIndex map[string][]spec

// keyOf is what names are compared by: letter case, "-" and "_" do not count.
func keyOf(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

func stemOf(p string) string { return strings.TrimSuffix(path.Base(p), path.Ext(p)) }

// indexSpecs lists the specs of all projects, in head and merge base, by the names that code may
// have of them.
func (d *detector) indexSpecs() error {
	added := map[string]bool{}
	for _, f := range d.set.Files {
		if f.Status == change.Added || f.Status == change.Renamed {
			added[f.Path] = true
		}
	}
	for _, p := range d.rules.projects {
		p.specs = specIndex{}
		for _, tree := range trees(d.set) {
			for _, folder := range d.rules.specFolders(p) {
				entries, err := tree.List(folder)
				if err != nil {
					return fmt.Errorf(
						"list specs of %s in %q: %w",
						short(tree.Commit()), folder, err,
					)
				}
				d.addSpecs(p, entries, tree == d.set.HeadTree, added)
			}
		}
		for key := range p.specs {
			slices.SortStableFunc(p.specs[key], compareSpecs)
		}
	}
	return nil
}

// specFolders are where specs may be; with globs of the config, anywhere.
func (r rules) specFolders(p *project) []string {
	if r.has(workflow.Spec) {
		return []string{p.root}
	}
	var out []string
	for _, folder := range p.layouts.Folders(layout.Spec, layout.Capability, layout.Roadmap) {
		for _, alias := range aliases() {
			out = append(out, strings.TrimSuffix(p.prefix()+alias+folder, "/"))
		}
	}
	return out
}

// addSpecs adds the specs among entries under their names, with and without a leading number.
func (d *detector) addSpecs(p *project, entries []change.Entry, head bool, added map[string]bool) {
	for _, e := range entries {
		k := d.rules.of(e.Path)
		isTasks := k.typ == workflow.Roadmap && k.match.Feature != ""
		isSpec := k.class == document && (k.typ == workflow.Spec || isTasks)
		if !isSpec || !isRegular(e.Mode) || d.rules.place(e.Path).project != p {
			continue
		}
		s := spec{
			path: e.Path, feature: cmp.Or(k.match.Feature, stemOf(e.Path)), state: k.match.State,
			head: head, touched: head && added[e.Path], tasks: isTasks, match: k.match,
			existing: k.match.Kind == layout.Capability,
		}
		p.specs.put(s.feature, s)
		p.specs.put(slug(s.feature), s)
		s.distant = true
		p.specs.put(number.ReplaceAllString(s.feature, ""), s)
		if s.touched {
			p.specs.put(k.match.Capture("capability"), s)
		}
	}
}

// number is what a feature's name may begin with: 002-login.
var number = lazyregexp.New(`^\d{2,}-`)

// put adds a spec under a name, once.
func (x specIndex) put(name string, s spec) {
	key := keyOf(name)
	if key != "" && !slices.ContainsFunc(x[key], func(o spec) bool { return o.path == s.path }) {
		x[key] = append(x[key], s)
	}
}

// compareSpecs puts first what the change adds or moves, then what is in the
// head, then what is a spec under its own name, then what is worked on.
func compareSpecs(a, b spec) int {
	l := a.match.Layout
	if l != nil && l.Bundle && l == b.match.Layout && a.feature == b.feature {
		order := bundleOrder(a.match) - bundleOrder(b.match)
		return cmp.Or(trueFirst(a.head, b.head), order, strings.Compare(a.path, b.path))
	}
	return cmp.Or(
		trueFirst(a.touched, b.touched), trueFirst(a.head, b.head),
		trueFirst(!a.existing, !b.existing),
		trueFirst(!a.distant, !b.distant), trueFirst(!a.tasks, !b.tasks),
		rank(a.state)-rank(b.state), strings.Compare(a.path, b.path),
	)
}

// trueFirst orders true before false.
func trueFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	default:
		return 1
	}
}

func rank(s workflow.State) int {
	return slices.Index(
		[]workflow.State{workflow.Doing, workflow.Todo, workflow.Done, workflow.Proposed, ""},
		s,
	)
}

// get is the best spec of a name.
func (x specIndex) get(name string) (spec, bool) {
	list := x[keyOf(name)]
	if len(list) == 0 {
		return spec{}, false
	}
	return list[0], true
}

// of lists the documents of the head that a feature is known by.
func (x specIndex) of(feature string) []spec {
	s, ok := x.get(feature)
	if !ok {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(x[keyOf(s.feature)]), func(o spec) bool {
		return !o.head || o.feature != s.feature || o.existing != s.existing
	})
}

// canonical is a feature's name as its spec spells it, safe in file names.
func (x specIndex) canonical(feature string) string {
	if s, ok := x.get(feature); ok {
		return slug(s.feature)
	}
	return slug(feature)
}

// pathOf is the head's spec of a feature by its full name, "" if there is none.
func (r rules) pathOf(feature string) string {
	p, name := r.projectOf(feature)
	for _, s := range p.specs.of(name) {
		if !s.tasks {
			return s.path
		}
	}
	return ""
}

// workedOn reports whether a spec is being worked on.
func (d *detector) workedOn(s spec) bool {
	if l := s.match.Layout; l != nil && len(l.State.Folders.Doing) == 0 && s.state != "" {
		return s.state == workflow.Todo
	}
	state, _ := d.stateOf(s)
	return state == workflow.Doing
}

// stateOf is the state of a spec, with what tells it: its folder, else by its layout the file
// beside it, its own line, its tasks.
func (d *detector) stateOf(s spec) (state workflow.State, why string) {
	l := s.match.Layout
	if s.state != "" || l == nil {
		return s.state, "its folder"
	}
	read := func(name string) string {
		beside := path.Join(path.Dir(s.path), cmp.Or(name, "-"))
		text, _ := d.headText(beside) // which may not be there
		return text
	}
	tasks := read(l.State.Tasks)
	byTasks, besides := layout.TasksState(tasks), ""
	ticked, all := layout.Ticked(tasks)
	boxes := fmt.Sprintf("%d of %d boxes of %s are ticked", ticked, all, l.State.Tasks)
	if byTasks != "" {
		besides = "; that " + boxes + " does not count beside it"
	}
	byFile := layout.FileState(read(l.State.File))
	byLine := l.State.LineState(read(path.Base(s.path)))
	switch {
	case byFile != "":
		return byFile, "the phase in " + l.State.File + besides
	case byLine != "":
		return byLine, "the line " + l.State.Line + besides
	case byTasks != "":
		return byTasks, boxes
	default:
		return workflow.Proposed, "nothing says otherwise"
	}
}

// headText is a text of the head, read once.
func (d *detector) headText(p string) (string, error) {
	if text, ok := d.texts[p]; ok {
		return text, nil
	}
	data, err := d.set.HeadTree.ReadFile(p)
	if err != nil {
		return "", err
	}
	if d.texts == nil {
		d.texts = map[string]string{}
	}
	d.texts[p] = string(data)
	return d.texts[p], nil
}

func isRegular(mode string) bool {
	return mode == change.ModeRegular || mode == change.ModeExecutable
}

func short(commit string) string { return commit[:min(len(commit), 8)] }
