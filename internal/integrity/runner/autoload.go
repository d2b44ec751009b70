package runner

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
)

// autoloads are the paths of files that a runner loads without any test asking for them.
var autoloads = func() (out []*lazyregexp.Regexp) {
	for _, line := range listed("autoload") {
		out = append(out, lazyregexp.New(strings.Split(line, "\t")[2]))
	}
	return out
}()

// Autoloaded reports whether a runner may load a file of that name without any test asking for it.
func Autoloaded(p string) bool {
	return slices.ContainsFunc(autoloads,
		func(re *lazyregexp.Regexp) bool { return re.MatchString(p) })
}
