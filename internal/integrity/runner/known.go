package runner

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
)

var (
	interpreters = lazyregexp.New(`^(?:python|pip|node|ruby|bash|sh|git|env|poetry|uv|npx|timeout|time)[0-9.]*$`)
	asset        = expression("asset")
	double       = lazyregexp.New(`(?i)mock|fake|stub|dummy|test|spec|double|shim`)
	// prefixed is an alias of whatever follows a sign or a short name: ^@/(.*)$, ~/*.
	prefixed = expression("prefixed")
	folder   = expression("folder")
)

// isKnown reports whether a value is on a closed list of values.
func isKnown(list, key string, v value) bool {
	last := key[strings.LastIndexByte(key, '/')+1:]
	re := knownValues[list]
	switch list {
	case "programs": // told by the name in front
		name, _, _ := strings.Cut(v.text, "=")
		return !testRun.MatchString(name) && re.MatchString(v.text)
	case "program": // its name is the key
		return !testRun.MatchString(last) && !interpreters.MatchString(last)
	case "aliases": // a whole folder of sources, or what is no code
		return asset.MatchString(last) && !strings.Contains(last, `\.[jt]s`) && !strings.HasPrefix(v.text, ".") ||
			prefixed.MatchString(last) && folder.MatchString(v.text) && !double.MatchString(v.text)
	case "package": // whatever tests do not run with
		return !knownValues["testpackages"].MatchString(strings.ToLower(v.text))
	case "paths":
		return prefixed.MatchString(last) && re.MatchString(v.text)
	case "env":
		return re.MatchString(strings.ToUpper(last)+"="+v.text) && !strings.ContainsAny(v.text, "`(")
	case "image": // an official one; its version is left out already
		return !strings.Contains(v.text, "/")
	case "sizing":
		return !slices.ContainsFunc(strings.Fields(v.text), func(s string) bool { return !re.MatchString(s) })
	default:
		return re != nil && re.MatchString(v.text)
	}
}
