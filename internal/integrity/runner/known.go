package runner

import (
	"regexp"
	"slices"
	"strings"
)

// knownValues are the closed lists of values that the allowance "known" names.
// A value is matched whole.
var knownValues = map[string]*regexp.Regexp{
	// only compile sources
	"translators": regexp.MustCompile(`^(?:ts-jest|babel-jest|@swc/jest|esbuild-jest|@sucrase/jest-plugin|@vue/vue[23]-jest|vue-jest|svelte-jester|jest-transform-stub|identity-obj-proxy|` +
		`ts-node(?:/(?:register|esm)(?:/\w[\w-]*)?)?|tsx|tsx/\w+|@swc-node/register|@babel/register|esbuild-register|source-map-support/register|dotenv/config|tsconfig-paths/register|` +
		`@babel/(?:preset|plugin)-[\w-]+|(?:react|vue|svelte|sveltekit|solid|preact|swc|tsconfigPaths|viteTsconfigPaths|legacy|vueJsx|checker|svgr|dts|basicSsl) \( \))$`),
	// only print
	"reporters": regexp.MustCompile(`^(?:default|verbose|basic|dot|line|list|tap|tap-flat|json|html|hanging-process|junit|github-actions|github|blob|summary|spec|progress|coverage|lcov|jest-junit|jest-html-reporters?|jest-sonar(?:-reporter)?|@jest/reporters)$`),
	// add matchers of their own name, or polyfills, from the registry
	"setup": regexp.MustCompile(`^(?:@testing-library/jest-dom(?:/(?:extend-expect|vitest))?|jest-extended(?:/all)?|dotenv/config|whatwg-fetch|isomorphic-fetch|core-js(?:/stable)?|regenerator-runtime(?:/runtime)?|reflect-metadata|fake-indexeddb/auto|@testing-library/react-native/extend-expect|jest-canvas-mock|resize-observer-polyfill)$`),
	// the mode in which more tests run than in the other
	"async": regexp.MustCompile(`^auto$`),
	// where sources usually are, or the root
	"sources": regexp.MustCompile(`^(?:(?:\./)?(?:\.|src|lib|source|app|python)?/?[\s,]*)+$`),
	// requirements from the registry: a name, extras, versions, a marker
	"requirements": regexp.MustCompile(`^["']?[A-Za-z0-9][\w.-]*(?:\[[\w, .-]*\])?\s*(?:\(?(?:[~<>=!^]=?=?\s*[\w.*+-]+\s*,?\s*)+\)?)?(?:;[^/]*)?["']?,?$`),
	// conditions under which a step runs whenever the tests before it would have
	"always": regexp.MustCompile(`^(?:\$\{\{)?\s*(?:true|always\(\)|success\(\)|! ?cancelled\(\)|success\(\) \|\| failure\(\)|failure\(\) \|\| success\(\))\s*(?:\}\})?$`),
	// shells that run what they are given and stop at, or hand on, a failure
	"shells": regexp.MustCompile(`^(?:bash|sh|pwsh|(?:/bin/)?(?:ba)?sh(?: --?\w+)*(?: pipefail)?(?: -\w+)* \{0\})$`),
	// path aliases that name a folder of sources
	"paths": regexp.MustCompile(`^(?:\./)?(?:src|lib|app|source|packages/[\w-]+(?:/src)?)(?:/\*)?$`),
	// programs that an installation adds, by names that no runner has
	"programs":          regexp.MustCompile(`^[\w.-]+\s*=\s*[\w.]+:[\w.]+$`),
	"npmregistry":       regexp.MustCompile(`^https://registry\.npmjs\.org/?$`),
	"blockdependencies": regexp.MustCompile(`^(?:(?:platform|kotlin|libs|enforcedPlatform)[\w.]*\(?)?\s*'?[\w.-]*(?::[\w.-]+){0,2}(?::[\w.$+{}-]+)?'?\)?$`),
	"gradleplugins":     regexp.MustCompile(`^'?(?:java|java-library|application|jacoco|checkstyle|pmd|maven-publish|signing|idea|eclipse|base|war|groovy|scala|kotlin|jvm|distribution|jvm-test-suite|com\.diffplug\.spotless|org\.springframework\.boot|io\.spring\.dependency-management|com\.github\.johnrengelman\.shadow|org\.jetbrains\.kotlin\.jvm)'?\)?(?:\s+version\s+'[\w.-]+')?$`),
	"rakeoptions":       regexp.MustCompile(`^[\[(%w]*\s*'(?:(?:--colou?r|--backtrace|-b|--profile|-w|--warnings|-v|--verbose|-c|--(?:format|order|seed|out)(?:=| )[\w./-]+|-[fo] ?[\w./-]+)\s*)*'\s*[\])]?$`),
	"requires":          regexp.MustCompile(`^'(?:simplecov|pry|byebug|minitest/autorun|minitest/pride|minitest/reporters|rspec|bundler/setup|rake/testtask|rspec/core/rake_task|json|set|time|date|pathname|tmpdir|fileutils|securerandom|webmock/(?:rspec|minitest)|vcr|factory_bot|faker|capybara/rspec|rubocop/rake_task|bundler/gem_tasks)'$`),
	"coveragefilters":   regexp.MustCompile(`^'/?(?:spec|test|tests|vendor|config|db|bin)/?'$|^'[\w ]+', '[\w/ ]+'$`),
	"processors":        regexp.MustCompile(`^(?:org\.projectlombok|lombok|lombok-mapstruct-binding|org\.mapstruct|mapstruct-processor|[\d.]+(?:\.Final)?|\$\{[\w.-]+\}|-Xlint(?::[\w,-]+)?|-parameters|-Werror)$`),
}

