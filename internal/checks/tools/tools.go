// Package tools takes what other tools found on the lines that a change adds, one check a tool.
package tools

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/sarif"
	"workflow-reviewer/internal/workflow"
)

// prefix begins the ids of these checks; the tool's name follows.
const prefix = "findings/"

// maxTitle limits a title, in characters.
const maxTitle = 120

// Is reports whether a check tells what another tool found.
func Is(id string) bool { return strings.HasPrefix(id, prefix) }

// Check gives one check a tool. A tool without a result on the change is told only where there is
// code.
func Check(s *check.Subject) (out []workflow.Check) {
	found := map[string][]workflow.Finding{}
	for _, f := range s.Artifact.Files {
		for _, r := range s.Findings.ByFile[f.Path] {
			if line, ok := changed(s, r); ok {
				found[r.Tool] = append(found[r.Tool], issue(r, line, s.Block))
			}
		}
	}
	for _, tool := range s.Findings.Tools {
		issues := distinct(found[tool])
		if len(issues) == 0 && s.Artifact.Type.Single() {
			continue
		}
		c := workflow.Check{ID: prefix + word(tool), Outcome: workflow.Passed}
		c.Summary = "nothing found in changed lines"
		if len(issues) > 0 {
			c.Issues, c.Outcome = issues, workflow.Noted
			c.Summary = workflow.Count(len(issues), "result") + " on changed lines"
		}
		if len(issues) > 0 && issues[0].Level == workflow.Block {
			c.Outcome = workflow.Failed
			c.Summary = fmt.Sprintf("%s: %s", tool, c.Summary)
		}
		out = append(out, c)
	}
	return out
}

// Block reports whether a tool has a result that blocks on the lines that a change adds to a file.
func Block(s *check.Subject, file string) bool {
	return slices.ContainsFunc(s.Findings.ByFile[file], func(r sarif.Result) bool {
		_, ok := changed(s, r)
		return ok && severity(r.Level, s.Block) == workflow.Block
	})
}

// changed is the first changed line of a result. One about a file as a whole counts where all of
// the file is new.
func changed(s *check.Subject, r sarif.Result) (line int, ok bool) {
	file, touched := s.Changed(r.File)
	source := s.Source(r.File)
	if !touched || source == nil {
		return 0, false
	}
	if r.Line == 0 {
		return 0, file.Status == change.Added
	}
	for l := r.Line; l <= min(r.EndLine, len(source.Lines)); l++ {
		if source.Added(l) {
			return l, true
		}
	}
	return 0, false
}

func issue(r sarif.Result, line int, block sarif.Level) workflow.Finding {
	i := workflow.Finding{
		Level:    severity(r.Level, block),
		Category: workflow.Maintainability,
		File:     r.File,
		Line:     line,
		Title:    markdown.Line(cmp.Or(r.Message, r.Rule, "A result without a message"), maxTitle),
		Text:     fmt.Sprintf("%s\n\nReported by %s as %s.", r.Message, r.Tool, r.Level),
		Fix:      "Correct it, or accept it by the means of " + r.Tool + ".",
		Kind:     word(r.Tool + "/" + cmp.Or(r.Rule, "result")),
	}
	if r.Security {
		i.Category = workflow.Security
	}
	return i
}

// severity is High for what blocks.
func severity(level, block sarif.Level) workflow.Level {
	grave := []sarif.Level{sarif.Error, sarif.Warning}
	at := slices.Index(grave, level)
	switch {
	case at >= 0 && at <= slices.Index(grave, block):
		return workflow.Block
	case at >= 0:
		return workflow.Warn
	default:
		return workflow.Note
	}
}

// distinct are the issues, worst first, one a rule and line.
func distinct(issues []workflow.Finding) (out []workflow.Finding) {
	order := []workflow.Level{workflow.Block, workflow.Warn, workflow.Note}
	slices.SortStableFunc(issues, func(a, b workflow.Finding) int {
		return slices.Index(order, a.Level) - slices.Index(order, b.Level)
	})
	type place struct {
		rule, file string
		line       int
	}
	seen := map[place]bool{}
	for _, i := range issues {
		if at := (place{i.Kind, i.File, i.Line}); !seen[at] {
			seen[at] = true
			out = append(out, i)
		}
	}
	return out
}

// word is a name in one word.
func word(name string) string { return strings.ReplaceAll(name, " ", "-") }
