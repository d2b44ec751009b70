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
	warning bool
	note    string // what else is worth saying
	product bool   // it is named like a test, and is none
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
		d.notes.note("",
			"too much source to look for skeletons in all of it: what comes after the first %d MiB counts as "+
				"implementation",
			maxParsed>>20,
		)
	}
	d.apply(findings)
	return nil
}

// apply drops the rejected files and notes what was found.
func (d *detector) apply(findings []finding) {
	kept := d.files[:0]
	for i, c := range d.files {
		if f := findings[i]; f.reject != "" {
			d.notes.skip(f.warning || c.explicit, c.Path, f.reject)
			continue
		} else if f.note != "" {
			d.notes.add(f.warning, c.Path, "%s", f.note)
		}
		if findings[i].product {
			c.class, c.typ, c.whyClass = source, "", conventions.Language(
				c.Path,
			)+" source that is named like a test, and holds none"
		}
		kept = append(kept, c)
	}
	d.files = kept
}

// mayBeSkeleton reports whether the syntax of a file decides its type.
func (d *detector) mayBeSkeleton(c *candidate) bool {
	language, _ := syntax.LanguageOf(c.Path)
	return functions.Reads(language) && c.class == source && c.typ == "" && !d.rules.has(workflow.Skeleton) &&
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
	isScript := conventions.Language(c.place.rel) == "" &&
		c.whyClass == "a program by its first line"
	isData := c.class == testHelper && conventions.Language(c.place.rel) == ""
	src, err := d.set.HeadTree.ReadFile(c.Path)
	switch {
	case errors.Is(err, change.ErrLFSPointer) && isData:
		return finding{
			reject:  "a Git LFS pointer; its content is not in the repository's objects",
			warning: true,
		}, nil
	case isData:
		return finding{}, nil // data has no marker that would be believed
	case errors.Is(err, change.ErrLFSPointer) && isScript:
		return finding{reject: noArtifact}, nil
	case errors.Is(err, change.ErrLFSPointer):
		return finding{}, nil // its review says so
	case errors.Is(err, change.ErrTooLarge):
		return finding{
			warning: true,
			note:    "too large to be read whole: reviewed as implementation or tests by its name",
		}, nil
	case errors.Is(err, change.ErrNotRegular):
		return finding{reject: "not a regular file", warning: true}, nil
	case err != nil:
		return finding{}, fmt.Errorf("read %q of %s: %w", c.Path, short(d.set.Head), err)
	}
	if isScript && !bytes.HasPrefix(src, []byte("#!")) {
		return finding{reject: noArtifact}, nil
	}
	old := oldSide{d: d, c: c, head: src}
	byName := c.class == testFile && !d.rules.has(workflow.Tests) &&
		conventions.MayBeProduct(c.place.rel)
	if byName && !conventions.HoldsTests(string(src)) {
		before, err := old.content()
		return finding{product: !conventions.HoldsTests(string(before))}, err
	}
	if saysGenerated(src) {
		if f, err := believeMarker(&old); f != (finding{}) || err != nil {
			if f.reject != "" || err != nil || !parse {
				return f, err
			}
			more, err := d.judge(ctx, parsing, c, src, &old)
			f.note = join(f.note, more)
			return f, err
		}
	}
	if !parse {
		return finding{}, nil
	}
	note, err := d.judge(ctx, parsing, c, src, &old)
	return finding{note: note}, err
}

// join joins two reasons, of which either may be empty.
func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

// oldSide reads a file's content in the merge base, at most once.
type oldSide struct {
	d    *detector
	c    *candidate
	head []byte
	read bool
	src  []byte
}

// content is the file before the change, read once. It is nil where there is nothing that can be
// compared.
func (o *oldSide) content() ([]byte, error) {
	if o.c.whole || o.c.Blob == o.c.OldBlob {
		return o.head, nil
	}
	p := o.c.oldPath()
	if o.read || p == "" {
		return o.src, nil
	}
	o.read = true
	src, err := o.d.set.MergeBaseTree.ReadFile(p)
	switch {
	case errors.Is(err, change.ErrTooLarge),
		errors.Is(err, change.ErrNotRegular),
		errors.Is(err, fs.ErrNotExist):
		return nil, nil // no comparable old side: all of the new one is changed
	case err != nil:
		return nil, fmt.Errorf("read %q of %s: %w", p, short(o.d.set.MergeBase), err)
	}
	o.src = src
	return src, nil
}

// believeMarker decides on a file that says it is generated. A file that was reviewed before cannot
// be taken out of review that way: the merge base must say so too. A new file is believed, but with
// a warning.
func believeMarker(old *oldSide) (finding, error) {
	if old.c.Status == change.Added {
		return finding{
			reject:  "generated, as it says in its first lines; it is new, so see that this is true",
			warning: true,
		}, nil
	}
	src, err := old.content()
	if err != nil {
		return finding{}, err
	}
	if saysGenerated(src) {
		return finding{reject: "generated, as it says in its first lines"}, nil
	}
	return finding{
		warning: true,
		note:    "says that it is generated, but did not before this change: reviewed like any other file",
	}, nil
}
