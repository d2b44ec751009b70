package detect

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/layout"
)

// project is what lies below one root: its own layouts, specs and features.
type project struct {
	root     string     // "" for the repository's
	layouts  layout.Set // in use
	unused   layout.Set // built in, and not in use
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

// Roots are the folders of the head or the base that the globs name as projects
// of their own, besides the repository's own.
func Roots(set change.Set, globs []string) ([]string, error) {
	roots := map[string]bool{}
	if len(globs) == 0 {
		return nil, nil
	}
	for _, tree := range trees(set) {
		entries, err := tree.List("")
		if err != nil {
			return nil, fmt.Errorf("list files of %s: %w", short(tree.Commit()), err)
		}
		last := ""
		for _, e := range entries {
			if dir := path.Dir(e.Path); dir != last {
				addRoots(roots, globs, dir)
				last = dir
			}
		}
	}
	return slices.Sorted(maps.Keys(roots)), nil
}

// projects are those of the roots, the nested first, and the repository's own.
func projects(set change.Set, opt Options) ([]*project, error) {
	roots, err := Roots(set, opt.Roots)
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

// addRoots adds a folder and those above it that a glob names. One whose name
// could not be part of a feature's is none.
func addRoots(roots map[string]bool, globs []string, dir string) {
	for ; dir != "."; dir = path.Dir(dir) {
		safe := !slices.ContainsFunc(strings.Split(dir, "/"), func(s string) bool { return slug(s) != s })
		alias := slices.Contains(aliases(), path.Base(dir)+"/")
		if safe && !alias && slices.ContainsFunc(globs, func(g string) bool { return matches(strings.TrimSuffix(g, "/"), dir) }) {
			roots[dir] = true
		}
	}
}

// chooseLayouts finds the layouts of a project: those that the config names, or
// those whose marker the base or the head holds.
func (p *project) chooseLayouts(set change.Set, wanted []layout.Layout) error {
	var used, unused []layout.Layout
	for _, l := range wanted {
		if l.Name != layout.Auto {
			used = append(used, l)
		}
	}
	auto := len(wanted) == 0 || len(used) < len(wanted)
	for _, l := range layout.Builtin() {
		if slices.ContainsFunc(used, func(u layout.Layout) bool { return u.Name == l.Name }) {
			continue
		}
		found := auto && l.Name == layout.Workflow
		if auto && !found {
			var err error
			if found, err = p.marked(set, l); err != nil {
				return err
			}
		}
		if found {
			used = append(used, l)
		} else {
			unused = append(unused, l)
		}
	}
	var err error
	if p.layouts, err = layout.NewSet(used); err != nil {
		return fmt.Errorf("layouts: %w", err)
	}
	p.unused, err = layout.NewSet(unused)
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
func (p *project) prefixed(segment string) string {
	if p.root == "" {
		return segment
	}
	return p.root + "/" + segment
}

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
