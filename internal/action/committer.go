package action

import (
	"context"
	"errors"
	"fmt"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/workflow"
)

// committer is who writes the reviews back; nil with the reason why nobody does.
// An error says why nobody can who should.
func (j *job) committer() (to Committer, why string, err error) {
	cfg := j.session.cfg
	switch {
	case cfg.Mode == config.Gate:
		return nil, "mode gate writes nothing", nil
	case cfg.Commit == config.CommitOff:
		return nil, `the input "commit" is "off"`, nil
	case j.ev.Fork:
		return nil, "the pull request comes from a fork", nil
	case j.ev.Name == "merge_group":
		return nil, "a merge group is not committed to", nil
	case cfg.Commit == config.CommitPush, cfg.Commit == config.CommitAuto && j.env.act():
		return committerFunc(j.push), "", nil
	case j.client == nil:
		return nil, "", errors.New(`input "github-token" is empty, so the reviews could not be committed: ` +
			`pass "${{ github.token }}", or set the input "commit" to "off"`)
	default:
		return committerFunc(j.client.WriteCommits), "", nil
	}
}

func (j *job) push(ctx context.Context, branch, head string, cs []change.Commit) (string, error) {
	return j.session.repo.Push(ctx, branch, head, cs, gitrepo.Author{Name: authorName, Email: authorEmail, When: j.env.Now()})
}

// The identity of pushed commits is that of the job's own token.
const (
	authorName  = "github-actions[bot]"
	authorEmail = "41898282+github-actions[bot]@users.noreply.github.com"
)

// commitFailure says that reviews could not be committed.
func commitFailure(err error) *workflow.Failure {
	f := &workflow.Failure{Class: "commit", Message: fmt.Sprintf("the reviews could not be committed: %v", err)}
	switch {
	case errors.Is(err, gitrepo.ErrNoBranch):
		f.Action = "Nothing can be committed to a branch that is gone. Restore it, or close the pull request; " +
			"the reviews are saved in report-dir."
	case errors.Is(err, change.ErrHeadMoved):
		f.Action = fmt.Sprintf("The branch moved in each of %d rounds. Run again once nobody pushes; the reviews are saved in report-dir.",
			maxRounds)
	case errors.As(err, new(*github.Refusal)): // says itself what to do
		f.Action = `The reviews are saved in report-dir; with the input "commit" set to "off" they stay out of the branch.`
	case errors.Is(err, change.ErrReadOnly):
		f.Action = `Give the job "permissions: contents: write", or set the input "commit" to "off"; the reviews are saved in report-dir.`
	default:
		f.Action = "Run again; the reviews are saved in report-dir."
	}
	return f
}

// commitError marks an error as one of the commit-back.
type commitError struct{ err error }

func (e *commitError) Error() string { return e.err.Error() }
func (e *commitError) Unwrap() error { return e.err }
