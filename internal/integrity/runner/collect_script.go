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

// script follows the runner that is configured nearest to the file: by its
// configuration file, its section in package.json, or the test script there.
func (c Collector) script(p string) judgement {
	for dir := path.Dir(p); ; dir = path.Dir(dir) {
		if r, ok := c.jsRunner(dir); ok {
			return r.judge(under(dir, p))
		}
		if dir == "." {
			return defaultScript(p, "no runner is configured")
		}
	}
}

func (r jsRunner) judge(rel string) judgement {
	switch r.name {
	case "jest":
		return r.jest(rel)
	case "vitest":
		return r.vitest(rel)
	case "mocha":
		return r.mocha(rel)
	case "node":
		return r.node(rel)
	default:
		return defaultScript(rel, "the patterns of "+r.name+" are not known")
	}
}

func (c Collector) jsRunner(dir string) (jsRunner, bool) {
	scripted := jsRunner{}
	if o, ok := c.configs[path.Join(dir, "package.json")]; ok {
		scripted = scriptedRunner(dir, o)
		for _, name := range []string{"jest", "mocha"} {
			if o.find(name) != nil {
				return jsRunner{name, dir, name + "/", o, scripted.args}, true
			}
		}
	}
	for _, name := range []string{"jest.config", "vitest.config", "vite.config", ".mocharc"} {
		for _, ext := range []string{".js", ".ts", ".mjs", ".cjs", ".mts", ".cts", ".json", ".yml", ".yaml", ""} {
			f := path.Join(dir, name+ext)
			o, ok := c.configs[f]
			switch {
			case !ok && c.broken[f]:
				return jsRunner{name: name, dir: dir}, true
			case !ok:
			case name == "jest.config":
				return jsRunner{"jest", dir, "", o, nil}, true
			case name == ".mocharc":
				return jsRunner{"mocha", dir, "", o, scripted.args}, true
			case name == "vitest.config" || len(o.section("test/", "")) > 0:
				return jsRunner{"vitest", dir, "test/", o, nil}, true
			}
		}
	}
	return scripted, scripted.name != ""
}

// scriptedRunner is the runner that the test script of a package calls.
func scriptedRunner(dir string, o options) jsRunner {
	for _, cmd := range readAny(o.find("scripts/test").last().text, 1, shell{}) {
		if cmd.run == nil || !slices.Contains([]string{"jest", "vitest", "mocha", "node", "ava", "playwright", "tape", "tap"}, cmd.run.tool.name) {
			continue
		}
		var args []string
		for _, v := range plainOf(cmd.run.args) {
			args = append(args, strings.TrimPrefix(v.text, "./"))
		}
		return jsRunner{cmd.run.tool.name, dir, "\x00/", o, args} // a prefix without settings
	}
	return jsRunner{}
}

func (r jsRunner) values(key string, defaults ...string) []string {
	if set := r.o.find(r.prefix + key).texts(); len(set) > 0 {
		return set
	}
	return defaults
}

func (r jsRunner) has(keys ...string) bool {
	return slices.ContainsFunc(keys, func(k string) bool {
		return slices.ContainsFunc(r.o, func(o option) bool { return o.key == r.prefix+k || strings.HasPrefix(o.key, r.prefix+k+"[") })
	})
}

func (r jsRunner) jest(rel string) judgement {
	if r.has("projects", "...") {
		return defaultScript(rel, "jest's projects are not followed")
	}
	root := strings.TrimPrefix(path.Clean("/"+strings.TrimPrefix(r.values("rootdir", "")[0], "<rootDir>")), "/")
	inRoot := under(root, rel)
	if regexSet(r.values("testpathignorepatterns", "/node_modules/")).match("/root/" + inRoot) {
		return judgement{false, "testPathIgnorePatterns leaves it out"}
	}
	var roots []string
	for _, f := range r.values("roots") {
		roots = append(roots, path.Clean("./"+strings.TrimPrefix(strings.TrimPrefix(f, "<rootDir>"), "/")))
	}
	if len(roots) > 0 && !anyFolder(roots, inRoot) {
		return judgement{false, "it is in none of jest's roots"}
	}
	what, exprs := "testRegex", r.values("testregex")
	set, against := regexSet(exprs), "/root/"+inRoot
	if len(exprs) == 0 {
		what, exprs = "testMatch", r.values("testmatch", "**/__tests__/**/*.[jt]s?(x)", "**/?(*.)+(spec|test).[jt]s?(x)", "**/?(*.)+(spec|test).[cm][jt]s")
		set, against = globSet(exprs), inRoot
	}
	if set.unknown && !set.match(against) {
		return defaultScript(rel, what+" is not understood")
	}
	return judgement{set.match(against), what + " " + strings.Join(exprs, " ")}
}

func (r jsRunner) vitest(rel string) judgement {
	if globSet(r.values("exclude", "**/node_modules/**", "**/dist/**", "**/.{idea,git,cache,output,temp}/**")).match(rel) {
		return judgement{false, "vitest's exclude leaves it out"}
	}
	globs := r.values("include", "**/*.{test,spec}.?(c|m)[jt]s?(x)")
	set := globSet(globs)
	if set.unknown && !set.match(rel) || r.has("projects", "dir") {
		return defaultScript(rel, "vitest's patterns are not understood")
	}
	return judgement{set.match(rel), "vitest's include " + strings.Join(globs, " ")}
}

func (r jsRunner) mocha(rel string) judgement {
	if globSet(append(r.values("ignore"), r.values("exclude")...)).match(rel) {
		return judgement{false, "mocha's ignore leaves it out"}
	}
	ext := strings.TrimPrefix(path.Ext(rel), ".")
	if exts := r.values("extension", "js", "cjs", "mjs"); !slices.Contains(exts, ext) && !slices.Contains(exts, "."+ext) && ext != "ts" && ext != "tsx" { // a loader may add these
		return judgement{false, "mocha's extension leaves it out"}
	}
	specs := slices.Concat(r.values("spec"), r.args)
	if len(specs) == 0 {
		specs = []string{"test"}
	}
	recursive := truthy(r.values("recursive", "")[0])
	for _, s := range specs {
		s = strings.Trim(strings.TrimPrefix(s, "./"), `"'`)
		if globSet([]string{s}).match(rel) || path.Dir(rel) == strings.TrimSuffix(s, "/") || recursive && anyFolder([]string{s}, rel) {
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
		if globSet([]string{a}).match(rel) || anyFolder([]string{a}, rel) && nodeDefault.MatchString(rel) || rel == a {
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
