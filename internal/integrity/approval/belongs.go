package approval

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

var (
	// testFolders are folders whose whole content belongs to tests.
	testFolder = regexp.MustCompile(`(?i)^(?:tests?|specs?|__tests__|__mocks__|__snapshots__|__fixtures__|testdata|test[-_]?data|fixtures?|test[-_]?utils?|test[-_]?helpers?|test[-_]?support|testing|testutils?|testlib|testkit|e2e|cypress|mocks|golden|goldens|snapshots|cassettes|factories|androidtest|integration[-_]?tests?|unit[-_]?tests?)$|.[._-]tests?$|[a-z]Tests?$`)
	testName   = regexp.MustCompile(`(?i)(?:^|[._-])(?:tests?|specs?|helpers?|fixtures?|mocks?|stubs?|fakes?|factory|factories|conftest|testutils?|testing|assertions?|asserts|checks|checkers?|matchers?)(?:[._-]|$)|^(?:test_|conftest)|_test\.|(?:Test|Tests|Spec|Fixture|Fixtures|Helper|Helpers|Mock|Mocks|TestBase|TestCase|Assertions)\.\w+$`)
	// framework is what only code for tests imports.
	framework = regexp.MustCompile(`(?m)^\s*(?:import|from)\s+(?:pytest|unittest|hypothesis|nose|mock)\b|` +
		`(?:from\s+|require\(\s*|import\s*\(?\s*)['"](?:node:test|node:assert(?:/strict)?|assert(?:/strict)?|chai|vitest|@jest/globals|expect|sinon|@testing-library/[\w-]+|@playwright/test|supertest)['"]|` +
		`^\s*(?:[\w.]+\s+)?"(?:testing|testing/\w+|github\.com/stretchr/testify/\w+|gotest\.tools/\S+|github\.com/onsi/\w+)"|` +
		`^\s*import\s+(?:static\s+)?(?:org\.junit|org\.assertj|org\.mockito|org\.hamcrest|org\.testng|io\.kotest|kotlin\.test)|` +
		`require\s+['"](?:rspec\S*|minitest\S*|test/unit)['"]|RSpec::Matchers|` +
		`^\s*using\s+(?:Xunit|NUnit|Moq|FluentAssertions|Microsoft\.VisualStudio\.TestTools)|` +
		`^\s*use\s+(?:proptest|insta|mockall|rstest|quickcheck)`)
	// asserting is a helper that checks something for its callers.
	asserting = regexp.MustCompile(`(?m)^\s*(?:def|function|export\s+(?:async\s+)?function|(?:export\s+)?const|func|public\s+static\s+\w+)\s+\(?(?:assert|check|expect|verify|should|must)_?\w*\s*[(=:]`)
)

// isSupport reports whether a file belongs to tests rather than to what they
// test: by its folder, by its name, or because it does what only code for
// tests does.
func (c *collector) isSupport(p string) bool {
	dirs := strings.Split(path.Dir(p), "/")
	if i := slices.Index(dirs, "src"); i >= 0 && i+1 < len(dirs) && dirs[i+1] == "main" {
		return false
	}
	if slices.ContainsFunc(dirs, testFolder.MatchString) || testName.MatchString(path.Base(p)) {
		return true
	}
	text, ok, err := c.read(p)
	if !ok || err != nil {
		return false
	}
	switch path.Ext(p) {
	case ".rs": // tests stand beside what they test
		return false
	case ".py", ".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts", ".go", ".java", ".kt", ".rb", ".cs":
		return framework.MatchString(text) || asserting.MatchString(text) && !c.usedOutside(p)
	default:
		return false
	}
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
	for _, other := range c.sorted() {
		if other == p || path.Ext(other) != path.Ext(p) || c.roles[other] != "" || testName.MatchString(path.Base(other)) ||
			slices.ContainsFunc(strings.Split(path.Dir(other), "/"), testFolder.MatchString) {
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
	var out []string
	for d, files := range c.folders {
		if d == dir || strings.HasPrefix(d, dir+"/") {
			out = append(out, files...)
		}
	}
	slices.Sort(out)
	return out
}
