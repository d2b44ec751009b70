// Package size finds files that a change makes very long.
package size

import (
	"fmt"
	"strings"

	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/syntax/functions"
	"workflow-reviewer/internal/workflow"
)

// Entry is the check.
var Entry = check.Entry{
	ID:       "code/oversized-file",
	Types:    []workflow.Type{workflow.Implementation, workflow.BugFix},
	Severity: workflow.Note,
	Category: workflow.Maintainability, Advice: true,
	Title: "A file is very long",
	Why: "The change adds at least 150 lines of code to a source file that has 1,000 or more " +
		"then. Files without functions, and those that had 2,000 lines before, are left alone.",
	Fix: "Split it by subject.",
	Run: find,
}

// Limits, in lines that are not empty. Of 662 files told by them 521 were judged worth telling.
const (
	maxLines    = 1000
	minGrowth   = 150
	hopeless    = 2000
	ofAFunction = 100 // lines of code that have a function among them, or it is a table
)

func find(s *check.Subject) check.Result {
	files := check.ReadBy("tests", s.Code()) // languages that are read
	var issues []workflow.Finding
	for _, f := range files {
		now, before, added := written(f.Lines), written(strings.Split(f.Old, "\n")), f.Adds()
		count := len(functions.Of(f.Tree))
		grows := min(added, now-before) >= minGrowth && before <= hopeless
		if !grows || now < maxLines || count*ofAFunction < now {
			continue
		}
		title := fmt.Sprintf("%d lines of code, and grows by %d", now, now-before)
		issues = append(issues, workflow.Finding{File: f.Path, Title: title})
	}
	return check.Lines(issues, files)
}

func written(lines []string) (n int) {
	for _, l := range lines {
		if strings.TrimSpace(l) != "" {
			n++
		}
	}
	return n
}
