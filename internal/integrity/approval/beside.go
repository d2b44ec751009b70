package approval

import (
	_ "embed"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"workflow-reviewer/internal/conventions"
)

// besideList is what a runner loads with a file without being asked by it.
//
//go:embed beside.txt
var besideList string

// escaped is a name in which no character stands for others in a glob.
var escaped = strings.NewReplacer("[", `\[`, "{", `\{`, "*", `\*`, "?", `\?`)

// beside adds what a runner loads with a file without being asked by it: conftest.py and
// __init__.py of the folders above, snapshots, manual mocks, the rest of a Go test package, and
// shared resources.
func (c *collector) beside(p string) {
	dir, base := path.Dir(p), path.Base(p)
	stem := strings.TrimSuffix(base, path.Ext(base))
	family := conventions.Family(p)
	for line := range strings.Lines(besideList) {
		row := strings.Fields(line)
		switch {
		case len(row) != 3 || row[0] != family && row[0] != "*":
		case row[1] == "{above}":
			c.above(p, row[2])
		default:
			folder := strings.NewReplacer("{dir}", dir, "{stem}", stem, "{path}", p).Replace(row[1])
			name := strings.NewReplacer("{base}", escaped.Replace(base), "{stem}",
				escaped.Replace(stem)).
				Replace(row[2])
			c.folder(path.Clean(folder), name)
		}
	}
	switch {
	case family == "Go" && c.roles[p] == Test:
		c.goTests(dir)
	case family == ".NET":
		c.testProject(p)
	case strings.EqualFold(path.Ext(base), ".feature"):
		for d := dir; d != "."; d = path.Dir(d) {
			for _, f := range c.below(d) {
				if conventions.IsStep(f) {
					c.add(f, Support)
				}
			}
		}
	}
}

// above adds the files of that name in the folders above a path.
func (c *collector) above(p, name string) {
	for dir := range conventions.Above(p) {
		c.support(path.Join(dir, name))
	}
}

// folder adds the files below a folder whose paths in it match a glob.
func (c *collector) folder(dir, glob string) {
	// Without "**" only the folder itself is looked through: it may be the root of many files.
	n, files := 0, c.below(dir)
	if !strings.Contains(glob, "**") {
		files = c.folders[dir]
	}
	for _, f := range files {
		rel := f
		if dir != "." {
			rel = strings.TrimPrefix(f, dir+"/")
		}
		if ok, err := doublestar.Match(glob, rel); !ok || err != nil {
			continue
		}
		if n++; n > maxFolder {
			c.notice(dir, "the folder has more files than are recorded")
			return
		}
		c.add(f, Support)
	}
}

// below lists the files below a folder, sorted.
func (c *collector) below(dir string) []string {
	if dir == "." {
		return c.paths
	}
	from, _ := slices.BinarySearch(c.paths, dir+"/")
	to, _ := slices.BinarySearch(c.paths, dir+"0") // the character after the slash
	return c.paths[from:to]
}
