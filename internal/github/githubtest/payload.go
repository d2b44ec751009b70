package githubtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Event says what happened, for EventPayload and Env. What an event does not use is ignored.
type Event struct {
	Name   string // pull_request, issue_comment, merge_group, workflow_dispatch, push, …
	Action string // opened, synchronize, labeled, created, …
	Number int    // of a pull request added before
	Sender string // "octocat" if empty
	Label  string // the label just set, for action labeled
	// OldBase is the branch that a pull request was moved from, and OldTitle the title that it had,
	// for action edited.
	OldBase, OldTitle string
	// Check is the id of a check run made before, for check_run.
	Check int64
	// Comment is the id of a comment added before, for issue_comment.
	Comment int64
	// Inputs of a workflow_dispatch.
	Inputs map[string]string
	// Branch that was pushed or dispatched on, or that a merge group is for; the default branch if
	// empty.
	Branch string
	// Before and After of a push; Base and Head of a merge group. Before is the base's commit of a
	// pull request where that has moved since the event.
	Before, After string
}

// samples are the payloads that events are made from.
var samples = map[string]string{
	"pull_request": "pull_request.synchronize.0.json", "pull_request_target": "pull_request.synchronize.0.json",
	"issue_comment": "issue_comment.created.0.json", "merge_group": "merge_group.checks_requested.0.json",
	"workflow_dispatch": "workflow_dispatch.default.0.json", "push": "push.default.4.json",
	"pull_request_review": "pull_request_review.submitted.0.json", "workflow_run": "workflow_run.completed.0.json",
	"check_run": "check_run.rerequested.0.json",
}

// EventPayload is the webhook payload of an event: one that GitHub published
// as a sample, with this repository's facts put in.
func (s *Server) EventPayload(e Event) []byte {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	raw, err := files.ReadFile("testdata/payloads/" + samples[e.Name])
	if err != nil {
		s.t.Fatalf("no sample of event %q: %v", e.Name, err)
	}
	p := object{}
	if err := json.Unmarshal(raw, &p); err != nil {
		s.t.Fatal(err)
	}
	merge(p, object{"repository": s.repoObject(s.full()), "sender": user(e.sender())})
	if e.Action != "" {
		p["action"] = e.Action
	}
	s.specific(e, p)
	out, err := json.MarshalIndent(p, "", " ")
	if err != nil {
		s.t.Fatal(err)
	}
	return out
}

func (e Event) sender() string {
	return cmp.Or(e.Sender, "octocat")
}

// queue is the branch of a merge group for the pull request Number, or 1.
func (e Event) queue(branch string) string {
	return fmt.Sprintf("gh-readonly-queue/%s/pr-%d-%s", branch, max(e.Number, 1), e.Before)
}

func (s *Server) specific(e Event, p object) {
	branch := cmp.Or(e.Branch, s.opts.DefaultBranch)
	ref := "refs/heads/" + branch
	switch e.Name {
	case "pull_request", "pull_request_target", "pull_request_review":
		pr := s.pulls[e.Number]
		merge(p, object{"number": pr.Number, "pull_request": s.pullObject(pr)})
		if e.Before != "" {
			merge(p, object{"pull_request": object{"base": object{"sha": e.Before}}})
		}
		if e.Label != "" {
			p["label"] = object{"name": e.Label, "color": "ededed", "id": 1, "default": false}
		}
		if e.Action == "edited" {
			p["changes"] = e.changes()
		}
	case "issue_comment":
		s.commented(e, p)
	case "check_run":
		s.rerequested(e, p)
	case "merge_group":
		merge(p, object{"merge_group": object{
			"base_sha": e.Before, "head_sha": e.After, "base_ref": ref,
			"head_ref": "refs/heads/" + e.queue(branch),
		}})
	case "workflow_dispatch":
		p["ref"], p["inputs"] = ref, e.Inputs
	case "push":
		zero := strings.Repeat("0", 40)
		merge(
			p,
			object{
				"ref":     ref,
				"before":  e.Before,
				"after":   e.After,
				"created": e.Before == zero,
				"deleted": e.After == zero,
			},
		)
	}
}

