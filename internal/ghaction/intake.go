package ghaction

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/pipeline"
	"workflow-reviewer/internal/process"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/workflow"
)

// readEvent reads the event file of the runner.
func readEvent(env process.Env) (change.Event, error) {
	path := env.Get("GITHUB_EVENT_PATH")
	f, err := os.Open(path) //nolint:gosec // the runner's own file
	if err != nil {
		return change.Event{}, fmt.Errorf("read the event that GITHUB_EVENT_PATH names: %w", err)
	}
	defer f.Close()                                                    //nolint:errcheck // read only
	payload, err := io.ReadAll(io.LimitReader(f, github.MaxPayload+1)) // one more is refused
	if err != nil {
		return change.Event{}, fmt.Errorf("read the event %s: %w", path, err)
	}
	return github.ParseEvent(env.Get("GITHUB_EVENT_NAME"), payload, github.EventEnv{
		Repository: env.Get("GITHUB_REPOSITORY"), SHA: env.Get("GITHUB_SHA"),
		Ref: env.Get("GITHUB_REF"), RefName: env.Get("GITHUB_REF_NAME"), Handwritten: env.IsAct(),
	})
}

// connect makes the client for GitHub's API, nil without a token.
func connect(h *host, s subject) (*github.Client, error) {
	if s.in.Token.IsEmpty() {
		h.notice(workflow.Warn, `input "github-token" is empty: no check runs, no comments`)
		return nil, nil
	}
	return github.New(github.Options{
		Token: s.in.Token.Reveal(), Owner: s.ev.Owner, Repo: s.ev.Repo,
		APIURL: h.env.Get("GITHUB_API_URL"), GraphQLURL: h.env.Get("GITHUB_GRAPHQL_URL"),
		UserAgent: "workflow-reviewer/" + h.env.Version, Base: h.env.Transport(),
	})
}

// intake completes what the event needs GitHub's word for: permissions, the commits of a commented
// pull request, a verdict already recorded.
type intake struct {
	*host
	client *github.Client
	subject
}

// completeSubject adds to the subject what GitHub knows. A report that comes back ends the run.
func completeSubject(
	ctx context.Context, h *host, client *github.Client, s subject,
) (subject, *report.Report, error) {
	i := &intake{host: h, client: client, subject: s}
	end, err := i.complete(ctx)
	return i.subject, end, err
}

// complete reads from GitHub what the event does not say, and asks for the permissions that the
// request needs. A report ends the run without a review.
func (i *intake) complete(ctx context.Context) (*report.Report, error) {
	if i.client == nil {
		return nil, i.requireNoPermission()
	}
	for _, step := range []func(context.Context) (*report.Report, error){i.readComment, i.permit, i.requireOwnCheck} {
		if end, err := step(ctx); end != nil || err != nil {
			return end, err
		}
	}
	if i.asked.needPR && i.asked.err != nil {
		return i.refuse(
			ctx, i.commands.Of(workflow.CommandReview), i.asked.err.Error(),
		) // a slip takes no verdict back
	}
	if i.asked.ownCheck {
		if err := i.readPull(ctx); err != nil {
			return nil, err
		}
	}
	i.react(ctx)
	switch {
	case i.asked.needPR && i.ev.Closed && i.ev.CommentID == 0:
		return i.skip(ctx, "%s", whyClosed)
	case i.asked.needPR && i.ev.Closed:
		return i.refuse(ctx, "the comment", whyClosed)
	case i.ev.Name == "merge_group":
		i.readQueued(ctx)
	}
	if i.asked.recorded {
		return i.recorded(ctx)
	}
	return nil, nil
}

// requireNoPermission is complete without a token: what cannot be verified is not granted.
func (i *intake) requireNoPermission() error {
	if i.asked.writer != "" || i.asked.needPR {
		return fmt.Errorf(
			`event %q needs the input "github-token" to check permissions and to find the commits`,
			i.ev.Name,
		)
	}
	return nil
}

