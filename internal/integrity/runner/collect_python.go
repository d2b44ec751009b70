package runner

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// python follows pytest: python_files, testpaths, norecursedirs and --ignore.
func (c Collector) python(p string) judgement {
	prefix := ""
	accept := func(file string, o options) bool {
		prefix = pytestSection(file, o)
		return prefix != ""
	}
	dir, o, configured := c.nearest(p, []string{"pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"}, accept)
	base := path.Base(p)
	names := []string{"test_*.py", "*_test.py"}
	if c.files["manage.py"] {
		names = append(names, "test*.py")
	}
	why := "pytest's default names"
	if !configured {
		dir = "."
	}
	if set := unquotedWords(o.find(prefix + "/python_files")); configured && len(set) > 0 {
		names, why = set, "python_files"
	}
	if !anyName(names, base, under(dir, p)) {
		return judgement{false, base + " does not match " + why + " " + strings.Join(names, " ")}
	}
	if configured {
		if j, left := c.pytestOptions(prefix, o, dir, p); left {
			return j
		}
	}
	if d := unvisited(o.find(prefix+"/norecursedirs"), under(dir, p)); d != "" {
		return judgement{false, "pytest does not visit folder " + d}
	}
	return judgement{true, base + " matches " + why}
}

// pytestSection is the key of pytest's section in a file, "" if it has none.
func pytestSection(file string, o options) string {
	var sections []string
	switch path.Base(file) {
	case "pyproject.toml":
		sections = []string{"tool/pytest/ini_options", "tool/pytest"}
	case "setup.cfg":
		sections = []string{"tool:pytest"}
	default:
		sections = []string{"pytest"}
	}
	for _, s := range sections {
		if o.find(s) != nil {
			return s
		}
	}
	if base := path.Base(file); base == "pytest.ini" || base == ".pytest.ini" {
		return "pytest" // such a file counts even if it is empty
	}
	return ""
}

// pytestOptions judges by testpaths and the arguments that are always given.
func (c Collector) pytestOptions(prefix string, o options, dir, p string) (judgement, bool) {
	rel := under(dir, p)
	if paths := unquotedWords(o.find(prefix + "/testpaths")); len(paths) > 0 && !anyFolder(paths, rel) {
		return judgement{false, "it is not in testpaths " + strings.Join(paths, " ")}, true
	}
	for _, a := range toolNamed("pytest").parse(argsOf(o.find(prefix + "/addopts"))) {
		switch a.name {
		case "--ignore":
			if anyFolder([]string{a.value}, rel) {
				return judgement{false, "addopts has --ignore=" + a.value}, true
			}
		case "--ignore-glob":
			if ok, err := doublestar.Match(a.value, rel); err == nil && ok {
				return judgement{false, "addopts has --ignore-glob=" + a.value}, true
			}
		case "--deselect":
			if file, _, part := strings.Cut(a.value, "::"); !part && anyFolder([]string{file}, rel) {
				return judgement{false, "addopts has --deselect=" + a.value}, true
			}
		}
	}
	return judgement{}, false
}

// anyName matches a file's name, or its path for patterns with a slash.
func anyName(globs []string, base, rel string) bool {
	for _, g := range globs {
		against := base
		if strings.Contains(g, "/") {
			against, g = rel, "**/"+strings.TrimPrefix(g, "/")
		}
		if ok, err := doublestar.Match(g, against); err == nil && ok {
			return true
		}
	}
	return false
}

// anyFolder reports whether a path is, or is in, one of the given paths.
func anyFolder(paths []string, rel string) bool {
	for _, f := range paths {
		f = path.Clean(strings.TrimPrefix(f, "./"))
		if f == "." || f == rel || strings.HasPrefix(rel, f+"/") {
			return true
		}
		if strings.ContainsAny(f, "*?[") {
			for d := rel; d != "."; d = path.Dir(d) {
				if ok, err := doublestar.Match(f, d); err == nil && ok {
					return true
				}
			}
		}
	}
	return false
}

// unvisited is the first folder of a path that pytest does not go into.
func unvisited(set *option, rel string) string {
	globs := []string{"*.egg", ".*", "_darcs", "build", "CVS", "dist", "node_modules", "venv", "{arch}"}
	if words := unquotedWords(set); len(words) > 0 {
		globs = words
	}
	dir := path.Dir(rel)
	if dir == "." {
		return ""
	}
	for _, d := range strings.Split(dir, "/") {
		for _, g := range globs {
			if ok, err := path.Match(g, d); err == nil && ok {
				return d
			}
		}
	}
	return ""
}
