package github

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
)

// MaxPayload is the largest event payload that ParseEvent reads, in bytes; GitHub delivers at most
// 25 MB.
const MaxPayload = 25 << 20

// Actions that ParseEvent gives to pushes with nothing to review; such an event has no Head.SHA.
const (
	PushDeleted = "deleted" // the branch was deleted
	PushTag     = "tag"     // a tag was pushed, not a branch
)

// EventEnv holds the facts that the runner passes beside the payload. They
// stand in for fields that the payload of an event lacks.
type EventEnv struct {
	Repository string // GITHUB_REPOSITORY, owner/name
	SHA        string // GITHUB_SHA
	Ref        string // GITHUB_REF, refs/heads/…
	RefName    string // GITHUB_REF_NAME
	// Handwritten says that a person wrote the payload, as for act, where only branches are known:
	// a pull request's head is SHA then, and the commit of its base stays empty.
	Handwritten bool
}

// ParseEvent reads the payload of the event called name (GITHUB_EVENT_NAME). An event that is not
// reviewed comes back with Name and Action alone. Fields that only the API knows (head and base of
// an issue_comment or a check_run, the default branch's commit) stay empty. An error names the
// field that is missing or malformed.
func ParseEvent(name string, payload []byte, env EventEnv) (change.Event, error) {
	read := map[string]func(*eventPayload, EventEnv, *change.Event) error{
		"pull_request": (*eventPayload).pull, "pull_request_target": (*eventPayload).pull, "issue_comment": (*eventPayload).comment,
		"check_run": (*eventPayload).checkRun, "merge_group": (*eventPayload).mergeGroup,
		"workflow_dispatch": (*eventPayload).dispatch, "push": (*eventPayload).push,
	}[name]
	ev := change.Event{Name: name}
	if len(payload) > MaxPayload {
		return ev, fmt.Errorf("read event %q: payload of %d bytes is larger than %d", name, len(payload), MaxPayload)
	}
	if read == nil {
		return otherEvent(ev, payload)
	}
	var p eventPayload
	if err := json.Unmarshal(payload, &p); err != nil {
		return ev, fmt.Errorf("read event %q: %w", name, err)
	}
	if err := errors.Join(p.common(env, &ev), read(&p, env, &ev)); err != nil {
		return change.Event{Name: name}, fmt.Errorf("read event %q: %w", name, err)
	}
	return ev, nil
}

// otherEvent keeps only the action, whatever else the payload holds.
func otherEvent(ev change.Event, payload []byte) (change.Event, error) {
	if !json.Valid(payload) {
		return ev, fmt.Errorf("read event %q: payload is not JSON", ev.Name)
	}
	var p struct {
		Action any `json:"action"`
	}
	if json.Unmarshal(payload, &p) == nil {
		ev.Action, _ = p.Action.(string)
	}
	return ev, nil
}

// common takes over what all events have: repository, default branch, sender, action. Its errors
// name the field.
func (p *eventPayload) common(env EventEnv, ev *change.Event) error {
	full := env.Repository
	if p.Repository != nil && p.Repository.FullName != "" {
		full = p.Repository.FullName
	}
	owner, repo, ok := splitRepo(full)
	if !ok {
		return malformed("repository.full_name", full, "owner/name")
	}
	ev.Owner, ev.Repo, ev.Action = owner, repo, p.Action
	if p.Repository != nil {
		ev.DefaultBranch = p.Repository.DefaultBranch
	}
	if ev.DefaultBranch != "" && !validBranch(ev.DefaultBranch) {
		return malformed("repository.default_branch", ev.DefaultBranch, "a branch name")
	}
	if p.Sender != nil {
		ev.Sender, ev.Bot = p.Sender.Login, p.Sender.Type == "Bot"
	}
	return nil
}

// pull takes over a pull request. Handwritten events may lack commits: the head is then the checked
// out one, and the base is found by its branch.
func (p *eventPayload) pull(env EventEnv, ev *change.Event) error {
	pr := p.PullRequest
	if pr == nil {
		return errors.New("pull_request is missing")
	}
	if env.Handwritten && pr.Head.SHA == "" {
		pr.Head.SHA = env.SHA
	}
	ev.Number, ev.Draft, ev.Labels = max(pr.Number, p.Number), pr.Draft, names(pr.Labels)
	ev.Title, ev.Body, ev.Closed = pr.Title, pr.Body, pr.State == closed
	if loginRE.MatchString(pr.User.Login) {
		ev.Author = pr.User.Login
	}
	if p.Label != nil {
		ev.Label = p.Label.Name
	}
	ev.Rebase = p.Changes.Base != nil
	own := ev.Owner + "/" + ev.Repo
	var berr, herr error
	if env.Handwritten && pr.Base.SHA == "" {
		ev.Base, berr = pr.Base.named("pull_request.base", own)
	} else {
		ev.Base, _, berr = pr.Base.ref("pull_request.base", own)
	}
	ev.Head, ev.Fork, herr = pr.Head.ref("pull_request.head", own)
	var nerr error
	if ev.Number <= 0 {
		nerr = errors.New("pull_request.number is missing")
	}
	return errors.Join(nerr, berr, herr)
}

