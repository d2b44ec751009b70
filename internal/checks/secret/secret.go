// Package secret finds secrets on the lines that a change adds, in every text file of it.
package secret

import (
	"path"
	"strings"

	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/redact"
	"workflow-reviewer/internal/workflow"
)

// Entry is the check.
var Entry = check.Entry{
	ID:       "code/secret",
	Types:    workflow.Types(),
	Severity: workflow.Block,
	Category: workflow.Security,
	Fact:     true,
	Title:    "A secret is written into the repository",
	Why: "Whoever can read the repository has the secret. Every text file of the change is " +
		"scanned, with the rules of gitleaks; values that merely look random count in code and " +
		"settings, not in tests, documents and examples, nor in what is vendored or generated. " +
		"The value is never repeated.",
	Fix: "Revoke it, read it from the environment or a secret store, and take it out of the " +
		"history.",
	Run: find,
}

func find(s *check.Subject) check.Result {
	var issues []workflow.Finding
	var looked []*check.Source
	for _, f := range s.Artifact.Files {
		source := s.Source(f.Path)
		if _, changed := s.Changed(f.Path); source == nil || !changed {
			continue
		}
		looked = append(looked, source)
		issues = append(issues, in(s, source, false)...)
	}
	return check.Lines(issues, looked)
}

// In reports whether the lines that a change adds to a file hold a secret. In foreign files, which
// are vendored or generated, values that merely look random do not count.
func In(s *check.Subject, file string, foreign bool) bool {
	source := s.Text(file)
	return source != nil && len(in(s, source, foreign)) > 0
}

// illustrates matches the paths of files whose values stand for others.
var illustrates = lazyregexp.New(
	`(?i)(?:^|[/._-])(?:tests?|specs?|mocks?|fixtures?|seeds?|demos?|examples?|samples?|docs?|locales?` +
		`|i18n)(?:[/._-]|$)|\.(?:md|rst|txt|ipynb|svg|lock|sum)$|(?:^|[/-])lock\.`,
)

func in(s *check.Subject, f *check.Source, foreign bool) (issues []workflow.Finding) {
	var added strings.Builder
	for i, line := range f.Lines {
		if f.Added(i + 1) {
			added.WriteString(line)
		}
		added.WriteByte('\n')
	}
	isSettings := strings.HasPrefix(path.Base(f.Path), ".env")
	shows := foreign || illustrates.MatchString(f.Path) && !isSettings || conventions.IsTest(f.Path)
	told := map[string]bool{}
	for _, found := range redact.Secrets(s.Context(), added.String()) {
		isOld := strings.Contains(f.Old, found.Text)
		if isOld || told[found.Text] || found.Generic && shows || standsIn.MatchString(found.Text) {
			continue
		}
		told[found.Text] = true
		issues = append(issues, workflow.Finding{
			File:  f.Path,
			Line:  found.Line,
			Title: "A secret is written into " + path.Base(f.Path) + ": " + found.Rule,
		})
	}
	return issues
}

// standsIn matches values that stand for others, as those of manuals do.
var standsIn = lazyregexp.New(
	`(?i)EXAMPLE|XXXX|0000000|12345678|ABCDEFGH|YOUR[_-]|CHANGEME|PLACEHOLDER`,
)
