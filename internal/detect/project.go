package detect

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/glob"
	"workflow-reviewer/internal/layout"
)

// project is what lies below one root: its own layouts, specs and features.
type project struct {
	root     string     // "" for the repository's
	layouts  layout.Set // in use
	specs    specIndex
	fallback resolution // of files whose path names no feature
}

// place is a path in its project. What is left of it below project-meta/ or
// project-content/, where every rule is applied again, is rel.
type place struct {
	*project
	prefix string // with a slash at the end, or empty
	rel    string
}

// aliases are folders of a project whose content counts as if it lay beside them.
func aliases() []string { return []string{"", "project-meta/", "project-content/"} }

// Roots are the folders of the head or the base that the globs name as projects of their own, besides the repository's
// own, sorted. A folder of documents of the project around it, by the layouts or the built-in ones, is none.
func Roots(set change.Set, globs []string, layouts []layout.Layout) ([]string, error) {
	all, err := layout.NewSet(append(layout.Builtin(), layouts...))
	if len(globs) == 0 || err != nil {
		return nil, err
	}
	dirs := map[string]bool{}
	for _, tree := range trees(set) {
		entries, err := tree.List("")
		if err != nil {
			return nil, fmt.Errorf("list files of %s: %w", short(tree.Commit()), err)
		}
		for _, e := range entries {
			for dir := path.Dir(e.Path); dir != "." && !dirs[dir]; dir = path.Dir(dir) {
				dirs[dir] = true
			}
		}
	}
	var roots []string
	outer := rules{projects: []*project{{}}}
	folders := all.Folders(layout.Spec, layout.Capability, layout.Roadmap, layout.Bug)
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		rel := outer.place(dir + "/").rel
		isStrange := func(s string) bool { return slug(s) != s } // in a feature's name
		isNamed := func(g string) bool { return glob.Match(strings.TrimSuffix(g, "/"), dir) }
		holds := func(f string) bool { return f != "" && (strings.HasPrefix(rel, f+"/") || strings.HasPrefix(f, rel)) }
		if rel != "" && slices.ContainsFunc(globs, isNamed) && !slices.ContainsFunc(strings.Split(dir, "/"), isStrange) &&
			ownFile(rel) == "" && foreignFile(rel) == "" && !slices.ContainsFunc(folders, holds) {
			roots = append(roots, dir)
			outer.projects = slices.Insert(outer.projects, 0, &project{root: dir})
		}
	}
	return roots, nil
}

// projects are those of the roots, the nested first, and the repository's own.
func projects(set change.Set, opt Options) ([]*project, error) {
	roots, err := Roots(set, opt.Roots, opt.Layouts)
	if err != nil {
		return nil, err
	}
	var out []*project
	for _, root := range slices.Backward(append([]string{""}, roots...)) {
		p := &project{root: root}
		if err := p.chooseLayouts(set, opt.Layouts); err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// noteRoots warns of globs that name no folder that is a root.
func (d *detector) noteRoots() {
	for _, root := range d.opt.Roots {
		g := strings.TrimSuffix(root, "/")
		isNamed := func(p *project) bool { return glob.Match(g, p.root) }
		if !slices.ContainsFunc(d.rules.projects, isNamed) && !slices.Contains(aliases(), path.Base(g)+"/") {
			d.notes.add(true, "", "the config's \"roots\": %q names no folder that can be a root: name folders of letters, digits "+
				"and . _ - that hold files and are no documents of another project", root)
		}
	}
}

// chooseLayouts finds the layouts of a project: those that the config names, or
// those whose marker the base or the head holds.
func (p *project) chooseLayouts(set change.Set, wanted []layout.Layout) error {
	var used []layout.Layout
	for _, l := range wanted {
		if l.Name != layout.Auto {
			used = append(used, l)
		}
	}
	auto := len(wanted) == 0 || len(used) < len(wanted)
	for _, l := range layout.Builtin() {
		if !auto || slices.ContainsFunc(used, func(u layout.Layout) bool { return u.Name == l.Name }) {
			continue
		}
		found, err := p.marked(set, l)
		if err != nil {
			return err
		}
		if found || l.Name == layout.Workflow {
			used = append(used, l)
		}
	}
	var err error
	p.layouts, err = layout.NewSet(used)
	return err
}

// marked reports whether a project has files that show that it uses a layout.
func (p *project) marked(set change.Set, l layout.Layout) (bool, error) {
	for _, tree := range trees(set) {
		for _, alias := range aliases() {
			prefix := p.prefix() + alias
			for _, folder := range l.MarkerFolders() {
				entries, err := tree.List(prefix + folder)
				if err != nil {
					return false, fmt.Errorf("list %q of %s: %w", prefix+folder, short(tree.Commit()), err)
				}
				if l.Shown(below(prefix, entries)) {
					return true, nil
				}
			}
		}
	}
	return false, nil
}

// below are the paths of a tree's files without the prefix that they all have.
func below(prefix string, entries []change.Entry) []string {
	out := make([]string, 0, len(entries))
	for _, e := range entries {
		out = append(out, strings.TrimPrefix(e.Path, prefix))
	}
	return out
}

// prefix is what the paths of a project begin with.
func (p *project) prefix() string {
	if p.root == "" {
		return ""
	}
	return p.root + "/"
}

// name is a feature's name in the repository.
func (p *project) name(feature string) string { return p.prefix() + slug(feature) }

// prefixed is a part of a path as a feature's name in the repository.
func (p *project) prefixed(segment string) string { return p.prefix() + segment }

// place finds the project of a path.
func (r rules) place(p string) place {
	for _, pr := range r.projects {
		rel, ok := strings.CutPrefix(p, pr.prefix())
		if !ok {
			continue
		}
		for _, alias := range aliases()[1:] {
			if below, ok := strings.CutPrefix(rel, alias); ok {
				return place{pr, pr.prefix() + alias, below}
			}
		}
		return place{pr, pr.prefix(), rel}
	}
	return place{r.projects[len(r.projects)-1], "", p} // the repository's own prefix is empty
}

// projectOf finds the project of a feature by its full name.
func (r rules) projectOf(feature string) (*project, string) {
	root, name := path.Split(feature)
	for _, pr := range r.projects {
		if pr.prefix() == root {
			return pr, name
		}
	}
	return r.projects[len(r.projects)-1], feature
}

// trees are the head and, if there is one, the base.
func trees(set change.Set) []change.Tree {
	out := []change.Tree{set.HeadTree}
	if set.BaseTree != nil {
		out = append(out, set.BaseTree)
	}
	return out
}

// context are the documents that the layouts in use show every reviewer.
func (r rules) context() []string {
	var out []string
	for _, p := range r.projects {
		for _, l := range p.layouts.Layouts {
			for _, c := range l.Context {
				out = append(out, p.prefix()+c)
			}
		}
	}
	return out
}
