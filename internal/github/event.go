package github

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	gh "github.com/google/go-github/v66/github"

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

// eventPayload is the part of all webhook payloads that the product reads.
type eventPayload struct {
	Action      string           `json:"action"`
	Number      int              `json:"number"`
	PullRequest *gh.PullRequest  `json:"pull_request"`
	MergeGroup  *gh.MergeGroup   `json:"merge_group"`
	Issue       *gh.Issue        `json:"issue"`
	Comment     *gh.IssueComment `json:"comment"`
	CheckRun    struct {
		ID           int64  `json:"id"`
		Name         string `json:"name"`
		HeadSHA      string `json:"head_sha"`
		PullRequests []struct {
			Number int `json:"number"`
			Head   struct {
				SHA string `json:"sha"`
			} `json:"head"`
		} `json:"pull_requests"`
	} `json:"check_run"` // samples of GitHub's hold times that go-github does not read
	Label   *gh.Label `json:"label"`
	Changes struct {
		Base *struct{} `json:"base"`
	} `json:"changes"`
	Repository *struct {
		FullName      string `json:"full_name"`
		DefaultBranch string `json:"default_branch"`
	} `json:"repository"`
	Sender  *gh.User       `json:"sender"`
	Inputs  map[string]any `json:"inputs"`
	Ref     string         `json:"ref"`
	Before  string         `json:"before"`
	After   string         `json:"after"`
	Deleted bool           `json:"deleted"`
}

