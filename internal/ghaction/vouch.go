package ghaction

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/pipeline"
	"workflow-reviewer/internal/process"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/scope"
	"workflow-reviewer/internal/workflow"
)

// trust finds out who wrote what a pull request brings along. It asks for the check runs of a
// commit once, as all records of a run are often of one.
type trust struct {
	client *github.Client // nil under act and without a token: there is nobody to ask
	fork   bool           // what is reviewed comes from another repository
	author string         // who opened the pull request and decides nothing on it; "" for nobody

	mu     sync.Mutex
	listed map[string][]github.Check // of our own App, by commit
}

// newTrust asks the run's GitHub.
func newTrust(env process.Env, client *github.Client, fork bool) *trust {
	if env.IsAct() {
		client = nil
	}
	return &trust{client: client, fork: fork, listed: map[string][]github.Check{}}
}

// decidedByAuthor reports whether a review rests on a decision of the pull request's author, who
// may have been allowed it by another base. What the base holds was decided before.
func (t *trust) decidedByAuthor(r record.Record, base change.Tree) bool {
	own := t.decisions(r)
	if len(own) == 0 || base == nil {
		return len(own) > 0
	}
	root, _, _ := strings.Cut(r.Path, "reviews/")
	held, _, _ := record.Read(base, []string{root}) // what cannot be read holds nothing
	for _, h := range held {
		known := t.decisions(h)
		own = slices.DeleteFunc(own, func(at time.Time) bool {
			return slices.ContainsFunc(known, at.Equal)
		})
	}
	return len(own) > 0
}

// decisions are the times at which the pull request's author decided what a review rests on.
func (t *trust) decisions(r record.Record) (times []time.Time) {
	note := func(by string, at time.Time) {
		if t.author != "" && strings.EqualFold(by, t.author) {
			times = append(times, at)
		}
	}
	if r.Result == nil {
		return nil
	}
	if o := r.Result.Override; o != nil {
		note(o.By, o.Time)
	}
	for _, d := range r.Result.Dismissed {
		note(d.By, d.Time)
	}
	return times
}

// signedFor is the token's login if GitHub made and signed a commit for it, else "". The job's own
// token has the same login in every repository: whoever owns a fork has anything signed for it by
// a workflow there, and this action commits to none.
func (t *trust) signedFor(ctx context.Context, sha string) (login string, err error) {
	if t.fork {
		return "", nil
	}
	return t.client.SignedFor(ctx, sha)
}

// checks are the check runs of our own App on a commit that carry the name, the newest first.
func (t *trust) checks(ctx context.Context, head, name string) ([]github.Check, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	all, known := t.listed[head]
	if !known {
		var err error
		if all, err = t.client.OwnChecks(ctx, head, ""); err != nil {
			return nil, err
		}
		t.listed[head] = all
	}
	return slices.DeleteFunc(
		slices.Clone(all), func(k github.Check) bool { return k.Name != name },
	), nil
}

