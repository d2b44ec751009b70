package prove

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/evidence"
	"workflow-reviewer/internal/process"
	"workflow-reviewer/internal/prove/swap"
	"workflow-reviewer/internal/testresult"
)

// Options are what one call of prove is about.
type Options struct {
	Input
	Sets    []evidence.Approved // what Approved is made of
	Parents []string            // of the head
	Tree    *swap.Tree          // the work tree, which has the head checked out
	Command Command
	Results []string // globs, relative to the command's folder
	Keep    bool     // leave the work tree as it was laid out
	Red     bool     // run the head's new and changed tests on the merge base's sources
	Tool    string
	Log     func(string) // a line about what is done
}

// prover is one call. It is for one goroutine.
type prover struct {
	Options
	tracked []swap.Tracked
	places  *placer // nil: no test failed so far
}

// Run runs the approved tests and says what came of it. The work tree is as it was when it returns,
// unless Keep is set. An error means that they were not run to an end.
func Run(
	ctx context.Context, o Options,
) (e evidence.Evidence, outcome evidence.Outcome, err error) {
	p := &prover{Options: o}
	r, err := p.prepare(ctx)
	switch {
	case err != nil:
		return e, outcome, err
	case o.Red:
		return p.red(ctx, r)
	default:
		return p.run(ctx, r)
	}
}

// prepare finds out what can be known before anything is changed: whether there is such a command,
// which tracked files a command may change, and which untracked ones are results and stay where
// they are.
func (p *prover) prepare(ctx context.Context) (results, error) {
	r := newResults(p.Command.Dir, p.Results)
	if _, err := p.Command.prepared(ctx); err != nil {
		return r, err
	}
	list, err := p.Set.HeadTree.List("")
	if err != nil {
		return r, fmt.Errorf("list files of the head: %w", err)
	}
	for _, e := range list {
		if e.Mode != change.ModeSubmodule {
			p.tracked = append(p.tracked, swap.Tracked{Path: e.Path, Blob: e.Blob, Size: e.Size})
		}
	}
	p.Untracked = slices.DeleteFunc(slices.Clone(p.Untracked), func(name string) bool {
		return r.matches(filepath.Join(p.Tree.Root(), filepath.FromSlash(name)))
	})
	p.named = p.namedBy(p.Command.Args)
	return r, nil
}

// namedBy are the paths below the work tree that words of a command may name.
func (p *prover) namedBy(args []string) map[string]bool {
	out := map[string]bool{}
	between := func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("\"'`;&|()<>=", r)
	}
	for _, arg := range args {
		for _, word := range strings.FieldsFunc(arg, between) {
			at := filepath.FromSlash(word)
			if !filepath.IsAbs(at) {
				at = filepath.Join(p.Command.Dir, at)
			}
			if rel, err := filepath.Rel(p.Tree.Root(), at); err == nil {
				out[filepath.ToSlash(rel)] = true
			}
		}
	}
	return out
}

// ran is what one run of the command came to.
type ran struct {
	exit    int
	summary testresult.Summary
	files   []evidence.Result
}

// during lays files out, runs the command, and puts everything back, whatever happens in between.
// The error tells that nothing is known of the tests: the
// files could not be laid out or put back, the command did not start or was interrupted, it rewrote
// what it was to run, or its results cannot be read.
func (p *prover) during(ctx context.Context, l layout, r results) (out ran, err error) {
	if err := p.Tree.Apply(l.changes, p.tracked); err != nil {
		return out, fmt.Errorf("lay out the approved tests: %w", err)
	}
	defer func() { err = errors.Join(err, p.Tree.Undo()) }()
	if err := r.note(); err != nil {
		return out, err
	}
	laid := p.sources()
	if out.exit, err = p.Command.run(ctx); err != nil {
		return out, err
	}
	if err := unchanged(laid, p.sources()); err != nil {
		return out, err
	}
	out.summary, out.files, err = r.read(out.exit)
	return out, err
}

// sources are digests of the approved sources in the work tree, by path.
func (p *prover) sources() map[string][sha256.Size]byte {
	out := map[string][sha256.Size]byte{}
	for _, f := range p.Approved {
		if conventions.Language(f.Path) == "" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(p.Tree.Root(), filepath.FromSlash(f.Path)))
		if err == nil {
			out[f.Path] = sha256.Sum256(data)
		}
	}
	return out
}