// ParseEvent reads the payload of the event called name (GITHUB_EVENT_NAME). An event that is not
// reviewed comes back with Name and Action alone. Fields that only the API knows (head and base of
// an issue_comment or a check_run, the default branch's commit) stay empty. An error names the
// field that is missing or malformed.
func ParseEvent(name string, payload []byte, env EventEnv) (change.Event, error) {
	read := map[string]func(*eventPayload, EventEnv, *change.Event) error{
		"pull_request": (*eventPayload).pull, "pull_request_target": (*eventPayload).pull,
		"issue_comment": (*eventPayload).comment, "check_run": (*eventPayload).checkRun,
		"merge_group": (*eventPayload).mergeGroup, "push": (*eventPayload).push,
		"workflow_dispatch": (*eventPayload).dispatch,
	}[name]
	ev := change.Event{Name: name}
	if len(payload) > MaxPayload {
		return ev, fmt.Errorf(
			"read event %q: payload of %d bytes is larger than %d", name, len(payload), MaxPayload,
		)
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
	if p.Repository != nil {
		full, ev.DefaultBranch = cmp.Or(p.Repository.FullName, full), p.Repository.DefaultBranch
	}
	owner, repo, ok := splitRepo(full)
	if !ok {
		return malformed("repository.full_name", full, "owner/name")
	}
	if ev.DefaultBranch != "" && !validBranch(ev.DefaultBranch) {
		return malformed("repository.default_branch", ev.DefaultBranch, "a branch name")
	}
	ev.Owner, ev.Repo, ev.Action = owner, repo, p.Action
	ev.Sender, ev.Bot = p.Sender.GetLogin(), p.Sender.GetType() == "Bot"
	return nil
}

// pull takes over a pull request. Handwritten events may lack commits and repositories: the head is
// then the checked out one, and the base is found by its branch.
func (p *eventPayload) pull(env EventEnv, ev *change.Event) error {
	pr := p.PullRequest
	if pr == nil {
		return errors.New("pull_request is missing")
	}
	pr.Number = gh.Int(max(pr.GetNumber(), p.Number))
	ev.Label, ev.Rebase = p.Label.GetName(), p.Changes.Base != nil
	if !env.Handwritten {
		return takePull(ev, pr)
	}
	own := ev.Owner + "/" + ev.Repo
	for _, end := range []**gh.PullRequestBranch{&pr.Base, &pr.Head} {
		if *end == nil {
			*end = &gh.PullRequestBranch{}
		}
		if (*end).Repo == nil {
			(*end).Repo = &gh.Repository{FullName: &own}
		}
	}
	unknown := pr.Base.GetSHA() == ""
	if pr.Head.SHA = gh.String(cmp.Or(pr.Head.GetSHA(), env.SHA)); unknown {
		pr.Base.SHA = pr.Head.SHA // so that the branch is checked alone
	}
	err := takePull(ev, pr)
	if unknown {
		ev.Base.SHA = ""
	}
	return err
}

// takePull takes over what GitHub tells of a pull request. An end without a repository is one of a
// fork that was deleted.
func takePull(ev *change.Event, pr *gh.PullRequest) error {
	ev.Number, ev.Draft, ev.Closed = pr.GetNumber(), pr.GetDraft(), pr.GetState() == closed
	ev.Title, ev.Body, ev.Labels = pr.GetTitle(), pr.GetBody(), names(pr.Labels)
	if login := pr.GetUser().GetLogin(); loginRE.MatchString(login) {
		ev.Author = login
	}
	if ev.Number <= 0 {
		return errors.New("pull_request.number is missing")
	}
	var berr, herr error
	ev.Base, berr = endOf("pull_request.base", pr.GetBase())
	ev.Head, herr = endOf("pull_request.head", pr.GetHead())
	ev.Fork = !strings.EqualFold(ev.Head.Repo, ev.Owner+"/"+ev.Repo)
	return errors.Join(berr, herr)
}

// endOf checks one end of a pull request.
func endOf(field string, b *gh.PullRequestBranch) (change.Ref, error) {
	repo := b.GetRepo().GetFullName()
	if _, _, ok := splitRepo(repo); !ok && b.GetRepo() != nil {
		return change.Ref{}, malformed(field+".repo.full_name", repo, "owner/name")
	}
	return refOf(field, b.GetSHA(), b.GetRef(), repo)
}

// refOf checks a commit and its branch.
func refOf(field, sha, branch, repo string) (change.Ref, error) {
	switch {
	case !validSHA(sha):
		return change.Ref{}, malformed(field+".sha", sha, "40 hexadecimal digits")
	case !validBranch(branch):
		return change.Ref{}, malformed(field+".ref", branch, "a branch name")
	}
	return change.Ref{SHA: sha, Branch: branch, Repo: repo}, nil
}

// comment takes over a comment on an issue or pull request. Which commits the pull request has is
// asked of the API later.
func (p *eventPayload) comment(_ EventEnv, ev *change.Event) error {
	switch {
	case p.Issue.GetNumber() <= 0:
		return errors.New("issue.number is missing")
	case p.Comment.GetID() <= 0:
		return errors.New("comment.id is missing")
	case ev.Sender == "":
		return errors.New("sender.login is missing")
	}
	ev.Number, ev.OnPull = p.Issue.GetNumber(), p.Issue.IsPullRequest()
	ev.Draft, ev.Labels = p.Issue.GetDraft(), names(p.Issue.Labels)
	ev.CommentID, ev.CommentBody = p.Comment.GetID(), p.Comment.GetBody()
	return nil
}

// checkRun reads which check run was asked for again. Its pull request is the one whose head it is
// on; a check of a fork's commit names none.
func (p *eventPayload) checkRun(_ EventEnv, ev *change.Event) error {
	c := p.CheckRun
	switch {
	case c.ID <= 0:
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
	ev.Base, berr = refOf("merge_group.base", g.GetBaseSHA(), branchOf(g.GetBaseRef()), own)
	ev.Head, herr = refOf("merge_group.head", g.GetHeadSHA(), branchOf(g.GetHeadRef()), own)
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
	ev.Head, err = refOf("after", p.After, branch, own)
	return err
}

// names are the names of labels, sorted, each once.
func names(labels []*gh.Label) []string {
	var out []string
	for _, l := range labels {
		if name := l.GetName(); name != "" {
			out = append(out, name)
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
