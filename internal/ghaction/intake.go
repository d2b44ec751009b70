package ghaction

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/lazyregexp"
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
	defer f.Close() //nolint:errcheck // read only

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
func (r *run) connect() (err error) {
	if r.in.Token.IsEmpty() {
		r.notice(workflow.Warn, `input "github-token" is empty: no check runs, no comments`)
		return nil
	}
	r.client, err = github.New(github.Options{
		Token: r.in.Token.Reveal(), Owner: r.ev.Owner, Repo: r.ev.Repo,
		APIURL: r.Env.Get("GITHUB_API_URL"), GraphQLURL: r.Env.Get("GITHUB_GRAPHQL_URL"),
		UserAgent: "workflow-reviewer/" + r.Env.Version, Base: r.Env.Transport(),
		Now: r.Env.Now,
	})
	return err
}

// complete reads from GitHub what the event does not say, and asks for the permissions that the
// request needs. Whatever of that ends the run without a review is noted as asked.skip.
func (r *run) complete(ctx context.Context) error {
	if r.client == nil {
		return r.requireNoPermission()
	}
	for _, step := range []func(context.Context) error{
		r.readComment, r.permit, r.requireOwnCheck,
	} {
		if err := step(ctx); err != nil || r.asked.skip != "" {
			return err
		}
	}
	if r.asked.needPR && r.asked.err != nil { // a slip takes no verdict back
		r.refuse(ctx, r.commands.Of(workflow.CommandReview), r.asked.err.Error())
		return nil
	}
	if r.asked.ownCheck {
		if err := r.readPull(ctx); err != nil {
			return err
		}
	}
	r.react(ctx)
	switch {
	case r.asked.needPR && r.ev.Closed && r.ev.CommentID == 0:
		r.asked.skip = whyClosed
	case r.asked.needPR && r.ev.Closed:
		r.refuse(ctx, "the comment", whyClosed)
	case r.ev.Name == "merge_group":
		r.readQueued(ctx)
	}
	return nil
}

// requireNoPermission is complete without a token: what cannot be verified is not granted.
func (r *run) requireNoPermission() error {
	if r.asked.writer != "" || r.asked.needPR {
		return fmt.Errorf(
			`event %q needs the input "github-token" to check permissions and to find the commits`,
			r.ev.Name,
		)
	}
	return nil
}

// readComment reads the pull request of a comment and, in its base, which word commands stand
// behind; then the commands.
func (r *run) readComment(ctx context.Context) error {
	if !r.asked.comment {
		return nil
	}
	if err := r.readPull(ctx); err != nil {
		return err
	}
	data, err := r.client.File(ctx, r.in.ConfigPath, r.ev.Base.SHA)
	if err != nil && !errors.Is(err, github.ErrNotFound) {
		return err
	}
	f, _, err := config.ParseFile(r.in.ConfigPath, data)
	if err == nil { // else the review tells
		r.commands = workflow.Commands(f.Commands.Prefix)
	}
	r.subject = r.inMode(sortCommands(r.ev, r.commands))
	return nil
}

// permit checks the write permission of whoever asked. A comment without it is nothing; a label
// without it is like any other label.
func (r *run) permit(ctx context.Context) error {
	who := r.asked.writer
	if who == "" {
		return nil
	}
	ok, err := r.client.Permission(ctx, who)
	switch {
	case err != nil:
		return fmt.Errorf("check the permission of %s: %w", who, err)
	case ok && r.asked.baseline:
		return r.requireSameHead(ctx)
	case ok:
	case r.ev.CommentID != 0:
		r.refuse(ctx, "the comment", who+" has no write permission, and a command needs it")
	case r.asked.needPR:
		r.asked.skip = who + " has no write permission, and asking for a review needs it"
	default:
		r.notice(workflow.Warn, "label %q is ignored: %s has no write permission", r.ev.Label, who)
		r.asked = triage{recorded: true, label: r.asked.label}
	}
	return nil
}

// requireSameHead withdraws the request for a new baseline if the head has moved since the label
// was set: what was looked at is not what is there now.
func (r *run) requireSameHead(ctx context.Context) error {
	now, err := r.client.PullRequest(ctx, r.ev.Number)
	if err != nil {
		return err
	}
	if now.Head.SHA != r.ev.Head.SHA {
		r.withdraw(now.Head.SHA)
		r.asked = triage{recorded: true, label: r.asked.label}
	}
	return nil
}

// withdraw says that the label for a new baseline counts no more, as the head has moved.
func (r *run) withdraw(moved string) {
	r.notice(
		workflow.Warn,
		"label %q is ignored: the head has moved from %s to %s since it was set; set it again",
		r.ev.Label, change.Short(r.ev.Head.SHA), change.Short(moved),
	)
}