var (
	// cachedPath are folders that no test stands in.
	cachedPath   = regexp.MustCompile(`^(?:\s*(?:~/[\w./-]*|\.venv|\.cache|node_modules|target|\.gradle|\.m2|\.mypy_cache|vendor/bundle|\$\{\{ [\w.-]+ \}\})\s*)+$`)
	interpreters = regexp.MustCompile(`^(?:python|pip|node|ruby|bash|sh|git|env|poetry|uv|npx|timeout|time)[0-9.]*$`)
	asset        = regexp.MustCompile(`\b(?:css|less|sass|scss|styl|svg|png|jpe?g|gif|webp|woff2?|ttf|eot|mp[34]|ico|pdf|mdx?)\b`)
	double       = regexp.MustCompile(`(?i)mock|fake|stub|dummy|test|spec|double|shim`)
	folder       = regexp.MustCompile(`"(?:\./|/)?(?:src|lib|app|source|packages?/[\w-]+(?:/src)?)/?"|(?:^|/)(?:src|lib|app|source|packages?/[\w-]+(?:/src)?)(?:/\$1)?/?$|^(?:<rootDir>|\.)/\$1$`)
)

// isKnown reports whether a value is on a closed list of values.
func isKnown(list, key string, v value) bool {
	switch list {
	case "programs":
		name, _, _ := strings.Cut(v.text, "=")
		return toolNamed(strings.TrimSpace(name)) == nil && knownValues[list].MatchString(v.text)
	case "program": // its name is the key
		name := key[strings.LastIndexByte(key, '/')+1:]
		return toolNamed(name) == nil && !interpreters.MatchString(name)
	case "requirements":
		return v.text == "[]" || knownValues[list].MatchString(v.text)
	case "aliases": // a whole folder of sources, or what is no code
		name := key[strings.LastIndexByte(key, '/')+1:]
		return asset.MatchString(name) && !strings.Contains(name, `\.[jt]s`) && !strings.HasPrefix(v.text, ".") || folder.MatchString(v.text) && !double.MatchString(v.text)
	case "env":
		return inertEnv(value{text: strings.ToUpper(key[strings.LastIndexByte(key, '/')+1:]) + "=" + v.text})
	case "image": // an official one; its version is left out already
		return !strings.Contains(v.text, "/")
	case "sizing":
		return !v.code && !slices.ContainsFunc(strings.Fields(v.text), func(s string) bool { return !sizing.MatchString(s) })
	default:
		re := knownValues[list]
		return re != nil && re.MatchString(v.text)
	}
}
