package action

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/workflow"
)

// ask settles what the event needs GitHub's word for: permissions, the commits of a commented pull request, a
// verdict already recorded. A report that comes back ends the run.
func (j *job) ask(ctx context.Context) (*report.Report, error) {
	if j.client == nil {
		return nil, j.requireNoPermission()
	}
	if j.asked.comment {
		if end, err := j.askComment(ctx); end != nil || err != nil {
			return end, err
		}
	}
	if end, err := j.permit(ctx); end != nil || err != nil {
		return end, err
	}
	if end, err := j.ownCheck(ctx); end != nil || err != nil {
		return end, err
	}
	if j.asked.needPR && j.asked.err != nil {
		return j.refuse(ctx, j.commands.Of(workflow.CommandReview), j.asked.err.Error()) // a slip in a comment takes no verdict back
	}
	if j.asked.ownCheck {
		if err := j.readPull(ctx); err != nil {
			return nil, err
		}
	}
	j.react(ctx)
	if j.asked.needPR && j.ev.Closed && j.ev.CommentID == 0 {
		return j.skip(ctx, "%s", whyClosed)
	}
	if j.asked.needPR && j.ev.Closed {
		return j.refuse(ctx, "the comment", whyClosed)
	}
	if j.ev.Name == "merge_group" {
		j.readQueued(ctx)
	}
	if j.asked.recorded {
		return j.recorded(ctx)
	}
	return nil, nil
}

// askComment reads the pull request of a comment and, in its base, which word commands stand behind; then the commands.
func (j *job) askComment(ctx context.Context) (*report.Report, error) {
	if err := j.readPull(ctx); err != nil {
		return nil, err
	}
	data, err := j.client.File(ctx, string(j.in.ConfigPath), j.ev.Base.SHA)
	if err != nil && !errors.Is(err, github.ErrNotFound) {
		return nil, err
	}
	if f, _, err := config.ParseFile(string(j.in.ConfigPath), data); err == nil { // else the review tells
		j.commands = workflow.Commands(f.Commands.Prefix)
	}
	if j.asked = j.within(sortCommands(j.ev, j.commands)); j.asked.skip != "" {
		end := j.nothing(ctx)
		return &end, nil
	}
	return nil, nil
}

// requireNoPermission is ask without a token: what cannot be verified is not granted.
func (j *job) requireNoPermission() error {
	if j.asked.writer != "" || j.asked.needPR {
		return fmt.Errorf(`event %q needs the input "github-token" to check permissions and to find the commits`, j.ev.Name)
	}
	return nil
}

// permit checks the write permission of whoever asked. A comment without it is
// nothing; a label without it is like any other label.
func (j *job) permit(ctx context.Context) (*report.Report, error) {
	if j.asked.writer == "" {
		return nil, nil
	}
	ok, err := j.client.Permission(ctx, j.asked.writer)
	if err != nil {
		return nil, fmt.Errorf("check the permission of %s: %w", j.asked.writer, err)
	}
	if ok && j.asked.baseline {
		return nil, j.sameHead(ctx)
	}
	if ok {
		return nil, nil
	}
	if j.ev.CommentID != 0 {
		return j.refuse(ctx, "the comment", j.asked.writer+" has no write permission, and a command needs it")
	}
	if j.asked.needPR {
		return j.skip(ctx, "%s has no write permission, and asking for a review needs it", j.asked.writer)
	}
	j.notice(true, "label %q is ignored: %s has no write permission", j.ev.Label, j.asked.writer)
	j.asked = triage{recorded: true, label: j.asked.label}
	return nil, nil
}

// skip ends a run that turns out to have nothing to review.
func (j *job) skip(ctx context.Context, format string, args ...any) (*report.Report, error) {
	j.asked.skip = fmt.Sprintf(format, args...)
	end := j.nothing(ctx)
	return &end, nil
}

// ownCheck ends the run if the check run that was asked for again is not of this action's own App.
func (j *job) ownCheck(ctx context.Context) (*report.Report, error) {
	if !j.asked.ownCheck {
		return nil, nil
	}
	runs, err := j.client.OwnChecks(ctx, j.ev.Check.Head, j.ev.Check.Name)
	if err != nil {
		return nil, fmt.Errorf("look up the check run %q: %w", j.ev.Check.Name, err)
	}
	for _, c := range runs {
		if c.ID != j.ev.Check.ID {
			continue
		}
		if n := markOf(c).Pull; n != 0 {
			j.ev.Number = n // of several with this head, the one that it is of
		}
		return nil, nil
	}
	return j.skip(ctx, "the check run %q was made by another App", j.ev.Check.Name)
}

