package runner

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// Operating systems and architectures that Go reads in file names, besides
// those of the usual machine.
var (
	goSystems = []string{"aix", "android", "darwin", "dragonfly", "freebsd", "illumos", "ios", "js", "netbsd", "openbsd", "plan9", "solaris", "wasip1", "windows", "zos", "hurd", "nacl"}
	goArches  = []string{"386", "arm", "arm64", "loong64", "mips", "mips64", "mips64le", "mipsle", "ppc64", "ppc64le", "riscv64", "s390x", "sparc64", "wasm", "armbe", "arm64be", "ppc", "riscv", "s390", "sparc"}
)

// goFile follows go test: names alone; build constraints in the file are part
// of its tests.
func goFile(p string) judgement {
	base := path.Base(p)
	for _, d := range strings.Split(path.Dir(p), "/") {
		if d == "testdata" || d == "vendor" || d != "." && d != ".." && (strings.HasPrefix(d, "_") || strings.HasPrefix(d, ".")) {
			return judgement{false, "the go command does not look into " + d}
		}
	}
	stem, ok := strings.CutSuffix(base, "_test.go")
	if !ok || strings.HasPrefix(base, "_") || strings.HasPrefix(base, ".") {
		return judgement{false, base + " does not end in _test.go"}
	}
	parts := strings.Split(stem, "_")
	if last := parts[len(parts)-1]; len(parts) > 1 && (slices.Contains(goSystems, last) || slices.Contains(goArches, last)) {
		return judgement{false, base + " is built for " + last + " only"}
	}
	return judgement{true, base + " ends in _test.go"}
}

var (
	surefireNames = []string{"**/Test*.*", "**/*Test.*", "**/*Tests.*", "**/*TestCase.*"}
	failsafeNames = []string{"**/IT*.*", "**/*IT.*", "**/*ITCase.*"}
)

// java follows Maven's Surefire and Failsafe, or Gradle, which takes every
// class of the test source sets.
func (c Collector) java(p string) judgement {
	i := strings.Index("/"+p, "/src/test/")
	if !strings.Contains(p, "est/") && i < 0 {
		return judgement{false, "it is in no test source set"}
	}
	dir, o, ok := c.nearest(p, []string{"pom.xml"}, func(string, options) bool { return true })
	if !ok {
		return judgement{true, "Gradle takes every class of its test source sets"}
	}
	if i < 0 {
		return judgement{false, "Maven's tests are in src/test"}
	}
	var includes, excludes []string
	for _, opt := range o {
		switch {
		case strings.Contains(opt.key, "-plugin]") && strings.HasSuffix(opt.key, "includes/include"):
			includes = append(includes, opt.texts()...)
		case strings.Contains(opt.key, "maven-surefire-plugin]") && strings.HasSuffix(opt.key, "excludes/exclude"):
			excludes = append(excludes, opt.texts()...)
		}
	}
	names := includes
	if len(names) == 0 {
		names = append(slices.Clone(surefireNames), failsafeNames...)
	}
	rel := under(dir, p)
	if globSet(excludes).match(rel) {
		return judgement{false, "Surefire's excludes leave it out"}
	}
	for _, n := range names {
		set := globSet([]string{"**/" + strings.TrimPrefix(strings.TrimSuffix(n, ".class"), "**/")})
		if set.unknown || strings.HasPrefix(n, "%regex") || set.match(rel) || set.match(strings.TrimSuffix(rel, path.Ext(rel))) {
			return judgement{true, "Surefire's pattern " + n}
		}
	}
	return judgement{false, "its name matches none of Surefire's patterns"}
}

var rubyPattern = regexp.MustCompile(`(?:pattern|test_files)\s*=?\s*(?:Dir\[|FileList\[|Dir\.glob\()?\s*["']([^"']+)["']`)