// readComment reads the pull request of a comment and, in its base, which word commands stand
// behind; then the commands.
func (i *intake) readComment(ctx context.Context) (*report.Report, error) {
	if !i.asked.comment {
		return nil, nil
	}
	if err := i.readPull(ctx); err != nil {
		return nil, err
	}
	data, err := i.client.File(ctx, string(i.in.ConfigPath), i.ev.Base.SHA)
	if err != nil && !errors.Is(err, github.ErrNotFound) {
		return nil, err
	}
	if f, _, err := config.ParseFile(string(i.in.ConfigPath), data); err == nil { // else the review tells
		i.commands = workflow.Commands(f.Commands.Prefix)
	}
	i.subject = i.inMode(sortCommands(i.ev, i.commands))
	if i.asked.skip != "" {
		return i.nothing(ctx)
	}
	return nil, nil
}

// permit checks the write permission of whoever asked. A comment without it is nothing; a label
// without it is like any other label.
func (i *intake) permit(ctx context.Context) (*report.Report, error) {
	who := i.asked.writer
	if who == "" {
		return nil, nil
	}
	ok, err := i.client.Permission(ctx, who)
	switch {
	case err != nil:
		return nil, fmt.Errorf("check the permission of %s: %w", who, err)
	case ok && i.asked.baseline:
		return nil, i.requireSameHead(ctx)
	case ok:
		return nil, nil
	case i.ev.CommentID != 0:
		return i.refuse(ctx, "the comment", who+" has no write permission, and a command needs it")
	case i.asked.needPR:
		return i.skip(ctx, "%s has no write permission, and asking for a review needs it", who)
	}
	i.notice(workflow.Warn, "label %q is ignored: %s has no write permission", i.ev.Label, who)
	i.asked = triage{recorded: true, label: i.asked.label}
	return nil, nil
}

// requireSameHead withdraws the request for a new baseline if the head has moved since the label
// was set: what was looked at is not what is there now.
func (i *intake) requireSameHead(ctx context.Context) error {
	now, err := i.client.PullRequest(ctx, i.ev.Number)
	if err != nil {
		return err
	}
	if now.Head.SHA != i.ev.Head.SHA {
		i.notice(
			workflow.Warn,
			"label %q is ignored: the head has moved from %s to %s since it was set; set it again",
			i.ev.Label, change.Short(i.ev.Head.SHA), change.Short(now.Head.SHA),
		)
		i.asked = triage{recorded: true, label: i.asked.label}
	}
	return nil
}

// requireOwnCheck ends the run if the check run that was asked for again is not of this action's
// own App.
func (i *intake) requireOwnCheck(ctx context.Context) (*report.Report, error) {
	if !i.asked.ownCheck {
		return nil, nil
	}
	runs, err := i.client.OwnChecks(ctx, i.ev.Check.Head, i.ev.Check.Name)
	if err != nil {
		return nil, fmt.Errorf("look up the check run %q: %w", i.ev.Check.Name, err)
	}
	for _, c := range runs {
		if c.ID != i.ev.Check.ID {
			continue
		}
		if n := markOf(c).Pull; n != 0 {
			i.ev.Number = n // of several with this head, the one that it is of
		}
		return nil, nil
	}
	return i.skip(ctx, "the check run %q was made by another App", i.ev.Check.Name)
}

// readPull completes the event of a comment with the pull request's commits.
func (i *intake) readPull(ctx context.Context) error {
	pr, err := i.client.PullRequest(ctx, i.ev.Number)
	if err != nil {
		return err
	}
	i.ev.Base, i.ev.Head, i.ev.Fork = pr.Base, pr.Head, pr.Fork
	i.ev.Draft, i.ev.Closed, i.ev.Labels = pr.Draft, pr.Closed, pr.Labels
	i.ev.Title, i.ev.Body, i.ev.Author = pr.Title, pr.Body, pr.Author
	i.ev.DefaultBranch = cmp.Or(i.ev.DefaultBranch, pr.DefaultBranch)
	return nil
}

