package action

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/report"
)

// voucher believes a recorded verdict only with a proof that this action wrote
// it, as a pull request may carry any file under reviews/:
//   - the file is on the base already, or
//   - a check run of that name on the reviewed commit carries the file's digest
//     (check runs are made by Apps alone, and this one by our own), or
//   - the commit that brought it is signed by GitHub for this token's identity.
//
// Under act and without a token there is nobody to ask; the trailer of the commit counts then.
func (j *job) voucher(repo *gitrepo.Repo) vouching {
	return func(ctx context.Context, r record.Record) (bool, string, error) {
		if base, err := repo.Tree(j.ev.Base.SHA); err == nil {
			if e, err := base.Stat(r.Path); err == nil && e.Blob == r.Blob {
				return true, "", nil
			}
		}
		commit, found, err := repo.Introduced(ctx, r.Path, r.Blob, j.ev.Base.SHA, j.ev.Head.SHA)
		if err != nil {
			found = false // shallow history; the check run may still vouch
		}
		if j.client == nil || j.env.act() {
			if found && commit.Trailer("Workflow-Reviewer") != "" {
				return true, "", nil
			}
			return false, "its commit does not carry the trailer Workflow-Reviewer", nil
		}
		heads := []string{r.Head}
		if found {
			// The branch may have moved during the review; the check that was
			// completed then hangs on the commit below the written one.
			heads = append(heads, commit.Trailer("Reviewed-Head"), commit.SHA)
		}
		if slices.ContainsFunc(heads, func(head string) bool { return j.checkVouches(ctx, head, r) }) {
			return true, "", nil
		}
		if found && j.signatureVouches(ctx, commit) {
			return true, "", nil
		}
		return false, "neither a check run nor a signed commit of this action vouches for it", nil
	}
}

// checkVouches looks on a commit for the check run that was completed with this record, made by this action's
// own App. An error is no proof: the artifact is then reviewed again.
func (j *job) checkVouches(ctx context.Context, head string, r record.Record) bool {
	if len(head) != 40 {
		return false
	}
	name := fmt.Sprintf("%s / %s: %s", report.CheckName, r.Type, r.Feature)
	runs, err := j.client.OwnChecks(ctx, head, name)
	if err != nil {
		return false
	}
	for _, run := range runs {
		digest, _, _ := strings.Cut(run.ExternalID, " ") // the scope follows
		if run.Status == completed && digest != "" && digest == r.Digest {
			return true
		}
	}
	return false
}

// signatureVouches asks GitHub who signed and wrote the commit.
func (j *job) signatureVouches(ctx context.Context, c gitrepo.CommitInfo) bool {
	if c.Trailer("Workflow-Reviewer") == "" {
		return false
	}
	commit, err := j.client.Commit(ctx, c.SHA)
	if err != nil || !commit.Verified {
		return false
	}
	self, err := j.client.Self(ctx)
	return err == nil && self != "" && commit.Author == self
}
