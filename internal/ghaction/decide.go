package ghaction

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/workflow"
)

// screen refuses what no state of the review would allow.
func screen(s subject, cfg config.Config, w writer) []command {
	isAuthor := s.ev.Author == "" || strings.EqualFold(s.ev.Author, s.ev.Sender)
	why := ""
	switch {
	case s.ev.Fork:
		why = "the pull request comes from a fork, where nothing can be recorded"
	case s.ev.Bot:
		why = "a person answers for a decision, and " + s.ev.Sender + " is the account of an App"
	case !cfg.OverrideByAuthor && isAuthor:
		why = "the author of a pull request decides nothing on it, unless the base's config " +
			"sets override.author"
	case w.to == nil:
		why = "it could not be recorded: " + cmp.Or(w.why, "nothing is committed")
	case !cfg.SaveReviews:
		why = "it could not be recorded: auto_review.save_reviews is false"
	}
	out := slices.Clone(s.asked.commands)
	for i, c := range out {
		if c.refusal == "" {
			out[i].refusal = why
		}
	}
	return out
}

// decide has people's decisions change the jobs of a plan. The refusals are a line for each command
// that was not followed.
func decide(h *host, s subject, jobs []review.Job) (refusals []string) {
	now := h.env.Now().UTC().Truncate(time.Second)
	link := ""
	if server := h.env.ServerURL(); server != "" {
		link = fmt.Sprintf(
			"%s/%s/%s/pull/%d#issuecomment-%d", server, s.ev.Owner, s.ev.Repo, s.ev.Number,
			s.ev.CommentID,
		)
	}
	for _, c := range s.asked.commands {
		err, reason := errors.New(c.refusal), h.secrets.Text(c.reason)
		switch {
		case c.refusal != "":
		case c.name == workflow.CommandOverride:
			err = review.Override(
				jobs, c.target,
				workflow.Override{By: s.ev.Sender, Reason: reason, Link: link, Time: now},
			)
		default:
			err = review.Dismiss(
				jobs, c.target,
				workflow.Dismissal{By: s.ev.Sender, Reason: reason, Link: link, Time: now},
			)
		}
		if err != nil {
			refusals = append(refusals, c.refused(err.Error()))
		}
	}
	return refusals
}