// requireOwnCheck ends the run if the check run that was asked for again is not of this action's
// own App.
func (r *run) requireOwnCheck(ctx context.Context) error {
	if !r.asked.ownCheck {
		return nil
	}
	runs, err := r.client.OwnChecks(ctx, r.ev.Check.Head, r.ev.Check.Name)
	if err != nil {
		return fmt.Errorf("look up the check run %q: %w", r.ev.Check.Name, err)
	}
	for _, c := range runs {
		if c.ID != r.ev.Check.ID {
			continue
		}
		if n := markOf(c).Pull; n != 0 {
			r.ev.Number = n // of several with this head, the one that it is of
		}
		return nil
	}
	r.asked.skip = fmt.Sprintf("the check run %q was made by another App", r.ev.Check.Name)
	return nil
}

// readPull completes the event of a comment with the pull request's commits.
func (r *run) readPull(ctx context.Context) error {
	pr, err := r.client.PullRequest(ctx, r.ev.Number)
	if err != nil {
		return err
	}
	r.ev.Base, r.ev.Head, r.ev.Fork = pr.Base, pr.Head, pr.Fork
	r.ev.Draft, r.ev.Closed, r.ev.Labels = pr.Draft, pr.Closed, pr.Labels
	r.ev.Title, r.ev.Body, r.ev.Author = pr.Title, pr.Body, pr.Author
	r.ev.DefaultBranch = cmp.Or(r.ev.DefaultBranch, pr.DefaultBranch)
	return nil
}

// react shows whoever commented that the comment is followed.
func (r *run) react(ctx context.Context) {
	if r.ev.CommentID == 0 || !r.speaks() {
		return
	}
	if err := r.client.React(ctx, r.ev.CommentID, "eyes"); err != nil {
		r.notice(workflow.Note, "the comment got no reaction: %v", err)
	}
}

// queued is the branch of a merge queue; GitHub names the pull request in it.
var queued = lazyregexp.New(`/pr-([0-9]{1,9})-[0-9a-f]{40}$`)

// readQueued learns branch and labels of the pull request that a merge group is for, so that its
// features have the names that they had there. Without them the group is reviewed all the same.
func (r *run) readQueued(ctx context.Context) {
	r.ev.Fork = true // unless GitHub says that it is none
	m := queued.FindStringSubmatch(r.ev.Head.Branch)
	if m == nil {
		return
	}
	number, _ := strconv.Atoi(m[1]) // at most nine digits
	pr, err := r.client.PullRequest(ctx, number)
	if err != nil {
		r.notice(
			workflow.Warn, "features may be named differently than on the pull request: %v", err,
		)
		return
	}
	r.ev.Topic, r.ev.Labels, r.ev.Fork = pr.Head.Branch, pr.Labels, pr.Fork
	r.ev.Title, r.ev.Body, r.ev.Author = pr.Title, pr.Body, pr.Author
}

// recorded is a report with the verdict that this scope has on the head, so that a label never
// replaces it; nil without one: the run goes on. Where other scopes changed since what the gate
// says, it is brought up to date.
func (r *run) recorded(ctx context.Context) (*report.Report, error) {
	if !r.asked.recorded || r.client == nil {
		return nil, nil
	}
	own, head := newChecks(r.client, gateOf(r.host, r.subject)), r.ev.Head.SHA
	now := own.look(ctx, head)
	d, ok, err := own.recorded(ctx, head, now)
	if err != nil &&
		!errors.Is(err, github.ErrForbidden) { // a token that may not read it knows of none
		r.notice(
			workflow.Warn,
			"the recorded verdict of %s could not be looked up, so the change is reviewed: %v",
			change.Short(head), err,
		)
	}
	if ok {
		what := "The edit"
		if r.ev.Label != "" {
			what = fmt.Sprintf("Label %q", r.ev.Label)
		}
		r.notice(
			workflow.Note, "%s asks for no review; the recorded verdict of %s stands: %s.", what,
			change.Short(head), d,
		)
		r.takeLabel(ctx)
		end := r.failed(ctx, nil)
		end.Decision = d
		if r.speaks() {
			end, err = own.settle(ctx, []string{head}, end, now, func(report.Report) {})
		}
		return &end, err
	}
	if r.ev.Draft {
		r.asked.skip = "the pull request is a draft"
	}
	return nil, nil
}

// takeLabel removes the label that asked for this run. A failure is a notice: the verdict does not
// hang on it.
func (r *run) takeLabel(ctx context.Context) {
	if r.asked.label == "" || r.client == nil || !r.speaks() {
		return
	}
	if err := r.client.RemoveLabel(ctx, r.ev.Number, r.asked.label); err != nil {
		r.notice(workflow.Warn, "label %q could not be removed: %v", r.asked.label, err)
	}
}

// refuse answers a comment that asked in vain, with one line why. The check stays as it is.
func (r *run) refuse(ctx context.Context, what, why string) {
	t := newThread(r.client, r.subject)
	t.refusals = []string{command{said: what}.refused(why)}
	r.asked.skip = t.whyRefused()
	t.reply(ctx, r.host, false)
}
