// Package history says what the earlier reviews of an artifact mean for the next one: how often it
// was reviewed, what was found and is open, which lines a reviewer saw, and what people set aside.
package history

import (
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"time"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/review/prompt"
	"workflow-reviewer/internal/textdiff"
	"workflow-reviewer/internal/workflow"
)

// History is what the earlier reviews of an artifact mean for the next one. All but the numbers is
// taken from records that this program vouches for alone: a pull request may carry any file.
type History struct {
	Iteration int              // of the next review
	Last      time.Time        // of the newest review, whoever wrote it
	Asked     int              // reviews by a reviewer of ours since the last approval
	Latest    *workflow.Result // the newest of them that is vouched for, nil for none
	Unread    []string         // files whose former version is unavailable
	// Dismissed are those findings that people set aside whose lines are as they were, each with
	// the place where it stands now.
	Dismissed []workflow.Dismissal

	artifact workflow.Artifact
	tree     change.Tree         // of the head
	seen     map[string]seenFile // what the latest saw, by the path now
	lapsed   []workflow.Dismissal
}

// seenFile relates a file to the version that the latest review saw.
type seenFile struct {
	same bool // not changed at all
	// old are the former numbers of lines that were there and whose surroundings were not taken
	// away, by their numbers now.
	old map[int]int
}

// Source is where a history is read from.
type Source struct {
	Tree      change.Tree                // of the head
	Canonical func(path string) string   // what is the same in every state of the document there
	Believed  func(r record.Record) bool // somebody vouches for it
	// Blob reads a blob of a commit that was reviewed earlier; nil has none.
	Blob func(ctx context.Context, head, blob string) ([]byte, error)
}

// Of reads what earlier reviews of an artifact, the oldest first, came to. The rounds are counted
// since the last approval that is vouched for; reviews that nobody was asked for, and what people
// decided on one, are no rounds.
func Of(ctx context.Context, a workflow.Artifact, records []record.Record, src Source) History {
	h := History{Iteration: 1, artifact: a, tree: src.Tree}
	newest := true
	if len(records) > 0 {
		h.Last = records[len(records)-1].Time
	}
	for _, r := range slices.Backward(records) {
		isOwn := !r.Legacy && r.Result != nil
		isApproval := r.Decision == workflow.Approved
		counts := isApproval || isOwn && (newest || h.Latest == nil)
		isBelieved := counts && src.Believed(r)
		if newest && isOwn && isBelieved {
			newest = false
			h.dismissEarlier(ctx, src, src.relocated(*r.Result, a))
		}
		if isApproval && isBelieved {
			break
		}
		if isApproval || isOwn && r.Result.Unasked != "" {
			continue
		}
		if !isOwn || r.Result.Amends == "" {
			h.Iteration++
			if isOwn {
				h.Asked++
			}
		}
		if h.Latest == nil && isOwn && isBelieved {
			h.Latest = src.relocated(*r.Result, a)
			h.compare(ctx, src)
		}
	}
	return h
}

// relocated is an earlier review of an artifact with the documents where the lifecycle has them
// now.
func (src Source) relocated(r workflow.Result, a workflow.Artifact) *workflow.Result {
	now := map[string]string{}
	for _, file := range append(prompt.FilePaths(a), a.SpecPath) {
		now[src.Canonical(file)] = file
	}
	move := func(file *string) { *file = cmp.Or(now[src.Canonical(*file)], *file) }
	r.Issues, r.Dismissed = slices.Clone(r.Issues), slices.Clone(r.Dismissed)
	r.Artifact.Files = slices.Clone(r.Artifact.Files)
	for i := range r.Issues {
		move(&r.Issues[i].File)
	}
	for i := range r.Dismissed {
		move(&r.Dismissed[i].Issue.File)
	}
	for i := range r.Artifact.Files {
		move(&r.Artifact.Files[i].Path)
	}
	return &r
}

// compare finds the lines of the artifact that the latest review saw as they are.
func (h *History) compare(ctx context.Context, src Source) {
	h.seen = map[string]seenFile{}
	for _, f := range h.artifact.Files {
		seen, known, err := src.seen(ctx, *h.Latest, f)
		if err != nil {
			h.Unread = append(h.Unread, foreign.Label(f.Path)+": the version that the latest "+
				"review saw is unavailable, so all its lines count as changed")
		} else if known {
			h.seen[f.Path] = seen
		}
	}
}

// seen relates a file to the version that an earlier review saw; known is false if it saw none. An
// error says that the two cannot be compared.
func (src Source) seen(
	ctx context.Context, r workflow.Result, f workflow.File,
) (seen seenFile, known bool, err error) {
	isFile := func(o workflow.File) bool { return o.Path == f.Path && o.Blob != "" }
	i := slices.IndexFunc(r.Artifact.Files, isFile)
	if i < 0 {
		return seen, false, nil
	}
	old := r.Artifact.Files[i].Blob
	if old == f.Blob {
		return seenFile{same: true}, true, nil
	}
	if src.Blob == nil {
		return seen, true, errors.New("blobs of earlier commits are unavailable")
	}
	now, err := src.Tree.ReadFile(f.Path)
	if err != nil {
		return seen, true, err
	}
	before, err := src.Blob(ctx, r.Head, old)
	if err != nil {
		return seen, true, err
	}
	return seenFile{old: unchanged(before, now)}, true, nil
}

// now is where a line of the former version stands, 0 if it is not there as it was.
func (f seenFile) now(line int) int {
	if f.same {
		return line
	}
	for now, old := range f.old {
		if old == line {
			return now
		}
	}
	return 0
}

// unchanged are the lines of the new text, from 1, that the old one had, with their numbers there.
// A line beside one that was taken away is not among them.
func unchanged(before, now []byte) map[int]int {
	out := map[int]int{}
	next, shift := 1, 0
	hunks := textdiff.Hunks(before, now, 0)
	for _, h := range hunks {
		first := h.NewStart
		if h.NewLines == 0 {
			first++ // the lines went between these two
		}
		for ; next < first; next++ {
			out[next] = next - shift
		}
		next, shift = first+h.NewLines, shift+h.NewLines-h.OldLines
	}
	for ; next <= prompt.CountLines(now); next++ {
		out[next] = next - shift
	}
	for _, h := range hunks {
		if h.NewLines == 0 {
			delete(out, h.NewStart)
			delete(out, h.NewStart+1)
		}
	}
	return out
}

// saw reports whether the latest review saw what a finding is about as it is.
func (h History) saw(i workflow.Finding) bool {
	if i.File == "" {
		return SameFiles(path.Clean, h.Latest.Artifact.Files, h.artifact.Files)
	}
	f, known := h.seen[i.File]
	if !known || f.same {
		return known
	}
	for n := i.Line; n <= max(i.Line, i.EndLine); n++ {
		if _, ok := f.old[n]; !ok {
			return false
		}
	}
	return true
}

// SameFiles reports whether two artifacts consist of the same files, wherever their lifecycle has
// moved them and whatever state they tell.
func SameFiles(canonical func(path string) string, a, b []workflow.File) bool {
	ordered := func(files []workflow.File) []workflow.File {
		files = slices.Clone(files)
		for i := range files {
			files[i].Path = canonical(files[i].Path)
		}
		slices.SortFunc(files, func(x, y workflow.File) int {
			return strings.Compare(x.Path, y.Path)
		})
		return files
	}
	isSame := func(x, y workflow.File) bool { return x.Path == y.Path && x.Same(y) }
	return len(a) > 0 && len(a) == len(b) && slices.EqualFunc(ordered(a), ordered(b), isSame)
}
