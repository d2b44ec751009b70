package conventions

import (
	"path"

	"workflow-reviewer/internal/lazyregexp"
)

var (
	// testFolder is a folder whose whole content belongs to tests.
	testFolder = lazyregexp.New(
		`(?i)^(?:tests?|__\w+__|testdata|test[-_]?(?:data|utils?|helpers?|support|lib|kit|fixtures?)|` +
			`testing|e2e|cypress|androidtest|integration[-_]?tests?|unit[-_]?tests?)$|.[._-]tests?$|[a-z]Tests?$`,
	)
	// dataFolder is a folder of what tests read; sources in it may be used by others as well.
	dataFolder = lazyregexp.New(
		`(?i)^(?:__fixtures__|__snapshots__|test[-_]?data|testfixtures|fixtures?|mocks?|stubs|fakes|goldens?|snapshots|` +
			`cassettes|factories)$`,
	)
	// testName is the name of a file that can only belong to tests.
	testName = lazyregexp.New(
		`(?i)(?:^|[._-])(?:tests?|specs?|conftest|test[._-]?(?:utils?|helpers?|support|lib|kit|base|` +
			`fixtures?)|testing)(?:[._-]|$)|(?:Test|Tests|TestFixture|TestHelpers?|TestBase|TestCase|Assertions)\.\w+$`,
	)
	// doubleName is the name of what stands in for something in tests.
	doubleName = lazyregexp.New(`(?i)(?:^|[._-])(?:fixtures?|mocks?|stubs?|fakes?)(?:[._-]|$)`)
	// helperName is the name of a helper, of tests or of anything else.
	helperName = lazyregexp.New(
		`(?i)helpers?|checks?|checkers?|assert|support|utils?|verify|expect|matchers?|common|shared`,
	)
	// framework is what only code for tests imports.
	framework = lazyregexp.New(
		`(?m)^\s*(?:import|from)\s+(?:pytest|unittest|hypothesis|nose|mock)\b|` +
			`(?:from\s+|require\(\s*|import\s*\(?\s*)['"](?:node:test|chai|vitest|@jest/globals|sinon|@testing-library/[\w-]+|` +
			`@playwright/test|supertest)['"]|` +
			`^\s*(?:[\w.]+\s+)?"(?:testing|testing/\w+|github\.com/stretchr/testify/\w+|gotest\.tools/\S+|github\.com/onsi/\w+)"|` +
			`^\s*import\s+(?:static\s+)?(?:org\.junit|org\.assertj|org\.mockito|org\.hamcrest|org\.testng|io\.kotest|kotlin\.test)|` +
			`require\s+['"](?:rspec\S*|minitest\S*|test/unit)['"]|RSpec::Matchers|` +
			`^\s*using\s+(?:Xunit|NUnit|Moq|FluentAssertions|Microsoft\.VisualStudio\.TestTools)|` +
			`^\s*use\s+(?:proptest|insta|mockall|rstest|quickcheck)`,
	)
	// asserting is the head of a function that asserts for its callers, checking
	// of one that may, and assertion what it then has in it.
	asserting = lazyregexp.New(
		`(?m)^\s*(?:def|function|export\s+(?:async\s+)?function|(?:export\s+)?const|exports\.|` +
			`module\.exports\.|func)\s*\(?(?:assert|expect)\w*\s*[(=:]`,
	)
	checking = lazyregexp.New(
		`(?m)^\s*(?:def|function|export\s+(?:async\s+)?function|(?:export\s+)?const|exports\.|` +
			`module\.exports\.|func)\s*\(?(?:check|verify|ensure|should|must|same|close)\w*\s*[(=:]`,
	)
	assertion = lazyregexp.New(
		`(?m)^\s+assert\b|AssertionError|\bassert(?:\.\w+)?\(|\bexpect\(|\bt\.(?:Fatal|Error)f?\(`,
	)
)

// step is what runners of Gherkin load with the features of a folder.
var step = lazyregexp.New(
	`(?:^|/)features/(?:.*/)?(?:environment\.py|(?:steps|step[_-]definitions|support|hooks)/.*\.` +
		`(?:py|rb|[cm]?[jt]s))$`,
)

// IsStep reports whether a file holds steps of features, or what runs around them.
func IsStep(p string) bool { return step.MatchString(p) }

// IsSupportFolder reports whether all that is in a folder of that name belongs to tests.
func IsSupportFolder(name string) bool { return testFolder.MatchString(name) }

// IsDataFolder reports whether tests read what is in a folder of that name.
func IsDataFolder(name string) bool { return dataFolder.MatchString(name) }

// IsSupportName reports whether a file of that name can only belong to tests.
func IsSupportName(name string) bool { return testName.MatchString(name) }

// IsDouble reports whether a file of that name stands in for something in tests.
func IsDouble(name string) bool { return doubleName.MatchString(name) }

// UsesFramework reports whether a source imports what only code for tests does.
func UsesFramework(text string) bool { return framework.MatchString(text) }

// AssertsForOthers reports whether a source has functions that assert for their callers.
func AssertsForOthers(p, text string) bool {
	helps := asserting.MatchString(text) ||
		checking.MatchString(text) && helperName.MatchString(path.Base(p))
	return helps && assertion.MatchString(text)
}
