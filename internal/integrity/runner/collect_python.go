package runner

import (
	"path"
	"slices"
	"strings"
)

// python follows pytest: python_files, testpaths, norecursedirs and --ignore.
func (c Collector) python(p string) judgement {
	prefix := ""
	dir, o, configured := c.nearest(p, []string{"pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"}, func(file string, o options) bool {
		prefix = pytestSection(file, o)
		return prefix != ""
	})
	if !configured {
		dir, o = ".", nil
	}
	setting := func(key string, defaults ...string) []string {
		var out []string
		for _, w := range o.find(prefix + "/" + key).words() {
			out = append(out, strings.Trim(w.text, `"'`))
		}
		if len(out) == 0 {
			return defaults
		}
		return out
	}
	rel, base, why := under(dir, p), path.Base(p), "python_files"
	names := setting("python_files")
	if len(names) == 0 {
		names, why = []string{"test_*.py", "*_test.py"}, "pytest's default names"
		if c.files["manage.py"] {
			names = append(names, "test*.py")
		}
	}
	if !slices.ContainsFunc(names, func(g string) bool {
		if strings.Contains(g, "/") {
			return matches("**/"+strings.TrimPrefix(g, "/"), rel)
		}
		return matches(g, base)
	}) {
		return judgement{false, base + " does not match " + why + " " + strings.Join(names, " ")}
	}
	if paths := setting("testpaths"); len(paths) > 0 && !anyFolder(paths, rel) {
		return judgement{false, "it is not in testpaths " + strings.Join(paths, " ")}
	}
	for _, a := range toolNamed("pytest").parse(argsOf(o.find(prefix + "/addopts"))) {
		file, _, part := strings.Cut(a.value, "::")
		if a.name == "--ignore" && anyFolder([]string{a.value}, rel) || a.name == "--ignore-glob" && matches(a.value, rel) || a.name == "--deselect" && !part && anyFolder([]string{file}, rel) {
			return judgement{false, "addopts has " + a.String()}
		}
	}
	for _, d := range strings.Split(path.Dir(rel), "/") {
		for _, g := range setting("norecursedirs", "*.egg", ".*", "_darcs", "build", "CVS", "dist", "node_modules", "venv", "{arch}") {
			if ok, err := path.Match(g, d); err == nil && ok && d != "." {
				return judgement{false, "pytest does not visit folder " + d}
			}
		}
	}
	return judgement{true, base + " matches " + why}
}

// pytestSection is the key of pytest's section in a file, "" if it has none.
func pytestSection(file string, o options) string {
	for _, s := range map[string][]string{"pyproject.toml": {"tool/pytest/ini_options", "tool/pytest"}, "setup.cfg": {"tool:pytest"}, "tox.ini": {"pytest"}}[path.Base(file)] {
		if o.find(s) != nil {
			return s
		}
	}
	if strings.HasSuffix(file, "pytest.ini") {
		return "pytest" // such a file counts even if it is empty
	}
	return ""
}

// anyFolder reports whether a path is, or is in, one of the given paths.
func anyFolder(paths []string, rel string) bool {
	for _, f := range paths {
		f = path.Clean(strings.TrimPrefix(f, "./"))
		if f == "." || f == rel || strings.HasPrefix(rel, f+"/") {
			return true
		}
		for d := rel; strings.ContainsAny(f, "*?[") && d != "."; d = path.Dir(d) {
			if matches(f, d) {
				return true
			}
		}
	}
	return false
}
