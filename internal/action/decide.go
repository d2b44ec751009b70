package action

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/workflow"
)

// errRefused ends a run that was asked for decisions alone, and none was taken.
var errRefused = errors.New("every command was refused")

// onlyDecides reports whether the event asks for decisions of a person and no
// review: no engine is needed then, and no check is touched before one is taken.
func (t triage) onlyDecides() bool { return len(t.commands) > 0 && !t.fresh }

// screen refuses what no state of the review would allow.
func (j *job) screen() {
	why := ""
	switch {
	case j.ev.Fork:
		why = "the pull request comes from a fork, where nothing can be recorded"
	case j.ev.Bot:
		why = "a person answers for a decision, and " + j.ev.Sender + " is the account of an App"
	case !j.session.cfg.OverrideByAuthor && (j.ev.Author == "" || strings.EqualFold(j.ev.Author, j.ev.Sender)):
		why = "the author of a pull request decides nothing on it, unless the base's config sets override.author"
	case j.writer == nil:
		why = "it could not be recorded: " + cmp.Or(j.unwritten, "nothing is committed")
	case !j.session.cfg.SaveReviews:
		why = "it could not be recorded: auto_review.save_reviews is false"
	}
	for i, c := range j.asked.commands {
		if c.refusal == "" {
			j.asked.commands[i].refusal = why
		}
	}
}

// decide has people's decisions change the jobs of a round.
func (j *job) decide(r *round) error {
	if len(j.asked.commands) == 0 {
		return nil
	}
	now := j.env.Now().UTC().Truncate(time.Second)
	link := ""
	if s := j.env.server(); s != "" {
		link = fmt.Sprintf("%s/%s/%s/pull/%d#issuecomment-%d", s, j.ev.Owner, j.ev.Repo, j.ev.Number, j.ev.CommentID)
	}
	j.refusals = nil
	taken := 0
	for _, c := range j.asked.commands {
		err := errors.New(c.refusal)
		switch {
		case c.refusal != "":
		case c.name == workflow.CommandOverride:
			err = review.Override(r.jobs, c.target, workflow.Override{
				By: j.ev.Sender, Reason: j.redactor().Text(c.reason), Link: link, Time: now,
			})
		default:
			err = review.Dismiss(r.jobs, c.target,
				workflow.Dismissal{By: j.ev.Sender, Reason: j.redactor().Text(c.reason), Link: link, Time: now})
		}
		if err != nil {
			j.refusals = append(j.refusals, c.refused(err.Error()))
			continue
		}
		taken++
	}
	if taken == 0 && j.asked.onlyDecides() && !j.checks.active() {
		return errRefused
	}
	return nil
}

// leaveAbsent takes out what has no verdict where nothing is reviewed: the gate cannot be green without it.
// open says that nothing that is still to be reviewed has one.
func (r *round) leaveAbsent(open bool) {
	r.jobs = slices.DeleteFunc(r.jobs, func(j review.Job) bool {
		absent := j.Absent() != "" || open && !j.Settled()
		if absent {
			r.unreviewed = append(r.unreviewed, j.Artifact.Name())
		}
		return absent
	})
}

// shown is the verdict that the newest completed check run of an artifact shows on this head in this run's scope, or
// on one that the branch left during the run. One that did not run is none.
func (j *job) shown(ctx context.Context, a workflow.Artifact) (workflow.Decision, bool) {
	for _, head := range append([]string{j.ev.Head.SHA}, j.left...) {
		runs, err := j.client.OwnChecks(ctx, head, report.CheckName+" / "+a.Name())
		if err != nil {
			return workflow.Error, false
		}
		runs = slices.DeleteFunc(runs, func(c github.Check) bool { return !inScope(c, j.scope().Key()) })
		k := slices.IndexFunc(runs, func(c github.Check) bool { return c.Status == "completed" && c.Conclusion != github.Cancelled })
		if k >= 0 {
			d := decisionOf(runs[k])
			return d, d != workflow.Error
		}
	}
	return workflow.Error, false
}

// refused ends a run whose commands were all refused: the check stays as it is.
func (j *job) refused(ctx context.Context) report.Report {
	end, err := j.skip(ctx, "%s", strings.ReplaceAll(strings.Join(j.refusals, " "), "- ", ""))
	if err != nil {
		return j.failed(ctx, misconfigured(err))
	}
	j.answer(ctx, false)
	return *end
}

// answer tells whoever commented what became of it: a reaction, and a line for each command that was refused.
func (j *job) answer(ctx context.Context, done bool) {
	asked := len(j.asked.commands) + len(j.asked.testBugs)
	if j.client == nil || !j.speaks() || j.ev.CommentID == 0 || j.answered || asked == 0 && len(j.refusals) == 0 {
		return
	}
	j.answered = true
	reaction := "-1"
	if done && len(j.refusals) < len(j.asked.commands) || j.told {
		reaction = "+1"
	}
	if err := j.client.React(ctx, j.ev.CommentID, reaction); err != nil {
		j.notice(false, "the comment got no reaction: %v", err)
	}
	told := slices.Concat(j.refusals, j.answers)
	if len(told) == 0 {
		return
	}
	marker := fmt.Sprintf("<!-- workflow-reviewer:answer %d -->", j.ev.CommentID)
	if err := j.client.Reply(ctx, j.ev.Number, marker, strings.Join(told, "\n")); err != nil {
		j.notice(true, "the answer could not be posted: %v", err)
	}
}

// refuse ends a run that a comment asked for in vain, with one line why.
func (j *job) refuse(ctx context.Context, what, why string) (*report.Report, error) {
	j.refusals = []string{command{said: what}.refused(why)}
	end := j.refused(ctx)
	return &end, nil
}
