package action

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/report"
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
	adopts bool           // those that an earlier job of the run left open are taken over
	open   map[checkRun][]int64
	order  []checkRun // as opened
	green  []string   // commits whose gate was told to be open
}

func newChecks(client *github.Client) *checks {
	return &checks{client: client, open: make(map[checkRun][]int64)}
}

// active reports whether check runs can be written at all.
func (c *checks) active() bool { return c.client != nil }

// begin opens check runs while the run is on. It waits for an answer even if the run is cancelled meanwhile: a
// check run whose id nobody knows would stay open for ever.
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
		ids, err := c.left(ctx, key)
		if err == nil && len(ids) == 0 {
			var run github.Check
			run, err = c.client.CreateCheck(ctx, head, name)
			ids = []int64{run.ID}
		}
		if err != nil {
			return c.refused(fmt.Errorf("create check %q on %s: %w", name, short(head), err))
		}
		c.made = true
		c.open[key] = ids
		c.order = append(c.order, key)
	}
	return nil
}

// left are the check runs that an earlier job of the run left open.
func (c *checks) left(ctx context.Context, key checkRun) ([]int64, error) {
	if !c.adopts {
		return nil, nil
	}
	found, err := c.client.OpenChecks(ctx, key.head, key.name)
	var ids []int64
	for _, k := range found {
		ids = append(ids, k.ID)
	}
	return ids, err
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
		errs = append(errs, c.client.UpdateCheck(ctx, id, github.CheckOutput{Title: title, Summary: summary}))
	}
	return errors.Join(errs...)
}

// complete ends a check run on a commit, or makes it where it is not open. The gate is opened first: its
// external id is no name of its own, by which it would be found where an answer was lost.
func (c *checks) complete(ctx context.Context, head string, out report.Check) error {
	if c.client == nil {
		return nil
	}
	key := checkRun{head, out.Name}
	if c.open[key] == nil && out.Name != report.CheckName && len(out.Annotations) == 0 {
		if err := c.client.PostCheck(ctx, head, out.Name, checkOutput(out)); err != nil {
			return c.refused(fmt.Errorf("complete check %q on %s: %w", out.Name, short(head), err))
		}
		c.made = true
	} else if err := c.start(ctx, head, out.Name); err != nil {
		return err
	}
	for _, id := range c.open[key] {
		if err := c.client.CompleteCheck(ctx, id, checkOutput(out)); err != nil {
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

func checkOutput(c report.Check) github.CheckOutput {
	out := github.CheckOutput{
		Conclusion: c.Conclusion, Title: c.Title, Summary: c.Summary, Text: c.Text, ExternalID: c.ExternalID,
	}
	for _, a := range c.Annotations {
		out.Annotations = append(out.Annotations, github.Annotation{
			Path: a.Path, StartLine: a.StartLine, EndLine: a.EndLine,
			Level: a.Level, Title: a.Title, Message: a.Message,
		})
	}
	return out
}
