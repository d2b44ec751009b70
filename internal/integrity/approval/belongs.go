package approval

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

var (
	// testFolder is a folder whose whole content belongs to tests.
	testFolder = regexp.MustCompile(`(?i)^(?:tests?|__\w+__|testdata|test[-_]?(?:data|utils?|helpers?|support|lib|kit|fixtures?)|testing|e2e|cypress|androidtest|integration[-_]?tests?|unit[-_]?tests?)$|.[._-]tests?$|[a-z]Tests?$`)
	// dataFolder is a folder of what tests read; sources in it may be used by
	// others as well.
	dataFolder = regexp.MustCompile(`(?i)^(?:fixtures?|mocks?|stubs|fakes|goldens?|snapshots|cassettes|factories)$`)
	// testName is the name of a file that can only belong to tests.
	testName = regexp.MustCompile(`(?i)(?:^|[._-])(?:tests?|specs?|conftest|test[._-]?(?:utils?|helpers?|support|lib|kit|base|fixtures?)|testing)(?:[._-]|$)|(?:Test|Tests|TestFixture|TestHelpers?|TestBase|TestCase|Assertions)\.\w+$`)
	// doubleName is the name of what stands in for something in tests.
	doubleName = regexp.MustCompile(`(?i)(?:^|[._-])(?:fixtures?|mocks?|stubs?|fakes?)(?:[._-]|$)`)
	// helperName is the name of a helper, of tests or of anything else.
	helperName = regexp.MustCompile(`(?i)helpers?|checks?|checkers?|assert|support|utils?|verify|expect|matchers?|common|shared`)
	// framework is what only code for tests imports.
	framework = regexp.MustCompile(`(?m)^\s*(?:import|from)\s+(?:pytest|unittest|hypothesis|nose|mock)\b|` +
		`(?:from\s+|require\(\s*|import\s*\(?\s*)['"](?:node:test|chai|vitest|@jest/globals|sinon|@testing-library/[\w-]+|@playwright/test|supertest)['"]|` +
		`^\s*(?:[\w.]+\s+)?"(?:testing|testing/\w+|github\.com/stretchr/testify/\w+|gotest\.tools/\S+|github\.com/onsi/\w+)"|` +
		`^\s*import\s+(?:static\s+)?(?:org\.junit|org\.assertj|org\.mockito|org\.hamcrest|org\.testng|io\.kotest|kotlin\.test)|` +
		`require\s+['"](?:rspec\S*|minitest\S*|test/unit)['"]|RSpec::Matchers|` +
		`^\s*using\s+(?:Xunit|NUnit|Moq|FluentAssertions|Microsoft\.VisualStudio\.TestTools)|` +
		`^\s*use\s+(?:proptest|insta|mockall|rstest|quickcheck)`)
	// asserting is the head of a function that asserts for its callers, checking
	// of one that may, and assertion what it then has in it.
	asserting = regexp.MustCompile(`(?m)^\s*(?:def|function|export\s+(?:async\s+)?function|(?:export\s+)?const|exports\.|module\.exports\.|func)\s*\(?(?:assert|expect)\w*\s*[(=:]`)
	checking  = regexp.MustCompile(`(?m)^\s*(?:def|function|export\s+(?:async\s+)?function|(?:export\s+)?const|exports\.|module\.exports\.|func)\s*\(?(?:check|verify|ensure|should|must|same|close)\w*\s*[(=:]`)
	assertion = regexp.MustCompile(`(?m)^\s+assert\b|AssertionError|\bassert(?:\.\w+)?\(|\bexpect\(|\bt\.(?:Fatal|Error)f?\(`)
)

// isSupport reports whether a file belongs to tests rather than to what they
// test: by its folder, by its name, or because it does what only code for
// tests does.
func (c *collector) isSupport(p string) bool {
	dirs := strings.Split(path.Dir(p), "/")
	if i := slices.Index(dirs, "src"); i >= 0 && i+1 < len(dirs) && dirs[i+1] == "main" {
		return false
	}
	if c.inTests(p) || testName.MatchString(path.Base(p)) {
		return true
	}
	if slices.ContainsFunc(dirs, dataFolder.MatchString) || doubleName.MatchString(path.Base(p)) {
		return isData(p) || !c.usedOutside(p)
	}
	text, ok, err := c.read(p)
	if !ok || err != nil || isData(p) || path.Ext(p) == ".rs" { // Rust's tests stand beside what they test
		return false
	}
	if framework.MatchString(text) {
		return true
	}
	helps := asserting.MatchString(text) || checking.MatchString(text) && helperName.MatchString(path.Base(p))
	return helps && assertion.MatchString(text) && !c.usedOutside(p)
}

