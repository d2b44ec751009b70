package runner

import (
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/conventions"
)

// script follows the runner that is configured nearest to the file: by its
// configuration file, its section in package.json, or the test script there.
func (c Collector) script(p string) selection {
	for dir := range conventions.Above(p) {
		if s, ok := c.scriptRunner(dir); ok {
			return s
		}
	}
	return selection{by: "no runner is configured", unknown: "for it"}
}

func (c Collector) scriptRunner(dir string) (selection, bool) {
	pkg := c.configs[path.Join(dir, "package.json")]
	name, args := scripted(pkg)
	for _, s := range []string{"jest", "mocha"} {
		if pkg.find(s) != nil {
			return collectedBy(s, dir, pkg.section(s+"/", ""), args), true
		}
	}
	for _, of := range [][2]string{{"jest.config", "jest"}, {"vitest.config", "vitest"}, {"vite.config", "vitest"}, {".mocharc", "mocha"}} {
		for _, ext := range []string{".js", ".ts", ".mjs", ".cjs", ".mts", ".cts", ".json", ".yml", ".yaml", ""} {
			f := path.Join(dir, of[0]+ext)
			o, ok := c.configs[f]
			if of[1] == "vitest" {
				o = o.section("test/", "")
				ok = ok && (len(o) > 0 || of[0] == "vitest.config")
			}
			if ok || c.broken[f] {
				return collectedBy(of[1], dir, o, args), true
			}
		}
	}
	return collectedBy(name, dir, nil, args), name != ""
}

// scripted is the runner that the test script of a package calls, and the paths
// that it is given.
func scripted(pkg options) (name string, paths []string) {
	for _, cmd := range readAny(pkg.find("scripts/test").last().text, 1, shell{}) {
		if cmd.run != nil && slices.Contains([]string{"jest", "vitest", "mocha", "node", "ava", "playwright", "tape", "tap"}, cmd.run.tool.name) {
			for _, v := range plainOf(cmd.run.args) {
				paths = append(paths, strings.TrimPrefix(v.text, "./"))
			}
			return cmd.run.tool.name, paths
		}
	}
	return "", nil
}

// collectedBy is what a runner with these settings collects.
func collectedBy(name, dir string, o options, args []string) selection {
	set := func(key string, defaults ...string) []string {
		if t := o.find(key).texts(); len(t) > 0 {
			return t
		}
		return defaults
	}
	s := selection{by: name, dir: dir}
	for _, key := range []string{"projects", "...", "dir"} {
		if slices.ContainsFunc(o, func(x option) bool { return x.key == key || strings.HasPrefix(x.key, key+"[") }) && name != "mocha" {
			s.unknown = "has " + key + ", which is not followed"
		}
	}
	switch name {
	case "jest":
		s.dir = path.Join(dir, strings.TrimPrefix(set("rootdir", "")[0], "<rootDir>"))
		s.folders, s.exclude = set("roots"), regexSet(set("testpathignorepatterns", "/node_modules/"))
		s.include = globSet(set("testmatch", "**/__tests__/**/*.[jt]s?(x)", "**/?(*.)+(spec|test).[jt]s?(x)", "**/?(*.)+(spec|test).[cm][jt]s"))
		if exprs := set("testregex"); len(exprs) > 0 {
			s.include = regexSet(exprs)
		}
	case "vitest":
		s.include = globSet(set("include", "**/*.{test,spec}.?(c|m)[jt]s?(x)"))
		s.exclude = globSet(set("exclude", "**/node_modules/**", "**/dist/**", "**/.{idea,git,cache,output,temp}/**"))
	case "mocha":
		var globs []string
		for _, spec := range append(set("spec"), args...) {
			globs = append(globs, strings.Trim(strings.TrimPrefix(spec, "./"), `"'`))
		}
		if len(globs) == 0 {
			globs = []string{"test"}
		}
		exts := "{" + strings.ReplaceAll(strings.Join(append(set("extension", "js", "cjs", "mjs"), "ts", "tsx"), ","), ",.", ",") + "}" // a loader may add these two
		for _, g := range slices.Clone(globs) {
			globs = append(globs, strings.TrimSuffix(g, "/")+"/*."+exts)
			if truthy(set("recursive", "")[0]) {
				globs = append(globs, strings.TrimSuffix(g, "/")+"/**/*."+exts)
			}
		}
		s.include, s.exclude = globSet(globs), globSet(slices.Concat(set("ignore"), set("exclude"), []string{"**/*.jsx"}))
	case "node":
		const usual = `(?:^|/)(?:test/(?:.*/)?[^/]+|test|test-[^/]+|[^/]+[.\-_]test)\.[cm]?[jt]s$`
		s.include = regexSet([]string{usual})
		if len(args) > 0 {
			s.include = globSet(args)
			s.include.matchers = append(s.include.matchers, func(p string) bool { return anyFolder(args, p) && regexSet([]string{usual}).match(p) })
		}
	default:
		s.unknown = "has patterns that are not known"
	}
	return s
}
