package runner

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// jsRunner is a JavaScript runner with the settings that apply to a file.
type jsRunner struct {
	name   string
	dir    string // of its configuration
	prefix string // of its keys
	o      options
	args   []string // paths and globs of the test script
}

// script follows the runner that is configured nearest to the file.
func (c Collector) script(p string) judgement {
	r, ok := c.jsRunner(p)
	if !ok {
		return defaultScript(p, "no runner is configured")
	}
	if r.dir == "" {
		r.dir = "."
	}
	switch r.name {
	case "jest":
		return r.jest(under(r.dir, p))
	case "vitest":
		return r.vitest(under(r.dir, p))
	case "mocha":
		return r.mocha(under(r.dir, p))
	case "node --test":
		return r.node(under(r.dir, p))
	default:
		return defaultScript(p, "the patterns of "+r.name+" are not known")
	}
}

// jsRunner finds the runner by its configuration file, its section in
// package.json, or the test script there.
func (c Collector) jsRunner(p string) (jsRunner, bool) {
	for dir := path.Dir(p); ; dir = path.Dir(dir) {
		if r, ok := c.configuredRunner(dir); ok {
			return r, true
		}
		if o, ok := c.configs[path.Join(dir, "package.json")]; ok {
			if r, ok := scriptedRunner(dir, o); ok {
				return r, true
			}
		}
		if dir == "." {
			return jsRunner{}, false
		}
	}
}

func (c Collector) configuredRunner(dir string) (jsRunner, bool) {
	var arguments []string
	if o, ok := c.configs[path.Join(dir, "package.json")]; ok {
		if r, ok := scriptedRunner(dir, o); ok {
			arguments = r.args
		}
		for _, name := range []string{"jest", "mocha"} {
			if o.find(name) != nil {
				return jsRunner{name, dir, name + "/", o, arguments}, true
			}
		}
	}
	exts := []string{".js", ".ts", ".mjs", ".cjs", ".mts", ".cts", ".json"}
	for _, name := range []string{"jest.config", "vitest.config", "vite.config", ".mocharc"} {
		for _, ext := range append(exts, ".yml", ".yaml", "") {
			f := path.Join(dir, name+ext)
			o, ok := c.configs[f]
			if !ok {
				if c.broken[f] {
					return jsRunner{name: name, dir: dir}, true
				}
				continue
			}
			switch {
			case name == "jest.config":
				return jsRunner{"jest", dir, "", o, nil}, true
			case name == ".mocharc":
				return jsRunner{"mocha", dir, "", o, arguments}, true
			case name == "vitest.config" || slices.ContainsFunc(o, func(x option) bool { return strings.HasPrefix(x.key, "test/") }):
				return jsRunner{"vitest", dir, "test/", o, nil}, true
			}
		}
	}
	return jsRunner{}, false
}

// scriptedRunner is the runner that the test script of a package calls.
func scriptedRunner(dir string, o options) (jsRunner, bool) {
	for _, cmd := range readAny(o.find("scripts/test").last().text, 1, shell{}) {
		r := cmd.run
		if r == nil {
			continue
		}
		switch r.tool.name {
		case "jest", "vitest", "mocha", "node --test", "ava", "playwright", "tape", "tap":
			var args []string
			for _, v := range plainOf(r.args) {
				args = append(args, strings.TrimPrefix(v.text, "./"))
			}
			return jsRunner{r.tool.name, dir, "\x00/", o, args}, true // a prefix without settings
		}
	}
	return jsRunner{}, false
}

func (r jsRunner) values(key string) []string { return r.o.find(r.prefix + key).texts() }

func (r jsRunner) jest(rel string) judgement {
	if len(r.values("projects")) > 0 || r.o.find(r.prefix+"projects") != nil || r.o.find(r.prefix+"...") != nil {
		return defaultScript(rel, "jest's projects are not followed")
	}
	root := strings.TrimPrefix(path.Clean("/"+strings.TrimPrefix(firstOf(r.values("rootdir")), "<rootDir>")), "/")
	inRoot := under(root, rel)
	ignore := regexSet(orDefault(r.values("testpathignorepatterns"), "/node_modules/"))
	if ignore.match("/root/" + inRoot) {
		return judgement{false, "testPathIgnorePatterns leaves it out"}
	}
	if roots := r.values("roots"); len(roots) > 0 && !anyFolder(trimRoots(roots), inRoot) {
		return judgement{false, "it is in none of jest's roots"}
	}
	if exprs := r.values("testregex"); len(exprs) > 0 {
		set := regexSet(exprs)
		if set.unknown {
			return defaultScript(rel, "testRegex is not understood")
		}
		return judgement{set.match("/root/" + inRoot), "testRegex " + strings.Join(exprs, " ")}
	}
	globs := orDefault(r.values("testmatch"), "**/__tests__/**/*.[jt]s?(x)", "**/?(*.)+(spec|test).[jt]s?(x)", "**/?(*.)+(spec|test).[cm][jt]s")
	set := globSet(globs)
	if set.unknown && !set.match(inRoot) {
		return defaultScript(rel, "testMatch is not understood")
	}
	return judgement{set.match(inRoot), "testMatch " + strings.Join(globs, " ")}
}

