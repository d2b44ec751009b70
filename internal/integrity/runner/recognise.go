package runner

import (
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
)

// recognise finds the test runner that a command line calls, through whatever starts it, with the runner's
// arguments and the words in front of it; nil if it calls none. A word that names a runner is taken for a call
// of it, unless the command only installs, prints or searches.
func recognise(words []value) (*tool, []value, string) {
	if len(words) == 0 || neverStarts(words) {
		return nil, nil, ""
	}
	for i, w := range words {
		name := programName(w.text)
		if i > 0 && (strings.HasPrefix(w.text, "-") || knownValues["valued"].MatchString(words[i-1].text)) || isAssignment(w.text) {
			continue
		}
		prefix := strings.Join(texts(words[:i]), " ")
		if isTestScript(w.text) && !isInterpreter(name) {
			if i > 0 && isInterpreter(programName(words[0].text)) && slices.Contains([]string{"node", "tsx", "ts-node"},
				programName(words[0].text)) {
				return toolNamed("node"), words[1:], ""
			}
			return &tool{name: "the script", goals: true}, words[i:], prefix
		}
		if i > 0 && testPath.MatchString(w.text) && programName(words[0].text) == "node" {
			return toolNamed("node"), words[1:], ""
		}
		t := toolNamed(strings.TrimSuffix(strings.TrimSuffix(name, ".js"), ".mjs"))
		if t == nil || t.name == "nyc" && i+1 < len(words) {
			continue
		}
		wrapper := t.name == "maven" || t.name == "gradle" // is compared itself
		if dir := path.Dir(w.text); dir != "." || strings.HasPrefix(w.text, "./") && !wrapper {
			prefix = strings.TrimSpace(prefix + " " + strings.TrimSuffix(dir, "/") + "/")
		}
		if t, args := subcommand(t, words[i:]); t != nil {
			return t, args, prefix
		}
	}
	if name := programName(words[0].text); len(words) > 1 && plainGoal.MatchString(words[1].text) &&
		!words[0].code && !inertCommand(strings.Join(texts(words), " ")) {
		return &tool{name: name, like: name, goals: true}, words[1:], words[0].text // of a tool that nobody named
	}
	return nil, nil, ""
}

// unknown are a script's commands as calls of tests where none is known as such:
// what is neither on the closed list nor by its words other work may run them.
func (s script) unknown() {
	for i := range s {
		c := &s[i]
		if c.run != nil || len(c.words) == 0 || neverStarts(c.words) ||
			c.inert(func(string) bool { return false }) && len(implied(*c)) == 0 ||
			otherWork.MatchString(c.text) && !mentionsTests.MatchString(c.text) || isAssignment(c.words[0].text) ||
			slices.Contains(builtins, c.words[0].text) {
			continue
		}
		t := &tool{name: c.words[0].text, like: c.words[0].text, goals: true}
		c.run = &run{tool: t, args: t.parse(c.words[1:]), prefix: c.words[0].text}
	}
}

// builtins are commands of the shell, and others that are no tools.
var builtins = strings.Fields("set export source . cd if exit return local declare shift unset trap tar unzip chown ln")

func neverStarts(words []value) bool {
	return noStarter.MatchString(strings.Join(texts(words[:min(2, len(words))]), " "))
}

var (
	// noStarter are commands that take the name of a runner for something else.
	noStarter = expression("noStarter")
	versioned = expression("versioned")
)

func isInterpreter(name string) bool {
	return slices.Contains([]string{"python", "node", "tsx", "ts-node", "ruby", "bash", "sh", "nyc", "c8"}, name) || toolNamed(name) != nil
}

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

func isAssignment(s string) bool {
	name, _, ok := strings.Cut(s, "=")
	return ok && name != "" && !strings.HasPrefix(s, "-") && !strings.ContainsAny(name, "/. $")
}

var testScript = expression("testScript")

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
			for end < len(words) && (strings.HasPrefix(words[end].text, "-") || toolNamed("nyc").flags[words[end-1].text].value) {
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
	if len(t.verbs) == 0 {
		return t, args
	}
	for i, w := range args {
		if strings.HasPrefix(w.text, "-") || strings.HasPrefix(w.text, "+") || isAssignment(w.text) {
			if t.name == "node" && (w.text == "--test" || strings.HasPrefix(w.text, "--test-")) {
				return t, args
			}
			if _, target, ok := strings.Cut(w.text, "="); ok && strings.HasPrefix(w.text, "--target") && t.isVerb(target) {
				return t, args
			}
			continue
		}
		text := w.text
		if t.name == "gradle" || t.name == "maven" {
			text = text[strings.LastIndexByte(text, ':')+1:]
		}
		switch {
		case t.isVerb(text) && (!t.goals || t.name == "cargo"):
			return t, slices.Concat(args[:i], args[i+1:])
		case t.isVerb(text):
			return t, args
		case t.name == "maven", t.name == "gradle", slices.Contains(t.verbs, "goal"):
		case i > 0 && t.flags[t.canonical(args[i-1].text)].value:
		default:
			return nil, nil
		}
	}
	if slices.Contains(t.verbs, ".") && len(plainOf(t.parse(args))) == 0 {
		return t, args
	}
	return nil, nil
}

var (
	testGoal = expression("testGoal")
	// plainGoal is one that any tool runs tests by.
	plainGoal = lazyregexp.New(`^(?:run-)?(?:tests?|check|verify|spec|e2e)(?:[:-][\w-]+)?$`)
	// otherWork is a command that by its words makes, checks or sends something else.
	otherWork = expression("otherWork")
	// otherGoal is a goal that checks something else than by tests.
	otherGoal = expression("otherGoal")
)

// isVerb reports whether a subcommand runs tests.
func (t *tool) isVerb(s string) bool {
	return slices.ContainsFunc(t.verbs, func(v string) bool {
		if v == "goal" {
			if strings.Contains(s, "___") || strings.Contains(s, "$") {
				return true // an expression may come to any goal
			}
			return testGoal.MatchString(s) && !otherGoal.MatchString(s) && (t.name != "npm" || s != "ci" && s != "coverage")
		}
		end, isEnd := strings.CutPrefix(v, "*")
		return s == v || isEnd && strings.HasSuffix(s, end)
	})
}
