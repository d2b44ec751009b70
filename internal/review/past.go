package review

import (
	"cmp"
	"context"
	"path"
	"slices"
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

// dismissed is a dismissal with the first lines, from 1, at which its text stands.
type dismissed struct {
	workflow.Dismissal
	at []int
}

// seenFile relates a file to the version that the latest review saw.
type seenFile struct {
	same bool        // not changed at all
	old  map[int]int // by the line's number now, of lines that were there and whose surroundings were not taken away
}

// pastOf is what earlier reviews of an artifact say, looked up once.
func (p *planner) pastOf(ctx context.Context, a workflow.Artifact) past {
	known, ok := p.pasts[a.Name()]
	if !ok {
		known = p.past(ctx, a, history(p.Records, a))
		p.pasts[a.Name()] = known
	}
	return known
}

// past reads what earlier reviews of an artifact came to. The rounds are counted since the last
// approval that is vouched for; reviews that nobody was asked for, and what people decided on one,
// are no rounds.
func (p *planner) past(ctx context.Context, a workflow.Artifact, h []record.Record) past {
	out := past{iteration: 1, artifact: a}
	newest := true
	if len(h) > 0 {
		out.last = h[len(h)-1].Time
	}
	for _, r := range slices.Backward(h) {
		own := !r.Legacy && r.Result != nil
		approved := r.Decision == workflow.Approved
		believed := (approved || own && (newest || out.latest == nil)) && p.trusts(ctx, r)
		if newest && own && believed {
			newest = false
			out.dismissals(p.Set.HeadTree, p.relocated(*r.Result, a).Dismissed)
		}
		if approved && believed {
			break
		}
		if approved || own && r.Result.Unasked != "" {
			continue
		}
		if !own || r.Result.Amends == "" {
			out.iteration++
		}
		if own && r.Result.Amends == "" {
			out.asked++
		}
		if out.latest == nil && own && believed {
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
	r.Issues, r.Dismissed, r.Artifact.Files = slices.Clone(
		r.Issues,
	), slices.Clone(
		r.Dismissed,
	), slices.Clone(
		r.Artifact.Files,
	)
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
	former := map[string]workflow.File{}
	for _, f := range p.latest.Artifact.Files {
		former[f.Path] = f
	}
	for _, f := range p.artifact.Files {
		old, known := former[f.Path]
		switch {
		case !known || old.Blob == "":
			continue
		case old.Blob == f.Blob:
			p.seen[f.Path] = seenFile{same: true}
			continue
		}
		now, err := tree.ReadFile(f.Path)
		var before []byte
		if err == nil && blob != nil {
			before, err = blob(ctx, p.latest.Head, old.Blob)
		}
		if err != nil || blob == nil {
			p.unread = append(p.unread, foreign.Label(f.Path)+
				": the version that the latest review saw is unavailable, so all its lines count as changed")
			continue
		}
		p.seen[f.Path] = seenFile{old: unchanged(before, now)}
	}
}

// unchanged are the lines of the new text, from 1, that the old one had, with
// their numbers there. A line beside one that was taken away is not among them.
func unchanged(before, now []byte) map[int]int {
	out := map[int]int{}
	next, shift := 1, 0
	hunks := textdiff.Hunks(before, now, 0)
	keep := func(end int) {
		for ; next <= end; next++ {
			out[next] = next - shift
		}
	}
	for _, h := range hunks {
		first, end := h.NewStart, h.NewStart+h.NewLines-1
		if h.NewLines == 0 {
			first, end = h.NewStart+1, h.NewStart // the lines went between these two
		}
		keep(first - 1)
		next, shift = end+1, shift+h.NewLines-h.OldLines
	}
	keep(prompt.CountLines(now))
	for _, h := range hunks {
		if h.NewLines == 0 {
			delete(out, h.NewStart)
			delete(out, h.NewStart+1)
		}
	}
	return out
}

// saw reports whether the latest review saw what a finding is about as it is.
func (p past) saw(i workflow.Issue) bool {
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
		if at, ok := findDismissed(tree, p.artifact, d); ok {
			p.dismissed = append(p.dismissed, dismissed{d, at})
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
func (p past) isDismissed(i workflow.Issue) bool {
	return slices.ContainsFunc(p.dismissed, func(d dismissed) bool {
		return d.Issue.Alike(i) && (d.Lines == 0 && i.Line == 0 || slices.ContainsFunc(d.at, func(first int) bool {
			return i.Line >= first && i.Line < first+d.Lines
		}))
	})
}
