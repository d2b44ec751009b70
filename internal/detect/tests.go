package detect

import (
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/conventions"
)

// testConvention tells tests and what belongs to them by the conventions of
// the languages' usual runners; nothing if the path is neither.
func testConvention(rel string) (class, string) {
	dirs := strings.Split(rel, "/")
	name := dirs[len(dirs)-1]
	dirs = dirs[:len(dirs)-1]
	ext := strings.ToLower(path.Ext(name))
	if conventions.IsRunnerConfig(name) {
		return testHelper, "configuration of a test runner"
	}
	folder := conventions.TestFolder(conventions.Folders(rel), ext)
	if conventions.IsTestName(rel) && !conventions.UnderMain(dirs) {
		return testFile, "named like a test"
	}
	switch {
	case folder == "" || isProse(dirs, name):
		return nothing, ""
	case conventions.CollectsAll(rel):
		return testFile, "in " + folder + "/"
	default:
		return testHelper, "in " + folder + "/, loaded by tests"
	}
}

// isProse reports whether a file in a test folder is there for people. Prose among fixtures is what
// tests read.
func isProse(dirs []string, name string) bool {
	lower := strings.ToLower(name)
	if strings.HasPrefix(lower, "readme") && conventions.Language(name) == "" ||
		lower == ".gitkeep" {
		return true
	}
	return (strings.HasSuffix(lower, ".md") || strings.HasSuffix(lower, ".rst")) &&
		!slices.ContainsFunc(dirs, conventions.IsDataFolder)
}
