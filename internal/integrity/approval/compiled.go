package approval

import (
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/lazyregexp"
)

var (
	goImport = lazyregexp.New(`(?m)^\s*(?:import\s+)?(?:[\w.]+\s+)?"([\w./~-]+)"`)
	goModule = lazyregexp.New(`(?m)^module\s+"?([^\s"]+)`)
)

// golang adds the packages of the same module that a Go file imports.
func (c *collector) golang(p, text string) {
	for dir := range conventions.Above(p) {
		mod, ok, err := c.read(path.Join(dir, "go.mod"))
		if err == nil && ok {
			if m := goModule.FindStringSubmatch(mod); m != nil {
				c.goPackages(dir, m[1], text)
			}
			return
		}
	}
}

// goPackages adds imported packages of the module that belong to tests.
func (c *collector) goPackages(root, module, text string) {
	for _, m := range goImport.FindAllStringSubmatch(text, -1) {
		rel, ok := strings.CutPrefix(m[1], module+"/")
		if !ok {
			continue
		}
		files := c.folders[path.Join(root, rel)]
		if !slices.ContainsFunc(files, func(f string) bool {
			return path.Ext(f) == ".go" && !strings.HasSuffix(f, "_test.go") && c.isSupport(f)
		}) {
			continue
		}
		for _, f := range files {
			if path.Ext(f) == ".go" && !strings.HasSuffix(f, "_test.go") {
				c.add(f, Support)
			}
		}
	}
}

var (
	javaImport = lazyregexp.New(`(?m)^\s*import\s+(?:static\s+)?([\w.]+?)(?:\.\*)?\s*;?\s*$`)
	typeName   = lazyregexp.New(`\b[A-Z]\w+\b`)
)

// java adds imported classes of the test source set, and those of the same package that are named.
func (c *collector) java(p, text string) {
	i := strings.Index(p, "src/test/")
	if i < 0 {
		return
	}
	parts := strings.SplitN(p[i+len("src/test/"):], "/", 2)
	root := p[:i] + "src/test/" + parts[0]
	for _, m := range javaImport.FindAllStringSubmatch(text, -1) {
		name := strings.ReplaceAll(m[1], ".", "/")
		for _, rel := range []string{name, path.Dir(name)} {
			for _, ext := range []string{".java", ".kt", ".groovy"} {
				c.add(path.Join(root, rel)+ext, Support)
			}
		}
	}
	used := map[string]bool{}
	for _, t := range typeName.FindAllString(text, -1) {
		used[t] = true
	}
	for _, f := range c.folders[path.Dir(p)] {
		if used[strings.TrimSuffix(path.Base(f), path.Ext(f))] && path.Ext(f) == path.Ext(p) {
			c.add(f, Support)
		}
	}
}

var rubyRequire = lazyregexp.New(`(?m)\b(require|require_relative|load)\s*\(?\s*['"]([^'"\n]+)['"]`)

// ruby adds what a Ruby file requires, and the folder support beside a helper.
func (c *collector) ruby(p, text string) {
	for _, m := range rubyRequire.FindAllStringSubmatch(text, -1) {
		ref := strings.TrimSuffix(m[2], ".rb") + ".rb"
		if m[1] == "require_relative" {
			c.support(path.Join(path.Dir(p), ref))
			continue
		}
		c.above(p, ref)
	}
	if strings.Contains(text, "support") && strings.Contains(path.Base(p), "helper") {
		c.folder(path.Join(path.Dir(p), "support"), "**/*.rb")
		c.folder(path.Join(path.Dir(p), "shared"), "**/*.rb")
	}
	if strings.Contains(text, "FactoryBot") {
		c.folder(path.Join(path.Dir(p), "factories"), "**/*.rb")
	}
}

var (
	rustMod     = lazyregexp.New(`(?m)^\s*(?:pub\s+)?mod\s+(\w+)\s*;`)
	rustPath    = lazyregexp.New(`#\[path\s*=\s*"([^"\n]+)"\]`)
	rustUsed    = lazyregexp.New(`\b\w+::(\w+)\b`)
	rustInclude = lazyregexp.New(`include(?:_str|_bytes)?!\s*\(\s*"([^"\n]+)"`)
)

// rust adds the modules of a test crate; of a source with tests in it, only what it includes as
// data.
func (c *collector) rust(p, text string) {
	dir := path.Dir(p)
	own := path.Join(dir, strings.TrimSuffix(path.Base(p), ".rs"))
	for _, m := range rustMod.FindAllStringSubmatch(text, -1) {
		for _, in := range []string{dir, own} {
			c.support(path.Join(in, m[1]+".rs"))
			c.support(path.Join(in, m[1], "mod.rs"))
		}
	}
	// a module of the crate that helps its tests
	for _, m := range rustUsed.FindAllStringSubmatch(text, -1) {
		for dir := range conventions.Above(p) {
			c.support(path.Join(dir, "src", m[1]+".rs"))
			c.support(path.Join(dir, "src", m[1], "mod.rs"))
		}
	}
	for _, m := range rustPath.FindAllStringSubmatch(text, -1) {
		c.support(path.Join(dir, m[1]))
	}
	for _, m := range rustInclude.FindAllStringSubmatch(text, -1) {
		c.support(path.Join(dir, m[1]))
	}
}

var csType = lazyregexp.New(`\b(?:class|record|struct|interface|enum)\s+(\w+)`)

// testProject adds the other files of a C# test project that define types which the test names.
func (c *collector) testProject(p string) {
	text, ok, err := c.read(p)
	if !ok || err != nil {
		return
	}
	used := map[string]bool{}
	for _, w := range typeName.FindAllString(text, -1) {
		used[w] = true
	}
	for _, f := range c.below(c.projectFolder(path.Dir(p))) {
		if path.Ext(f) != ".cs" || f == p || strings.Contains(f, "/obj/") ||
			strings.Contains(f, "/bin/") {
			continue
		}
		other, ok, err := c.read(f)
		if !ok || err != nil {
			continue
		}
		for _, m := range csType.FindAllStringSubmatch(other, -1) {
			if used[m[1]] || strings.Contains(other, "assembly:") {
				c.support(f)
				break
			}
		}
		if path.Base(f) == "GlobalUsings.cs" || path.Base(f) == "Usings.cs" {
			c.support(f)
		}
	}
}

// projectFolder is the folder of the project file above a folder, or the folder itself.
func (c *collector) projectFolder(dir string) string {
	for d := range conventions.Above(dir + "/x") {
		if d != "." &&
			slices.ContainsFunc(c.folders[d],
				func(f string) bool { return path.Ext(f) == ".csproj" }) {
			return d
		}
	}
	return dir
}
