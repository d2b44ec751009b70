package runner

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// recognise finds the test runner that a command line calls, through whatever
// wraps it, with the runner's arguments and the words in front of it; nil if it
// calls none.
func recognise(words []value) (*tool, []value, string) {
	all := words
	before := func(rest []value) string {
		var out []string
		for _, w := range all[:max(0, len(all)-len(rest))] {
			out = append(out, w.text)
		}
		return strings.Join(out, " ")
	}
	for range 12 { // wrappers in wrappers
		words = unwrapCommand(words)
		if len(words) == 0 {
			return nil, nil, ""
		}
		prefix := before(words)
		if dir := path.Dir(words[0].text); dir != "." {
			prefix = strings.TrimSpace(prefix + " " + dir + "/")
		} else if strings.HasPrefix(words[0].text, "./") {
			prefix = strings.TrimSpace(prefix + " ./")
		}
		name := programName(words[0].text)
		if rest, ok := launched(name, words); ok {
			words = rest
			continue
		}
		if t := toolNamed(name); t != nil {
			t, args := subcommand(t, words)
			return t, args, prefix
		}
		if isTestScript(words[0].text) {
			return &tool{name: "the script", goals: true}, words, before(words)
		}
		return nil, nil, ""
	}
	return nil, nil, ""
}

var versioned = regexp.MustCompile(`^(python|pytest|py\.test|ruby|rspec|pip)[0-9.]*$`)

