package workaround

import (
	"path"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/integrity/workaround/literal"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// signs are what gives a workaround away in files that are not parsed, one line at a time.
var signs = []struct {
	kind        violation.Kind
	files       *lazyregexp.Regexp // by extension
	line        *lazyregexp.Regexp
	description string
}{
	{
		violation.OutcomeHook, lazyregexp.New(`^\.(?:toml|cfg|ini)$`),
		lazyregexp.New(`^\s*\[(?:project\.entry-points|tool\.poetry\.plugins)\.["']?pytest11["']?\]|^\s*pytest11\s*=`),
		"a plugin is registered that pytest loads in every run",
	},
	{
		violation.FrameworkMonkeypatch, lazyregexp.New(`^\.pth$`), lazyregexp.New(`^\s*import `),
		"code that Python runs whenever it starts",
	},
	{
		violation.TestEnvDetection, lazyregexp.New(`^\.(?:php|swift|kts?|scala|groovy|exs?|pl|lua|sh|vue|svelte|c|cc|cpp|dart)$`),
		lazyregexp.New(`^\s*[^#/*\s].*\b` + within("runner-sign").String() + `\b`),
		"the implementation asks whether a test is running",
	},
}

// checkLines looks for the most evident signs in a file that is not parsed.
func checkLines(c Changed) (found []workflow.Violation) {
	for i, text := range literal.LinesOf(c.After) {
		if !c.IsNew(i+1) || len(text) > 2000 || len(c.After) > 1<<20 {
			continue
		}
		for _, s := range signs {
			if len(found) < maxFindings && s.files.MatchString(strings.ToLower(path.Ext(c.Path))) && s.line.MatchString(text) {
				at := violation.Place{Path: c.Path, Line: i + 1, Text: text}
				found = append(found, violation.Added(s.kind, at, "Workaround: "+s.description))
			}
		}
	}
	return found
}
