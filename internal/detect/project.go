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

// Roots are the folders of the head or the base that are projects of their own, besides the
// repository's own, sorted: those that the globs name, and those with a marker of a layout whose
// nested markers make projects. A folder of documents of the project around it, by the layouts or
// the built-in ones, is none.
func Roots(set change.Set, globs []string, layouts []layout.Layout) ([]string, error) {
	all, err := layout.NewSet(append(layout.Builtin(), layouts...))
	if err != nil {
		return nil, err
	}
	files, err := allFiles(trees(set)...)
	if err != nil {
		return nil, err
	}
	dirs := map[string]bool{} // false: a folder that a glob may name
	for _, f := range files {
		for dir := path.Dir(f); len(globs) > 0 && dir != "."; dir = path.Dir(dir) {
			if _, known := dirs[dir]; known {
				break
			}
			dirs[dir] = false
		}
	}
	for _, l := range candidates(layouts) {
		if l.Nested == layout.NestedProject {
			for _, dir := range l.Below(files) {
				dirs[dir] = isWork(dir)
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
		wanted := dirs[dir] || slices.ContainsFunc(globs, isNamed)
		if rel != "" && wanted && !slices.ContainsFunc(strings.Split(dir, "/"), isStrange) &&
			ownFile(rel) == "" && foreignFile(rel) == "" && !slices.ContainsFunc(folders, holds) {
			roots = append(roots, dir)
			outer.projects = slices.Insert(outer.projects, 0, &project{root: dir})
		}
	}
	return roots, nil
}

// allFiles are the paths of all files of some trees.
func allFiles(trees ...change.Tree) ([]string, error) {
	var out []string
	for _, tree := range trees {
		entries, err := tree.List("")
		if err != nil {
			return nil, fmt.Errorf("list files of %s: %w", short(tree.Commit()), err)
		}
		out = append(out, below("", entries)...)
	}
	return out, nil
}

// candidates are the layouts that may be in use: those that the config names, and with auto the
// built-in ones.
func candidates(wanted []layout.Layout) []layout.Layout {
	isAuto := func(l layout.Layout) bool { return l.Name == layout.Auto }
	own := slices.DeleteFunc(slices.Clone(wanted), isAuto)
	if len(own) == len(wanted) && len(wanted) > 0 {
		return own
	}
	return append(own, slices.DeleteFunc(layout.Builtin(), func(l layout.Layout) bool {
		return slices.ContainsFunc(own, func(o layout.Layout) bool { return o.Name == l.Name })
	})...)
}

// isWork reports whether a folder is neither one of tests nor something to be copied or used from
// elsewhere.
func isWork(dir string) bool {
	c, _ := testConvention(dir + "/x.json")
	return c == nothing && foreignFile(dir+"/x") == "" && !copyFolder.MatchString(dir+"/")
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
		if err := p.chooseLayouts(set, opt.Layouts, roots); err != nil {
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
		if !slices.ContainsFunc(d.rules.projects, isNamed) &&
			!slices.Contains(aliases(), path.Base(g)+"/") {
			d.notes.add(
				true,
				"",
				"the config's \"roots\": %q names no folder that can be a root: name folders of letters, digits "+
					"and . _ - that hold files and are no documents of another project",
				root,
			)
		}
	}
}

// chooseLayouts finds the layouts of a project: those that the config names, or those whose marker
// the base or the head holds; and the further folders of those that may have some, apart from what
// is of other roots.
func (p *project) chooseLayouts(set change.Set, wanted []layout.Layout, roots []string) error {
	var used []layout.Layout
	for _, l := range candidates(wanted) {
		isNamed := slices.ContainsFunc(
			wanted,
			func(w layout.Layout) bool { return w.Name == l.Name },
		)
		found, err := p.marked(set, l)
		if err != nil {
			return err
		}
		if isNamed || found || l.Name == layout.Workflow {
			used = append(used, l)
		}
		if l.Nested == layout.NestedFolder {
			more, err := p.nested(set, l, roots)
			if err != nil {
				return err
			}
			used = append(used, more...)
		}
	}
	for i, l := range used {
		var err error
		if used[i], err = p.withSchemas(set, l); err != nil {
			return err
		}
	}
	var err error
	p.layouts, err = layout.NewSet(used)
	return err
}

// maxNested is how deep below a project a further folder of a layout may be.
const maxNested = 2

// nested are a layout's variants for the folders below a project that hold its marker too.
func (p *project) nested(set change.Set, l layout.Layout, roots []string) ([]layout.Layout, error) {
	files, err := allFiles(trees(set)...)
	if err != nil {
		return nil, err
	}
	files = slices.DeleteFunc(files, func(f string) bool {
		other := func(r string) bool {
			return strings.HasPrefix(r, p.prefix()) && strings.HasPrefix(f, r+"/") && r != p.root
		}
		return !strings.HasPrefix(f, p.prefix()) || slices.ContainsFunc(roots, other)
	})
	var out []layout.Layout
	for _, dir := range l.Below(files) {
		rel := strings.TrimPrefix(dir, p.prefix())
		if strings.Count(rel, "/") < maxNested && isWork(dir) &&
			!slices.Contains(aliases(), rel+"/") {
			out = append(out, layout.Layout{Extends: l.Name, Root: rel}.Complete())
		}
	}
	return out, nil
}

// withSchemas is a layout with what the schemas of the head and the base say of its documents.
func (p *project) withSchemas(set change.Set, l layout.Layout) (layout.Layout, error) {
	if len(l.Schema) == 0 {
		return l, nil
	}
	var texts []string
	for _, tree := range trees(set) {
		for _, f := range l.Schema.Folders() {
			entries, err := tree.List(p.prefix() + f)
			if err != nil {
				return l, fmt.Errorf("list schemas of %s: %w", short(tree.Commit()), err)
			}
			for _, e := range entries {
				rel := strings.TrimPrefix(e.Path, p.prefix())
				isSchema := func(pattern string) bool { return glob.Match(pattern, rel) }
				if !isRegular(e.Mode) || e.Size > maxSchema || !slices.ContainsFunc(l.Schema, isSchema) {
					continue
				}
				data, err := tree.ReadFile(e.Path)
				if err != nil {
					return l, fmt.Errorf("read %q: %w", e.Path, err)
				}
				texts = append(texts, string(data))
			}
		}
	}
	slices.Sort(texts)
	return l.WithSchemas(slices.Compact(texts)), nil
}

// maxSchema is how large a schema may be, in bytes.
const maxSchema = 64 << 10

// marked reports whether a project has files that show that it uses a layout.
func (p *project) marked(set change.Set, l layout.Layout) (bool, error) {
	for _, tree := range trees(set) {
		for _, alias := range aliases() {
			prefix := p.prefix() + alias
			for _, folder := range l.Marker.Folders() {
				entries, err := tree.List(prefix + folder)
				if err != nil {
					return false, fmt.Errorf(
						"list %q of %s: %w",
						prefix+folder,
						short(tree.Commit()),
						err,
					)
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
