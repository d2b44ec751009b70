package detect

import (
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
	siteConfig = lazyregexp.New(
		`(?:^|/)docs?/(?:.*/)?conf\.py$|(?:^|/)\.vitepress/|(?:^|/)(?:docusaurus\.config|` +
			`sidebars)\.[cm]?[jt]s$`,
	)
	benchmark = lazyregexp.New(`(?:^|/)bench(?:es|marks?)?/|^bench(?:marks?)?\.\w+$`)
)