// comment takes over a comment on an issue or pull request. Which commits the pull request has is
// asked of the API later.
func (p *eventPayload) comment(_ EventEnv, ev *change.Event) error {
	switch {
	case p.Issue == nil || p.Issue.Number <= 0:
		return errors.New("issue.number is missing")
	case p.Comment == nil || p.Comment.ID <= 0:
		return errors.New("comment.id is missing")
	case ev.Sender == "":
		return errors.New("sender.login is missing")
	}
	ev.Number, ev.OnPull, ev.Labels = p.Issue.Number, p.Issue.PullRequest != nil, names(p.Issue.Labels)
	ev.Draft = p.Issue.Draft
	ev.CommentID, ev.CommentBody = p.Comment.ID, p.Comment.Body
	return nil
}

// checkRun reads which check run was asked for again. Its pull request is the
// one whose head it is on; a check of a fork's commit names none.
func (p *eventPayload) checkRun(_ EventEnv, ev *change.Event) error {
	c := p.CheckRun
	switch {
	case c == nil || c.ID <= 0:
		return errors.New("check_run.id is missing")
	case !validSHA(c.HeadSHA):
		return malformed("check_run.head_sha", c.HeadSHA, "40 hexadecimal digits")
	case ev.Sender == "":
		return errors.New("sender.login is missing")
	}
	ev.Check = change.CheckRun{ID: c.ID, Name: c.Name, Head: c.HeadSHA}
	for _, pr := range c.PullRequests {
		if pr.Number > 0 && (ev.Number == 0 || pr.Head.SHA == c.HeadSHA) {
			ev.Number = pr.Number
		}
	}
	return nil
}

// mergeGroup takes over base and head of a merge group.
func (p *eventPayload) mergeGroup(_ EventEnv, ev *change.Event) error {
	g := p.MergeGroup
	if g == nil {
		return errors.New("merge_group is missing")
	}
	own := ev.Owner + "/" + ev.Repo
	var berr, herr error
	ev.Base, _, berr = (&side{SHA: g.BaseSHA, Branch: branchOf(g.BaseRef)}).ref("merge_group.base", own)
	ev.Head, _, herr = (&side{SHA: g.HeadSHA, Branch: branchOf(g.HeadRef)}).ref("merge_group.head", own)
	return errors.Join(berr, herr)
}

// dispatch takes over a run that somebody started, with its inputs types and paths. The base is the
// default branch, whose commit is found later.
func (p *eventPayload) dispatch(env EventEnv, ev *change.Event) error {
	if !validSHA(env.SHA) {
		return malformed("GITHUB_SHA", env.SHA, "40 hexadecimal digits")
	}
	ref := cmp.Or(p.Ref, env.Ref)
	own := ev.Owner + "/" + ev.Repo
	ev.Base = change.Ref{Branch: ev.DefaultBranch, Repo: own}
	ev.Head = change.Ref{SHA: env.SHA, Repo: own}
	if b, ok := strings.CutPrefix(ref, "refs/heads/"); ok {
		if !validBranch(b) {
			return malformed("ref", ref, "refs/heads/ and a branch name")
		}
		ev.Head.Branch = b
	} else if ref == "" && validBranch(env.RefName) {
		ev.Head.Branch = env.RefName
	}
	types, _ := p.Inputs["types"].(string)
	paths, _ := p.Inputs["paths"].(string)
	ev.Types, ev.Paths = split(types, ","), split(paths, "\n")
	return nil
}

// push takes over a push. Deleted branches and tags get an action of their own, by which they are
// told apart and passed over.
func (p *eventPayload) push(_ EventEnv, ev *change.Event) error {
	branch, ok := strings.CutPrefix(p.Ref, "refs/heads/")
	switch {
	case p.Ref == "":
		return errors.New("ref is missing")
	case p.Deleted || zeroSHA(p.After):
		ev.Action = PushDeleted
		return nil
	case !ok:
		ev.Action = PushTag
		return nil
	case !zeroSHA(p.Before) && !validSHA(p.Before):
		return malformed("before", p.Before, "40 hexadecimal digits")
	}
	own := ev.Owner + "/" + ev.Repo
	ev.Base = change.Ref{SHA: p.Before, Branch: branch, Repo: own}
	if zeroSHA(p.Before) {
		ev.Base = change.Ref{Branch: ev.DefaultBranch, Repo: own}
	}
	var err error
	ev.Head, _, err = (&side{SHA: p.After, Branch: branch}).ref("after", own)
	return err
}

// names are the names of labels, sorted, each once.
func names(labels []named) []string {
	var out []string
	for _, l := range labels {
		if l.Name != "" {
			out = append(out, l.Name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// split cuts a list at sep and drops white space and empty entries.
func split(s, sep string) []string {
	var out []string
	for f := range strings.SplitSeq(s, sep) {
		if f = strings.TrimSpace(f); f != "" {
			out = append(out, f)
		}
	}
	return out
}
