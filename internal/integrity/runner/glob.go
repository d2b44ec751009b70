package runner

import (
	"regexp"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// patternSet matches a path against patterns of which some may not be known.
type patternSet struct {
	matchers []func(string) bool
	unknown  bool // a pattern could not be read
}

// extended are groups of JavaScript's globs: ?(a|b), +(a|b), *(a|b), @(a|b).
var extended = regexp.MustCompile(`([?+*@])\(([^()]*)\)`)

// globSet reads globs as JavaScript's runners know them. A leading "./" or
// "<rootDir>/" means the root.
func globSet(globs []string) patternSet {
	var s patternSet
	for _, g := range globs {
		g = strings.TrimPrefix(strings.TrimPrefix(g, "<rootDir>/"), "./")
		g = extended.ReplaceAllStringFunc(g, func(m string) string {
			inner := strings.ReplaceAll(m[2:len(m)-1], "|", ",")
			if m[0] == '?' || m[0] == '*' {
				inner = "," + inner
			}
			return "{" + inner + "}"
		})
		if strings.ContainsAny(g, "()") || !doublestar.ValidatePattern(g) {
			s.unknown = true
			continue
		}
		s.matchers = append(s.matchers, func(p string) bool { return matches(g, p) })
	}
	return s
}

// regexSet reads JavaScript's regular expressions as far as they are Go's.
func regexSet(exprs []string) patternSet {
	var s patternSet
	for _, e := range exprs {
		re, err := regexp.Compile(strings.ReplaceAll(strings.ReplaceAll(e, "<rootDir>", "^/root"), `\/`, `/`))
		if err != nil {
			s.unknown = true
			continue
		}
		s.matchers = append(s.matchers, func(p string) bool { return re.MatchString("/root/" + p) })
	}
	return s
}

func (s patternSet) match(p string) bool {
	for _, m := range s.matchers {
		if m(p) {
			return true
		}
	}
	return false
}
