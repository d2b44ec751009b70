package rules

import (
	"cmp"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// news makes a finder leave out what it finds as well on lines that the change takes away: code that is laid out anew,
// or moved from one file to another, is no news. What has a word more than before is, as is what weighs more.
func news(find func(*subject) []workflow.Issue) func(*subject) []workflow.Issue {
	return func(s *subject) []workflow.Issue {
		found := find(s)
		if len(found) == 0 || s.Set.MergeBaseTree == nil {
			return found
		}
		was := s.undoing(found)
		held := find(was)
		return slices.DeleteFunc(found, func(i workflow.Issue) bool {
			now := s.words(i)
			at := slices.IndexFunc(held, func(old workflow.Issue) bool {
				return now != "" && old.Severity == i.Severity && strings.Contains(was.words(old), now)
			})
			if at >= 0 {
				held = slices.Delete(held, at, at+1) // which stands for one
			}
			return at >= 0
		})
	}
}

// undoing is the change the other way round, with the files that hold what the first line of one of the findings says.
func (s *subject) undoing(found []workflow.Issue) *subject {
	in := s.Input
	in.Set.HeadTree, in.Set.MergeBaseTree, in.Set.Files, in.Artifact.Files = s.Set.MergeBaseTree, s.Set.HeadTree, nil, nil
	for _, f := range s.Set.Files {
		old := s.before(f.Path)
		if f.Status == change.Added || !slices.ContainsFunc(found, func(i workflow.Issue) bool {
			return i.File == f.Path || strings.Contains(old, s.firstLine(i))
		}) {
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
