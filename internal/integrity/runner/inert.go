package runner

import (
	"regexp"
	"slices"
	"strings"
)

// An Inert is one entry of the closed list of commands that may come, go or
// change beside a call of a test runner.
type Inert struct {
	What, Reason string
	match        []*regexp.Regexp // of the words joined by spaces
}

// InertCommands is the closed list for commands.
func InertCommands() []Inert { return inertCommands }

var inertCommands = func() (out []Inert) {
	const by = `(?:(?:npx|pnpm(?: exec)?|yarn|bunx|poetry run|uv run|pipenv run|bundle exec|python3? -m|sudo) )?`
	for _, line := range listed("commands") {
		if what, found := strings.CutPrefix(line, "= "); found {
			what, reason, _ := strings.Cut(what, " | ")
			out = append(out, Inert{What: what, Reason: reason})
			continue
		}
		i := &out[len(out)-1]
		i.match = append(i.match, regexp.MustCompile(`^(?:`+strings.ReplaceAll(line, "BY", by)+`)$`))
	}
	return out
}()

var (
	// harmlessEnv are variables, with the values they may have, that steer no
	// runner: how output looks, how much memory there is, where services are.
	harmlessEnv = regexp.MustCompile(`^(?:(?:FORCE_COLOR|NO_COLOR|CLICOLOR|CLICOLOR_FORCE|TERM|COLUMNS|PY_COLORS|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|PYTHONFAULTHANDLER|PIP_(?:DISABLE_PIP_VERSION_CHECK|NO_CACHE_DIR|CACHE_DIR|ROOT_USER_ACTION)|UV_CACHE_DIR|npm_config_cache|CARGO_TERM_COLOR|CARGO_INCREMENTAL|CARGO_NET_RETRY|RUST_BACKTRACE|DOTNET_(?:NOLOGO|CLI_TELEMETRY_OPTOUT|SKIP_FIRST_TIME_EXPERIENCE)|HUSKY|TURBO_TELEMETRY_DISABLED|NEXT_TELEMETRY_DISABLED|COVERAGE_FILE|CODECOV_TOKEN|GITHUB_TOKEN|GH_TOKEN|GOTOOLCHAIN|GOCACHE|V|VERBOSE)=[^$;&|]*|CI=['"]?(?:true|1)['"]?|` +
		`(?:DATABASE|DB|REDIS|POSTGRES(?:QL)?|PG|MYSQL|MONGO(?:DB)?|RABBITMQ|AMQP|KAFKA|ELASTICSEARCH|MEMCACHED)_?(?:URL|URI|HOST|PORT|USER|PASSWORD|DB|DATABASE|NAME|ROOT_PASSWORD|HOST_AUTH_METHOD)=.*|(?:NODE|RAILS|RACK|APP|MIX)_ENV=['"]?test['"]?)$`)
	// localVariable is one that no program is given, set to a text or a folder.
	localVariable = regexp.MustCompile(`^([a-z][a-z0-9_]*)=(?:[\w./:@ -]*|"[\w./:@ -]*"|'[^']*'|"?\$\((?:dirname "\$0"|pwd|dirname "\$\{BASH_SOURCE\[0\]\}"|cd "\$\(dirname "\$0"\)" && pwd|nproc)\)"?[\w./"]*)$`)
	// output is a file that nothing of the project is.
	output = regexp.MustCompile(`^(?:/dev/(?:null|stdout|stderr)|/tmp/[\w.-]+|[\w-]*\.?log|[\w.-]+\.(?:log|out)|(?:[\w-]*(?:results?|reports?|junit|coverage|cover)[\w-]*/)*[\w-]*(?:results?|report|junit|coverage|cover)[\w.-]*\.(?:xml|json|txt|html|lcov)|"?\$\{?GITHUB_STEP_SUMMARY\}?"?|&\d)$`)
)

// harmlessFlags are variables whose values are flags for a runner, by it.
var harmlessFlags = map[string]string{
	"PYTEST_ADDOPTS": "pytest", "MAVEN_ARGS": "mvn", "MVN_ARGS": "mvn", "GOFLAGS": "go", "GOTESTFLAGS": "go", "SPEC_OPTS": "rspec",
}

var heap = regexp.MustCompile(`^-X(?:m[sx]|ss|X:Max)\w+$|^--max[-_]old[-_]space[-_]size=\d+$|^-Dfile\.encoding=[\w-]+$|^-mod=(?:mod|readonly)$|^-buildvcs=\w+$|^-Dwarnings$|^--no-warnings$`)

// inertEnv reports whether a variable that is set for a command steers nothing.
func inertEnv(v value) bool {
	name, val, _ := strings.Cut(v.text, "=")
	val = strings.Trim(val, `"'`)
	if t, ok := harmlessFlags[name]; ok || name == "MAVEN_OPTS" || name == "GRADLE_OPTS" || name == "NODE_OPTIONS" || name == "RUSTFLAGS" || name == "JAVA_TOOL_OPTIONS" {
		var words []value
		for _, w := range splitWords(val) {
			if !heap.MatchString(w) {
				words = append(words, value{text: w})
			}
		}
		return len(words) == 0 || ok && len(toolNamed(t).compareArgs(nil, toolNamed(t).parse(words))) == 0
	}
	return harmlessEnv.MatchString(v.text) && !strings.Contains(val, "$(") && !strings.Contains(val, "`")
}

// inert reports whether a command is on the closed list, beside a script in
// which these variables are used.
func (c command) inert(used func(name string) bool) bool {
	switch {
	case c.run != nil:
		return false
	case c.guard == "after a failure":
		return true
	case slices.ContainsFunc(c.redirs, func(f value) bool { return !output.MatchString(f.text) }):
		return false
	case len(c.words) == 0 && len(c.env) > 0:
		return !slices.ContainsFunc(c.env, func(v value) bool {
			m := localVariable.FindStringSubmatch(v.text)
			return m == nil || used(m[1]) || strings.HasSuffix(m[1], "_proxy") || strings.HasPrefix(m[1], "npm_config")
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
		return c.tail && !slices.ContainsFunc(c.words[1:], func(w value) bool { return !output.MatchString(w.text) && w.text != "-a" })
	case strings.Contains(joined, "$"), writes(c.words):
		return false
	}
	return slices.ContainsFunc(inertCommands, func(i Inert) bool {
		return slices.ContainsFunc(i.match, func(re *regexp.Regexp) bool { return re.MatchString(joined) })
	})
}

// writing is a flag that says where to write, or what to load; packed is a
// package that is a file.
var (
	writing = regexp.MustCompile(`(?i)^-o|^-(?:t|i|f|C|toolexec|overlay)$|^--?(?:[a-z]+-)*(?:out(?:put|put-?file|file|-?dir)?|(?:user|global)?config|registry|index|index-url|find-links|prefix|cwd|root|target|shell|rulesdir|` +
		`plugin|toolexec|overlay|source|editable|directory|project-dir|resolve-plugins-relative-to|declarationDir)$`)
	packed = regexp.MustCompile(`(?i)\.(?:whl|zip|gem|tgz|tar\.\w+|crate|nupkg|jar|deb|rpm)$`)
)

// writes reports whether a word names where to write, or what to load: then a
// tool of the closed list is none of it.
func writes(words []value) bool {
	return slices.ContainsFunc(words, func(w value) bool {
		name, _, _ := strings.Cut(w.text, "=")
		return writing.MatchString(name) || packed.MatchString(w.text)
	})
}
