package review

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
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

// past is what the earlier reviews of an artifact mean for the next one. All but the numbers is
// taken from records that this program vouches for alone: a pull request may carry any file.
type past struct {
	iteration int              // of the next review
	last      time.Time        // of the newest review, whoever wrote it
	asked     int              // reviews by a reviewer of ours since the last approval
	latest    *workflow.Result // the newest of them that is vouched for, nil for none
	dismissed []dismissed      // findings that people set aside and that still hold
	lapsed    []workflow.Dismissal
	seen      map[string]seenFile // what the latest saw, by the path now
	artifact  workflow.Artifact
	unread    []string // files whose former version is unavailable
}

// dismissed is a dismissal with the first line, from 1, at which its text stands now.
type dismissed struct {
	workflow.Dismissal
	at int
}

// seenFile relates a file to the version that the latest review saw.
type seenFile struct {
	same bool // not changed at all
	// old are the former numbers of lines that were there and whose surroundings were not taken
	// away, by their numbers now.
	old map[int]int
}

// pastOf is what earlier reviews of an artifact say, looked up once.
func (p *planner) pastOf(ctx context.Context, a workflow.Artifact) past {
	known, ok := p.pasts[a.Name()]
	if !ok {
		known = p.past(ctx, a)
		p.pasts[a.Name()] = known
	}
	return known
}

// past reads what earlier reviews of an artifact came to. The rounds are counted since the last
// approval that is vouched for; reviews that nobody was asked for, and what people decided on one,
// are no rounds.
func (p *planner) past(ctx context.Context, a workflow.Artifact) past {
	out, h := past{iteration: 1, artifact: a}, p.histories[a.Name()]
	newest := true
	if len(h) > 0 {
		out.last = h[len(h)-1].Time
	}
	for _, r := range slices.Backward(h) {
		isOwn := !r.Legacy && r.Result != nil
		isApproval := r.Decision == workflow.Approved
		counts := isApproval || isOwn && (newest || out.latest == nil)
		isBelieved := counts && p.trusts(ctx, r)
		if newest && isOwn && isBelieved {
			newest = false
			out.dismissals(p.Set.HeadTree, p.relocated(*r.Result, a).Dismissed)
		}
		if isApproval && isBelieved {
			break
		}
		if isApproval || isOwn && r.Result.Unasked != "" {
			continue
		}
		if !isOwn || r.Result.Amends == "" {
			out.iteration++
			if isOwn {
				out.asked++
			}
		}
		if out.latest == nil && isOwn && isBelieved {
			out.latest = p.relocated(*r.Result, a)
			out.compare(ctx, p.Blob, p.Set.HeadTree)
		}
	}
	return out
}

