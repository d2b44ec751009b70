package runner

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
)

var interpreters = lazyregexp.New(
	`^(?:python|pip|node|ruby|bash|sh|git|env|poetry|uv|npx|timeout|time)[0-9.]*$`,
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
	case "package": // whatever tests do not run with
		return !knownValues["testpackages"].MatchString(strings.ToLower(v.text))
	case "env":
		return re.MatchString(strings.ToUpper(last)+"="+v.text) &&
			!strings.ContainsAny(v.text, "`(")
	case "image": // an official one; its version is left out already
		return !strings.Contains(v.text, "/")
	case "sizing":
		return !slices.ContainsFunc(strings.Fields(v.text),
			func(s string) bool { return !re.MatchString(s) })
	default:
		return re != nil && re.MatchString(v.text)
	}
}
