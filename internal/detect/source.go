package detect

import (
	"path"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
)

// noProduct says why a program is not part of what a project delivers, "" if it
// may be: configuration of its site, or a benchmark.
func noProduct(rel string) string {
	switch {
	case benchmark.MatchString(rel):
		return "a benchmark"
	case siteConfig.MatchString(rel):
		return "configuration of the documentation's site"
	default:
		return ""
	}
}

var (
	siteConfig = lazyregexp.New(`(?:^|/)docs?/(?:.*/)?conf\.py$|(?:^|/)\.vitepress/|(?:^|/)(?:docusaurus\.config|` +
		`sidebars)\.[cm]?[jt]s$`)
	benchmark = lazyregexp.New(`(?:^|/)bench(?:es|marks?)?/|^bench(?:marks?)?\.\w+$`)
)

// maySay reports whether a path has no extension, so that only a first line
// like "#!/bin/sh" can tell that it is a program.
func maySay(p string) bool {
	name := path.Base(p)
	return path.Ext(name) == "" || strings.HasPrefix(name, ".") && strings.Count(name, ".") == 1
}
