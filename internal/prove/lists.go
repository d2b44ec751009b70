package prove

import (
	"embed"
	"path"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"
)

// The lists are data; the head of each file says how it is read. A mistake in one shows in any
// test.
//
//go:embed data/*.txt
var data embed.FS

// listed are the lines of a list, without comments.
func listed(name string) []string {
	src, err := data.ReadFile("data/" + name + ".txt")
	if err != nil {
		panic(err) // it is embedded
	}
	var out []string
	for line := range strings.Lines(string(src)) {
		if line = strings.TrimRight(line, "\n"); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out
}

// row is a kind of file of which parts steer tests.
type row struct {
	globs []string
	how   string
	keys  []string
}

// divides reports whether a file is taken apart by its settings.
func (r row) divides() bool { return formats[r.how].split != nil }

var mixedRows = sync.OnceValue(func() (out []row) {
	for _, line := range listed("mixed") {
		f := strings.Split(line, "\t")
		out = append(out, row{strings.Fields(f[0]), f[1], strings.Fields(f[2])})
	}
	return out
})

// mixedRow is the row of a path, nil if it has none.
func mixedRow(p string) *row {
	for _, r := range mixedRows() {
		if matchesAny(r.globs, p) {
			return &r
		}
	}
	return nil
}

// matchesAny reports whether a path, or its name for globs without a slash, matches a glob, in any
// letter case.
func matchesAny(globs []string, p string) bool {
	lower := strings.ToLower(p)
	for _, g := range globs {
		name := lower
		if !strings.Contains(g, "/") {
			name = path.Base(lower)
		}
		if ok, err := doublestar.Match(g, name); ok && err == nil {
			return true
		}
	}
	return false
}

var privates = sync.OnceValue(func() []string { return listed("private") })

// isPrivate reports whether a path is a runner's or interpreter's own.
func isPrivate(p string) bool { return matchesAny(privates(), p) }

// libraries are the modules of standard libraries, by language.
var libraries = sync.OnceValue(func() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for _, line := range listed("modules") {
		language, names, _ := strings.Cut(line, "\t")
		if out[language] == nil {
			out[language] = map[string]bool{}
		}
		for _, n := range strings.Fields(names) {
			out[language][n] = true
		}
	}
	return out
})
