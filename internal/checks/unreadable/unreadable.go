// Package unreadable finds files that nobody can review.
package unreadable

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"unicode/utf8"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

// Entry is the check.
var Entry = check.Entry{
	ID:       "artifact/unreadable",
	Types:    workflow.Types(),
	Severity: workflow.Block,
	Category: workflow.Clarity,
	Title:    "The file cannot be reviewed",
	Why: "A file under review must be UTF-8 text of at most 8 MiB. What cannot be read cannot be " +
		"approved. Code that the parser refuses is named and does not block.",
	Fix: "Commit the file as UTF-8 text, or leave it out of the review with `ignore` in the " +
		"config.",
	Run: find,
}

func find(s *check.Subject) check.Result {
	if len(s.Artifact.Files) == 0 {
		return check.Result{Issues: []workflow.Finding{{Title: "There is no file to review"}}}
	}
	var issues []workflow.Finding
	for _, f := range s.Artifact.Files {
		why, severity := trouble(s, f.Path)
		if why != "" {
			title := f.Path + " " + why
			issues = append(issues, workflow.Finding{File: f.Path, Title: title, Level: severity})
		}
	}
	return check.Result{Issues: issues, Looked: workflow.Count(len(s.Artifact.Files), "file")}
}

// trouble says why a file cannot be read, "" if it can.
func trouble(s *check.Subject, file string) (string, workflow.Level) {
	data, err := s.Set.HeadTree.ReadFile(file)
	_, _, isCode := syntax.Script(file, nil)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "is not in the head commit", workflow.Block
	case errors.Is(err, change.ErrLFSPointer):
		return "is a Git LFS pointer: its content is not in the repository's objects",
			workflow.Block
	case errors.Is(err, change.ErrNotRegular):
		return "is a symbolic link or submodule, which is not followed", workflow.Block
	case errors.Is(err, change.ErrTooLarge):
		return "is larger than 8 MiB", workflow.Block
	case err != nil:
		return "cannot be read from the head commit", workflow.Block
	case s.Artifact.Type == workflow.Tests && !isCode && bytes.IndexByte(data, 0) >= 0:
		return "", "" // data of tests
	case bytes.IndexByte(data, 0) >= 0:
		return "is not text: it holds zero bytes", workflow.Block
	case !utf8.Valid(data) && (!isCode || utf8.ValidString(s.Before(file)) && s.Before(file) != ""):
		return "is not valid UTF-8 text", workflow.Block
	case len(bytes.TrimSpace(data)) == 0 && s.Artifact.Type.Single():
		return "is empty", workflow.Block
	case isCode && s.Source(file) != nil && s.Source(file).Tree == nil:
		const why = "was not parsed: only checks of lines looked at its %d bytes"
		return fmt.Sprintf(why, len(data)), workflow.Note
	default:
		return "", ""
	}
}
