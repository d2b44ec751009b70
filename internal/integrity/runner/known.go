package runner

import (
	"regexp"
	"strings"
)

var (
	translator = regexp.MustCompile(`^(?:ts-jest|babel-jest|@swc/jest|esbuild-jest|@sucrase/jest-plugin|@vue/vue[23]-jest|vue-jest|svelte-jester|jest-transform-stub|identity-obj-proxy|` +
		`ts-node(?:/\S+)?|tsx|@swc-node/register|@babel/register|esbuild-register|source-map-support/register|dotenv/config|tsconfig-paths/register|` +
		`@babel/(?:preset|plugin)-[\w-]+|(?:react|vue|svelte|sveltekit|solid|preact|swc|tsconfigPaths|viteTsconfigPaths|legacy|vueJsx|checker|svgr|dts|basicSsl) \( .*\))$`)
	reporter  = regexp.MustCompile(`^(?:default|verbose|basic|dot|tap|tap-flat|json|html|hanging-process|junit|github-actions|summary|jest-junit|jest-html-reporters?|jest-sonar(?:-reporter)?|@jest/reporters)$`)
	extension = regexp.MustCompile(`^(?:@testing-library/jest-dom\S*|@testing-library/react/\S+|jest-extended\S*|jest-dom\S*|dotenv/config|whatwg-fetch|isomorphic-fetch|core-js\S*|regenerator-runtime\S*|reflect-metadata|fake-indexeddb/auto|@testing-library/react-native/extend-expect|jest-canvas-mock|resize-observer-polyfill)$`)
	asset     = regexp.MustCompile(`\b(?:css|less|sass|scss|styl|svg|png|jpe?g|gif|webp|woff2?|ttf|eot|mp[34]|ico|pdf|mdx?)\b`)
	double    = regexp.MustCompile(`(?i)mock|fake|stub|dummy|test|spec|double|shim`)
	folder    = regexp.MustCompile(`"(?:\./|/)?(?:src|lib|app|source|packages?/[\w-]+(?:/src)?)/?"|(?:^|/)(?:src|lib|app|source|packages?/[\w-]+(?:/src)?)(?:/\$1)?/?$|^(?:<rootDir>|\.)/\$1$`)
)

// translators only compile sources.
func translators(_ string, v value) bool { return translator.MatchString(v.text) }

// plainReporters only print.
func plainReporters(_ string, v value) bool { return reporter.MatchString(v.text) }

// plainSetup only adds matchers or polyfills, from the registry.
func plainSetup(_ string, v value) bool { return extension.MatchString(v.text) }

// aliases name a whole folder of sources, or stand for what is no code.
func aliases(key string, v value) bool {
	name := key[strings.LastIndexByte(key, '/')+1:]
	if asset.MatchString(name) && !strings.Contains(name, "\\.[jt]s") {
		return true
	}
	return folder.MatchString(v.text) && !double.MatchString(v.text)
}

// noDouble names nothing that stands in for something in tests.
func noDouble(_ string, v value) bool { return !double.MatchString(v.text) }

// sourceFolders are where sources usually are, or the root.
func sourceFolders(_ string, v value) bool {
	for _, w := range (&option{values: []value{v}}).words() {
		switch strings.TrimSuffix(strings.TrimPrefix(w.text, "./"), "/") {
		case "", ".", "src", "lib", "source", "app", "python":
		default:
			return false
		}
	}
	return true
}

// asyncMode is the mode in which more tests run than in the other.
func asyncMode(_ string, v value) bool { return v.text == "auto" }
