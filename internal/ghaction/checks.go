package ghaction

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/workflow"
)

// atOnce is how many requests for check runs are under way at a time. GitHub's limits are on the
// writes of a minute, which the client paces; more at once would not end sooner by much.
const atOnce = 8

// checkRun names one check run: the commit that it hangs on and its name.
type checkRun struct {
	head string
	name string
}

// checks keeps the check runs of a run: which are open, and that none stays so. Its requests may
// be made side by side; the gate's own are made one after another.
type checks struct {
	client *github.Client // nil: no check runs at all
	gate   gate

	mu        sync.Mutex // of what follows
	abandoned bool       // the token may make none
	made      bool       // one was made, so the token may make them
	open      map[checkRun][]int64
	order     []checkRun // as opened
	green     []string   // commits whose gate was told to be open
	opener    func() error
}

func newChecks(client *github.Client, g gate) *checks {
	return &checks{client: client, open: make(map[checkRun][]int64), gate: g}
}

// active reports whether check runs can be written at all.
func (c *checks) active() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.client != nil && !c.abandoned
}

// giveUp leaves check runs alone from now on.
func (c *checks) giveUp() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.abandoned = true
}

// beginBeside opens check runs beside what the run does meanwhile. opened returns what came of it.
func (c *checks) beginBeside(
	ctx context.Context, head string, names ...string,
) (opened func() error) {
	opened = doBeside(func() error { return c.begin(ctx, head, names...) })
	before := c.opener
	c.opener = func() error {
		if before != nil {
			_ = before() // whoever asked for them was told
		}
		return opened()
	}
	return opened
}

// await returns when everything that is opened beside the run is there, so that it can be ended.
func (c *checks) await() {
	if c.opener != nil {
		_ = c.opener() // whoever asked for them was told
	}
}

// beside runs f in a goroutine of its own. The returned function waits for it; a panic is an error.
func beside[T any](f func() (T, error)) (wait func() (T, error)) {
	done := make(chan struct{})
	var out T
	var err error
	go func() {
		defer close(done)
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("internal error: %v\n%s", p, debug.Stack())
			}
		}()
		out, err = f()
	}()
	return func() (T, error) {
		<-done
		return out, err
	}
}

// doBeside is beside for what only succeeds or fails.
func doBeside(f func() error) (wait func() error) {
	both := beside(func() (struct{}, error) { return struct{}{}, f() })
	return func() error {
		_, err := both()
		return err
	}
}

// begin opens check runs while the run is on. It waits for an answer even if the run is cancelled
// meanwhile: a check run whose id nobody knows would stay open for ever.
func (c *checks) begin(ctx context.Context, head string, names ...string) error {
	waiting, cancel := afterCancel(ctx, answering)
	defer cancel()
	group, going := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, name := range names {
		group.Go(func() error {
			if err := going.Err(); err != nil {
				return err
			}
			return c.start(waiting, head, name)
		})
	}
	return group.Wait()
}

// start opens check runs on a commit, those that are not open already.
func (c *checks) start(ctx context.Context, head, name string) error {
	key := checkRun{head, name}
	if !c.active() || c.isOpen(head, name) {
		return nil
	}
	ids, err := c.create(ctx, key)
	if err != nil {
		return c.refused(fmt.Errorf("create check %q on %s: %w", name, change.Short(head), err))
	}
	c.opened(key, ids)
	return nil
}

// opened notes check runs that were made in progress, so that every way out can complete them. It
// is safe for concurrent use.
func (c *checks) opened(key checkRun, ids []int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made = true
	c.open[key] = ids
	c.order = append(c.order, key)
}

// create makes a check run, or takes the one over that mode plan opened. What an earlier attempt of
// the same job left open is completed with it.
func (c *checks) create(ctx context.Context, key checkRun) ([]int64, error) {
	left, err := c.left(ctx, key)
	if err != nil {
		return nil, err
	}
	ours, unknown := c.client.Own(ctx, left)
	if !slices.ContainsFunc(ours, func(k github.Check) bool { return markOf(k).Plan }) {
		made, err := c.client.CreateCheck(ctx, key.head, key.name, c.gate.opened(key.head))
		if err != nil {
			return nil, err
		}
		if unknown != nil { // the new one says which App is ours
			ours = slices.DeleteFunc(
				left, func(k github.Check) bool { return k.AppSlug != made.AppSlug },
			)
		}
		ours = append([]github.Check{made}, ours...)
	}
	var ids []int64
	for _, k := range ours {
		ids = append(ids, k.ID)
	}
	if key.name == report.CheckName {
		c.gate.begins(ours[0], ids)
	}
	return ids, nil
}

// left are the open check runs of earlier jobs of the workflow run that this one stands in for. Of
// the gate it notes what had ended before. Who cannot find out which are our own leaves them. On a
// commit that this run wrote no earlier job can have left any.
func (c *checks) left(ctx context.Context, key checkRun) ([]github.Check, error) {
	var all []github.Check
	var err error
	switch {
	case c.gate.wrote == key.head:
	case key.name == report.CheckName:
		all, err = c.gates(ctx, key.head)
		c.gate.sees(all)
	case c.gate.mark.Try > 1:
		all, err = c.client.ListChecks(ctx, key.head, key.name)
	}
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(k github.Check) bool {
		return k.HeadSHA != key.head || !c.gate.inherits(k)
	}), nil
}

