// Package links finds relative links of documents that lead nowhere.
package links

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// Entry is the check.
var Entry = check.Entry{
	ID:    "document/broken-link",
	Types: []workflow.Type{workflow.Vision, workflow.Scope, workflow.Roadmap, workflow.Spec},

	Severity: workflow.Note, Category: workflow.Documentation, Advice: true,
	Title: "A link leads nowhere",
	Why: "A relative link must name a file or folder of the reviewed commit, seen from the " +
		"document or from the root. Only lines of the change are looked at; what tasks.md names " +
		"may be yet to be made.",
	Fix: "Correct the path, or commit what it names.",
	Run: find,
}

var (
	target  = lazyregexp.New(`\]\(\s*<?([^)\s>#?]+)[^)\n]*\)`)
	outside = lazyregexp.New(`^[A-Za-z][\w+.-]*:|^//|^\{`)
	atLine  = lazyregexp.New(`:\d+(?:[-:]\d+)?$`)
)

// maxLinks limits the links of a document that are followed.
const maxLinks = 500

func find(s *check.Subject) check.Result {
	return check.InDocuments(s, "link", func(d *check.Document) ([]workflow.Finding, int) {
		return broken(s, d)
	})
}

func broken(s *check.Subject, d *check.Document) (issues []workflow.Finding, links int) {
	if path.Base(d.Path) == "tasks.md" {
		return nil, 0
	}
	for _, part := range d.Prose() {
		for i, line := range strings.Split(part.Text, "\n") {
			for _, m := range target.FindAllStringSubmatch(line, 20) {
				if links++; links > maxLinks || !d.Added(part.Line+i) || !nowhere(s, d.Path, m[1]) {
					continue
				}
				issues = append(issues, workflow.Finding{
					File:    d.Path,
					Line:    part.Line + i,
					Title:   markdown.Line(m[1], 80) + " is not in the repository",
					Subject: m[1],
				})
			}
		}
	}
	return issues, links
}

func nowhere(s *check.Subject, from, to string) bool {
	to = atLine.ReplaceAllString(strings.ReplaceAll(to, "%20", " "), "")
	if outside.MatchString(to) || !strings.ContainsAny(to, "./") {
		return false
	}
	full := path.Join(path.Dir(from), to)
	fromRoot := strings.TrimPrefix(path.Clean(to), "/")
	if strings.HasPrefix(full, "..") || full == "." {
		return false
	}
	return missing(s, full) && missing(s, fromRoot)
}

func missing(s *check.Subject, name string) bool {
	if _, err := s.Set.HeadTree.Stat(name); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	list, err := s.Set.HeadTree.List(name)
	return err == nil && len(list) == 0
}
