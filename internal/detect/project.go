package detect

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/conventions"
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

// match is what the project's layouts make of the path.
func (p place) match() (layout.Match, bool) { return p.layouts.Match(p.rel) }

// aliases are folders of a project whose content counts as if it lay beside them.
func aliases() []string { return []string{"", "project-meta/", "project-content/"} }

// withoutAlias cuts a path in its project at the folder that counts as if its content lay beside
// it.
func withoutAlias(rel string) (alias, below string) {
	for _, alias := range aliases()[1:] {
		if below, ok := strings.CutPrefix(rel, alias); ok {
			return alias, below
		}
	}
	return "", rel
}

// Roots are the folders of the head or the base that are projects of their own, besides the
// repository's own, sorted: those that the globs name, and those with a marker of a layout whose
// nested markers make projects. A folder of documents of the project around it, by the layouts or
// the built-in ones, is none.
func Roots(set change.Set, globs []string, layouts []layout.Layout) ([]string, error) {
	files, err := allFiles(set)
	if err != nil {
		return nil, err
	}
	return rootsAmong(files, globs, layouts)
}

func rootsAmong(files, globs []string, layouts []layout.Layout) (roots []string, err error) {
	all, err := layout.NewSet(append(layout.Builtin(), layouts...))
	if err != nil {
		return nil, err
	}
	outer := rules{projects: []*project{{}}}
	folders := all.Folders(layout.Spec, layout.Capability, layout.Roadmap, layout.Bug)
	for _, dir := range rootCandidates(files, globs, layouts) {
		rel := outer.place(dir + "/").rel
		isStrange := func(s string) bool { return slug(s) != s } // in a feature's name
		holds := func(f string) bool {
			return f != "" && (strings.HasPrefix(rel, f+"/") || strings.HasPrefix(f, rel))
		}
		isOther := slices.ContainsFunc(strings.Split(dir, "/"), isStrange) ||
			slices.ContainsFunc(folders, holds)
		if rel != "" && !isOther && ownFile(rel) == "" && foreignFile(rel) == "" {
			roots = append(roots, dir)
			outer.projects = slices.Insert(outer.projects, 0, &project{root: dir})
		}
	}
	return roots, nil
}

// rootCandidates are, sorted, the folders that a glob names or that hold a marker of a project.
func rootCandidates(files, globs []string, layouts []layout.Layout) []string {
	dirs := map[string]bool{}
	for _, f := range files {
		for dir := range conventions.Above(f) {
			if _, known := dirs[dir]; known || len(globs) == 0 {
				break
			}
			isNamed := func(g string) bool { return glob.Match(strings.TrimSuffix(g, "/"), dir) }
			dirs[dir] = dir != "." && slices.ContainsFunc(globs, isNamed)
		}
	}
	for _, l := range candidates(layouts) {
		if l.Nested == layout.NestedProject {
			for _, dir := range l.Below(files) {
				dirs[dir] = dirs[dir] || isWork(dir)
			}
		}
	}
	maps.DeleteFunc(dirs, func(_ string, wanted bool) bool { return !wanted })
	return slices.Sorted(maps.Keys(dirs))
}

// allFiles are the paths of all files of the head and the base.
func allFiles(set change.Set) ([]string, error) {
	var out []string
	for _, tree := range trees(set) {
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
	files, err := allFiles(set)
	if err != nil {
		return nil, err
	}
	roots, err := rootsAmong(files, opt.Roots, opt.Layouts)
	if err != nil {
		return nil, err
	}
	r := rules{}
	for _, root := range slices.Backward(append([]string{""}, roots...)) {
		r.projects = append(r.projects, &project{root: root})
	}
	own := map[*project][]string{}
	for _, f := range files {
		at := r.place(f)
		own[at.project] = append(own[at.project], at.rel)
	}
	for _, p := range r.projects {
		if err := p.chooseLayouts(set, opt.Layouts, own[p]); err != nil {
			return nil, err
		}
	}
	return r.projects, nil
}

// noteRoots warns of globs that name no folder that is a root.
func (d *detector) noteRoots() {
	for _, root := range d.opt.Roots {
		g := strings.TrimSuffix(root, "/")
		isNamed := func(p *project) bool { return glob.Match(g, p.root) }
		isAlias := slices.Contains(aliases(), path.Base(g)+"/")
		if !isAlias && !slices.ContainsFunc(d.rules.projects, isNamed) {
			d.notes.warn(
				"",
				"the config's \"roots\": %q names no folder that can be a root: name folders of letters, "+
					"digits and . _ - that hold files and are no documents of another project",
				root,
			)
		}
	}
}

// chooseLayouts finds the layouts of a project with these files: those that the config names, or
// those whose marker the files hold; and the further folders of those that may have some.
func (p *project) chooseLayouts(set change.Set, wanted []layout.Layout, files []string) error {
	var used []layout.Layout
	for _, l := range candidates(wanted) {
		isIt := func(w layout.Layout) bool { return w.Name == l.Name }
		if l.Name == layout.Workflow || slices.ContainsFunc(wanted, isIt) || l.Shown(files) {
			used = append(used, l)
		}
		if l.Nested != layout.NestedFolder {
			continue
		}
		for _, dir := range l.Below(files) {
			if strings.Count(dir, "/") < maxNested && isWork(dir) {
				used = append(used, layout.Layout{Extends: l.Name, Root: dir}.Complete())
			}
		}
	}
	for i, l := range used {
		var err error
		if used[i], err = p.withSchemas(set, l, files); err != nil {
			return err
		}
	}
	var err error
	p.layouts, err = layout.NewSet(used)
	return err
}

// maxNested is how deep below a project a further folder of a layout may be.
const maxNested = 2

// withSchemas is a layout with what the schemas of the head and the base say of its documents.
func (p *project) withSchemas(
	set change.Set,
	l layout.Layout,
	files []string,
) (layout.Layout, error) {
	var texts []string
	for _, rel := range files {
		if !slices.ContainsFunc(l.Schema, func(s string) bool { return glob.Match(s, rel) }) {
			continue
		}
		for _, tree := range trees(set) {
			e, err := tree.Stat(p.prefix() + rel)
			if err != nil || !isRegular(e.Mode) || e.Size > maxSchema {
				continue // it is in the other tree
			}
			data, err := tree.ReadFile(e.Path)
			if err != nil {
				return l, fmt.Errorf("read %q: %w", e.Path, err)
			}
			texts = append(texts, string(data))
		}
	}
	slices.Sort(texts)
	return l.WithSchemas(slices.Compact(texts)), nil
}

// maxSchema is how large a schema may be, in bytes.
const maxSchema = 64 << 10

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

// place finds the project of a path.
func (r rules) place(p string) place {
	for _, pr := range r.projects {
		if rel, ok := strings.CutPrefix(p, pr.prefix()); ok {
			alias, rel := withoutAlias(rel)
			return place{pr, pr.prefix() + alias, rel}
		}
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
