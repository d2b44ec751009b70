package detect

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// testConvention tells tests and what belongs to them by the conventions of
// the languages' usual runners; nothing if the path is neither.
func testConvention(rel string) (class, string) {
	dirs := strings.Split(rel, "/")
	name := dirs[len(dirs)-1]
	dirs = dirs[:len(dirs)-1]
	ext := strings.ToLower(path.Ext(name))
	stem := strings.TrimSuffix(name, path.Ext(name))
	if runnerConfig.MatchString(name) {
		return testHelper, "configuration of a test runner"
	}
	folder := testFolder(dirs, ext)
	if why := testName(stem, ext); why != "" && !underMain(dirs) {
		return testFile, why
	}
	if ext == ".rb" && folder != "" && strings.HasPrefix(stem, "spec_") && stem != "spec_helper" {
		return testFile, "named like a test"
	}
	switch {
	case folder == "" || isProse(dirs, name):
		return nothing, ""
	case collectedFolder(dirs, stem, ext):
		return testFile, "in " + folder + "/"
	default:
		return testHelper, "in " + folder + "/, loaded by tests"
	}
}

var runnerConfig = regexp.MustCompile(`^(?:conftest\.py|pytest\.ini|\.rspec|\.mocharc\.\w+|phpunit\.xml(?:\.dist)?|` +
	`(?:jest|vitest|playwright|cypress|karma|ava|wdio)\.(?:config|conf|setup|workspace)\.\w+|\.coveragerc|xunit\.runner\.json)$`)

// testName says why a file's own name makes it a test, "" if it does not.
func testName(stem, ext string) string {
	if p := testPattern(ext); p != nil && p.MatchString(stem) {
		return "named like a test"
	}
	switch ext {
	case ".feature", ".bats":
		return "a " + ext + " file"
	default:
		return ""
	}
}

// The names of tests, without extension.
var (
	snakeTest  = regexp.MustCompile(`^test_|[_-](?:unit)?tests?$|^tests?$`)
	scriptTest = regexp.MustCompile(`\.(?:test|spec|tests|specs|e2e|e2e-spec|cy|test-d|unit|integration)$|[_-](?:test|spec)$`)
	camelTest  = regexp.MustCompile(`(?:Tests?\d*|TestCase|Specs?)$|(?:[\p{Ll}\p{N}]|^)(?:IT|ITCase)$|^Tests?\p{Lu}`)
	goTest     = regexp.MustCompile(`_test$`)
	specTest   = regexp.MustCompile(`_(?:spec|test)$|^test_`)
	rustTest   = regexp.MustCompile(`_tests?$|^tests?$`)
	solTest    = regexp.MustCompile(`\.t$`)
	mixedTest  = regexp.MustCompile(`^test_|_(?:unit)?tests?$|\p{Ll}Tests?$`)
)

func testPattern(ext string) *regexp.Regexp {
	switch ext {
	case ".py":
		return snakeTest
	case ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte":
		return scriptTest
	case ".go":
		return goTest
	case ".java", ".kt", ".kts", ".scala", ".groovy", ".cs", ".fs", ".vb", ".php", ".swift", ".hs":
		return camelTest
	case ".rb", ".lua", ".exs", ".dart", ".clj", ".cljs", ".cljc", ".ex", ".cr":
		return specTest
	case ".rs":
		return rustTest
	case ".sol":
		return solTest
	case ".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".m", ".mm", ".sh", ".bash", ".pl", ".jl", ".r", ".ps1", ".zig", ".nim":
		return mixedTest
	default:
		return nil
	}
}

// dotTests is a folder of a test project: Shop.Tests, ShopUITests.
var dotTests = regexp.MustCompile(`(?:\.|\p{Ll}|UI|Unit|Integration)Tests?$|[._-]tests?$|^(?:android|common|jvm|ios)Test$`)

// testFolder is the folder that makes everything in it belong to tests, "" if
// there is none.
func testFolder(dirs []string, ext string) string {
	for i, dir := range dirs {
		if underMain(dirs[:i]) || ext == ".rb" && i > 0 && dirs[0] == "lib" {
			return ""
		}
		switch lower := strings.ToLower(dir); {
		case slices.Contains([]string{
			"test", "tests", "__tests__", "__mocks__", "__snapshots__", "__fixtures__", "testdata", "testfixtures", "e2e", "cypress",
		}, lower), dotTests.MatchString(dir):
			return dir
		case lower == "spec" && (sourceLanguage("x"+ext) != "" || isSupportFolder(dirs[i+1:])):
			return dir
		}
	}
	return ""
}

func isSupportFolder(dirs []string) bool {
	for _, dir := range dirs {
		switch dir {
		case "fixtures", "support", "helpers", "factories", "cassettes", "data", "utils", "util", "mocks", "common", "shared", "resources", "lib":
			return true
		}
	}
	return false
}

// underMain reports whether the folders are of a Maven or Gradle main source
// set, where "test" is but a package name.
func underMain(dirs []string) bool {
	i := slices.Index(dirs, "src")
	return i >= 0 && i+1 < len(dirs) && dirs[i+1] == "main"
}

// collectedFolder reports whether a runner takes every program of the file's
// folder for a test: __tests__ (Jest), test/ (Mocha, Node), tests/ (Cargo).
func collectedFolder(dirs []string, stem, ext string) bool {
	last := dirs[len(dirs)-1]
	switch ext {
	case ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts":
		if isSupportFolder(dirs) || scriptHelper.MatchString(stem) {
			return false
		}
		return slices.Contains(dirs, "__tests__") || slices.Contains(dirs, "test") || last == "tests"
	case ".rs":
		return last == "tests" || slices.Contains(dirs, "tests") && !isSupportFolder(dirs) && stem != "mod"
	default:
		return false
	}
}

var scriptHelper = regexp.MustCompile(`(?i)^(?:index|setup|teardown|.*helpers?|.*utils?|.*fixtures?|.*mocks?|global.*|.*\.d|.*\.config)$`)

// isProse reports whether a file in a test folder is there for people. Prose
// among fixtures is what tests read.
func isProse(dirs []string, name string) bool {
	lower := strings.ToLower(name)
	if strings.HasPrefix(lower, "readme") || lower == ".gitkeep" {
		return true
	}
	return (strings.HasSuffix(lower, ".md") || strings.HasSuffix(lower, ".rst")) && !slices.ContainsFunc(dirs, holdsFixtures)
}

func holdsFixtures(dir string) bool {
	switch strings.ToLower(dir) {
	case "fixtures", "__fixtures__", "testdata", "testfixtures", "test-data", "test_data", "__snapshots__", "snapshots", "golden", "goldens":
		return true
	default:
		return false
	}
}