func (r jsRunner) vitest(rel string) judgement {
	exclude := globSet(orDefault(r.values("exclude"), "**/node_modules/**", "**/dist/**", "**/.{idea,git,cache,output,temp}/**"))
	if exclude.match(rel) {
		return judgement{false, "vitest's exclude leaves it out"}
	}
	globs := orDefault(r.values("include"), "**/*.{test,spec}.?(c|m)[jt]s?(x)")
	set := globSet(globs)
	if set.unknown && !set.match(rel) || r.o.find(r.prefix+"projects") != nil || r.o.find(r.prefix+"dir") != nil {
		return defaultScript(rel, "vitest's patterns are not understood")
	}
	return judgement{set.match(rel), "vitest's include " + strings.Join(globs, " ")}
}

func (r jsRunner) mocha(rel string) judgement {
	specs := append(slices.Clone(r.values("spec")), r.args...)
	if ignore := globSet(append(r.values("ignore"), r.values("exclude")...)); ignore.match(rel) {
		return judgement{false, "mocha's ignore leaves it out"}
	}
	exts := orDefault(r.values("extension"), "js", "cjs", "mjs")
	if path.Ext(rel) == ".ts" || path.Ext(rel) == ".tsx" {
		exts = append(exts, "ts", "tsx") // a loader that is required may add them
	}
	if !slices.Contains(exts, strings.TrimPrefix(path.Ext(rel), ".")) && !slices.Contains(exts, path.Ext(rel)) {
		return judgement{false, "mocha's extension leaves it out"}
	}
	if len(specs) == 0 {
		specs = []string{"test"}
	}
	recursive := truthy(firstOf(r.values("recursive")))
	for _, s := range specs {
		s = strings.Trim(strings.TrimPrefix(s, "./"), `"'`)
		if set := globSet([]string{s}); set.match(rel) || path.Dir(rel) == strings.TrimSuffix(s, "/") || recursive && anyFolder([]string{s}, rel) {
			return judgement{true, "mocha's spec " + s}
		}
	}
	return judgement{false, "it is not among mocha's spec " + strings.Join(specs, " ")}
}

var nodeDefault = regexp.MustCompile(`(?:^|/)(?:test/(?:.*/)?[^/]+|test|test-[^/]+|[^/]+[.\-_]test)\.[cm]?[jt]s$`)

func (r jsRunner) node(rel string) judgement {
	if len(r.args) == 0 {
		return judgement{nodeDefault.MatchString(rel), "the default names of node --test"}
	}
	for _, a := range r.args {
		if set := globSet([]string{a}); set.match(rel) || anyFolder([]string{a}, rel) && nodeDefault.MatchString(rel) || rel == a {
			return judgement{true, "node --test " + a}
		}
	}
	return judgement{false, "it is not among the arguments of node --test"}
}

var scriptNames = regexp.MustCompile(`(?:^|/)(?:__tests__|tests?|specs?|e2e|cypress)/.*\.[cm]?[jt]sx?$|(?:^|[/.\-_])(?:test|spec|tests|e2e|cy)\.[cm]?[jt]sx?$`)

// defaultScript judges by the names that JavaScript runners have in common.
func defaultScript(p, why string) judgement {
	return judgement{scriptNames.MatchString(p), why + ": judged by the usual names"}
}

func orDefault(set []string, defaults ...string) []string {
	if len(set) > 0 {
		return set
	}
	return defaults
}

func firstOf(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

func trimRoots(roots []string) []string {
	out := make([]string, len(roots))
	for i, r := range roots {
		out[i] = strings.TrimPrefix(strings.TrimPrefix(r, "<rootDir>"), "/")
		if out[i] == "" {
			out[i] = "."
		}
	}
	return out
}
