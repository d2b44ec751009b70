package ghaction

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/workflow"
)

// screen refuses what no state of the review would allow.
func (r *run) screen() []command {
	cfg, w := r.main.req.Config, r.main.writer
	isAuthor := r.ev.Author == "" || strings.EqualFold(r.ev.Author, r.ev.Sender)
	why := ""
	switch {
	case r.ev.Fork:
		why = "the pull request comes from a fork, where nothing can be recorded"
	case r.ev.Bot:
		why = "a person answers for a decision, and " + r.ev.Sender + " is the account of an App"
	case !cfg.OverrideByAuthor && isAuthor:
		why = "the author of a pull request decides nothing on it, unless the base's config " +
			"sets override.author"
	case w.to == nil:
		why = "it could not be recorded: " + cmp.Or(w.why, "nothing is committed")
	case !cfg.SaveReviews:
		why = "it could not be recorded: auto_review.save_reviews is false"
	}
	out := slices.Clone(r.asked.commands)
	for i, c := range out {
		if c.refusal == "" {
			out[i].refusal = why
		}
	}
	return out
}

// takeDecisions has people's decisions change the jobs of a plan. The refusals are a line for each
// command that was not followed.
func (r *run) takeDecisions(jobs []review.Job) (refusals []string) {
	now := r.Env.Now().UTC().Truncate(time.Second)
	link := ""
	if server := r.Env.ServerURL(); server != "" {
		link = fmt.Sprintf(
			"%s/%s/%s/pull/%d#issuecomment-%d", server, r.ev.Owner, r.ev.Repo, r.ev.Number,
			r.ev.CommentID,
		)
	}
	for _, c := range r.asked.commands {
		err, reason := errors.New(c.refusal), r.Redactor.Text(c.reason)
		switch {
		case c.refusal != "":
		case c.name == workflow.CommandOverride:
			err = review.Override(
				jobs, c.target,
				workflow.Override{By: r.ev.Sender, Reason: reason, Link: link, Time: now},
			)
		default:
			err = review.Dismiss(
				jobs, c.target,
				workflow.Dismissal{By: r.ev.Sender, Reason: reason, Link: link, Time: now},
			)
		}
		if err != nil {
			refusals = append(refusals, c.refused(err.Error()))
		}
	}
	return refusals
}
