// Package testcommand finds commands that ran the tests and are commented out, or taken away
// without another.
package testcommand

import (
	"strings"

	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// Entry is the check.
var Entry = check.Entry{
	ID:       "tests/command-disabled",
	Types:    workflow.Types(),
	Severity: workflow.Block,
	Category: workflow.Testing,
	Title:    "A command that ran the tests is commented out or gone",
	Why: "Tests that are not run keep nothing from breaking. Told where a line that started a " +
		"test runner before, in a hook, a script or CI, is a comment now, or is gone and nothing " +
		"in the file starts one any more. A line that starts another runner in its place is no " +
		"loss.",
	Fix: "Put the command back, or say in the change why the tests need not run here.",
	Run: find,
}

// starts matches lines that start a test runner.
var starts = lazyregexp.New(
	`\b(?:pytest|tox|nox|jest|vitest|mocha|rspec|phpunit|playwright test|cypress run|ctest|go test|` +
		`paratest|cargo (?:test|nextest)|dotnet test|mvn (?:\S+ )*(?:test|verify)|gradlew? (?:\S+ )*(?:test|check)|` +
		`(?:npm|pnpm|yarn|bun)(?: run)? (?:test|t)\b|python3? -m (?:pytest|unittest)|rake (?:test|spec)|make (?:test|check))`,
)

// comment matches what makes a line of such a file a comment.
var comment = lazyregexp.New(`^(?:#+|//+|--|;+|::|(?i:rem )|<!--)\s*`)

func find(s *check.Subject) check.Result {
	var issues []workflow.Finding
	var looked []*check.Source
	for _, f := range s.Artifact.Files {
		if source := s.Source(f.Path); source != nil && source.Old != "" && !check.Report(f.Path) {
			looked = append(looked, source)
			issues = append(issues, disabled(source)...)
		}
	}
	if len(looked) == 0 {
		return check.NotLooked("no file that was there before")
	}
	return check.Lines(issues, looked)
}

// In reports whether the change makes a command of a file a comment.
func In(s *check.Subject, file string) bool {
	source := s.Text(file)
	return source != nil && source.Old != "" && !check.Report(file) && len(disabled(source)) > 0
}

// disabled lists the commands of a file that the change made comments, or took away so that none is
// left. Where it adds a line that starts a runner, that takes the place of one.
func disabled(f *check.Source) (issues []workflow.Finding) {
	ran, last := map[string]bool{}, ""
	for l := range strings.Lines(f.Old) {
		if l = strings.TrimSpace(l); runs(l) {
			ran[l], last = true, l
		}
	}
	left := false
	for i, l := range f.Lines {
		l = strings.TrimSpace(l)
		delete(ran, l)
		if left = left || runs(l); runs(l) && f.Added(i+1) {
			return nil
		}
		left = left || f.Added(i+1) && mayRun.MatchString(l) && !comment.MatchString(l)
	}
	for i, l := range f.Lines {
		l = strings.TrimSpace(l)
		command := comment.ReplaceAllString(l, "")
		if command != l && ran[strings.TrimSuffix(command, " -->")] && f.Added(i+1) {
			issue := issueOf(f, command)
			issue.Line = i + 1
			issues = append(issues, issue)
		}
	}
	if last != "" && !left && len(issues) == 0 && runnable.MatchString(f.Path) {
		issues = append(issues, issueOf(f, last))
	}
	return issues
}

// issueOf is the finding that a command of a file is no longer run, at a line yet to be given.
func issueOf(f *check.Source, command string) workflow.Finding {
	title := "No longer run: " + markdown.Line(command, 80)
	return workflow.Finding{File: f.Path, Title: title, Subject: command}
}

// runnable are the paths of hooks, shell scripts, Makefiles and pipelines: lists of packages name
// runners, too.
var runnable = lazyregexp.New(`^\.|(?:^|/)[^./]+$|\.(?:ba)?sh$`)

// mayRun is a line that may run tests by another name: ./scripts/test.sh, make ci, uses:
// acme/run-tests@v1.
var mayRun = lazyregexp.New(`(?i)(?:^|[^a-z])(?:tests?|specs?|checks?|verify|ci)(?:[^a-z]|$)`)

func runs(line string) bool { return starts.MatchString(line) && !comment.MatchString(line) }