// unchanged is an error that names the sources which a command rewrote: nobody knows which version
// of them ran.
func unchanged(before, after map[string][sha256.Size]byte) error {
	var names []string
	for p := range before {
		if after[p] != before[p] {
			names = append(names, p)
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	return fmt.Errorf(
		"the command changes approved files while it runs: %s: "+
			"format and generate before prove, not in it",
		strings.Join(names, ", "),
	)
}

// run runs the approved tests on the head, and where they fail on the merge base's sources: what
// fails there as well is not this change's. Each of the two is laid out and put back by itself, so
// that neither sees what the other left.
func (p *prover) run(
	ctx context.Context, r results,
) (e evidence.Evidence, outcome evidence.Outcome, err error) {
	var demand evidence.Demand
	if len(p.Results) > 0 {
		if demand, err = Demand(ctx, p.Approved, p.Content); err != nil {
			return e, outcome, err
		}
	}
	l, err := onHead(ctx, p.Input)
	if err != nil {
		return e, outcome, err
	}
	p.Log(
		fmt.Sprintf(
			"Approved files: %d, of which %d differ and are restored; set aside: %d.",
			len(p.Approved),
			len(l.restored),
			len(l.setAside),
		),
	)
	head, err := p.during(ctx, l, r)
	if err != nil {
		return e, outcome, err
	}
	e = p.evidence(l, head)
	e.Failures = p.failures(ctx, head.summary, nil)
	outcome, why := e.Judge(demand)
	if outcome != evidence.Passed && p.Set.MergeBase != "" {
		p.Log("The approved tests do not pass (" + why +
			"); they run again on the merge base's sources.")
		before, err := p.onMergeBase(ctx, r)
		if err != nil {
			return e, evidence.Inconclusive, fmt.Errorf(
				"run the approved tests on the merge base: %w",
				err,
			)
		}
		e.Before = &evidence.Before{Exit: before.exit, Tests: counts(before.summary)}
		e.Failures = p.failures(ctx, head.summary, &before.summary)
		if e.Starved(demand) {
			p.addUnreported(ctx, &e, head.summary, before.summary)
		}
		outcome, why = e.Judge(demand)
	}
	if p.Keep {
		if err := p.Tree.Apply(l.changes, p.tracked); err != nil {
			return e, evidence.Inconclusive, err
		}
	}
	switch outcome {
	case evidence.Inconclusive:
		return e, outcome, fmt.Errorf("inconclusive, no evidence is written: %s", why)
	case evidence.Failed:
		p.Log("The approved tests fail: " + why + ".")
	default:
		p.Log(said(e))
	}
	return e, outcome, nil
}

// said is what a run that passes shows.
func said(e evidence.Evidence) string {
	before := len(e.Failures) - len(e.Counting())
	switch {
	case !e.Counted():
		return "The approved tests pass, by the command's exit status alone."
	case before > 0:
		return fmt.Sprintf(
			"Of the approved tests %d pass and %d are skipped; "+
				"%d fail without the change as well and do not count.",
			e.Tests.Passed,
			e.Tests.Skipped,
			before,
		)
	default:
		return fmt.Sprintf(
			"The approved tests pass: %d, and %d are skipped.",
			e.Tests.Passed,
			e.Tests.Skipped,
		)
	}
}

// onMergeBase runs the same tests on the sources of the merge base. Missing results there are no
// error.
func (p *prover) onMergeBase(ctx context.Context, r results) (ran, error) {
	l, err := onBase(ctx, p.Input)
	if err != nil {
		return ran{}, err
	}
	out, err := p.during(ctx, l, r)
	if errors.Is(err, errMissing) {
		return out, nil
	}
	return out, err
}

// evidence is what a run shows, without the failures.
func (p *prover) evidence(l layout, r ran) evidence.Evidence {
	return evidence.Evidence{
		Head: p.Set.Head, Parents: p.Parents, Base: p.Set.Base, Approved: p.Sets,
		Restored: l.restored, SetAside: l.setAside, Shadowing: l.shadowing,
		Command: p.Command.Args, Exit: r.exit, Tests: counts(r.summary), Results: r.files,
		Red: p.Red, Tool: p.Tool,
	}
}

// Write puts evidence into a file of mode 0644, whole or not at all.
func Write(e evidence.Evidence, name string) error {
	data, err := e.Render()
	if err != nil {
		return err
	}
	if len(data) > evidence.MaxFile {
		return fmt.Errorf(
			"write evidence: it has %d MiB, more than the %d that are read",
			len(data)>>20,
			evidence.MaxFile>>20,
		)
	}
	if err := process.Replace(name, data); err != nil {
		return fmt.Errorf("write evidence: %w", err)
	}
	return nil
}
