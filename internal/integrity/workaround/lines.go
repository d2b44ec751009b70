package workaround

import (
	"path"
	"regexp"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/integrity/workaround/literal"
	"workflow-reviewer/internal/workflow"
)

// signs are what gives a workaround away in files that are not parsed, one line
// at a time.
var signs = []struct {
	kind        violation.Kind
	files       *regexp.Regexp // by extension
	line        *regexp.Regexp
	description string
}{
	{
		violation.OutcomeHook, regexp.MustCompile(`^\.(?:toml|cfg|ini)$`),
		regexp.MustCompile(`^\s*\[(?:project\.entry-points|tool\.poetry\.plugins)\.["']?pytest11["']?\]|^\s*pytest11\s*=`),
		"a plugin is registered that pytest loads in every run",
	},
	{
		violation.FrameworkMonkeypatch, regexp.MustCompile(`^\.pth$`), regexp.MustCompile(`^\s*import `),
		"code that Python runs whenever it starts",
	},
	{
		violation.TestEnvDetection, regexp.MustCompile(`^\.(?:php|swift|kts?|scala|groovy|exs?|pl|lua|sh|vue|svelte|c|cc|cpp|dart)$`),
		regexp.MustCompile(`^\s*[^#/*\s].*\b` + within("runner-sign").String() + `\b`),
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
