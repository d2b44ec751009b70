package runner

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// recognise finds the test runner that a command line calls, through whatever
// wraps it, with the runner's arguments; nil if it calls none.
func recognise(words []value) (*tool, []value) {
	for range 12 { // wrappers in wrappers
		words = unwrapCommand(words)
		if len(words) == 0 {
			return nil, nil
		}
		name := programName(words[0].text)
		if rest, ok := launched(name, words); ok {
			words = rest
			continue
		}
		if t := toolNamed(name); t != nil {
			return subcommand(t, words)
		}
		if isTestScript(words[0].text) {
			return scriptTool(), words
		}
		return nil, nil
	}
	return nil, nil
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

// wrappers are programs that run the command that follows their own flags;
// the value lists those flags that take a value.
func wrapper(name string) (valued []string, ok bool) {
	switch name {
	case "time", "nohup", "command", "exec", "sudo", "xvfb-run", "setsid", "stdbuf", "dotenv", "cross-env", "cross-env-shell", "env", "dbus-run-session", "catchsegv", "unbuffer":
		return []string{"-n", "-u", "-s", "-C", "-e", "-f"}, true
	case "nice", "ionice":
		return []string{"-n", "-c"}, true
	case "timeout":
		return []string{"-k", "-s"}, true
	case "nyc", "c8":
		return []string{"--reporter", "-r", "--lines", "--branches", "--functions", "--statements", "--include", "--exclude", "-n", "-x", "--temp-dir", "--report-dir"}, true
	default:
		return nil, false
	}
}

// unwrapCommand takes off leading assignments and wrappers.
func unwrapCommand(words []value) []value {
	for len(words) > 0 {
		name := programName(words[0].text)
		valued, ok := wrapper(name)
		switch {
		case isAssignment(words[0].text):
			words = words[1:]
		case ok && len(words) > 1:
			words = afterFlags(words[1:], valued)
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

// launched is the command that a launcher of programs starts: python -m x,
// npx x, poetry run x, bundle exec x, docker compose run service x.
func launched(name string, words []value) ([]value, bool) {
	rest := words[1:]
	switch name {
	case "python", "py", "pypy", "pypy3", "coverage", "kernprof":
		if name == "coverage" {
			if len(rest) == 0 || rest[0].text != "run" {
				return nil, false
			}
			rest = rest[1:]
		}
		for i, w := range rest {
			if w.text == "-m" && i+1 < len(rest) {
				return rest[i+1:], true
			}
			if w.text == "-c" {
				return nil, false
			}
			if !strings.HasPrefix(w.text, "-") && !isFlagValue(rest, i) {
				return rest[i:], len(rest) > i && (toolNamed(programName(w.text)) != nil || isTestScript(w.text))
			}
		}
		return nil, false
	case "npx", "bunx", "pnpx", "uvx", "pipx":
		rest = afterFlags(rest, []string{"-p", "--package", "--from", "--with"})
		if name == "pipx" && len(rest) > 0 && rest[0].text == "run" {
			rest = rest[1:]
		}
		return rest, len(rest) > 0
	case "poetry", "pipenv", "pdm", "uv", "rye", "hatch", "conda", "mamba", "micromamba":
		return afterWord(rest, []string{"run"}, []string{"--with", "--python", "-p", "--extra", "--group", "-n", "-e", "-G"})
	case "bundle":
		return afterWord(rest, []string{"exec"}, nil)
	case "pnpm", "yarn", "npm", "bun":
		if r, ok := afterWord(rest, []string{"exec", "dlx", "x"}, nil); ok {
			return r, true
		}
		if (name == "yarn" || name == "pnpm") && len(rest) > 0 && toolNamed(rest[0].text) != nil && !isPackageManager(rest[0].text) {
			return rest, true
		}
		return nil, false
	case "node", "tsx", "ts-node":
		for i, w := range rest {
			if w.text == "-e" || w.text == "-p" || w.text == "-pe" || w.text == "--eval" || w.text == "--print" {
				return nil, false
			}
			if !strings.HasPrefix(w.text, "-") && (strings.Contains(w.text, "node_modules") || toolNamed(programName(w.text)) != nil || isTestScript(w.text) || testPath.MatchString(w.text)) {
				if !strings.Contains(w.text, "node_modules") && toolNamed(programName(w.text)) == nil {
					return slices.Concat([]value{{text: "node", line: w.line}, {text: "--test", line: w.line}}, rest[i:]), !slices.ContainsFunc(rest[:i], func(f value) bool { return f.text == "--test" })
				}
				r := slices.Clone(rest[i:])
				base := strings.TrimSuffix(strings.TrimSuffix(programName(r[0].text), ".js"), ".mjs")
				r[0].text = strings.TrimPrefix(base, "_")
				return r, true
			}
		}
		return nil, false
	case "docker", "docker-compose", "podman", "kubectl":
		for i, w := range rest {
			if i > 0 && toolNamed(programName(w.text)) != nil && !isPackageManager(programName(w.text)) {
				return rest[i:], true
			}
		}
		return nil, false
	default:
		return nil, false
	}
}

func isFlagValue(words []value, i int) bool {
	return i > 0 && slices.Contains([]string{"-W", "-X", "--source", "--omit", "--rcfile", "--include", "--data-file"}, words[i-1].text)
}

func afterWord(words []value, any, valued []string) ([]value, bool) {
	words = afterFlags(words, valued)
	if len(words) > 1 && slices.Contains(any, words[0].text) {
		words = afterFlags(words[1:], valued)
		return words, len(words) > 0
	}
	return nil, false
}

func isPackageManager(name string) bool {
	return slices.Contains([]string{"npm", "yarn", "pnpm", "bun", "make", "just", "task", "rake"}, name)
}
