package prompt

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/workflow"
)

// Intent is what the author says of the change. It may be anything.
type Intent struct {
	Title   string
	Body    string
	Commits []string // subjects, the newest first, without this program's own
}

// Caps on what is shown of the author's words and of the list of files.
const (
	maxBody     = 6_000 // characters
	maxCommits  = 30
	maxSubject  = 200
	maxListed   = 300 // files
	maxFileList = 12_000
)

// IntentDocuments tell a reviewer what was meant and what else the change touches. They are no part
// of a context's digest: a verdict on the same artifact does not change with the title, nor with
// every push.
func IntentDocuments(in Intent, set change.Set, a workflow.Artifact) []Document {
	var out []Document
	var b strings.Builder
	if in.Title != "" {
		fmt.Fprintf(&b, "Title: %s\n", markdown.Line(in.Title, 300))
	}
	if body := markdown.Clean(strings.TrimSpace(in.Body)); body != "" {
		body, _ = foreign.Cut(body, maxBody)
		fmt.Fprintf(&b, "\n%s\n", body)
	}
	if len(in.Commits) > 0 {
		b.WriteString("\nCommits, the newest first:\n")
		for _, c := range in.Commits[:min(len(in.Commits), maxCommits)] {
			fmt.Fprintf(&b, "- %s\n", markdown.Line(c, maxSubject))
		}
	}
	if b.Len() > 0 {
		out = append(out, Document{
			Heading: "What the author says", Note: "A claim, not evidence: hold the artifact against it.",
			Body: strings.TrimLeft(b.String(), "\n"),
		})
	}
	if files := fileList(set, a); files != "" {
		out = append(out, Document{
			Heading: "Files of the pull request",
			Note:    "All that it adds, changes, moves or deletes; an asterisk marks what is under review here.", Body: files,
		})
	}
	return out
}

// fileList names every file of a change, deleted ones first.
func fileList(set change.Set, a workflow.Artifact) string {
	own := map[string]bool{}
	for _, f := range a.Files {
		own[f.Path] = true
	}
	files := slices.Clone(set.Files)
	slices.SortStableFunc(files, func(x, y change.File) int {
		return fromBool(y.Status == change.Deleted) - fromBool(x.Status == change.Deleted)
	})
	var b strings.Builder
	for i, f := range files {
		if i == maxListed {
			fmt.Fprintf(&b, "… and %d more; list_files and diff show them\n", len(files)-i)
			break
		}
		mark, from := " ", ""
		if own[f.Path] {
			mark = "*"
		}
		if f.OldPath != "" && f.OldPath != f.Path {
			from = " (was " + foreign.Label(f.OldPath) + ")"
		}
		fmt.Fprintf(&b, "%s %-8s %s%s\n", mark, f.Status, foreign.Label(f.Path), from)
	}
	text, _ := foreign.Cut(b.String(), maxFileList)
	return text
}

// fromBool is 1 for true.
func fromBool(b bool) int {
	if b {
		return 1
	}
	return 0
}
