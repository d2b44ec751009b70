package action

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/workflow"
)

// checkRun names one check run: the commit that it hangs on and its name.
type checkRun struct {
	head string
	name string
}

// checks keeps the check runs of a run: which are open, and that none stays so.
type checks struct {
	client *github.Client // nil: no check runs at all
	made   bool           // one was made, so the token may make them
	open   map[checkRun][]int64
	order  []checkRun // as opened
	green  []string   // commits whose gate was told to be open
	gate   gate
}

func newChecks(client *github.Client, g gate) *checks {
	return &checks{client: client, open: make(map[checkRun][]int64), gate: g}
}

// active reports whether check runs can be written at all.
func (c *checks) active() bool { return c.client != nil }

// begin opens check runs while the run is on. It waits for an answer even if the run is cancelled
// meanwhile: a check run whose id nobody knows would stay open for ever.
func (c *checks) begin(ctx context.Context, head string, names ...string) error {
	waiting, cancel := afterCancel(ctx, answering)
	defer cancel()
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.start(waiting, head, name); err != nil {
			return err
		}
	}
	return nil
}

// start opens check runs on a commit, those that are not open already.
func (c *checks) start(ctx context.Context, head string, names ...string) error {
	for _, name := range names {
		key := checkRun{head, name}
		if _, isOpen := c.open[key]; c.client == nil || isOpen {
			continue
		}
		ids, err := c.create(ctx, key)
		if err != nil {
			return c.refused(fmt.Errorf("create check %q on %s: %w", name, short(head), err))
		}
		c.made = true
		c.open[key] = ids
		c.order = append(c.order, key)
	}
	return nil
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
			ours = slices.DeleteFunc(left, func(k github.Check) bool { return k.AppSlug != made.AppSlug })
		}
		ours = append([]github.Check{made}, ours...)
	}
	left = ours
	c.gate.inherited = c.gate.inherited || markOf(left[0]).Plan
	var ids []int64
	for _, k := range left {
		ids = append(ids, k.ID)
	}
	if key.name == report.CheckName {
		c.gate.begins(left[0].AppSlug, ids)
	}
	return ids, nil
}

// left are the open check runs of earlier jobs of the workflow run that this one stands in for. Of
// the gate it notes what had ended before. Who cannot find out which are our own leaves them.
func (c *checks) left(ctx context.Context, key checkRun) ([]github.Check, error) {
	var all []github.Check
	var err error
	switch {
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
	if errors.Is(err, github.ErrForbidden) && !c.made {
		c.client = nil
	}
	return err
}

func (c *checks) isOpen(head, name string) bool { return c.open[checkRun{head, name}] != nil }

// show tells what is under way in a check run that is open.
func (c *checks) show(ctx context.Context, head, name, title, summary string) error {
	var errs []error
	for _, id := range c.open[checkRun{head, name}] {
		out := github.CheckOutput{Title: title, Summary: summary}
		errs = append(errs, c.client.UpdateCheck(ctx, id, out))
	}
	return errors.Join(errs...)
}

// complete ends a check run on a commit, or makes it where it is not open. The gate is opened
// first: its external id is no name of its own, by which it would be found where an answer was
// lost.
func (c *checks) complete(ctx context.Context, head string, out report.Check) error {
	if c.client == nil {
		return nil
	}
	key := checkRun{head, out.Name}
	if c.open[key] == nil && out.Name != report.CheckName && len(out.Annotations) == 0 {
		if _, err := c.client.PostCheck(ctx, head, out.Name, c.output(head, out)); err != nil {
			return c.refused(fmt.Errorf("complete check %q on %s: %w", out.Name, short(head), err))
		}
		c.made = true
	} else if err := c.start(ctx, head, out.Name); err != nil {
		return err
	}
	for _, id := range c.open[key] {
		if err := c.client.CompleteCheck(ctx, id, c.output(head, out)); err != nil {
			return fmt.Errorf("complete check %q on %s: %w", out.Name, short(head), err)
		}
	}
	c.close(key)
	if out.Name == report.CheckName && out.Conclusion == github.Success {
		c.green = append(c.green, head)
	}
	return nil
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
	if c.client == nil {
		return nil
	}
	var errs []error
	for _, key := range slices.Clone(c.order) {
		out := report.Check{Name: key.name, Conclusion: conclusion, Title: title, Summary: summary}
		errs = append(errs, c.complete(ctx, key.head, out))
	}
	return errors.Join(errs...)
}

func (c *checks) close(key checkRun) {
	delete(c.open, key)
	c.order = slices.DeleteFunc(c.order, func(k checkRun) bool { return k == key })
}

// decisionOf is what a completed check run of a review says in its external id. Earlier versions wrote none: of these a
// green one approved, and no other counts.
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
