package detect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/syntax/functions"
	"workflow-reviewer/internal/workflow"
)

// maxParsed is how much source is parsed in one run, in bytes; a skeleton is never that large.
const maxParsed = 8 << 20

// maxParsing is how long the search for skeletons may take in one run. Only sources made to be slow
// come near it; what is left then counts as implementation.
const maxParsing = 45 * time.Second

// finding is what reading a file found, written by one goroutine and read by another after all have
// ended.
type finding struct {
	reject  string // why the file is in no artifact after all
	note    string // what else is worth saying
	warning bool   // of either
}

// inspect reads the files where the path alone does not decide.
func (d *detector) inspect(ctx context.Context) error {
	findings := make([]finding, len(d.files))
	parsing, cancel := context.WithTimeout(ctx, maxParsing)
	defer cancel()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	budget := int64(maxParsed)
	for i, c := range d.files {
		parse := d.mayBeSkeleton(c)
		if parse && c.Size <= syntax.MaxSource {
			budget -= c.Size
		}
		if c.class == document || c.class == bugReport {
			continue
		}
		parse = parse && budget >= 0
		group.Go(func() (err error) {
			findings[i], err = d.inspectFile(ctx, parsing, c, parse)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if budget < 0 {
		d.notes.note(
			"",
			"too much source to look for skeletons in all of it: what comes after the first %d MiB "+
				"counts as implementation",
			maxParsed>>20,
		)
	}
	kept := d.files[:0]
	for i, c := range d.files {
		f := findings[i]
		c.foreign = c.foreign || f.reject != "" && f.reject != noArtifact
		if f.reject != "" && !c.demanded && !d.demand(c) {
			d.notes.skip(f.warning || c.explicit, c.Path, f.reject)
			continue
		}
		if f.note != "" {
			d.notes.add(f.warning, c.Path, "%s", f.note)
		}
		kept = append(kept, c)
	}
	d.files = kept
	return nil
}

// mayBeSkeleton reports whether the syntax of a file decides its type.
func (d *detector) mayBeSkeleton(c *candidate) bool {
	language, _ := syntax.LanguageOf(c.Path)
	return functions.Reads(language) && c.class == source && c.typ == "" &&
		!d.rules.has(workflow.Skeleton) &&
		(d.wants(workflow.Skeleton) || d.wants(workflow.Implementation))
}

// inspectFile looks into one file; parsing is the context that bounds the
// parser. An error means that a tree cannot be read.
func (d *detector) inspectFile(
	ctx, parsing context.Context,
	c *candidate,
	parse bool,
) (finding, error) {
	if err := ctx.Err(); err != nil {
		return finding{}, err
	}
	isSource := conventions.Language(c.place.rel) != ""
	isScript := !isSource && c.why == "a program by its first line"
	src, err := d.set.HeadTree.ReadFile(c.Path)
	isPointer := errors.Is(err, change.ErrLFSPointer)
	switch {
	case c.class == testHelper && !isSource && isPointer:
		return finding{
			reject:  "a Git LFS pointer; its content is not in the repository's objects",
			warning: true,
		}, nil
	case c.class == testHelper && !isSource:
		return finding{}, nil // data has no marker that would be believed
	case isScript && (isPointer || err == nil && !bytes.HasPrefix(src, []byte("#!"))):
		return finding{reject: noArtifact}, nil
	case isPointer:
		return finding{}, nil // its review says so
	case errors.Is(err, change.ErrTooLarge):
		const note = "too large to be read whole: reviewed as implementation or tests by its name"
		return finding{note: note, warning: true}, nil
	case errors.Is(err, change.ErrNotRegular):
		return finding{reject: "not a regular file", warning: true}, nil
	case err != nil:
		return finding{}, fmt.Errorf("read %q of %s: %w", c.Path, short(d.set.Head), err)
	}
	if !parse && !saysGenerated(src) {
		return finding{}, nil
	}
	before, err := d.before(c, src)
	if err != nil {
		return finding{}, err
	}
	f := believeMarker(c, src, before)
	if f.reject != "" || !parse {
		return f, nil
	}
	note, err := d.setBody(ctx, parsing, c, src, before)
	if f.note != "" && note != "" {
		f.note += "; "
	}
	f.note += note
	return f, err
}

// before is the content of a file in the merge base. It is nil where there is nothing that can be
// compared: all of the head's is changed.
func (d *detector) before(c *candidate, head []byte) ([]byte, error) {
	p := c.oldPath()
	switch {
	case p == "" || c.OldMode == change.ModeSymlink:
		return nil, nil
	case c.whole || c.Blob == c.OldBlob:
		return head, nil
	}
	src, err := d.set.MergeBaseTree.ReadFile(p)
	isNone := errors.Is(err, change.ErrTooLarge) || errors.Is(err, change.ErrNotRegular) ||
		errors.Is(err, fs.ErrNotExist)
	if err != nil && !isNone && !errors.Is(err, change.ErrLFSPointer) {
		return nil, fmt.Errorf("read %q of %s: %w", p, short(d.set.MergeBase), err)
	}
	return src, nil
}

// believeMarker decides on a file that says it is generated. A file that was reviewed before cannot
// be taken out of review that way: the merge base must say so too. A new file is believed, but with
// a warning.
func believeMarker(c *candidate, src, before []byte) finding {
	const generated = "generated, as it says in its first lines"
	switch {
	case !saysGenerated(src):
		return finding{}
	case c.Status == change.Added:
		return finding{reject: generated + "; it is new, so see that this is true", warning: true}
	case saysGenerated(before):
		return finding{reject: generated}
	default:
		return finding{
			warning: true,
			note:    "says that it is generated, but did not before this change: reviewed like any other file",
		}
	}
}
