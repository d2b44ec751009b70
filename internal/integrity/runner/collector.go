package runner

import (
	"context"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/conventions"
)

// Collector tells which files the test runners of one tree would collect, by
// the configuration in that tree. Where a configuration cannot be understood,
// the runner's default names decide, and Why says so. It is safe for concurrent
// use.
type Collector struct {
	tree    change.Tree
	files   map[string]bool
	configs map[string]options // of the configuration files that were read
	broken  map[string]bool    // configuration files that could not be read
}

// maxConfigs bounds how many configuration files are read.
const maxConfigs = 400

// NewCollector reads the runner configuration of a tree. Files that cannot be
// read are as if they were not there.
func NewCollector(tree change.Tree) Collector {
	c := Collector{tree: tree, files: map[string]bool{}, configs: map[string]options{}, broken: map[string]bool{}}
	entries, err := tree.List("")
	if err != nil {
		return c
	}
	for _, e := range entries {
		c.files[e.Path] = true
		if len(c.configs)+len(c.broken) < maxConfigs && e.Size <= maxFile && collects(formatOf(e.Path)) && !installed(e.Path) {
			c.read(e.Path)
		}
	}
	return c
}

// collects reports whether files of a format can say what is collected.
func collects(f format) bool {
	switch f {
	case "ini", "toml", "package", "json", "script", "yaml", "xml", "lines":
		return true
	default:
		return false
	}
}

func installed(p string) bool {
	return slices.ContainsFunc(strings.Split(path.Dir(p), "/"), func(d string) bool {
		return d == "node_modules" || d == "vendor" || d == ".venv"
	})
}

func (c Collector) read(p string) {
	data, err := c.tree.ReadFile(p)
	if err != nil {
		c.broken[p] = true
		return
	}
	o, err := readOptions(context.Background(), formatOf(p), p, data)
	if err != nil {
		c.broken[p] = true
		return
	}
	c.configs[p] = o
}

// Collects reports whether a runner would collect the file.
func (c Collector) Collects(p string) bool { return c.judge(p).yes }

// Why says by which rule the file is collected or not.
func (c Collector) Why(p string) string { return c.judge(p).why }

// judgement is whether a file is collected, and why.
type judgement struct {
	yes bool
	why string
}

func (c Collector) judge(p string) judgement {
	base := path.Base(p)
	if installed(p) && path.Ext(p) != ".go" {
		return judgement{false, "it is among installed packages"}
	}
	switch lang := conventions.Language(p); {
	case lang == "Python":
		return c.python(p)
	case conventions.IsScript(p):
		return c.script(p)
	case lang == "Go":
		return goFile(p)
	case conventions.IsJVM(p):
		return c.java(p)
	case lang == "Ruby":
		return c.ruby(p)
	case lang == "Rust":
		return c.rust(p)
	case conventions.IsDotNet(p):
		return c.dotnet(p)
	case lang == "":
		return judgement{false, base + " is no source of tests"}
	default:
		return judgement{true, "the runner of " + lang + " is not known: taken as collected"}
	}
}

// nearest is the first of the named configuration files in the folder of a
// file or above it that is accepted, with its folder.
func (c Collector) nearest(p string, names []string, accept func(file string, o options) bool) (dir string, o options, ok bool) {
	for dir := path.Dir(p); ; dir = path.Dir(dir) {
		for _, n := range names {
			f := path.Join(dir, n)
			if o, ok := c.configs[f]; ok && accept(f, o) {
				return dir, o, true
			}
		}
		if dir == "." {
			return "", nil, false
		}
	}
}

// under is a path relative to a folder above it.
func under(dir, p string) string {
	if dir == "." || dir == "" {
		return p
	}
	return strings.TrimPrefix(p, dir+"/")
}
