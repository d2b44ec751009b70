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
