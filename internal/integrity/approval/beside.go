package approval

import (
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/conventions"
)

// beside adds what a runner loads with a file without being asked by it: conftest.py and
// __init__.py of the folders above, snapshots, manual mocks, the rest of a Go test package, and
// shared resources.
func (c *collector) beside(p string) {
	dir, base := path.Dir(p), path.Base(p)
	stem := strings.TrimSuffix(base, path.Ext(base))
	if strings.EqualFold(path.Ext(base), ".feature") {
		for d := dir; d != "."; d = path.Dir(d) {
			for _, f := range c.below(d) {
				if conventions.IsStep(f) {
					c.add(f, Support)
				}
			}
		}
	}
	switch conventions.Family(p) {
	case "Python":
		c.above(p, "conftest.py")
		for d := dir; d != "."; d = path.Dir(d) {
			c.support(path.Join(d, "__init__.py"))
		}
		c.folder(path.Join(dir, "__snapshots__", stem), "")
		c.named(path.Join(dir, "__snapshots__"), stem+".")
		c.folder(path.Join(dir, "snapshots", stem), "")
		if strings.HasPrefix(stem, "test") {
			c.folder(path.Join(dir, stem), "")
		}
	case "script":
		c.named(path.Join(dir, "__snapshots__"), base+".")
		c.folder(path.Join(dir, "__file_snapshots__"), "")
		c.folder(p+"-snapshots", "")
		c.folder(path.Join(dir, "__mocks__"), "")
		c.folder(path.Join(path.Dir(dir), "__mocks__"), "")
		c.folder("__mocks__", "")
	case "Go":
		if c.roles[p] == Test {
			c.goTests(dir)
		}
	case "Rust":
		c.folder(path.Join(dir, "snapshots"), stem)
	case "Ruby":
		for _, name := range []string{"spec_helper.rb", "rails_helper.rb", "test_helper.rb"} {
			if slices.Contains(strings.Split(p, "/"), strings.SplitN(name, "_", 2)[0]) || name == "rails_helper.rb" {
				c.above(p, name)
			}
		}
	case ".NET":
		c.testProject(p)
	}
	for _, f := range c.folders[dir] { // Verify, ApprovalTests
		if strings.HasPrefix(path.Base(f), stem+".") && (strings.Contains(f, ".verified.") || strings.Contains(f, ".approved.")) {
			c.add(f, Support)
		}
	}
}

// above adds the files of that name in the folders above a path.
func (c *collector) above(p, name string) {
	for dir := range conventions.Above(p) {
		c.support(path.Join(dir, name))
	}
}

// named adds the files of a folder whose names begin so.
func (c *collector) named(dir, prefix string) {
	for _, f := range c.folders[dir] {
		if strings.HasPrefix(path.Base(f), prefix) {
			c.add(f, Support)
		}
	}
}

// folder adds all files below a folder whose names hold a text.
func (c *collector) folder(dir, holding string) {
	n := 0
	for _, f := range c.below(dir) {
		if !strings.Contains(path.Base(f), holding) {
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
	from, _ := slices.BinarySearch(c.paths, dir+"/")
	to, _ := slices.BinarySearch(c.paths, dir+"0") // the character after the slash
	return c.paths[from:to]
}