// sameHead withdraws the request for a new baseline if the head has moved
// since the label was set: what was looked at is not what is there now.
func (j *job) sameHead(ctx context.Context) error {
	now, err := j.client.PullRequest(ctx, j.ev.Number)
	if err != nil {
		return err
	}
	if now.Head.SHA != j.ev.Head.SHA {
		j.notice(true, "label %q is ignored: the head has moved from %s to %s since it was set; set it again",
			j.ev.Label, short(j.ev.Head.SHA), short(now.Head.SHA))
		j.asked = triage{recorded: true, label: j.asked.label}
	}
	return nil
}

// readPull completes the event of a comment with the pull request's commits.
func (j *job) readPull(ctx context.Context) error {
	pr, err := j.client.PullRequest(ctx, j.ev.Number)
	if err != nil {
		return err
	}
	j.ev.Base, j.ev.Head, j.ev.Fork = pr.Base, pr.Head, pr.Fork
	j.ev.Draft, j.ev.Closed, j.ev.Labels = pr.Draft, pr.Closed, pr.Labels
	j.ev.Title, j.ev.Body, j.ev.Author = pr.Title, pr.Body, pr.Author
	j.ev.DefaultBranch = cmp.Or(j.ev.DefaultBranch, pr.DefaultBranch)
	return nil
}

// react shows whoever commented that the comment is followed.
func (j *job) react(ctx context.Context) {
	if j.ev.CommentID == 0 || !j.speaks() {
		return
	}
	if err := j.client.React(ctx, j.ev.CommentID, "eyes"); err != nil {
		j.notice(false, "the comment got no reaction: %v", err)
	}
}

// queued is the branch of a merge queue; GitHub names the pull request in it.
var queued = regexp.MustCompile(`/pr-([0-9]{1,9})-[0-9a-f]{40}$`)

// readQueued learns branch and labels of the pull request that a merge group is for, so that its features have
// the names that they had there. Without them the group is reviewed all the same.
func (j *job) readQueued(ctx context.Context) {
	m := queued.FindStringSubmatch(j.ev.Head.Branch)
	if m == nil {
		return
	}
	number, _ := strconv.Atoi(m[1]) // at most nine digits
	pr, err := j.client.PullRequest(ctx, number)
	if err != nil {
		j.notice(true, "features may be named differently than on the pull request: %v", err)
		return
	}
	j.ev.Topic, j.ev.Labels = pr.Head.Branch, pr.Labels
	j.ev.Title, j.ev.Body = pr.Title, pr.Body
}

// recorded ends with the verdict that this scope has on the head, so that a label never replaces it. Without one the
// run goes on. Where other scopes changed since what the gate says, it is brought up to date.
func (j *job) recorded(ctx context.Context) (*report.Report, error) {
	own := newChecks(j.client, j.gate())
	d, ok, err := own.recorded(ctx, j.ev.Head.SHA)
	if err != nil && !errors.Is(err, github.ErrForbidden) { // a token that may not read it knows of none
		j.notice(true, "the recorded verdict of %s could not be looked up, so the change is reviewed: %v", short(j.ev.Head.SHA), err)
	}
	if ok {
		what := "The edit"
		if j.ev.Label != "" {
			what = fmt.Sprintf("Label %q", j.ev.Label)
		}
		j.notice(false, "%s asks for no review; the recorded verdict of %s stands: %s.", what, short(j.ev.Head.SHA), d)
		j.takeLabel(ctx)
		end := j.report(ctx, nil)
		end.Decision = d
		if j.speaks() {
			end, err = own.settle(ctx, j.ev.Head.SHA, end)
		}
		return &end, err
	}
	if j.ev.Draft {
		return j.skip(ctx, "the pull request is a draft")
	}
	return nil, nil
}

// takeLabel removes the label that asked for this run. A failure is a notice: the verdict does not hang on it.
func (j *job) takeLabel(ctx context.Context) {
	if j.asked.label == "" || j.client == nil || !j.speaks() {
		return
	}
	if err := j.client.RemoveLabel(ctx, j.ev.Number, j.asked.label); err != nil {
		j.notice(true, "label %q could not be removed: %v", j.asked.label, err)
	}
}
