package rules

import (
	"cmp"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// news makes a finder leave out what it finds as well on lines that the change takes
// away: code that is laid out anew, or moved from one file to another, is no news.
func news(find func(*subject) []workflow.Issue) func(*subject) []workflow.Issue {
	return func(s *subject) []workflow.Issue {
		found := find(s)
		if len(found) == 0 || s.Set.MergeBaseTree == nil {
			return found
		}
		was := s.undoing(found)
		var held []string
		for _, i := range find(was) {
			held = append(held, was.words(i))
		}
		return slices.DeleteFunc(found, func(i workflow.Issue) bool {
			now := s.words(i)
			at := slices.IndexFunc(held, func(old string) bool { return strings.Contains(old, now) || strings.Contains(now, old) })
			if at >= 0 {
				held = slices.Delete(held, at, at+1)
			}
			return at >= 0
		})
	}
}

// undoing is the change the other way round, with the files that hold what the first
// line of one of the findings says.
func (s *subject) undoing(found []workflow.Issue) *subject {
	in := s.Input
	in.Set.HeadTree, in.Set.MergeBaseTree, in.Set.Files, in.Artifact.Files = s.Set.MergeBaseTree, s.Set.HeadTree, nil, nil
	for _, f := range s.Set.Files {
		held := f.Status != change.Added && slices.ContainsFunc(found, func(i workflow.Issue) bool {
			return i.File == f.Path || strings.Contains(s.before(f.Path), s.firstLine(i))
		})
		if !held {
			continue
		}
		f.Path, f.OldPath, f.Blob, f.OldBlob = cmp.Or(f.OldPath, f.Path), f.Path, f.OldBlob, f.Blob
		if f.Status == change.Deleted {
			f.Status = change.Added
		}
		in.Set.Files = append(in.Set.Files, f)
		in.Artifact.Files = append(in.Artifact.Files, workflow.File{Path: f.Path})
	}
	return newSubject(s.ctx, in)
}

func (s *subject) firstLine(i workflow.Issue) string {
	return strings.TrimSpace(s.source(i.File).lines[i.Line-1])
}

var noWord = lazyregexp.New(`[^\pL\pN]+`)

// words are those of the lines of a finding, however these are laid out.
func (s *subject) words(i workflow.Issue) string {
	return noWord.ReplaceAllString(strings.Join(s.source(i.File).lines[i.Line-1:max(i.Line, i.EndLine)], ""), "")
}