// programName is a command's name without folder, extension and version.
func programName(s string) string {
	name := path.Base(strings.ReplaceAll(s, `\`, "/"))
	for _, ext := range []string{".cmd", ".exe", ".bat"} {
		name = strings.TrimSuffix(name, ext)
	}
	if m := versioned.FindStringSubmatch(name); m != nil {
		return m[1]
	}
	return name
}

// wrappers are programs that run the command that follows their own flags, with
// those flags that take a value.
var wrappers = map[string]string{
	"nice": "-n -c", "ionice": "-n -c", "timeout": "-k -s",
	"nyc": "--reporter -r --lines --branches --functions --statements --include --exclude -n -x --temp-dir --report-dir",
	"c8":  "--reporter -r --lines --branches --functions --statements --include --exclude -n -x --temp-dir --report-dir",
}

const plainWrappers = " time nohup command exec sudo xvfb-run setsid stdbuf dotenv cross-env cross-env-shell env dbus-run-session catchsegv unbuffer "

// unwrapCommand takes off leading assignments and wrappers.
func unwrapCommand(words []value) []value {
	for len(words) > 0 {
		name := programName(words[0].text)
		valued, ok := wrappers[name]
		if !ok && strings.Contains(plainWrappers, " "+name+" ") {
			valued, ok = "-n -u -s -C -e -f", true
		}
		switch {
		case isAssignment(words[0].text):
			words = words[1:]
		case ok && len(words) > 1:
			words = afterFlags(words[1:], strings.Fields(valued))
			if name == "timeout" && len(words) > 1 {
				words = words[1:]
			}
		default:
			return words
		}
	}
	return words
}

func isAssignment(s string) bool {
	name, _, ok := strings.Cut(s, "=")
	return ok && name != "" && !strings.HasPrefix(s, "-") && !strings.ContainsAny(name, "/. $")
}

// afterFlags drops leading flags, with the values of those that take one.
func afterFlags(words []value, valued []string) []value {
	for len(words) > 0 && strings.HasPrefix(words[0].text, "-") {
		takes := slices.Contains(valued, words[0].text)
		words = words[1:]
		if takes && len(words) > 0 {
			words = words[1:]
		}
	}
	return words
}

func afterWord(words []value, any string, valued ...string) ([]value, bool) {
	words = afterFlags(words, valued)
	if len(words) > 1 && strings.Contains(" "+any+" ", " "+words[0].text+" ") {
		words = afterFlags(words[1:], valued)
		return words, len(words) > 0
	}
	return nil, false
}

// launched is the command that a launcher of programs starts: python -m x,
// npx x, poetry run x, bundle exec x, docker compose run service x.
func launched(name string, words []value) ([]value, bool) {
	rest := words[1:]
	runs := func(s string) bool { n := programName(s); return toolNamed(n) != nil && !isPackageManager(n) }
	switch name {
	case "coverage", "python", "py", "pypy", "pypy3", "kernprof":
		if name == "coverage" {
			if len(rest) == 0 || rest[0].text != "run" {
				return nil, false
			}
			rest = rest[1:]
		}
		for i, w := range rest {
			switch {
			case w.text == "-m" && i+1 < len(rest):
				return rest[i+1:], true
			case w.text == "-c":
				return nil, false
			case !strings.HasPrefix(w.text, "-") && !(i > 0 && slices.Contains([]string{"-W", "-X", "--source", "--omit", "--rcfile", "--include", "--data-file"}, rest[i-1].text)):
				return rest[i:], toolNamed(programName(w.text)) != nil || isTestScript(w.text)
			}
		}
	case "npx", "bunx", "pnpx", "uvx", "pipx":
		rest = afterFlags(rest, []string{"-p", "--package", "--from", "--with"})
		if name == "pipx" && len(rest) > 0 && rest[0].text == "run" {
			rest = rest[1:]
		}
		return rest, len(rest) > 0
	case "poetry", "pipenv", "pdm", "uv", "rye", "hatch", "conda", "mamba", "micromamba":
		return afterWord(rest, "run", "--with", "--python", "-p", "--extra", "--group", "-n", "-e", "-G")
	case "bundle":
		return afterWord(rest, "exec")
	case "pnpm", "yarn", "npm", "bun":
		if r, ok := afterWord(rest, "exec dlx x"); ok {
			return r, true
		}
		return rest, (name == "yarn" || name == "pnpm") && len(rest) > 0 && runs(rest[0].text)
	case "node", "tsx", "ts-node":
		return nodeScript(rest)
	case "docker", "docker-compose", "podman", "kubectl":
		for i, w := range rest {
			if i > 0 && runs(w.text) {
				return rest[i:], true
			}
		}
	}
	return nil, false
}

// nodeScript is the runner, or the test, that node is given.
func nodeScript(rest []value) ([]value, bool) {
	for i, w := range rest {
		base := strings.TrimPrefix(strings.TrimSuffix(strings.TrimSuffix(programName(w.text), ".js"), ".mjs"), "_")
		switch {
		case slices.Contains([]string{"-e", "-p", "-pe", "--eval", "--print"}, w.text):
			return nil, false
		case strings.HasPrefix(w.text, "-"):
		case strings.Contains(w.text, "node_modules"), toolNamed(base) != nil:
			r := slices.Clone(rest[i:])
			r[0].text = base
			return r, true
		case isTestScript(w.text), testPath.MatchString(w.text):
			given := slices.ContainsFunc(rest[:i], func(f value) bool { return f.text == "--test" })
			return slices.Concat([]value{{text: "node", line: w.line}, {text: "--test", line: w.line}}, rest), !given
		}
	}
	return nil, false
}

func isPackageManager(name string) bool {
	return slices.Contains([]string{"npm", "yarn", "pnpm", "bun", "make", "just", "task", "rake"}, name)
}

var testScript = regexp.MustCompile(`(?i)^(?:\./|\.github/|scripts?/|bin/|ci/|tools?/|hack/|build/|\$\{?\w+\}?/)?[\w./-]*(?:^|[/_.-])(?:run[_-]?)?(?:unit[_-]?|all[_-]?)?(?:tests?|specs?|check)(?:[_-]\w+)*(?:\.(?:sh|bash|py|js|mjs|rb|ps1))?$`)

// isTestScript reports whether a command is a script of the repository that,
// by its name, runs tests: ./scripts/run-tests.sh.
func isTestScript(s string) bool {
	return (strings.Contains(s, "/") || path.Ext(s) != "") && !strings.Contains(s, "report") && testScript.MatchString(s)
}

// measured are the flags that a coverage tool is given in front of the runner.
func measured(words []value) ([]value, bool) {
	for i, w := range words {
		if name := programName(w.text); name == "nyc" || name == "c8" {
			end := i + 1
			for end < len(words) && (strings.HasPrefix(words[end].text, "-") || nyc().flags[words[end-1].text].value) {
				end++
			}
			return words[i+1 : end], end > i+1
		}
		if toolNamed(programName(w.text)) != nil {
			break
		}
	}
	return nil, false
}

// subcommand is the tool if its arguments make it run tests, else nil.
func subcommand(t *tool, words []value) (*tool, []value) {
	args := words[1:]
	verbs := verbsOf(t.name)
	if verbs == nil {
		return t, args
	}
	for i, w := range args {
		if strings.HasPrefix(w.text, "-") || strings.HasPrefix(w.text, "+") || isAssignment(w.text) {
			if t.family() == "node" && (w.text == "--test" || strings.HasPrefix(w.text, "--test-")) {
				return t, args
			}
			continue
		}
		text := w.text
		if t.name == "gradle" || t.name == "maven" {
			text = text[strings.LastIndexByte(text, ':')+1:]
		}
		switch {
		case verbs(text) && (!t.goals || t.name == "cargo"):
			return t, slices.Concat(args[:i], args[i+1:])
		case verbs(text):
			return t, args
		case t.name == "maven", t.name == "gradle", t.name == "make", slices.Contains([]string{"run", "run-script", "workspaces", "foreach"}, w.text):
		case i > 0 && t.flags[t.canonical(args[i-1].text)].value:
		default:
			return nil, nil
		}
	}
	return nil, nil
}

var (
	testGoal = regexp.MustCompile(`(?i)^(?:.*[:_.-])?(?:unit|integration|all|run|e2e|full|api|ui|server|client|ci)?[-_:]?(?:tests?|specs?|check|checks|verify|ci|coverage|cov|validate)(?:[:_.-].*)?$`)
	// otherGoal is a goal that checks something else than by tests.
	otherGoal = regexp.MustCompile(`(?i)types?\b|typing|lint|format|fmt|style|docs?\b|links?\b|build|watch|licen|update|debug|deps|spell|audit|release|prettier|tsc`)
	// testVerbs are the subcommands of tools that run tests.
	testVerbs = map[string]string{
		"go": "test", "dotnet": "test vstest", "deno": "test", "swift": "test", "mix": "test", "sbt": "test", "bazel": "test coverage", "flutter": "test", "dart": "test",
		"cargo": "test t nextest tarpaulin llvm-cov", "rails": "test test:all test:system spec", "coverage": "report", "playwright": "test", "cypress": "run", "karma": "start run", "node --test": "-",
		"maven": "test verify package install deploy integration-test surefire:test failsafe:verify check",
	}
)

// verbsOf tells which of a tool's subcommands run tests; nil: it always does.
func verbsOf(name string) func(string) bool {
	goal := func(s string) bool { return testGoal.MatchString(s) && !otherGoal.MatchString(s) }
	switch name {
	case "npm":
		return func(s string) bool {
			return s == "t" || s == "tst" || s == "it" || s != "ci" && s != "coverage" && goal(s)
		}
	case "turbo", "nx", "lerna", "rush", "make", "rake":
		return goal
	case "gradle":
		return func(s string) bool {
			return s == "test" || s == "check" || s == "build" || strings.HasSuffix(s, "Test") || strings.HasSuffix(s, "Tests")
		}
	}
	verbs, ok := testVerbs[name]
	if !ok {
		return nil
	}
	return func(s string) bool { return slices.Contains(strings.Fields(verbs), s) }
}
