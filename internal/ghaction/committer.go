package ghaction

import (
	"context"
	"errors"
	"fmt"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/workflow"
	"workflow-reviewer/internal/writeback"
)

// writer is who writes the reviews back.
type writer struct {
	to  writeback.Committer // nil for the reason in why
	why string
	err error // why nobody can write them who should
}

// chooseWriter is the way by which this run writes to the branch.
func (r *run) chooseWriter(cfg config.Config, repo *gitrepo.Repo) writer {
	pushes := cfg.Commit == config.CommitPush || cfg.Commit == config.CommitAuto && r.Env.IsAct()
	switch {
	case cfg.Mode == config.Gate:
		return writer{why: "mode gate writes nothing"}
	case cfg.Commit == config.CommitOff:
		return writer{why: `the input "commit" is "off"`}
	case r.ev.Name == "merge_group":
		return writer{why: "a merge group is not committed to"}
	case r.ev.Fork:
		return writer{why: "the pull request comes from a fork"}
	case pushes:
		push := func(ctx context.Context, branch, head string, cs []change.Commit) (string, error) {
			author := gitrepo.Author{Name: authorName, Email: authorEmail, When: r.Env.Now()}
			return repo.Push(ctx, branch, head, cs, author)
		}
		return writer{to: push}
	case r.client == nil:
		return writer{
			err: errors.New(
				`input "github-token" is empty, so the reviews could not be committed: ` +
					`pass "${{ github.token }}", or set the input "commit" to "off"`,
			),
		}
	default:
		return writer{to: r.client.WriteCommits}
	}
}

// The identity of pushed commits is that of the job's own token.
const (
	authorName  = "github-actions[bot]"
	authorEmail = "41898282+github-actions[bot]@users.noreply.github.com"
)

// commitFailure says that reviews could not be committed.
func commitFailure(err error) *workflow.Failure {
	f := writeback.Failure(err)
	switch {
	case errors.Is(err, gitrepo.ErrNoBranch):
	case errors.Is(err, change.ErrHeadMoved):
		f.Action = fmt.Sprintf(
			"The branch moved in each of %d rounds. Run again once nobody pushes; "+
				"the reviews are saved in report-dir.",
			maxRounds,
		)
	case errors.As(err, new(*github.Refusal)): // says itself what to do
		f.Action = "The reviews are saved in report-dir; with the input \"commit\" set to " +
			"\"off\" they stay out of the branch."
	}
	return f
}
