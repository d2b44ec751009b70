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
	match        *regexp.Regexp // of the words joined by spaces
}

// by is what may start a tool of the registry.
const by = `(?:(?:npx|pnpm(?: exec)?|yarn|bunx|poetry run|uv run|pipenv run|bundle exec|python3? -m|sudo) )?`

// InertCommands is the closed list for commands.
func InertCommands() []Inert { return inertCommands }

// The words after a command are names, versions and flags; no URL and no path
// out of the project, other than where it says so.
var inertCommands = []Inert{
	{"look", "it prints", regexp.MustCompile(`^(?:true|:|ls|pwd|date|whoami|uname|nproc|df|free|which|type|cat|head|tail|tree|wc|stat|file|sleep|hash|id|env|printenv|ps|cut|sort)(?: .*)?$|^[\w.-]+ (?:--version|-V|version)$|^command -v [\w.-]+$|^git (?:status|log|fetch|diff|show|rev-parse|describe|branch|--version)(?: .*)?$`)},
	{"installation of Python packages from the index", "registries do not take a branch's word for what a package holds", regexp.MustCompile(
		`^` + by + `(?:(?:uv )?pip3?(?:[0-9.]+)? install|poetry install|pdm install|pipenv install|uv sync|poetry check)(?: (?:-U|-q|-e|-r|-c|-E|-G|--[a-z-]+(?:=[\w.,-]+)?|\.(?:\[[\w,-]+\])?|[\w./-]*(?:requirements|constraints|deps)[\w./-]*\.(?:txt|in)|[A-Za-z0-9][\w.-]*(?:\[[\w,-]+\])?(?:[~<>=!]=?[\w.*,<>=-]+)?))*$`)},
	{"installation of JavaScript packages from the registry", "as above", regexp.MustCompile(
		`^(?:npm (?:ci|install|i)|yarn(?: install)?|pnpm (?:install|i|fetch)|bun install|corepack (?:enable|prepare))(?: (?:-[gDEi]|--[a-z-]+(?:=[\w.-]+)?|@?[a-z][\w.-]*(?:/[\w.-]+)?(?:@[\^~]?[\w.-]+)?))*$`)},
	{"installation of packages of other languages", "as above", regexp.MustCompile(
		`^(?:bundle (?:install|config(?: set)?)(?: [\w:.=/-]+)*|go (?:mod (?:download|verify)|install [\w.-]+(?:/[\w.-]+)+@v?[\w.-]+)|cargo (?:fetch|install(?: (?:--locked|--force|\w[\w-]*(?:@[\w.-]+)?))+)|rustup(?: [\w.=+-]+)+|dotnet (?:restore|tool restore)(?: [\w./=-]+)*|gem install(?: [\w:.-]+)+|mvn(?: -\S+)* dependency:(?:go-offline|resolve))$`)},
	{"installation of packages of the system", "as above", regexp.MustCompile(`^(?:sudo )?(?:apt|apt-get|apk|brew|dnf|yum|choco)(?: (?:update|install|add|-[a-z]+|--[a-z-]+|[a-z0-9][a-z0-9+._-]*))+$`)},
	{"linters, formatters, compilers", "they read what the tests read, and write what a compiler writes", regexp.MustCompile(
		`^` + by + `(?:ruff|black|isort|flake8|mypy|pylint|pyright|bandit|eslint|prettier|stylelint|tsc|golangci-lint|staticcheck|gofmt|gofumpt|govulncheck|rubocop|shellcheck|yamllint|actionlint|hadolint|markdownlint|codespell|typos|biome|oxlint|cargo (?:fmt|clippy|build|check|doc|deny|audit)|go (?:vet|build|version|env|fmt)|dotnet (?:build|format)|docker (?:version|info|ps|pull \S+))(?: [^;|&]*)?$`)},
	{"folders of build output", "nothing that is tested stands there", regexp.MustCompile(
		`^mkdir(?: -p)?(?: (?:[\w.-]*(?:out|logs?|tmp|temp|results?|reports?|artifacts|coverage|build|dist|cache)[\w.-]*/?)+)+$|^rm -r?f?r?(?: (?:\./)?(?:dist|build|out|coverage|htmlcov|\.coverage|\.pytest_cache|\.mypy_cache|\.cache|node_modules|target|test-results|reports?|[\w.-]*\.log|coverage\.(?:xml|out|txt))/?)+$`)},
	{"containers that tests talk to", "a test that finds another one fails", regexp.MustCompile(`^docker(?:-| )compose(?: -f [\w./-]+)? (?:up|down|ps|logs|pull|build|stop)(?: [\w=-]+)*$`)},
	{"reports of what was measured", "it is measured already", regexp.MustCompile(`^` + by + `(?:coverage (?:xml|html|combine|lcov)|codecov|coveralls)(?: [\w./=-]+)*$|^go tool cover(?: [\w./=-]+)*$`)},
}

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
	case c.status, c.guard == "after a failure":
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
	return slices.ContainsFunc(inertCommands, func(i Inert) bool { return i.match.MatchString(joined) })
}

// writes reports whether a word names where to write, or what to load: then a
// tool of the closed list is none of it.
func writes(words []value) bool {
	return slices.ContainsFunc(words, func(w value) bool {
		name, _, _ := strings.Cut(w.text, "=")
		return slices.Contains([]string{"-o", "--out", "--output", "--output-file", "--outDir", "--outdir", "--out-dir", "--target", "-t", "--root", "--index-url", "-i", "--extra-index-url", "--find-links", "-f", "--rulesdir", "--plugin", "--resolve-plugins-relative-to", "--toolexec", "-toolexec", "-overlay", "--registry", "--config", "--prefix", "-C"}, name)
	})
}