// refused gives up check runs if the first one was forbidden.
func (c *checks) refused(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if errors.Is(err, github.ErrForbidden) && !c.made {
		c.abandoned = true
	}
	return err
}

// ids are the check runs that are open under a name on a commit.
func (c *checks) ids(key checkRun) []int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.open[key]
}

func (c *checks) isOpen(head, name string) bool { return c.ids(checkRun{head, name}) != nil }

// show tells what is under way in a check run that is open.
func (c *checks) show(ctx context.Context, head, name, title, summary string) error {
	var errs []error
	for _, id := range c.ids(checkRun{head, name}) {
		out := github.CheckOutput{Title: title, Summary: summary}
		errs = append(errs, c.client.UpdateCheck(ctx, id, out))
	}
	return errors.Join(errs...)
}

// placed is a check run to be completed, and the commit that it hangs on.
type placed struct {
	head  string
	check report.Check
}

// completeOn ends check runs on a head.
func (c *checks) completeOn(ctx context.Context, head string, outs []report.Check) error {
	all := make([]placed, 0, len(outs))
	for _, out := range outs {
		all = append(all, placed{head, out})
	}
	return c.completeAll(ctx, all)
}

// completeAll ends check runs side by side. It goes on after an error.
func (c *checks) completeAll(ctx context.Context, all []placed) error {
	errs := make([]error, len(all))
	var group errgroup.Group
	group.SetLimit(atOnce)
	for i, p := range all {
		group.Go(func() error {
			errs[i] = doBeside(func() error { return c.complete(ctx, p.head, p.check) })()
			return nil
		})
	}
	_ = group.Wait() // errs has them
	return errors.Join(errs...)
}

// complete ends a check run on a commit, or makes it where it is not open. The gate is opened
// first: its external id is no name of its own, by which it would be found where an answer was
// lost.
func (c *checks) complete(ctx context.Context, head string, out report.Check) error {
	if !c.active() {
		return nil
	}
	key := checkRun{head, out.Name}
	failed := func(err error) error {
		return fmt.Errorf("complete check %q on %s: %w", out.Name, change.Short(head), err)
	}
	if !c.isOpen(head, out.Name) && out.Name != report.CheckName && len(out.Annotations) == 0 {
		if _, err := c.client.PostCheck(ctx, head, out.Name, c.output(head, out)); err != nil {
			return c.refused(failed(err))
		}
	} else if err := c.start(ctx, head, out.Name); err != nil {
		return err
	}
	for _, id := range c.ids(key) {
		if err := c.client.CompleteCheck(ctx, id, c.output(head, out)); err != nil {
			return failed(err)
		}
	}
	c.closed(key, out.Name == report.CheckName && out.Conclusion == github.Success)
	return nil
}

// closed notes that a check run is complete. Heads with a green gate are remembered, as a failure
// after it has to take that back.
func (c *checks) closed(key checkRun, green bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made = true
	delete(c.open, key)
	c.order = slices.DeleteFunc(c.order, func(k checkRun) bool { return k == key })
	if green {
		c.green = append(c.green, key.head)
	}
}

// revoke closes the gates that were told to be open before the run failed after
// all: the newest check run of a name counts.
func (c *checks) revoke(ctx context.Context, gate report.Check) error {
	var errs []error
	for _, head := range c.green {
		errs = append(errs, c.complete(ctx, head, gate))
	}
	c.green = nil
	return errors.Join(errs...)
}

// completeRest ends every check run that is still open in the same way. It
// goes on after an error, so that as few as possible are left behind.
func (c *checks) completeRest(ctx context.Context, conclusion, title, summary string) error {
	c.await()
	var all []placed
	c.mu.Lock()
	for _, key := range c.order {
		out := report.Check{Name: key.name, Conclusion: conclusion, Title: title, Summary: summary}
		all = append(all, placed{key.head, out})
	}
	c.mu.Unlock()
	return c.completeAll(ctx, all)
}

// decisionOf is what a completed check run of a review says in its external id. Earlier versions
// wrote none: of these a green one approved, and no other counts.
func decisionOf(k github.Check) (d workflow.Decision) {
	if k.Conclusion == github.Success {
		return workflow.Approved
	}
	if parts := strings.Fields(k.ExternalID); len(parts) == 3 {
		_ = d.UnmarshalText([]byte(parts[1])) // no decision is an ERROR
	}
	return min(d, workflow.NeedsChanges)
}

// output is a check run as GitHub is told of it: marked with the scope that it is of.
func (c *checks) output(head string, k report.Check) github.CheckOutput {
	out := github.CheckOutput{
		Conclusion: k.Conclusion, Title: k.Title, Summary: k.Summary, Text: k.Text,
	}
	switch {
	case k.Name == report.CheckName:
		out.ExternalID = c.gate.completed(head, k)
	case k.ExternalID != "":
		out.ExternalID = k.ExternalID + " " + k.Decision.String() + " " + c.gate.mark.Key
	}
	for _, a := range k.Annotations {
		out.Annotations = append(out.Annotations, github.Annotation{
			Path: a.Path, StartLine: a.StartLine, EndLine: a.EndLine,
			Level: a.Level, Title: a.Title, Message: a.Message,
		})
	}
	return out
}
