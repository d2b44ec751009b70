package prove

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/evidence"
	"workflow-reviewer/internal/integrity/approval"
)

// red runs the head's new and changed tests on the merge base's sources. They are Passed if they
// fail: they demand something that was not there.
func (p *prover) red(
	ctx context.Context, r results,
) (e evidence.Evidence, outcome evidence.Outcome, err error) {
	l, err := onRed(ctx, p.Input)
	if err != nil {
		return e, outcome, err
	}
	p.Log(
		fmt.Sprintf(
			"New and changed files of tests: %d; they run on the merge base's sources.",
			len(l.restored),
		),
	)
	before, err := p.during(ctx, l, r)
	if err != nil {
		return e, outcome, err
	}
	e = p.evidence(l, before)
	e.Failures = p.failures(ctx, before.summary, nil)
	switch {
	case e.FailsWithout():
		p.Log("They fail without the change: they demand it.")
		return e, evidence.Passed, nil
	case e.Counted() && e.Tests.Run == 0:
		return e, evidence.Inconclusive, errors.New("no test ran")
	default:
		p.Log("They pass without the change: they demand nothing new.")
		return e, evidence.Failed, nil
	}
}

// onRed has the head's new and changed tests, with what serves them, as if they were approved, and
// the merge base's code. Other tests are not there.
func onRed(ctx context.Context, in Input) (layout, error) {
	in.Approved = nil
	l, err := newLayouter(ctx, in)
	if err != nil {
		return layout{}, err
	}
	holds := false
	for _, p := range slices.Sorted(maps.Keys(l.head)) {
		is, was := l.head[p], l.base[p]
		k := l.kindOf(p)
		switch {
		case is.Blob == was.Blob && is.Mode == was.Mode, is.Mode == change.ModeSubmodule:
			continue
		case k == inline && change.IsFile(is.Mode) && change.IsFile(was.Mode):
			if changed, err := l.testsDiffer(p); err != nil || !changed {
				if err != nil {
					return layout{}, fmt.Errorf("%q: %w", p, err)
				}
				continue
			}
		case k != tests && k != aid:
			continue
		}
		holds = holds || k != aid
		in.Approved = append(in.Approved, approval.File{Path: p, Mode: is.Mode, Blob: is.Blob})
	}
	if !holds {
		return layout{}, errors.New("the change has no new or changed tests")
	}
	return onBase(ctx, in)
}

// testsDiffer reports whether a source of the head has other tests in it than the merge base's.
func (l *layouter) testsDiffer(p string) (bool, error) {
	now, err := l.Content(l.head[p].Blob)
	if err != nil {
		return false, err
	}
	t, err := l.combine(l.base[p], now)
	return t.data != nil, err
}