// changes says what an edit changed.
func (e Event) changes() object {
	out := object{}
	if e.OldBase != "" {
		out["base"] = object{
			"ref": object{"from": e.OldBase},
			"sha": object{"from": strings.Repeat("b", 40)},
		}
	}
	if e.OldTitle != "" {
		out["title"] = object{"from": e.OldTitle}
	}
	return out
}

// rerequested puts in the check run, and the pull request unless Number is 0.
func (s *Server) rerequested(e Event, p object) {
	for _, c := range s.checks {
		if c.ID != e.Check {
			continue
		}
		run := c.object()
		run["pull_requests"] = []any{}
		if pr := s.pulls[e.Number]; pr != nil {
			run["pull_requests"] = []any{s.pullObject(pr)}
		}
		merge(p, object{"check_run": run})
		return
	}
	s.t.Fatalf("EventPayload: no check run %d", e.Check)
}

func (s *Server) commented(e Event, p object) {
	pr := s.pulls[e.Number]
	issue := object{
		"number": pr.Number,
		"title":  pr.Title,
		"labels": labelObjects(pr.Labels),
		"draft":  pr.Draft,
		"user":   user(pr.Author),
	}
	issue["pull_request"] = object{
		"url": s.APIURL() + "/repos/" + s.full() + "/pulls/" + strconv.Itoa(pr.Number),
	}
	for _, c := range s.comments {
		if c.ID == e.Comment {
			merge(p, object{"issue": issue, "comment": c.object()})
			return
		}
	}
	s.t.Fatalf("EventPayload: no comment %d", e.Comment)
}

// merge puts the values of from into to, object by object.
func merge(to, from object) {
	for k, v := range from {
		inner, isObject := v.(object)
		old, wasObject := to[k].(object)
		if isObject && wasObject {
			merge(old, inner)
			continue
		}
		if isObject {
			v = maps.Clone(inner)
		}
		to[k] = v
	}
}

// Env is the environment that the runner gives to a step for the event. The files it names lie in a
// temporary folder of their own; inputs go in as INPUT_<NAME>, for example INPUT_ENGINE.
func (s *Server) Env(e Event) map[string]string {
	s.t.Helper()
	dir := s.t.TempDir()
	write := func(name string, data []byte) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, data, 0o600); err != nil {
			s.t.Fatal(err)
		}
		return p
	}
	ref, sha := s.refOf(e)
	return map[string]string{
		"GITHUB_ACTIONS": "true", "CI": "true", "GITHUB_EVENT_NAME": e.Name, "GITHUB_EVENT_PATH": write("event.json", s.EventPayload(e)),
		"GITHUB_REPOSITORY": s.full(), "GITHUB_REPOSITORY_OWNER": s.opts.Owner, "GITHUB_REF": ref, "GITHUB_SHA": sha,
		"GITHUB_REF_NAME": strings.TrimPrefix(strings.TrimPrefix(ref, "refs/heads/"), "refs/"),
		"GITHUB_ACTOR":    e.sender(), "GITHUB_RUN_ID": "1", "GITHUB_RUN_ATTEMPT": "1", "GITHUB_JOB": "review", "GITHUB_WORKFLOW": "Review",
		"GITHUB_SERVER_URL": s.URL, "GITHUB_API_URL": s.APIURL(), "GITHUB_GRAPHQL_URL": s.GraphQLURL(),
		"GITHUB_OUTPUT": write(
			"output", nil,
		), "GITHUB_STEP_SUMMARY": write("summary.md", nil), "GITHUB_STATE": write("state", nil),
		"RUNNER_TEMP": dir, "INPUT_GITHUB-TOKEN": s.opts.Token,
	}
}

// refOf is GITHUB_REF and GITHUB_SHA of an event.
func (s *Server) refOf(e Event) (ref, sha string) {
	ref = "refs/heads/" + s.opts.DefaultBranch
	switch e.Name {
	case "pull_request":
		// the merge commit, never to be used
		return "refs/pull/" + strconv.Itoa(e.Number) + "/merge", strings.Repeat("e", 40)
	case "merge_group":
		return "refs/heads/" + e.queue(s.opts.DefaultBranch), e.After
	case "push", "workflow_dispatch":
		if e.Branch != "" {
			ref = "refs/heads/" + e.Branch
		}
		if e.After != "" {
			return ref, e.After
		}
	}
	return ref, s.opts.Git.Resolve(ref)
}
