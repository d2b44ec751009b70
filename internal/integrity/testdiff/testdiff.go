// Package testdiff says what a change makes of approved test files. The kernel decides whether they
// still demand what was approved; this package reads the files, follows those that moved, and tells
// people what became of them.
//
// A file that the kernel cannot read, because it is data, in no known language,
// too large or not valid, is compared byte by byte.
package testdiff

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/kernel"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

// Pair is an approved file and what the head has in its place.
type Pair struct {
	Path          string
	Role          approval.Role
	Before, After []byte // nil: absent
	AfterPath     string // where a moved file stands, "" = Path
	// of an absent file: a new or changed test file that is the same, "" if none is
	Elsewhere string
}

// Input is one comparison.
type Input struct {
	// Changed are the approved files that differ in the head or are gone from it. They are read one
	// by one as they are compared, so that few are held at once.
	Changed iter.Seq[Pair]
	// Mentioned reports whether another approved file than the one at a path has a name: it is not
	// for new code to define. nil: none has.
	Mentioned func(path, name string) bool
	Strict    bool // every difference is a breach
}

// Result is what a comparison found.
type Result struct {
	Violations  []workflow.Finding // by file and line, at most 20 a file
	Harmless    []string           // one line each: what differs and why it is harmless
	NotAnalysed []string           // "path: why", the byte rule was applied
	Gains       []Gain             // by file and line
}

// Gain is a whole member that a file has besides what was approved.
type Gain struct {
	violation.Place
	What string // "test test_b"
	Acts string // how it acts on others, "" if it does not
}

// Compare says what became of approved tests. The only error is the context's.
func Compare(ctx context.Context, in Input) (Result, error) {
	var found []*Result
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for p := range in.Changed {
		if ctx.Err() != nil {
			break
		}
		one := &comparison{in: in}
		found = append(found, &one.out)
		group.Go(func() error {
			one.pair(ctx, p)
			return nil
		})
	}
	_ = group.Wait() // none fails
	if err := ctx.Err(); err != nil {
		return Result{}, fmt.Errorf("compare tests: %w", err)
	}
	c := &comparison{in: in}
	for _, r := range found {
		c.out.Violations = append(c.out.Violations, r.Violations...)
		c.out.Harmless = append(c.out.Harmless, r.Harmless...)
		c.out.NotAnalysed = append(c.out.NotAnalysed, r.NotAnalysed...)
		c.out.Gains = append(c.out.Gains, r.Gains...)
	}
	return c.result(), nil
}

// comparison is the state of one Compare.
type comparison struct {
	in  Input
	out Result
}

const unknownLanguage = "no known language"

// code compares two versions of a source; why says why it can't.
func (c *comparison) code(ctx context.Context, p Pair) (r kernel.Result, why string) {
	was, why := parse(ctx, p.Path, p.Before)
	if why != "" {
		return r, why
	}
	is, why := parse(ctx, p.AfterPath, p.After)
	if why != "" {
		return r, "in the head, " + why
	}
	if was.Language() != is.Language() {
		return r, "its language changed"
	}
	if !slices.Equal(masked(was), masked(is)) {
		return r, "it changed where its grammar lags behind the language"
	}
	opt := kernel.Options{Path: p.Path}
	if c.in.Mentioned != nil {
		opt.Used = func(name string) bool { return c.in.Mentioned(p.Path, name) }
	}
	return kernel.Compare(was, is, opt), ""
}

// Acting is what acts on others in one version of a file and did not stand in the other; none of
// what cannot be read.
func Acting(ctx context.Context, path string, before, after []byte) (out []Gain) {
	was, why := parse(ctx, path, before)
	is, whyNot := parse(ctx, path, after)
	if why != "" || whyNot != "" || IsData(path) != "" {
		return nil
	}
	for _, g := range kernel.Compare(was, is, kernel.Options{Path: path, Loose: true}).Gains {
		if g.Acts != "" {
			out = append(out, Gain{linesOf(after).place(path, g.Node.Line), g.What, g.Acts})
		}
	}
	return out
}

// masked lists the lines that hold what no node of a tree stands for.
func masked(t *syntax.Tree) []string {
	lines := strings.Split(string(t.Source()), "\n")
	var out []string
	for _, r := range t.Masked() {
		out = append(out, strings.TrimSpace(lines[bytes.Count(t.Source()[:r.Start], []byte("\n"))]))
	}
	return out
}

// parse reads a source, or says why it cannot be read.
func parse(ctx context.Context, path string, src []byte) (*syntax.Tree, string) {
	lang, ok := syntax.LanguageOf(path)
	if !ok || !kernel.Reads(lang) {
		return nil, unknownLanguage
	}
	tree, err := syntax.Parse(ctx, lang, src)
	if err != nil {
		return nil, reason(err)
	}
	return tree, ""
}

// reason is why a parser gave up, without what was parsed.
func reason(err error) string {
	if inner := errors.Unwrap(err); inner != nil {
		return inner.Error()
	}
	return err.Error()
}

// harmless says of a file that differs why that does not matter.
func (c *comparison) harmless(path, why string, args ...any) {
	c.out.Harmless = append(c.out.Harmless, path+": "+fmt.Sprintf(why, args...))
}
