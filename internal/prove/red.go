package prove

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/evidence"
)

// red runs the head's new and changed tests on the merge base's sources. They are Passed if they
// fail: they demand something that was not there.
func (p *prover) red(ctx context.Context, r results) (evidence.Evidence, evidence.Outcome, error) {
	l, err := onRed(ctx, p.Input)
	if err != nil {
		return evidence.Evidence{}, evidence.Inconclusive, err
	}
	p.Log(fmt.Sprintf("New and changed files of tests: %d; they run on the merge base's sources.", len(l.restored)))
	before, err := p.during(ctx, l, r, false)
	if err != nil {
		return evidence.Evidence{}, evidence.Inconclusive, err
	}
	e := p.evidence(l, before)
	e.Failures = failures(before.summary, nil, p.newPlacer(ctx))
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

// onRed has the head's new and changed tests, with what serves them, and the merge base's code.
// Other tests are not there.
func onRed(ctx context.Context, in Input) (layout, error) {
	l, err := newLayouter(ctx, in)
	if err != nil {
		return layout{}, err
	}
	holds := false
	for _, p := range slices.Sorted(maps.Keys(l.base)) {
		l.want[p] = target{mode: l.base[p].Mode, blob: l.base[p].Blob}
		if l.kindOf(p) == tests && l.head[p].Blob == l.base[p].Blob {
			delete(l.want, p)
			l.aside(p)
		}
	}
	for _, p := range slices.Sorted(maps.Keys(l.head)) {
		is, was := l.head[p], l.base[p]
		k := l.kindOf(p)
		if is.Blob == was.Blob && is.Mode == was.Mode || is.Mode == change.ModeSubmodule {
			continue
		}
		switch {
		case k == tests, k == aid:
			l.want[p] = target{mode: is.Mode, blob: is.Blob}
			holds = holds || k == tests
		case k == inline && bothRegular(is.Mode, was.Mode):
			changed, err := l.withTestsOf(p)
			if err != nil {
				return layout{}, fmt.Errorf("%q: %w", p, err)
			}
			if !changed {
				continue
			}
			holds = true
		default:
			continue
		}
		l.out.restored = append(l.out.restored, p)
	}
	if !holds {
		return layout{}, errors.New("the change has no new or changed tests")
	}
	return l.finish()
}

// withTestsOf has the merge base's source with the head's tests in it, unless these are the same.
func (l *layouter) withTestsOf(p string) (changed bool, err error) {
	now, err := l.Content(l.head[p].Blob)
	if err != nil {
		return false, err
	}
	was, err := l.Content(l.base[p].Blob)
	if err != nil {
		return false, err
	}
	data, err := graft(l.ctx, now, was)
	if err != nil || bytes.Equal(data, was) {
		return false, err
	}
	l.want[p] = target{mode: l.base[p].Mode, data: data}
	return true, nil
}