// ruby follows RSpec in spec/, and elsewhere Minitest with the patterns of the
// Rakefile.
func (c Collector) ruby(p string) judgement {
	if o, ok := c.configs[".rspec"]; ok && strings.HasPrefix(p, "spec/") {
		for _, a := range toolNamed("rspec").parse(argsOf(o.find("arguments"))) {
			switch {
			case a.name == "--pattern":
				return judgement{globSet(strings.Split(a.value, ",")).match(p), "rspec --pattern " + a.value}
			case a.name == "--exclude-pattern" && globSet(strings.Split(a.value, ",")).match(p):
				return judgement{false, "rspec --exclude-pattern " + a.value}
			}
		}
	}
	if strings.HasPrefix(p, "spec/") || strings.Contains(p, "/spec/") {
		return judgement{strings.HasSuffix(p, "_spec.rb"), "RSpec's default name is *_spec.rb"}
	}
	if data, err := c.tree.ReadFile("Rakefile"); err == nil && len(data) <= maxFile {
		if all := rubyPattern.FindAllStringSubmatch(string(data), 10); len(all) > 0 {
			for _, m := range all {
				if globSet([]string{m[1]}).match(p) {
					return judgement{true, "the Rakefile's pattern " + m[1]}
				}
			}
			return judgement{false, "it matches no pattern of the Rakefile"}
		}
	}
	base := path.Base(p)
	return judgement{strings.HasSuffix(base, "_test.rb") || strings.HasSuffix(base, "_spec.rb") || strings.HasPrefix(base, "test_"), "the default names of Minitest"}
}

// rust follows Cargo: each file directly in tests/ is a crate, and tests stand
// in src/. Files further down count if a crate names them as a module.
func (c Collector) rust(p string) judgement {
	dir, o, ok := c.nearest(p, []string{"Cargo.toml"}, func(string, options) bool { return true })
	if !ok {
		dir = "."
	}
	rel := under(dir, p)
	parts := strings.Split(rel, "/")
	switch {
	case parts[0] == "src" || parts[0] == "examples" || parts[0] == "benches":
		return judgement{parts[0] == "src", "tests of a crate stand in src/ or tests/"}
	case slices.Contains(o.all("test*/path"), rel):
		return judgement{true, "Cargo.toml names it"}
	case parts[0] != "tests":
		return judgement{false, "Cargo looks for tests in src/ and tests/"}
	case o.find("package/autotests") != nil && !truthy(o.find("package/autotests").last().text):
		return judgement{false, "autotests is off"}
	case len(parts) == 2, len(parts) == 3 && parts[2] == "main.rs":
		return judgement{true, "Cargo builds each file in tests/"}
	default:
		return c.rustModule(path.Join(dir, "tests"), parts[1])
	}
}

func (c Collector) rustModule(tests, name string) judgement {
	declares := regexp.MustCompile(`(?m)^\s*(?:pub\s+)?mod\s+` + regexp.QuoteMeta(name) + `\s*;`)
	for f := range c.files {
		if path.Dir(f) != tests || path.Ext(f) != ".rs" {
			continue
		}
		if data, err := c.tree.ReadFile(f); err == nil && len(data) <= maxFile && declares.Match(data) {
			return judgement{true, f + " has it as a module"}
		}
	}
	return judgement{false, "no file directly in tests/ has it as a module"}
}

// dotnet takes every file of a project unless the project removes it.
func (c Collector) dotnet(p string) judgement {
	for dir := path.Dir(p); ; dir = path.Dir(dir) {
		for f, o := range c.configs {
			if path.Dir(f) != dir || formatOf(f) != "xml" {
				continue
			}
			removed := strings.ReplaceAll(strings.Join(o.all("project/itemgroup*/compile*/@remove"), ";"), `\`, "/")
			if removed != "" && globSet(strings.Split(removed, ";")).match(under(dir, p)) {
				return judgement{false, f + " removes it from the project"}
			}
		}
		if dir == "." {
			break
		}
	}
	for _, d := range strings.Split(path.Dir(p), "/") {
		if d == "bin" || d == "obj" {
			return judgement{false, "it is build output"}
		}
	}
	return judgement{true, "a project takes every file in its folder"}
}
