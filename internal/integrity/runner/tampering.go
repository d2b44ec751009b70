package runner

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

var testPath = regexp.MustCompile(`(?i)(?:^|/)(?:tests?|specs?|__tests__|__mocks__|__snapshots__|testdata)(?:/|$)|(?:^|/)conftest\.py|_test\.go$|\.(?:test|spec)\.[jt]sx?$|(?:^|/)test_[^/]*$|(?:pytest\.ini|jest\.config|vitest\.config|\.mocharc|pom\.xml|setup\.cfg|pyproject\.toml|package\.json)`)

// isTestPath reports whether a path in a command is of tests or their
// configuration.
func isTestPath(p string) bool {
	return testPath.MatchString(p) && !strings.Contains(p, "results") && !strings.Contains(p, "report") && !strings.HasSuffix(p, ".log") && !strings.HasSuffix(p, ".xml")
}

// tampering says how a command changes the tests before they run, "" if it
// does not.
func tampering(words []value) string {
	name := path.Base(words[0].text)
	var args []string
	for _, w := range words[1:] {
		args = append(args, w.text)
	}
	touches := slices.ContainsFunc(args, isTestPath)
	switch name {
	case "rm", "mv", "truncate", "tee", "unlink", "shred", "patch", "chmod":
		if touches {
			return "files of the tests are changed before they run"
		}
	case "sed", "perl":
		if touches && slices.ContainsFunc(args, func(a string) bool {
			return strings.HasPrefix(a, "-i") || strings.HasPrefix(a, "--in-place") || a == "-pi"
		}) {
			return "files of the tests are changed before they run"
		}
	case "cp", "ln":
		if len(args) > 0 && isTestPath(args[len(args)-1]) {
			return "files of the tests are overwritten before they run"
		}
	case "git":
		if len(args) > 0 && touches && slices.Contains([]string{"checkout", "rm", "mv", "restore", "apply", "stash"}, args[0]) {
			return "files of the tests are changed before they run"
		}
	case "echo", "printf":
		if slices.ContainsFunc(args, func(a string) bool {
			name, val, _ := strings.Cut(a, "=")
			return strings.HasPrefix(a, "::set-env") || strings.HasPrefix(a, "##vso[task.setvariable") || steers.MatchString(name) && steering(name, val) != ""
		}) {
			return "the environment of later steps is changed"
		}
	}
	return ""
}

var steers = regexp.MustCompile(`^(?:PYTEST_ADDOPTS|PYTEST_PLUGINS|PYTEST_DISABLE_PLUGIN_AUTOLOAD|PYTHONSTARTUP|PYTHONOPTIMIZE|NODE_OPTIONS|GOFLAGS|GOTESTFLAGS|MAVEN_ARGS|MAVEN_OPTS|MVN_ARGS|JAVA_TOOL_OPTIONS|` +
	`GRADLE_OPTS|RUBYOPT|SPEC_OPTS|SPEC|TEST|TESTOPTS|RUSTFLAGS|MOCHA_OPTIONS|JEST_[A-Z_]*|NPM_CONFIG_SCRIPT_SHELL|LD_PRELOAD|MAKEFLAGS|TOX_SKIP_ENV|NEXTEST_[A-Z_]*|CARGO_TARGET_[A-Z0-9_]*RUNNER)$`)

var skips = regexp.MustCompile(`(?i)(?:^|_)(?:skip|no|disable|ignore|bypass|without)_?(?:all_?|slow_?|unit_?)?(?:tests?|checks?|failures?|ci|spec)?(?:$|_)`)

// steering says why a variable changes what tests do, "" if it does not.
func steering(name, val string) string {
	switch {
	case name == "PATH" && !strings.HasPrefix(strings.Trim(val, `"`), "$PATH") && !strings.HasPrefix(val, "${PATH}") && !strings.Contains(val, "HOME") && strings.Contains(val, "PATH"):
		if strings.HasPrefix(val, "/") {
			return ""
		}
		return "programs of the repository take the place of others"
	case steers.MatchString(name):
		if harmlessFlags(name, val) {
			return ""
		}
		return name + " steers the test runner"
	case skips.MatchString(name) && truthy(val) && (strings.Contains(strings.ToLower(name), "skip") || strings.Contains(strings.ToLower(name), "test")):
		return name + " can skip tests"
	default:
		return ""
	}
}

// harmlessFlags reports whether the value of a variable that holds flags of a
// test runner has only such as never matter.
func harmlessFlags(name, val string) bool {
	var t *tool
	switch name {
	case "PYTEST_ADDOPTS":
		t = pytest()
	case "MAVEN_ARGS", "MVN_ARGS":
		t = maven()
	case "GOFLAGS", "GOTESTFLAGS":
		t = goTest()
	case "SPEC_OPTS":
		t = rspec()
	}
	var words []value
	for _, w := range splitWords(val) {
		if heap.MatchString(w) {
			continue
		}
		words = append(words, value{text: w})
	}
	return len(words) == 0 || t != nil && len(t.compareArgs(nil, t.parse(words))) == 0
}

// heap is a flag about memory, encoding or warnings.
var heap = regexp.MustCompile(`^-X(?:m[sx]|ss|X:)|^--max[-_]old[-_]space[-_]size|^-Dorg\.gradle\.|^-Dfile\.encoding|^-Duser\.|^-Dmaven\.wagon|^-mod=|^-W(?:[0-9]|$|:no)|^-Dwarnings$|^-D$|^warnings$|^--trace-warnings$|^--no-warnings$|^-buildvcs`)
