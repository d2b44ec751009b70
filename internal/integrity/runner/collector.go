package runner

import (
	"context"
	"path"
	"regexp"
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
func NewCollector(ctx context.Context, tree change.Tree) Collector {
	c := Collector{tree: tree, files: map[string]bool{}, configs: map[string]options{}, broken: map[string]bool{}}
	entries, err := tree.List("")
	if err != nil {
		return c
	}
	for _, e := range entries {
		c.files[e.Path] = true
		if f := formatOf(e.Path); len(c.configs)+len(c.broken) < maxConfigs && e.Size <= maxFile && collects(f) && !installed(e.Path) {
			data, err := tree.ReadFile(e.Path)
			if err == nil {
				c.configs[e.Path], err = readOptions(ctx, f, e.Path, data)
			}
			if err != nil {
				delete(c.configs, e.Path)
				c.broken[e.Path] = true
			}
		}
	}
	return c
}

// collects reports whether files of a format can say what is collected.
func collects(f format) bool {
	return slices.Contains([]format{"ini", "toml", "package", "json", "script", "yaml", "xml", "lines"}, f)
}

func installed(p string) bool {
	return slices.ContainsFunc(strings.Split(path.Dir(p), "/"), func(d string) bool {
		return d == "node_modules" || d == "vendor" || d == ".venv"
	})
}

// Collects reports whether a runner would collect the file.
func (c Collector) Collects(p string) bool { yes, _ := c.judge(p); return yes }

// Why says by which rule the file is collected or not.
func (c Collector) Why(p string) string { _, why := c.judge(p); return why }

func (c Collector) judge(p string) (yes bool, why string) {
	if installed(p) && path.Ext(p) != ".go" {
		return false, "it is among installed packages"
	}
	var s selection
	switch lang := conventions.Language(p); {
	case lang == "Python":
		s = c.pytest(p)
	case conventions.IsScript(p):
		s = c.script(p)
	case lang == "Go":
		s = goTest
	case conventions.IsJVM(p):
		s = c.jvm(p)
	case lang == "Ruby":
		s = c.ruby(p)
	case lang == "Rust":
		s = c.cargo(p)
	case conventions.IsDotNet(p):
		s = c.dotnet(p)
	case lang == "":
		return false, path.Base(p) + " is no source of tests"
	default:
		return true, "the runner of " + lang + " is not known: taken as collected"
	}
	return s.judge(p)
}

// selection is what a runner collects below a folder.
type selection struct {
	by       string // the setting or convention that says so
	dir      string
	folders  []string   // files outside of these are left out; none: any folder
	include  patternSet // of what is left, files that match
	exclude  patternSet
	unknown  string // why it cannot be told: the usual names decide
	anywhere bool   // include is matched against a file's name as well
}

func (s selection) judge(p string) (yes bool, why string) {
	rel := under(s.dir, p)
	switch included := s.include.match(rel) || s.anywhere && s.include.match(path.Base(rel)); {
	case s.exclude.match(rel):
		return false, s.by + ": it is left out"
	case len(s.folders) > 0 && !anyFolder(s.folders, rel):
		return false, "it is in none of the folders " + strings.Join(s.folders, " ")
	case s.unknown != "" || s.include.unknown && !included:
		return usualScript.MatchString(p), s.by + " " + s.unknown + ": judged by the usual names"
	default:
		return included, s.by
	}
}

var usualScript = regexp.MustCompile(`(?:^|/)(?:__tests__|tests?|specs?|e2e|cypress)/.*\.[cm]?[jt]sx?$|(?:^|[/.\-_])(?:test|spec|tests|e2e|cy)\.[cm]?[jt]sx?$`)

// nearest is the first of the named configuration files in the folder of a
// file or above it that is accepted, with its folder.
func (c Collector) nearest(p string, names []string, accept func(file string, o options) bool) (dir string, o options, ok bool) {
	for dir := range conventions.Above(p) {
		for _, n := range names {
			f := path.Join(dir, n)
			if o, ok := c.configs[f]; ok && accept(f, o) {
				return dir, o, true
			}
		}
	}
	return "", nil, false
}

// under is a path relative to a folder above it.
func under(dir, p string) string {
	if dir == "." || dir == "" {
		return p
	}
	return strings.TrimPrefix(p, dir+"/")
}

// anyFolder reports whether a path is, or is in, one of the given paths.
func anyFolder(paths []string, rel string) bool {
	for _, f := range paths {
		f = path.Clean(strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(f, "<rootDir>"), "/"), "./"))
		if f == "." || f == rel || strings.HasPrefix(rel, f+"/") {
			return true
		}
		for d := range conventions.Above(rel + "/x") {
			if strings.ContainsAny(f, "*?[") && matches(f, d) {
				return true
			}
		}
	}
	return false
}
