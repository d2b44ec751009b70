package integrity

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/trick"
	"workflow-reviewer/internal/textdiff"
	"workflow-reviewer/internal/workflow"
)

// workarounds looks for tricks in the changed implementation where there are tests that the change
// is held to: approved ones, or its own.
func (c *checker) workarounds(ctx context.Context) error {
	if !c.Workarounds {
		return nil
	}
	changed, err := c.implementation(ctx)
	if err != nil || len(changed.code)+len(changed.data)+len(changed.unread) == 0 {
		return err
	}
	sources, err := c.literals(ctx)
	if err != nil {
		return err
	}
	files := changed.code
	if len(sources) > 0 {
		files = append(files, changed.data...)
	}
	r, err := trick.Find(ctx, files, trick.Read(sources))
	if err != nil {
		return err
	}
	c.conclude(r, append(changed.unread, r.NotAnalysed...), len(sources) > 0)
	return nil
}

// excuses reports whether the base excuses a finding, and notes what it says.
func (c *checker) excuses(v workflow.Finding) bool {
	ok, notice := trick.Excuses(c.Allow, v, c.Today)
	if notice != nil {
		c.out.Notices = append(c.out.Notices, *notice)
	}
	return ok
}

// conclude takes over what was found, without what the base excuses.
func (c *checker) conclude(r trick.Result, unread []trick.Unread, tested bool) {
	for _, v := range r.Violations {
		if c.excuses(v) {
			c.out.Excused = append(c.out.Excused, v)
		} else {
			c.out.Workarounds = append(c.out.Workarounds, v)
		}
	}
	var open []trick.Unread
	for _, u := range unread {
		u.Blob = c.touched[u.Path].Blob
		c.out.NotAnalysed = append(c.out.NotAnalysed, u.String())
		about := workflow.Finding{Level: workflow.Ask, Kind: trick.NotRead, File: u.Path}
		if !u.Old && !c.excuses(about) {
			open = append(open, u)
		}
	}
	asked := trick.Unreadable(open)
	for _, q := range r.Questions {
		if !c.excuses(q) && tested {
			asked = append(asked, q)
		}
	}
	if len(asked) > trick.Max {
		last := &asked[trick.Max]
		others := asked[trick.Max+1:]
		last.Text += fmt.Sprintf(" It stands for %d other places as well, which is too much for "+
			"single questions; a change this wide is better split.", len(others))
		for _, q := range others[:min(len(others), trick.Max)] {
			last.Evidence += fmt.Sprintf("\n%s:%d", q.File, q.Line)
		}
		asked = asked[:trick.Max+1]
	}
	c.out.Questions = append(c.out.Questions, asked...)
}

// changedCode is what a change does to the implementation.
type changedCode struct {
	code   []trick.Changed
	data   []trick.Changed // that programs read, or code in a language without a grammar
	unread []trick.Unread
}

// implementation are the files that the change adds to.
func (c *checker) implementation(ctx context.Context) (changedCode, error) {
	var out changedCode
	for _, f := range c.Set.Files {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		source := c.Role(f.Path) == detect.Source
		data := !source && c.Role(f.Path) == detect.Neither && trick.IsData(f.Path)
		foreign := ""
		if !source {
			foreign = detect.ForeignChange(f)
		}
		if f.Status == change.Deleted || f.Blob == f.OldBlob && f.OldMode != change.ModeSymlink ||
			!source && !data && foreign == "" {
			continue
		}
		if why := cmp.Or(foreign, whyUnread(f)); why != "" {
			out.unread = append(out.unread, trick.Unread{Path: f.Path, Why: why})
			continue
		}
		w, err := c.changed(f)
		switch {
		case err != nil:
			return out, err
		case w.After == nil:
			_, err := c.Set.HeadTree.ReadFile(f.Path)
			out.unread = append(out.unread,
				trick.Unread{Path: f.Path, Why: whyNoText(err), Old: !source})
		case data:
			out.data = append(out.data, w)
		default:
			out.code = append(out.code, w)
		}
	}
	return out, nil
}

// whyUnread says why a file of the implementation is not read as code, "" if it is.
func whyUnread(f change.File) string {
	switch {
	case f.Ignored != "":
		return f.Ignored + ", by the base commit's .gitattributes"
	case f.Binary:
		return "it is binary"
	}
	return ""
}

// whyNoText says in words why a file cannot be read as text.
func whyNoText(err error) string {
	if errors.Is(err, change.ErrLFSPointer) {
		return change.ErrLFSPointer.Error()
	}
	return "it is too large or no file"
}

// changed reads a file of the head with what it was.
func (c *checker) changed(f change.File) (trick.Changed, error) {
	after, err := content(c.Set.HeadTree, f.Path)
	w := trick.Changed{Path: f.Path, After: after}
	if err != nil || after == nil || f.OldBlob == "" {
		return w, err
	}
	if w.Before, err = content(c.Set.MergeBaseTree, cmp.Or(f.OldPath, f.Path)); err != nil {
		return w, err
	}
	// a comma more is nothing new
	bare := func(src []byte) []byte { return bytes.ReplaceAll(src, []byte(",\n"), []byte("\n")) }
	w.Added = textdiff.AddedLines(textdiff.Hunks(bare(w.Before), bare(after), 0))
	return w, nil
}

// Bounds of the tests whose values an implementation is held against.
const (
	maxTests      = 2000
	maxTestsBytes = 48 << 20
)

// literals are the tests whose inputs and expectations an implementation must
// not recognise: the approved ones, and those that the change brings.
func (c *checker) literals(ctx context.Context) (out []trick.Source, err error) {
	left, seen := maxTestsBytes, map[string]bool{}
	for _, e := range c.sorted() {
		if data, err := c.Blob(ctx, e.blob); err == nil && e.Role == approval.Test {
			left, seen[e.path] = left-len(data), true
			out = append(out, trick.Source{Path: e.path, Source: data})
		}
	}
	paths := slices.Clone(c.intact)
	for _, f := range c.Set.Files {
		if f.Status != change.Deleted && c.Role(f.Path) == detect.Test {
			paths = append(paths, f.Path)
		}
	}
	for _, p := range paths {
		if seen[p] || left < 0 || len(out) >= maxTests {
			continue
		}
		data, err := content(c.Set.HeadTree, p)
		if err = errors.Join(err, ctx.Err()); err != nil {
			return nil, err
		}
		seen[p] = true
		if left -= len(data); data != nil && left >= 0 {
			out = append(out, trick.Source{Path: p, Source: data})
		}
	}
	return out, ctx.Err()
}
