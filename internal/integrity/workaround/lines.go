package workaround

import (
	"path"
	"regexp"
	"strings"

	"workflow-reviewer/internal/integrity/workaround/literal"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/workflow"
)

// Signs of a workaround in files that are not parsed, one line at a time.
var (
	runnerSign = regexp.MustCompile(`\b(PYTEST_CURRENT_TEST|JEST_WORKER_ID|VITEST_WORKER_ID|PHPUNIT_COMPOSER_INSTALL|PHPUNIT_RUNNING|NODE_TEST_CONTEXT|XCTestConfigurationFilePath)\b`)
	decides    = regexp.MustCompile(`\b(if|return|case|when|unless|guard)\b|\?|&&|\|\||\[\[?\s`)
	pluginSign = regexp.MustCompile(`^\s*\[project\.entry-points\.["']?pytest11["']?\]|^\s*\[tool\.poetry\.plugins\.["']?pytest11["']?\]|^\s*pytest11\s*=`)
)

// checkLines looks for the most evident signs in a file that is not parsed.
func checkLines(c Changed, out *[]workflow.Violation) {
	if len(c.After) > 1<<20 {
		return
	}
	lines := literal.LinesOf(c.After)
	for i, text := range lines {
		if c.Added != nil && !c.Added[i+1] || len(text) > 2000 {
			continue
		}
		at := violation.Place{Path: c.Path, Line: i + 1, Text: text}
		add := func(kind violation.Kind, description string) {
			if len(*out) < maxFindings {
				*out = append(*out, violation.Added(kind, at, "Workaround: "+description))
			}
		}
		code := strings.TrimSpace(text)
		comment := strings.HasPrefix(code, "#") || strings.HasPrefix(code, "//") || strings.HasPrefix(code, "*")
		switch {
		case isData(c.Path):
			if pluginSign.MatchString(text) {
				add(violation.OutcomeHook, "a plugin is registered that pytest loads in every run")
			}
		case comment:
		case strings.HasSuffix(c.Path, ".pth") && strings.HasPrefix(code, "import "):
			add(violation.FrameworkMonkeypatch, "code that Python runs whenever it starts")
		case runnerSign.MatchString(text) && decides.MatchString(text):
			add(violation.TestEnvDetection, "the implementation asks whether a test is running ("+runnerSign.FindString(text)+")")
		}
	}
}

// isData reports whether a file holds no code, but settings or text.
func isData(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".toml", ".cfg", ".ini", ".json", ".yaml", ".yml", ".md", ".rst", ".txt", ".html", ".css", ".xml", ".csv", ".lock":
		return true
	}
	return false
}
