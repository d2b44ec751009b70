package runner

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

var testScript = regexp.MustCompile(`(?i)^(?:\./|\.github/|scripts?/|bin/|ci/|tools?/|hack/|build/|\$\{?\w+\}?/)?[\w./-]*(?:^|[/_.-])(?:run[_-]?)?(?:unit[_-]?|all[_-]?)?(?:tests?|specs?|check)(?:[_-]\w+)*(?:\.(?:sh|bash|py|js|mjs|rb|ps1))?$`)

// isTestScript reports whether a command is a script of the repository that,
// by its name, runs tests: ./scripts/run-tests.sh.
func isTestScript(s string) bool {
	if !strings.Contains(s, "/") && path.Ext(s) == "" || strings.Contains(s, "report") {
		return false
	}
	return testScript.MatchString(s)
}

// scriptTool stands for such a script: its name is its first argument.
func scriptTool() *tool { return &tool{name: "the script", goals: true} }

// subcommand is the tool if its arguments make it run tests, else nil.
func subcommand(t *tool, words []value) (*tool, []value) {
	args := words[1:]
	verbs := verbsOf(t.name)
	if verbs == nil {
		return t, args
	}
	plain := func(w value) bool {
		return !strings.HasPrefix(w.text, "-") && !strings.HasPrefix(w.text, "+") && !isAssignment(w.text)
	}
	for i, w := range args {
		if !plain(w) {
			if t.family() == "node" && (w.text == "--test" || strings.HasPrefix(w.text, "--test-")) {
				return t, args
			}
			continue
		}
		text := w.text
		if t.name == "gradle" || t.name == "maven" {
			text = text[strings.LastIndexByte(text, ':')+1:]
		}
		if verbs(text) {
			if !t.goals || t.name == "cargo" {
				return t, slices.Concat(args[:i], args[i+1:])
			}
			return t, args
		}
		if t.name != "maven" && t.name != "gradle" && t.name != "make" && !isRun(w.text) && t.flagBefore(args, i) == "" {
			return nil, nil
		}
	}
	return nil, nil
}

func isRun(s string) bool {
	return s == "run" || s == "run-script" || s == "workspaces" || s == "foreach"
}

// flagBefore is the flag whose value the word at i is, "" if it is none.
func (t *tool) flagBefore(args []value, i int) string {
	if i > 0 && t.flags[t.canonical(args[i-1].text)].value {
		return args[i-1].text
	}
	return ""
}

var testGoal = regexp.MustCompile(`(?i)^(?:.*[:_.-])?(?:unit|integration|all|run|e2e|full|api|ui|server|client|ci)?[-_:]?(?:tests?|specs?|check|checks|verify|ci|coverage|cov|validate)(?:[:_.-].*)?$`)

// otherGoal is a goal that checks something else than by tests.
var otherGoal = regexp.MustCompile(`(?i)types?\b|typing|lint|format|fmt|style|docs?\b|links?\b|build|watch|licen|update|debug|deps|spell|audit|release|prettier|tsc`)

// verbsOf tells which of a tool's subcommands run tests; nil: it always does.
func verbsOf(name string) func(string) bool {
	among := func(list ...string) func(string) bool {
		return func(s string) bool { return slices.Contains(list, s) }
	}
	switch name {
	case "go", "dotnet", "deno", "swift", "mix", "sbt", "bazel", "flutter", "dart":
		return among("test", "vstest", "coverage")
	case "cargo":
		return among("test", "t", "nextest", "tarpaulin", "llvm-cov")
	case "node --test":
		return func(string) bool { return false }
	case "npm":
		return func(s string) bool {
			return s == "t" || s == "tst" || s == "it" || s != "ci" && s != "coverage" && testGoal.MatchString(s) && !otherGoal.MatchString(s)
		}
	case "turbo", "nx", "lerna", "rush":
		return func(s string) bool { return testGoal.MatchString(s) && !otherGoal.MatchString(s) }
	case "make", "rake":
		return func(s string) bool { return testGoal.MatchString(s) && !otherGoal.MatchString(s) }
	case "rails":
		return among("test", "test:all", "test:system", "spec")
	case "maven":
		return among("test", "verify", "package", "install", "deploy", "integration-test", "surefire:test", "failsafe:verify", "check")
	case "gradle":
		return func(s string) bool {
			return s == "test" || s == "check" || s == "build" || strings.HasSuffix(s, "Test") || strings.HasSuffix(s, "Tests")
		}
	case "coverage":
		return among("report")
	case "playwright":
		return among("test")
	case "cypress":
		return among("run")
	case "karma":
		return among("start", "run")
	default:
		return nil
	}
}