// relocated is an earlier review of an artifact with the documents where the lifecycle has them
// now.
func (p *planner) relocated(r workflow.Result, a workflow.Artifact) *workflow.Result {
	now := map[string]string{}
	for _, file := range append(prompt.FilePaths(a), a.SpecPath) {
		now[p.Canonical(file)] = file
	}
	move := func(file *string) { *file = cmp.Or(now[p.Canonical(*file)], *file) }
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

// trusts reports whether somebody vouches for a record. Not being able to tell is no.
func (p *planner) trusts(ctx context.Context, r record.Record) bool {
	if p.Vouched == nil {
		return false
	}
	ok, _, err := p.Vouched(ctx, r)
	return ok && err == nil
}

// compare finds the lines of the artifact that the latest review saw as they are.
func (p *past) compare(
	ctx context.Context,
	blob func(ctx context.Context, head, blob string) ([]byte, error),
	tree change.Tree,
) {
	p.seen = map[string]seenFile{}
	for _, f := range p.artifact.Files {
		isFile := func(o workflow.File) bool { return o.Path == f.Path && o.Blob != "" }
		i := slices.IndexFunc(p.latest.Artifact.Files, isFile)
		if i < 0 {
			continue
		}
		old := p.latest.Artifact.Files[i].Blob
		if old == f.Blob {
			p.seen[f.Path] = seenFile{same: true}
			continue
		}
		now, err := tree.ReadFile(f.Path)
		var before []byte
		if err == nil && blob != nil {
			before, err = blob(ctx, p.latest.Head, old)
		}
		if err != nil || blob == nil {
			p.unread = append(p.unread, foreign.Label(f.Path)+": the version that the latest "+
				"review saw is unavailable, so all its lines count as changed")
			continue
		}
		p.seen[f.Path] = seenFile{old: unchanged(before, now)}
	}
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
func (p past) saw(i workflow.Finding) bool {
	if i.File == "" {
		return sameFiles(path.Clean, p.latest.Artifact.Files, p.artifact.Files)
	}
	f, known := p.seen[i.File]
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

// dismissals takes over what people set aside, as far as the lines are as they were.
func (p *past) dismissals(tree change.Tree, list []workflow.Dismissal) {
	for _, d := range list {
		var at []int
		for i, text := range passages(tree, p.artifact, d.Issue.File, d.Lines) {
			if text == d.Text {
				at = append(at, i+1)
			}
		}
		// Of several places of one text it is the one where the finding was.
		if len(at) > 1 && slices.Contains(at, d.Issue.Line) {
			at = []int{d.Issue.Line}
		}
		if len(at) == 1 {
			p.dismissed = append(p.dismissed, dismissed{d, at[0]})
		} else {
			p.lapsed = append(p.lapsed, d)
		}
	}
}

// standing are the dismissals whose lines are still as they were.
func (p past) standing() []workflow.Dismissal {
	var out []workflow.Dismissal
	for _, d := range p.dismissed {
		out = append(out, d.Dismissal)
	}
	return out
}

// isDismissed reports whether a person set the finding aside: the same one, on the same lines
// wherever they stand now.
func (p past) isDismissed(i workflow.Finding) bool {
	return slices.ContainsFunc(p.dismissed, func(d dismissed) bool {
		isThere := d.Lines == 0 && i.Line == 0 || i.Line >= d.at && i.Line < d.at+d.Lines
		return d.Issue.Alike(i) && isThere
	})
}

// passageOf identifies what a finding is about: its lines, its whole file, or all files of the
// artifact. lines is 0 for the latter two. ok is false if it cannot be read.
func passageOf(
	tree change.Tree,
	a workflow.Artifact,
	i workflow.Finding,
) (text string, lines int, ok bool) {
	if i.File != "" && i.Line > 0 {
		lines = max(i.Line, i.EndLine) - i.Line + 1
	}
	all := passages(tree, a, i.File, lines)
	at := 0
	if lines > 0 {
		at = i.Line - 1
	}
	if at >= len(all) {
		return "", 0, false
	}
	return all[at], lines, true
}

// passages identify each run of so many lines of a file, the whole file for 0, and all files of the
// artifact where no file is named; nil if it cannot be read.
func passages(tree change.Tree, a workflow.Artifact, file string, lines int) (out []string) {
	var all []string
	if file == "" {
		for _, f := range a.Files {
			all = append(all, a.Lasting(f.Path), f.Blob)
		}
		lines = len(all)
	} else {
		data, err := tree.ReadFile(file)
		if err != nil {
			return nil
		}
		all = []string{string(data)}
		if lines > 0 {
			all = strings.SplitAfter(string(data), "\n")
		}
	}
	for n := max(lines, 1); n <= len(all); n++ {
		out = append(out, digestOf(all[n-max(lines, 1):n]))
	}
	return out
}

// digestOf identifies texts; that the last line of a file lacks its line feed makes no difference.
func digestOf(texts []string) string {
	h := sha256.New()
	for _, t := range texts {
		h.Write([]byte(strings.TrimRight(t, "\r\n") + "\n"))
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
