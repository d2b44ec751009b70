package ghaction

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/workflow"
)

// atOnce is how many requests for check runs are under way at a time. GitHub's limits are on the
// writes of a minute, which the client paces; more at once would not end sooner by much.
const atOnce = 16

// checkRun names one check run: the commit that it hangs on and its name.
type checkRun struct {
	head string
	name string
}

// checks keeps the check runs of a run: which are open, and that none stays so. A check run is
//
//	absent    open: it is being made; complete: it is made as completed, or opened first
//	being made  complete and completeRest wait for the answer; a refusal makes it absent again
//	open      complete, completeRest: it is completed
//	completed complete: another one of the name is made, which counts from then on
//
// Requests go side by side, at most atOnce of them.
type checks struct {
	client *github.Client // nil: no check runs at all
	gate   *gate
	slots  chan struct{}      // one for each request that may be under way
	first  map[string]listing // the first reading of all, by commit

	mu        sync.Mutex // of what follows
	abandoned bool       // the token may make none
	made      bool       // one was made, so the token may make them
	runs      map[checkRun]func() ([]int64, error)
	order     []checkRun // as they were begun
	green     []string   // commits whose gate was told to be open
	ended     bool       // the gate of the commit that the run wrote has a verdict
}

func newChecks(client *github.Client, g *gate) *checks {
	return &checks{
		client: client, gate: g, runs: map[checkRun]func() ([]int64, error){},
		slots: make(chan struct{}, atOnce), first: map[string]listing{},
	}
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

// slot waits until a request may be sent. The caller gives the slot back.
func (c *checks) slot() (back func()) {
	c.slots <- struct{}{}
	return func() { <-c.slots }
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

// begin opens check runs beside what the run does meanwhile, those that are not open already.
// opened returns the first failure, after which no more were begun. An answer is waited for even
// if the run is cancelled: a check run whose id nobody knows would stay open for ever.
func (c *checks) begin(ctx context.Context, head string, names ...string) (opened func() error) {
	going, stop := context.WithCancelCause(ctx)
	var waits []func() ([]int64, error)
	for _, name := range names {
		key := checkRun{head, name}
		waits = append(waits, c.open(key, func() ([]int64, error) {
			if name != report.CheckName {
				c.isOpen(head, report.CheckName) // the gate comes first
			}
			waiting, cancel := afterCancel(ctx, answering)
			defer cancel()
			ids, err := c.create(waiting, going, key)
			if err != nil {
				err = fmt.Errorf("create check %q on %s: %w", name, change.Short(head), err)
				stop(err)
			}
			return ids, err
		}))
	}
	return doBeside(func() (err error) {
		defer stop(nil)
		for _, wait := range waits {
			if _, failed := wait(); err == nil {
				err = failed
			}
		}
		return err
	})
}

// open has a check run made in a goroutine of its own, unless that was begun before.
func (c *checks) open(key checkRun, create func() ([]int64, error)) (wait func() ([]int64, error)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.client == nil || c.abandoned {
		return func() ([]int64, error) { return nil, nil }
	}
	if wait := c.runs[key]; wait != nil {
		return wait
	}
	wait = beside(func() (ids []int64, err error) {
		if ids, err = create(); err != nil {
			return nil, c.refused(key, err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.made = true
		return ids, nil
	})
	c.runs[key], c.order = wait, append(c.order, key)
	return wait
}

// create makes a check run, or takes the one over that mode plan opened. What an earlier attempt of
// the same job left open is completed with it. Nothing is asked or made once going is over, or the
// gate's was forbidden: nobody would complete it.
func (c *checks) create(ctx, going context.Context, key checkRun) ([]int64, error) {
	if going.Err() != nil || !c.active() {
		return nil, context.Cause(going)
	}
	left, err := c.left(ctx, key)
	if err != nil {
		return nil, err
	}
	ours, unknown := c.client.Own(ctx, left)
	if !slices.ContainsFunc(ours, func(k github.Check) bool { return markOf(k).Plan }) {
		made, err := c.post(ctx, going, key)
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

// post makes a check run in progress, unless going is over by then.
func (c *checks) post(ctx, going context.Context, key checkRun) (github.Check, error) {
	defer c.slot()()
	if going.Err() != nil {
		return github.Check{}, context.Cause(going)
	}
	return c.client.CreateCheck(ctx, key.head, key.name, c.gate.opened(key.head))
}

// left are the open check runs of earlier jobs of the workflow run that this one stands in for. Of
// the gate it notes what had ended before. Who cannot find out which are our own leaves them. On a
// commit that this run wrote no earlier job can have left any.
func (c *checks) left(ctx context.Context, key checkRun) (all []github.Check, err error) {
	switch {
	case c.gate.wrote == key.head:
	case key.name == report.CheckName:
		all, err = (&look{ctx, c, maps.Clone(c.first)}).gates(key.head)
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

// readFirst begins to read the gates of the head that the run is about.
func (c *checks) readFirst(ctx context.Context, head string) {
	if c.active() {
		c.first = c.look(ctx, head).lists
	}
}

// answered is the failure of the first reading, once it is there.
func (c *checks) answered() (err error) {
	for _, read := range c.first {
		_, err = read()
	}
	return err
}

// refused notes that a check run was not made. Where the first one was forbidden no more are tried.
func (c *checks) refused(key checkRun, err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if errors.Is(err, github.ErrForbidden) && !c.made {
		c.abandoned = true
	}
	c.forget(key)
	return err
}

// forget drops a check run from those that are open; the lock is held.
func (c *checks) forget(key checkRun) {
	delete(c.runs, key)
	c.order = slices.DeleteFunc(c.order, func(k checkRun) bool { return k == key })
}

// ids are the check runs that are open under a name on a commit, once they are.
func (c *checks) ids(key checkRun) []int64 {
	c.mu.Lock()
	wait := c.runs[key]
	c.mu.Unlock()
	if wait == nil {
		return nil
	}
	ids, _ := wait() // whoever began it is told
	return ids
}

func (c *checks) isOpen(head, name string) bool { return c.ids(checkRun{head, name}) != nil }

// show tells what is under way in a check run that is open.
func (c *checks) show(ctx context.Context, head, name, title, summary string) error {
	var errs []error
	for _, id := range c.ids(checkRun{head, name}) {
		out := github.CheckOutput{Name: name, Title: title, Summary: summary}
		errs = append(errs, c.client.UpdateCheck(ctx, id, out))
	}
	return errors.Join(errs...)
}

// placed is a check run to be completed, and the commit that it hangs on.
type placed struct {
	head  string
	check report.Check
}

// completeAll ends check runs side by side. It goes on after an error.
func (c *checks) completeAll(ctx context.Context, all []placed) error {
	waits := make([]func() error, len(all))
	for i, p := range all {
		waits[i] = doBeside(func() error { return c.complete(ctx, p.head, p.check) })
	}
	var errs []error
	for _, wait := range waits {
		errs = append(errs, wait())
	}
	return errors.Join(errs...)
}

// complete ends a check run on a commit, or makes it where it is not open: with one request, unless
// it has annotations or an earlier job may have left a gate open there.
func (c *checks) complete(ctx context.Context, head string, out report.Check) error {
	if !c.active() {
		return nil
	}
	key := checkRun{head, out.Name}
	mayBeOpen := out.Name == report.CheckName && head != c.gate.wrote
	if (mayBeOpen || len(out.Annotations) > 0) && !c.isOpen(head, out.Name) {
		if err := c.begin(ctx, head, out.Name)(); err != nil || !c.active() {
			return err
		}
	}
	if err := c.send(ctx, key, out); err != nil {
		err = fmt.Errorf("complete check %q on %s: %w", out.Name, change.Short(head), err)
		if c.isOpen(head, out.Name) {
			return err
		}
		return c.refused(key, err)
	}
	c.closed(key, out.Conclusion == github.Success)
	return nil
}

// send completes the check runs that are open under a name, or makes one that is complete.
func (c *checks) send(ctx context.Context, key checkRun, out report.Check) error {
	ids := c.ids(key)
	defer c.slot()()
	if ids == nil {
		made, err := c.client.PostCheck(ctx, key.head, c.output(key.head, out))
		if err == nil && out.Name == report.CheckName {
			c.gate.begins(made, []int64{made.ID})
		}
		return err
	}
	for _, id := range ids {
		if err := c.client.UpdateCheck(ctx, id, c.output(key.head, out)); err != nil {
			return err
		}
	}
	return nil
}

// closed notes that a check run is complete. Heads with a green gate are remembered, as a failure
// after it has to take that back.
func (c *checks) closed(key checkRun, passes bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made = true
	c.forget(key)
	if key.name != report.CheckName {
		return
	}
	c.ended = c.ended || key.head == c.gate.wrote
	if passes {
		c.green = append(c.green, key.head)
	}
}

// note remembers whether the newest gate of a commit is told to be open.
func (c *checks) note(head string, passes bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.green = slices.DeleteFunc(c.green, func(h string) bool { return h == head })
	if passes {
		c.green = append(c.green, head)
	}
}

// wasOpened reports whether the gate of a commit was told to be open.
func (c *checks) wasOpened(head string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Contains(c.green, head)
}

// isDue reports whether a commit is the one that the run wrote, and its gate has no verdict yet.
func (c *checks) isDue(head string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return head != "" && head == c.gate.wrote && !c.ended
}

// revoke closes the gates that were told to be open before the run failed after all: the newest
// check run of a name counts. Nothing is read for it.
func (c *checks) revoke(ctx context.Context, gate report.Check) error {
	gate.Annotations = nil
	c.mu.Lock()
	heads := c.green
	c.green = nil
	c.mu.Unlock()
	var errs []error
	for _, head := range heads {
		errs = append(errs, c.replace(ctx, head, 0, gate))
	}
	return errors.Join(errs...)
}

// completeRest ends every check run that is still open, or being made, as the gate ends, but never
// green; so it does the gate that the commit of the run still lacks. It goes on after an error, so
// that as few as possible are left behind.
func (c *checks) completeRest(ctx context.Context, gate report.Check) error {
	c.mu.Lock()
	keys := slices.Clone(c.order)
	c.mu.Unlock()
	written := checkRun{c.gate.wrote, report.CheckName}
	if c.isDue(written.head) && !slices.Contains(keys, written) {
		keys = append(keys, written)
	}
	var all []placed
	for _, key := range keys {
		if key == written || c.isOpen(key.head, key.name) {
			out := report.Check{
				Name: key.name, Conclusion: notGreen(gate.Conclusion), Waits: gate.Waits,
				Title: gate.Title, Summary: gate.Summary,
			}
			all = append(all, placed{key.head, out})
		}
	}
	return c.completeAll(ctx, all)
}

// notGreen is a conclusion for a check run that has no result of its own.
func notGreen(conclusion string) string {
	if conclusion == github.Cancelled {
		return conclusion
	}
	return github.Failure
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
		Name: k.Name, Conclusion: k.Conclusion, Title: k.Title, Summary: k.Summary, Text: k.Text,
		Annotations: k.Annotations,
	}
	switch {
	case k.Name == report.CheckName:
		out.ExternalID = c.gate.completed(head, k)
	case k.ExternalID != "":
		out.ExternalID = k.ExternalID + " " + k.Decision.String() + " " + c.gate.mark.Key
	}
	return out
}