// react shows whoever commented that the comment is followed.
func (i *intake) react(ctx context.Context) {
	if i.ev.CommentID == 0 || !i.speaks() {
		return
	}
	if err := i.client.React(ctx, i.ev.CommentID, "eyes"); err != nil {
		i.notice(workflow.Note, "the comment got no reaction: %v", err)
	}
}

// queued is the branch of a merge queue; GitHub names the pull request in it.
var queued = regexp.MustCompile(`/pr-([0-9]{1,9})-[0-9a-f]{40}$`)

// readQueued learns branch and labels of the pull request that a merge group is for, so that its
// features have the names that they had there. Without them the group is reviewed all the same.
func (i *intake) readQueued(ctx context.Context) {
	m := queued.FindStringSubmatch(i.ev.Head.Branch)
	if m == nil {
		return
	}
	number, _ := strconv.Atoi(m[1]) // at most nine digits
	pr, err := i.client.PullRequest(ctx, number)
	if err != nil {
		i.notice(workflow.Warn, "features may be named differently than on the pull request: %v", err)
		return
	}
	i.ev.Topic, i.ev.Labels = pr.Head.Branch, pr.Labels
	i.ev.Title, i.ev.Body = pr.Title, pr.Body
}

// recorded ends with the verdict that this scope has on the head, so that a label never replaces
// it. Without one the run goes on. Where other scopes changed since what the gate says, it is
// brought up to date.
func (i *intake) recorded(ctx context.Context) (*report.Report, error) {
	own, head := newChecks(i.client, gateOf(i.env, i.subject)), i.ev.Head.SHA
	now := own.look(ctx, head)
	d, ok, err := own.recorded(ctx, head, now)
	if err != nil &&
		!errors.Is(err, github.ErrForbidden) { // a token that may not read it knows of none
		i.notice(
			workflow.Warn,
			"the recorded verdict of %s could not be looked up, so the change is reviewed: %v",
			change.Short(head), err,
		)
	}
	if ok {
		what := "The edit"
		if i.ev.Label != "" {
			what = fmt.Sprintf("Label %q", i.ev.Label)
		}
		i.notice(
			workflow.Note, "%s asks for no review; the recorded verdict of %s stands: %s.", what,
			change.Short(head), d,
		)
		takeLabel(ctx, i.host, i.client, i.subject)
		end := i.blank(ctx, i.subject, false, nil)
		end.Decision = d
		if i.speaks() {
			end, err = own.settle(ctx, []string{head}, end, now, func(report.Report) {})
		}
		return &end, err
	}
	if i.ev.Draft {
		return i.skip(ctx, "the pull request is a draft")
	}
	return nil, nil
}

// takeLabel removes the label that asked for this run. A failure is a notice: the verdict does not
// hang on it.
func takeLabel(ctx context.Context, h *host, client *github.Client, s subject) {
	if s.asked.label == "" || client == nil || !s.speaks() {
		return
	}
	if err := client.RemoveLabel(ctx, s.ev.Number, s.asked.label); err != nil {
		h.notice(workflow.Warn, "label %q could not be removed: %v", s.asked.label, err)
	}
}

// skip ends a run that turns out to have nothing to review.
func (i *intake) skip(ctx context.Context, format string, args ...any) (*report.Report, error) {
	i.asked.skip = fmt.Sprintf(format, args...)
	return i.nothing(ctx)
}

// nothing is the report of a run that has nothing to review. Wrong inputs are an error even then.
func (i *intake) nothing(ctx context.Context) (*report.Report, error) {
	var failure *workflow.Failure
	if i.inErr != nil {
		failure = pipeline.Misconfigured(i.inErr)
	}
	end := i.blank(ctx, i.subject, false, failure)
	return &end, nil
}

// refuse ends a run that a comment asked for in vain, with one line why. The check stays as it is.
func (i *intake) refuse(ctx context.Context, what, why string) (*report.Report, error) {
	t := newThread(i.client, i.subject)
	t.refusals = []string{command{said: what}.refused(why)}
	end, err := i.skip(ctx, "%s", t.whyRefused())
	t.reply(ctx, i.host, false)
	return end, err
}