// inTests reports whether a file is in a folder of tests. A folder spec is one
// unless it is among sources.
func (c *collector) inTests(p string) bool {
	dirs := strings.Split(path.Dir(p), "/")
	for i, d := range dirs {
		if testFolder.MatchString(d) || strings.EqualFold(d, "spec") && !slices.ContainsFunc(dirs[:i], func(s string) bool { return s == "src" || s == "lib" || s == "app" }) {
			return true
		}
	}
	return false
}

// usedOutside reports whether a file that does not belong to tests names a
// module, as far as reading imports line by line tells.
func (c *collector) usedOutside(p string) bool {
	stem := strings.TrimSuffix(path.Base(p), path.Ext(p))
	if len(stem) < 2 || stem == "index" || stem == "__init__" {
		stem = path.Base(path.Dir(p))
	}
	names := regexp.MustCompile(`(?m)^.*\b(?:import|from|require|require_relative|use|using)\b.*\b` + regexp.QuoteMeta(stem) + `\b`)
	read := 0
	for _, other := range c.paths {
		if other == p || path.Ext(other) != path.Ext(p) || c.roles[other] != "" || testName.MatchString(path.Base(other)) || c.inTests(other) {
			continue
		}
		if read++; read > maxCollected {
			return true
		}
		if text, ok, err := c.read(other); err == nil && ok && names.MatchString(text) {
			return true
		}
	}
	return false
}

// beside adds what a runner loads with a file without being asked by it:
// conftest.py and __init__.py of the folders above, snapshots, manual mocks,
// the rest of a Go test package, and shared resources.
func (c *collector) beside(p string) {
	dir, base := path.Dir(p), path.Base(p)
	stem := strings.TrimSuffix(base, path.Ext(base))
	switch path.Ext(p) {
	case ".py":
		c.above(dir, "conftest.py")
		for d := dir; d != "."; d = path.Dir(d) {
			c.support(path.Join(d, "__init__.py"))
		}
		c.folder(path.Join(dir, "__snapshots__", stem), "")
		c.named(path.Join(dir, "__snapshots__"), stem+".")
		c.folder(path.Join(dir, "snapshots", stem), "")
		if strings.HasPrefix(stem, "test") {
			c.folder(path.Join(dir, stem), "")
		}
	case ".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts":
		c.named(path.Join(dir, "__snapshots__"), base+".")
		c.folder(path.Join(dir, "__file_snapshots__"), "")
		c.folder(p+"-snapshots", "")
		c.folder(path.Join(dir, "__mocks__"), "")
		c.folder(path.Join(path.Dir(dir), "__mocks__"), "")
		c.folder("__mocks__", "")
	case ".go":
		for _, f := range c.folders[dir] {
			if strings.HasSuffix(f, "_test.go") {
				c.support(f)
			}
		}
	case ".rs":
		c.folder(path.Join(dir, "snapshots"), stem)
	case ".rb":
		for _, name := range []string{"spec_helper.rb", "rails_helper.rb", "test_helper.rb"} {
			if slices.Contains(strings.Split(p, "/"), strings.SplitN(name, "_", 2)[0]) || name == "rails_helper.rb" {
				c.above(dir, name)
			}
		}
	case ".cs":
		c.testProject(p)
	}
	for _, f := range c.folders[dir] { // Verify, ApprovalTests
		if strings.HasPrefix(path.Base(f), stem+".") && (strings.Contains(f, ".verified.") || strings.Contains(f, ".approved.")) {
			c.add(f, Support)
		}
	}
}

// above adds the files of that name in a folder and those above it.
func (c *collector) above(dir, name string) {
	for {
		c.support(path.Join(dir, name))
		if dir == "." {
			return
		}
		dir = path.Dir(dir)
	}
}

// named adds the files of a folder whose names begin so.
func (c *collector) named(dir, prefix string) {
	for _, f := range c.folders[dir] {
		if strings.HasPrefix(path.Base(f), prefix) {
			c.add(f, Support)
		}
	}
}

// folder adds all files below a folder whose names hold a text.
func (c *collector) folder(dir, holding string) {
	n := 0
	for _, f := range c.below(dir) {
		if !strings.Contains(path.Base(f), holding) {
			continue
		}
		if n++; n > maxFolder {
			c.notice(dir, "the folder has more files than are recorded")
			return
		}
		c.add(f, Support)
	}
}

// below lists the files below a folder, sorted.
func (c *collector) below(dir string) []string {
	from, _ := slices.BinarySearch(c.paths, dir+"/")
	to, _ := slices.BinarySearch(c.paths, dir+"0") // the character after the slash
	return c.paths[from:to]
}
