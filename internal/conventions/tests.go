package conventions

import (
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/lang"
	"workflow-reviewer/internal/lazyregexp"
)

// runnerConfig are names that only configuration of a test runner has.
var runnerConfig = lazyregexp.New(
	`^(?:conftest\.py|pytest\.ini|\.rspec|\.mocharc\.\w+|phpunit\.xml(?:\.dist)?|` +
		`(?:jest|vitest|playwright|cypress|karma|ava|wdio)\.(?:config|conf|setup|workspace)\.\w+|\.coveragerc|xunit\.runner\.json)$`,
)

// IsRunnerConfig reports whether a file's name is one that only configuration of a test runner has.
func IsRunnerConfig(name string) bool { return runnerConfig.MatchString(name) }

// inSpec matches src/spec/cartSpec.js, as Jasmine has them.
var inSpec = lazyregexp.New(`(?:^|/)spec/(?:.*/)?[^/]*[sS][pP][eE][cC]\.\w+$`)

// bareTest is what a test may be called as a whole.
var bareTest = lazyregexp.New(`^(?i:tests?|specs?)$`)

// IsTestName reports whether a file's own name makes it a test by the convention of its language.
func IsTestName(p string) bool {
	name := path.Base(p)
	row := lang.Of(name)
	switch stem := strings.TrimSuffix(name, path.Ext(name)); {
	case strings.EqualFold(path.Ext(name), ".feature"):
		return true
	// test/spec_request.rb, as Rack has them
	case row.Name == "Ruby" && strings.HasPrefix(stem, "spec_"):
		return stem != "spec_helper" && row.Testable && TestFolder(Folders(p), path.Ext(name)) != ""
	case row.Testable && row.Tests == "script" && bareTest.MatchString(stem):
		// src/addDays/test.ts, as date-fns has them
		return !commandFolder.MatchString(path.Base(path.Dir(p))) && !routed.MatchString(p)
	case inSpec.MatchString(p) && row.Testable && (row.Tests == "script" || row.Tests == "snake"):
		return true
	default:
		return row.Testable && row.TestName != nil && row.TestName.MatchString(stem)
	}
}

// commandFolder is one in which a program called test is a command of that name.
var commandFolder = lazyregexp.New(
	`(?i)^(?:commands?|cmds?|cli|bin|scripts?|tasks?|tools?|generators?|rules|types|utils?)$`,
)

// routed is a file whose folders and name are the parts of an address, so that "test" is
// one: as Next.js and SvelteKit have them.
var routed = lazyregexp.New(
	`(?:^|/)(?:app/(?:[^_/][^/]*/)*(?:page|layout|route)|routes/(?:[^_/][^/]*/)*\+(?:page|layout|server|error)` +
		`(?:\.server)?|pages/api/(?:[^_/][^/]*/)*[^/.]+)\.[cm]?[jt]sx?$`,
)

// Folders are those of a file that say what it is.
func Folders(p string) []string {
	dir := path.Dir(p)
	if at := routed.FindStringIndex(p); at != nil && !strings.Contains(p, "/tests/") {
		dir = path.Dir(p[:at[0]+1] + "x")
	}
	if dir != "." {
		return strings.Split(dir, "/")
	}
	return nil
}

// IsTest reports whether a file is a test, or belongs to tests, by its name or its folder.
func IsTest(p string) bool {
	dirs := Folders(p)
	return !UnderMain(dirs) &&
		(IsTestName(p) || TestFolder(dirs, strings.ToLower(path.Ext(p))) != "")
}

// dotTests is a folder of a test project: Shop.Tests, ShopUITests.
var dotTests = lazyregexp.New(
	`(?:\.|\p{Ll}|UI|Unit|Integration)Tests?$|[._-]tests?$|^(?:android|common|jvm|ios)Test$`,
)

// underTest is what is tested: device_under_test.
var underTest = lazyregexp.New(`(?i)(?:^|[._-])under[_-]test$`)

// helpers is a folder of what tests use, unless it is a package of its own in packages.
var (
	helpers  = lazyregexp.New(`^test[_-]?(?:utils?|helpers?|support)$`)
	packages = lazyregexp.New(`^(?:packages|crates|libs|modules|pkgs)$`)
)

// TestFolder is the folder that makes everything in it belong to tests, "" if there is none.
func TestFolder(dirs []string, ext string) string {
	for i, dir := range dirs {
		if UnderMain(dirs[:i]) || ext == ".rb" && i > 0 && dirs[0] == "lib" {
			return "" // a package of that name
		}
		switch lower := strings.ToLower(dir); {
		case helpers.MatchString(lower) && (i == 0 || !packages.MatchString(dirs[i-1])):
			return dir
		case slices.Contains([]string{
			"test", "tests", "__tests__", "__mocks__", "__snapshots__", "__fixtures__", "testdata", "testfixtures", "e2e", "cypress",
			"step_definitions",
		}, lower), dotTests.MatchString(dir) && !underTest.MatchString(dir),
			lower == "steps" && i > 0 && strings.EqualFold(dirs[i-1], "features"):
			return dir
		case lower == "spec" && isSpecFolder(dirs[:i], dirs[i+1:], lang.Of("x"+ext)):
			return dir
		}
	}
	return ""
}

// isSpecFolder reports whether a folder called spec has tests of a language. Below others it
// is a package of that name in Go, Python and Rust, and among the sources of scripts.
func isSpecFolder(above, below []string, row lang.File) bool {
	if row.Name == "" {
		return isSupportFolder(below)
	}
	never := slices.Contains([]string{"snake", "suffix", "rust"}, row.Tests)
	return len(above) == 0 || !never && (row.Tests != "script" || !slices.Contains(above, "src"))
}

func isSupportFolder(dirs []string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool {
		return slices.Contains([]string{
			"fixtures", "support", "helpers", "factories", "cassettes", "data", "utils", "util", "mocks",
			"common", "shared", "resources", "lib",
		}, dir)
	})
}

// UnderMain reports whether the folders are of a Maven or Gradle main source set, where "test" is
// but a package name.
func UnderMain(dirs []string) bool {
	i := slices.Index(dirs, "src")
	return i >= 0 && i+1 < len(dirs) && dirs[i+1] == "main"
}

var scriptHelper = lazyregexp.New(
	`(?i)^(?:index|setup|teardown|.*helpers?|.*utils?|.*fixtures?|.*mocks?|global.*|.*\.d|.*\.config)$`,
)

// CollectsAll reports whether a runner takes every program of the file's folder for a test:
// __tests__ (Jest), test/ (Mocha, Node), tests/ and the folders in it (Cargo).
func CollectsAll(p string) bool {
	dirs := Folders(p)
	if len(dirs) == 0 {
		return false
	}
	row := lang.Of(p)
	last := dirs[len(dirs)-1]
	switch {
	case row.Testable && row.Tests == "script" && row.Name != "JavaScript component":
		stem := strings.TrimSuffix(path.Base(p), path.Ext(p))
		return !isSupportFolder(dirs) && !scriptHelper.MatchString(stem) &&
			(slices.Contains(dirs, "__tests__") || slices.Contains(dirs, "test") || last == "tests")
	case row.Name == "Rust":
		return last == "tests" ||
			slices.Contains(dirs, "tests") && !isSupportFolder(dirs) && path.Base(p) != "mod.rs"
	default:
		return false
	}
}
