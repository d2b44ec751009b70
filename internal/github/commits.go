package github

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"workflow-reviewer/internal/change"

	"workflow-reviewer/internal/markdown"
)

// MaxCommit is the most that one commit may carry through the API, in bytes of
// file content; GitHub answers larger ones with a timeout.
const MaxCommit = 20 << 20

const commitDoc = `mutation($input: CreateCommitOnBranchInput!) {
  createCommitOnBranch(input: $input) { commit { oid } }
}`

// WriteCommits puts commits on a branch whose tip must be expectedHead, one after the other, signed
// by GitHub for the token's identity. It returns the tip after the last commit that was written: on
// an error after the first of several that is not expectedHead, and the error, a change.Partial,
// says how far it got.
//
// Errors: change.ErrHeadMoved, change.ErrReadOnly. After a failure that leaves open whether a
// commit was made, the branch is looked at before the commit is sent again, so none is written
// twice.
func (c *Client) WriteCommits(
	ctx context.Context, branch, expectedHead string, commits []change.Commit,
) (newHead string, err error) {
	if !validBranch(branch) || !validSHA(expectedHead) {
		return expectedHead, fmt.Errorf(
			"write commits: %s at %q is no branch and commit id", markdown.Line(branch, 100),
			markdown.Line(expectedHead, 60),
		)
	}
	head := expectedHead
	for i, k := range commits {
		next, err := c.writeCommit(ctx, branch, head, k)
		if err != nil {
			return head, &change.Partial{
				Head: head, Written: i,
				Err: fmt.Errorf(
					"write commit %d of %d (%s) to %s: %w", i+1, len(commits), k.Subject, branch,
					err,
				),
			}
		}
		head = next
	}
	return head, nil
}

// writeCommit creates a commit on top of head and returns its id. GitHub refuses it if the branch
// is elsewhere by then. If the answer is lost, the branch is looked at before anything is sent
// again.
func (c *Client) writeCommit(
	ctx context.Context, branch, head string, k change.Commit,
) (string, error) {
	input, err := c.commitInput(branch, head, k)
	if err != nil {
		return "", err
	}
	oid, err := create(
		ctx,
		c,
		func() (string, error) { return c.sendCommit(ctx, input) },
		func() (string, bool, error) {
			oid, err := c.lookForCommit(ctx, branch, head, k)
			return oid, oid != "", err
		},
	)
	return oid, commitError(err)
}

// commitInput is the mutation's input. It fails where the contents are more than MaxCommit bytes.
func (c *Client) commitInput(branch, head string, k change.Commit) (map[string]any, error) {
	adds, dels, size := []any{}, []any{}, 0
	for _, w := range k.Writes {
		content := w.Bytes()
		size += len(content)
		adds = append(
			adds,
			map[string]any{"path": w.Path, "contents": base64.StdEncoding.EncodeToString(content)},
		)
	}
	for _, p := range k.Deletes {
		dels = append(dels, map[string]any{"path": p})
	}
	if size > MaxCommit {
		return nil, fmt.Errorf(
			"%d bytes are more than the API takes (%d); set the input commit to push", size,
			MaxCommit,
		)
	}
	return map[string]any{
		"branch": map[string]any{
			"repositoryNameWithOwner": c.owner + "/" + c.repo,
			"branchName":              branch,
		},
		"expectedHeadOid": head,
		"message":         map[string]any{"headline": k.Subject, "body": k.Body},
		"fileChanges":     map[string]any{"additions": adds, "deletions": dels},
	}, nil
}

// sendCommit sends the mutation once. An answer without a commit id is an error, since it may have
// been made.
func (c *Client) sendCommit(ctx context.Context, input map[string]any) (string, error) {
	var data struct {
		Create struct {
			Commit struct {
				OID string `json:"oid"`
			} `json:"commit"`
		} `json:"createCommitOnBranch"`
	}
	if err := c.queryOnce(ctx, commitDoc, map[string]any{"input": input}, &data); err != nil {
		return "", err
	}
	if oid := data.Create.Commit.OID; validSHA(oid) {
		return oid, nil
	}
	return "", errors.New("no commit id in GitHub's answer")
}

// lookForCommit tells what became of a commit whose answer was lost: its id if it is the branch's
// tip, "" if the branch is still at head, else change.ErrHeadMoved.
func (c *Client) lookForCommit(
	ctx context.Context, branch, head string, k change.Commit,
) (string, error) {
	tip, err := c.BranchTip(ctx, branch)
	if errors.Is(err, ErrNotFound) {
		return "", fmt.Errorf("%w (%w)", change.ErrHeadMoved, err)
	}
	if err != nil || tip == head {
		return "", err
	}
	made, err := c.Commit(ctx, tip)
	if err != nil {
		return "", err
	}
	if len(made.Parents) == 1 && made.Parents[0] == head &&
		strings.TrimSpace(made.Message) == strings.TrimSpace(k.Subject+"\n\n"+k.Body) {
		return tip, nil
	}
	return "", fmt.Errorf("%w: %s is at %s", change.ErrHeadMoved, branch, tip)
}

// commitError gives a refused commit its class.
func commitError(err error) error {
	switch {
	case err == nil || errors.Is(err, change.ErrHeadMoved):
		return err
	case is(err, stale, gone):
		return fmt.Errorf("%w (%w)", change.ErrHeadMoved, explain(err, "commit"))
	case is(err, denied, unauthorized):
		return fmt.Errorf("%w (%w)", change.ErrReadOnly, explain(err, "commit"))
	}
	return explain(err, "commit")
}
