// Package starter writes the first workflow and config of a repository, after a look at what is
// there.
package starter

import (
	"cmp"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/layout"
)

// Bounds of what is looked at; what lies beyond is as if it were not there.
const (
	maxFiles = 50_000
	maxText  = 1 << 20
)

// Project is what a look at a repository found.
type Project struct {
	Layouts   []string // that its files show
	Roots     []string // globs of folders with documents of their own
	Languages []string // the most used first
	Suites    []Suite
	Review    string   // workflow that uses this action already
	Others    []string // workflows that run on pull requests besides
}

// project is the files of a repository.
type project struct {
	root  fs.FS
	files []string
}

// Look looks at the files of a work tree. What cannot be read is as if it were not there.
func Look(root fs.FS) Project {
	p := project{root: root, files: list(root)}
	found := Project{Languages: p.languages(), Suites: p.suites()}
	found.Layouts, found.Roots = p.layouts()
	for _, file := range p.files {
		if ok, _ := path.Match(".github/workflows/*.y*ml", file); !ok { // the pattern is ours
			continue
		}
		switch text := p.read(file); {
		case detect.UsesAction(text) && found.Review == "":
			found.Review = file
		case strings.Contains(text, "pull_request"):
			found.Others = append(found.Others, path.Base(file))
		}
	}
	return found
}

// list lists regular files, without those of others: no folder of git or of an installed dependency
// is entered.
func list(root fs.FS) (files []string) {
	_ = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case len(files) == maxFiles:
			return fs.SkipAll
		case d.IsDir() && name != "." && (d.Name() == ".git" || detect.Foreign(name+"/x.py") != ""):
			return fs.SkipDir
		case d.Type().IsRegular():
			files = append(files, name)
		}
		return nil
	})
	return files
}

// read is the beginning of a file, at most maxText bytes, "" if it cannot be read.
func (p project) read(name string) string {
	f, err := p.root.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close() //nolint:errcheck // read only
	data, _ := io.ReadAll(io.LimitReader(f, maxText))
	return string(data)
}

// languages are those of the sources, the most used first.
func (p project) languages() []string {
	count := map[string]int{}
	for _, file := range p.files {
		if l := conventions.Language(file); l != "" {
			count[l]++
		}
	}
	return slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(count[b]-count[a], strings.Compare(a, b))
	})
}

// layouts finds the built-in layouts whose markers are there, and the folders that have some of
// their own. Roots are folders of a monorepo: their names go into the config, siblings as one
// glob.
func (p project) layouts() (names, roots []string) {
	inner := map[string]bool{}
	for _, l := range layout.Builtin() {
		folders := p.markerRoots(l)
		if l.Shown(p.files) || len(folders) > 0 {
			names = append(names, l.Name)
		}
		for _, folder := range folders {
			inner[folder] = true
		}
	}
	return names, collapse(slices.Sorted(maps.Keys(inner)))
}

// markerRoots are the folders below which a layout's marker is as it would be at the root.
func (p project) markerRoots(l layout.Layout) (out []string) {
	for _, marker := range l.Marker.Folders() {
		marker = strings.Trim(marker, "/")
		for _, file := range p.files {
			folder, _, ok := strings.Cut(file, "/"+marker+"/")
			if !ok || marker == "" || slices.Contains(out, folder) || !isOwn(folder) ||
				isAlias(folder) {
				continue
			}
			rel, _ := below(folder, file)
			if l.Shown([]string{rel}) {
				out = append(out, folder)
			}
		}
	}
	return out
}

// isAlias reports whether a folder's documents count as the project's own.
func isAlias(folder string) bool { return folder == "project-meta" || folder == "project-content" }

// collapse writes siblings as one glob.
func collapse(folders []string) (globs []string) {
	siblings := map[string]int{}
	for _, f := range folders {
		siblings[path.Dir(f)]++
	}
	for _, f := range folders {
		if parent := path.Dir(f); parent != "." && siblings[parent] > 1 {
			f = parent + "/*"
		}
		if !slices.Contains(globs, f) {
			globs = append(globs, f)
		}
	}
	return globs
}
