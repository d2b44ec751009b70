package runner

import (
	"strings"
	"sync"

	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/lazyregexp"
)

// frameworks are what tests are judged by, by language or family.
var frameworks = sync.OnceValue(func() map[string]*lazyregexp.Regexp {
	out := map[string]*lazyregexp.Regexp{}
	for _, line := range listed("frameworks") {
		family, text, _ := strings.Cut(line, "\t")
		out[family] = lazyregexp.New(`^(?:` + text + `)$`)
	}
	return out
})

// SourceRoots are the folders in which interpreters look for modules of a project, as paths to put
// before them.
func SourceRoots() []string { return []string{"", "src/", "lib/"} }

// TakesFrameworksPlace reports whether a source would be loaded in the place of a test framework's.
func TakesFrameworksPlace(p string) bool {
	family := conventions.Family(p)
	if strings.Contains("/"+p, "/node_modules/") {
		family = "script"
	}
	of := frameworks()[family]
	for _, root := range SourceRoots() {
		if rest, ok := strings.CutPrefix(p, root); ok && of != nil && of.MatchString(rest) {
			return true
		}
	}
	return false
}
