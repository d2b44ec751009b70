package runner

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
)

// inertCommands is the closed list of commands that may come, go or change beside
// a call of a test runner, as their words joined by spaces.
var inertCommands = inertBy(func(string) bool { return true })

// inertBy are those of the closed list under headings that pick chooses.
func inertBy(pick func(reason string) bool) (out []*lazyregexp.Regexp) {
	const by = `(?:(?:npx|pnpm(?: exec)?|yarn|bunx|poetry run|uv run|pipenv run|bundle exec|python3? -m|sudo) )?`
	picked := false
	for _, line := range listed("commands") {
		if reason, ok := strings.CutPrefix(line, "= "); ok {
			picked = pick(reason)
		} else if picked {
			out = append(out, lazyregexp.New(`^(?:`+strings.ReplaceAll(line, "BY", by)+`)$`))
		}
	}
	return out
}

// harmlessFlags are variables whose values are flags for a runner, by it.
var harmlessFlags = map[string]string{
	"PYTEST_ADDOPTS": "pytest", "MAVEN_ARGS": "mvn", "MVN_ARGS": "mvn", "GOFLAGS": "go", "GOTESTFLAGS": "go", "SPEC_OPTS": "rspec",
}

// inertEnv reports whether a variable that is set for a command steers nothing.
func inertEnv(v value) bool {
	name, val, _ := strings.Cut(v.text, "=")
	val = strings.Trim(val, `"'`)
	if t, ok := harmlessFlags[name]; ok || name == "MAVEN_OPTS" || name == "GRADLE_OPTS" || name == "NODE_OPTIONS" || name == "RUSTFLAGS" ||
		name == "JAVA_TOOL_OPTIONS" {
		var words []value
		for _, w := range splitWords(val) {
			if !knownValues["heap"].MatchString(w) {
				words = append(words, value{text: w})
			}
		}
		return len(words) == 0 || ok && len(toolNamed(t).compareArgs(nil, toolNamed(t).parse(words))) == 0
	}
	return knownValues["env"].MatchString(v.text) && !strings.Contains(val, "$(") && !strings.Contains(val, "`")
}

// inert reports whether a command is on the closed list, beside a script in which these variables are used.
func (c command) inert(used func(name string) bool) bool {
	switch {
	case c.run != nil:
		return false
	case c.guard == "after a failure":
		return true
	case slices.ContainsFunc(c.redirs, func(f value) bool { return !knownValues["output"].MatchString(f.text) }):
		return false
	case len(c.words) == 0 && len(c.env) > 0:
		return !slices.ContainsFunc(c.env, func(v value) bool {
			name, _, _ := strings.Cut(v.text, "=")
			network := strings.HasSuffix(name, "_proxy") || strings.HasPrefix(name, "npm_config")
			return !knownValues["local"].MatchString(v.text) || used(name) || network
		})
	case len(c.words) == 0, slices.ContainsFunc(c.env, func(v value) bool { return !inertEnv(v) }):
		return false
	}
	var texts []string
	for _, w := range c.words {
		texts = append(texts, w.text)
	}
	joined := strings.Join(texts, " ")
	switch name := c.words[0].text; {
	case strings.Contains(c.text, "$(") || strings.ContainsAny(c.text, "`\n") || strings.Contains(c.text, "<("):
		return false
	case name == "echo" || name == "printf":
		return !strings.Contains(joined, "::") && !strings.Contains(joined, "##")
	case name == "export":
		return len(texts) > 1 && !slices.ContainsFunc(c.words[1:], func(v value) bool { return !inertEnv(v) })
	case name == "tee":
		return c.tail && !slices.ContainsFunc(c.words[1:], func(w value) bool {
			return !knownValues["output"].MatchString(w.text) && w.text != "-a"
		})
	case strings.Contains(joined, "$"), writes(c.words):
		return false
	}
	return inertCommand(joined)
}

func inertCommand(joined string) bool {
	return slices.ContainsFunc(inertCommands, func(re *lazyregexp.Regexp) bool { return re.MatchString(joined) })
}

// writing is a flag that says where to write, or what to load; packed is a package that is a file.
var (
	writing = expression("writing")
	packed  = lazyregexp.New(`(?i)\.(?:whl|zip|gem|tgz|tar\.\w+|crate|nupkg|jar|deb|rpm)$`)
)

// writes reports whether a word names where to write, or what to load: then a tool of the closed list is none of it.
func writes(words []value) bool {
	return slices.ContainsFunc(words, func(w value) bool {
		name, _, _ := strings.Cut(w.text, "=")
		return writing.MatchString(name) || packed.MatchString(w.text)
	})
}