// voucher believes a recorded verdict only with a proof that this action wrote
// it, as a pull request may carry any file under reviews/:
//   - the file is on the base already, or
//   - a check run of that name on the reviewed commit carries the file's digest
//     (check runs are made by Apps alone, and this one by our own), or
//   - the commit that brought it is signed by GitHub for this token's identity.
//
// Under act and without a token there is nobody to ask; the trailer of the commit counts then.
func (t *trust) voucher(repo *gitrepo.Repo, base, head string) pipeline.Voucher {
	return func(ctx context.Context, r record.Record) (bool, string, error) {
		tree, err := repo.Tree(base)
		if err == nil {
			if e, err := tree.Stat(r.Path); err == nil && e.Blob == r.Blob {
				return true, "", nil
			}
		}
		if t.decidedByAuthor(r, tree) {
			const why = "the author of the pull request decided on it, and the base's config lets none"
			return false, why, nil
		}
		commit, found, err := repo.Brought(ctx, r.Path, r.Blob, base, head)
		if err != nil {
			found = false // shallow history; the check run may still vouch
		}
		ours := found && commit.Trailer("Workflow-Reviewer") != ""
		if t.client == nil {
			if ours {
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
		if slices.ContainsFunc(
			heads, func(head string) bool { return len(t.vouching(ctx, head, r)) > 0 },
		) {
			return true, "", nil
		}
		if ours {
			if login, err := t.signedFor(ctx, commit.SHA); err == nil && login != "" {
				return true, "", nil
			}
		}
		return false, "neither a check run nor a signed commit of this action vouches for it", nil
	}
}

// vouching are the keys of the scopes whose check run on a commit was completed with this record,
// made by this action's own App; "" of an earlier release. An error is no proof: the artifact is
// then reviewed again.
func (t *trust) vouching(ctx context.Context, head string, r record.Record) (scopes []string) {
	if len(head) != 40 {
		return nil
	}
	name := fmt.Sprintf("%s / %s: %s", report.CheckName, r.Type, r.Feature)
	runs, err := t.checks(ctx, head, name)
	if err != nil {
		return nil
	}
	for _, run := range runs {
		digest, rest, _ := strings.Cut(run.ExternalID, " ")
		if run.Status == completed && digest != "" && digest == r.Digest {
			_, key, _ := strings.Cut(rest, " ")
			scopes = append(scopes, key)
		}
	}
	return scopes
}

// witness is who vouches for an approval record on a branch: GitHub's signature on the commit that
// carries it, made for this action's identity; or, where a squash made another commit of it, the
// check run that this action completed with the review that names the record. Without GitHub there
// is nobody. Only what was approved for the same base counts: elsewhere the records that it rests
// on may be the branch's own.
func (t *trust) witness(base string) baseline.Witness {
	if t.client == nil {
		return nil
	}
	return func(
		ctx context.Context, r approval.Record, blob string, c baseline.Commit, tree change.Tree,
	) (bool, string, error) {
		if c.Base != "" && c.Base != base {
			return false, elsewhere("the branch `"+c.Base+"`", base), nil
		}
		if c.SHA != "" {
			self, err := t.signedFor(ctx, c.SHA)
			if err != nil {
				return false, "", fmt.Errorf("ask who signed %s: %w", change.Short(c.SHA), err)
			}
			if self != "" {
				return true, "in a commit that GitHub signed for " + self, nil
			}
		}
		marks := t.reviewed(ctx, tree, r, blob)
		switch {
		case slices.ContainsFunc(marks, func(m scope.Mark) bool {
			return m.Key == "" || m.Base == base
		}):
			return true, "named by a review that the check of this action vouches for", nil
		case len(marks) > 0:
			return false, elsewhere(marks[0].Name, base), nil
		}
		return false, "no commit that GitHub signed for this action carries it", nil
	}
}

// elsewhere says that an approval is for something else than the base.
func elsewhere(what, base string) string {
	return fmt.Sprintf("it was approved for %s, and not for `%s`", what, base)
}

// reviewed are the scopes in which the review of a record, in a tree that holds both, was made: the
// marks of those whose check run was completed with exactly that review, zero for one of an earlier
// release.
func (t *trust) reviewed(
	ctx context.Context, tree change.Tree, r approval.Record, blob string,
) (marks []scope.Mark) {
	review, ok := baseline.ReviewOf(tree, r, blob)
	if !ok {
		return nil
	}
	gates, err := t.checks(ctx, review.Head, report.CheckName)
	if err != nil {
		return nil
	}
	for _, key := range t.vouching(ctx, review.Head, review) {
		i := slices.IndexFunc(gates, func(k github.Check) bool { return markOf(k).Key == key })
		switch {
		case key == "":
			marks = append(marks, scope.Mark{})
		case i >= 0:
			marks = append(marks, markOf(gates[i]))
		}
	}
	return marks
}

// standing is the verdict that the newest completed check run of an artifact shows in a scope, on
// the first of the heads that has one. One that did not run is none.
func (t *trust) standing(
	ctx context.Context, scopeKey string, heads []string, a workflow.Artifact,
) (workflow.Decision, bool) {
	for _, head := range heads {
		runs, err := t.checks(ctx, head, report.CheckName+" / "+a.Name())
		if err != nil {
			return workflow.Error, false
		}
		for _, k := range runs {
			if inScope(k, scopeKey) && k.Status == completed && k.Conclusion != github.Cancelled {
				d := decisionOf(k)
				return d, d != workflow.Error
			}
		}
	}
	return workflow.Error, false
}
