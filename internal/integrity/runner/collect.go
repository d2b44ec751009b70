package runner

import (
	"path"
	"regexp"
	"strings"

	"workflow-reviewer/internal/conventions"
)

// What the runners of each language collect.

var goTest = selection{
	by:      "go test takes files whose names end in _test.go and are not of another system",
	include: regexSet([]string{`_test\.go$`}),
	exclude: regexSet([]string{
		`(?:^|/)(?:testdata|vendor)/|(?:^|/)(?:_[^/]*|\.[^/.][^/]*)/|(?:^|/)[_.][^/]*$`,
		`[^/]_(?:aix|android|darwin|dragonfly|freebsd|illumos|ios|js|netbsd|openbsd|plan9|solaris|wasip1|windows|zos|hurd|nacl)_test\.go$`,
		`[^/]_(?:386|arm|arm64|loong64|mips|mips64|mips64le|mipsle|ppc64|ppc64le|riscv64|s390x|sparc64|wasm|armbe|arm64be|ppc|riscv|s390|sparc)_test\.go$`,
	}),
}

// pytest: python_files, testpaths, norecursedirs and --ignore.
func (c Collector) pytest(p string) selection {
	prefix := ""
	dir, o, _ := c.nearest(p, []string{"pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"}, func(file string, o options) bool {
		prefix = pytestSection(file, o)
		return prefix != ""
	})
	setting := func(key string, defaults ...string) (out []string) {
		for _, w := range o.find(prefix + "/" + key).words() {
			out = append(out, strings.Trim(w.text, `"'`))
		}
		if len(out) == 0 {
			return defaults
		}
		return out
	}
	s := selection{by: "python_files", dir: dir, folders: setting("testpaths"), anywhere: true}
	names := setting("python_files")
	if len(names) == 0 {
		names, s.by = []string{"test_*.py", "*_test.py"}, "pytest's default names"
		if c.files["manage.py"] {
			names = append(names, "test*.py")
		}
	}
	for i, n := range names {
		if strings.Contains(n, "/") {
			names[i] = "**/" + strings.TrimPrefix(n, "/")
		}
	}
	s.by += " " + strings.Join(names, " ")
	var out []string
	for _, d := range setting("norecursedirs", "*.egg", ".*", "_darcs", "build", "CVS", "dist", "node_modules", "venv", "{arch}") {
		out = append(out, "**/"+d+"/**")
	}
	for _, a := range toolNamed("pytest").parse(argsOf(o.find(prefix + "/addopts"))) {
		file, _, part := strings.Cut(a.value, "::")
		if a.name == "--ignore" || a.name == "--ignore-glob" || a.name == "--deselect" && !part {
			out = append(out, strings.TrimSuffix(file, "/"), strings.TrimSuffix(file, "/")+"/**")
		}
	}
	s.include, s.exclude = globSet(names), globSet(out)
	return s
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

// jvm: Maven's Surefire and Failsafe, or Gradle, which takes every class of the
// test source sets.
func (c Collector) jvm(p string) selection {
	dir, o, ok := c.nearest(p, []string{"pom.xml"}, func(string, options) bool { return true })
	if !ok {
		return selection{by: "Gradle takes every class of its test source sets", include: regexSet([]string{`est/|/src/test/`})}
	}
	var out []string
	names := o.all("**/*-plugin\\]/**/includes/include")
	if len(names) == 0 {
		names = []string{"**/Test*.*", "**/*Test.*", "**/*Tests.*", "**/*TestCase.*", "**/IT*.*", "**/*IT.*", "**/*ITCase.*"}
	}
	for _, n := range names {
		if n = strings.TrimSuffix(strings.TrimPrefix(n, "**/"), ".class"); strings.HasPrefix(n, "%regex") {
			n = "*"
		}
		out = append(out, "src/test/**/"+n, "src/test/**/"+n+".*")
	}
	return selection{by: "Surefire's patterns " + strings.Join(names, " "), dir: dir, include: globSet(out), exclude: globSet(o.all("**/plugin\\[maven-surefire-plugin\\]/**/exclude"))}
}

var rubyPattern = regexp.MustCompile(`(?:pattern|test_files)\s*=?\s*(?:Dir\[|FileList\[|Dir\.glob\()?\s*["']([^"']+)["']`)

// ruby: RSpec in spec/, and elsewhere Minitest with the patterns of the Rakefile.
func (c Collector) ruby(p string) selection {
	s := selection{by: "RSpec's default name is *_spec.rb", include: globSet([]string{"**/*_spec.rb"})}
	if strings.HasPrefix(p, "spec/") || strings.Contains(p, "/spec/") {
		for _, a := range toolNamed("rspec").parse(argsOf(c.configs[".rspec"].find("arguments"))) {
			switch a.name {
			case "--pattern":
				s.by, s.include = "rspec "+a.String(), globSet(strings.Split(a.value, ","))
			case "--exclude-pattern":
				s.exclude = globSet(strings.Split(a.value, ","))
			}
		}
		return s
	}
	s.by, s.include = "the default names of Minitest", globSet([]string{"**/*_test.rb", "**/*_spec.rb", "**/test_*"})
	if data, err := c.tree.ReadFile("Rakefile"); err == nil && len(data) <= maxFile {
		var globs []string
		for _, m := range rubyPattern.FindAllStringSubmatch(string(data), 10) {
			globs = append(globs, m[1])
		}
		if len(globs) > 0 {
			s.by, s.include = "the Rakefile's patterns "+strings.Join(globs, " "), globSet(globs)
		}
	}
	return s
}

// cargo: each file directly in tests/ is a crate, and tests stand in src/. Files
// further down count if a crate names them as a module.
func (c Collector) cargo(p string) selection {
	dir, o, _ := c.nearest(p, []string{"Cargo.toml"}, func(string, options) bool { return true })
	globs := append(o.all("test*/path"), "src/**")
	if auto := o.find("package/autotests"); auto == nil || truthy(auto.last().text) {
		globs = append(globs, "tests/*", "tests/*/main.rs")
		if parts := strings.Split(under(dir, p), "/"); len(parts) > 2 && parts[0] == "tests" && c.isModule(path.Join(dir, "tests"), parts[1]) {
			globs = append(globs, "tests/"+parts[1]+"/**")
		}
	}
	return selection{by: "Cargo takes src/, each file in tests/, and what these have as modules", dir: dir, include: globSet(globs)}
}

func (c Collector) isModule(tests, name string) bool {
	declares := regexp.MustCompile(`(?m)^\s*(?:pub\s+)?mod\s+` + regexp.QuoteMeta(name) + `\s*;`)
	for f := range c.files {
		if path.Dir(f) != tests || path.Ext(f) != ".rs" {
			continue
		}
		if data, err := c.tree.ReadFile(f); err == nil && len(data) <= maxFile && declares.Match(data) {
			return true
		}
	}
	return false
}

// dotnet takes every file of a project unless the project removes it.
func (c Collector) dotnet(p string) selection {
	out := []string{"**/bin/**", "**/obj/**"}
	for dir := range conventions.Above(p) {
		for f, o := range c.configs {
			if path.Dir(f) == dir && kindOfFile(f).rules == "dotnet" {
				for _, r := range strings.Split(strings.ReplaceAll(strings.Join(o.all("project/itemgroup*/compile*/@remove"), ";"), `\`, "/"), ";") {
					out = append(out, path.Join(dir, r))
				}
			}
		}
	}
	return selection{by: "a project takes every file in its folder that it does not remove", include: globSet([]string{"**"}), exclude: globSet(out)}
}
