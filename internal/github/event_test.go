package github_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/github"
)

const (
	shaA = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	shaB = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
	zero = "0000000000000000000000000000000000000000"
	repo = `"repository":{"full_name":"o/r","default_branch":"main"},"sender":{"login":"ann"}`
	pull = `"number":3,"pull_request":{"number":3,"draft":true,"labels":[{"name":"b"},{"name":"a"}],` +
		`"base":{"ref":"main","sha":"` + shaA + `","repo":{"full_name":"o/r"}},` +
		`"head":{"ref":"feature/x","sha":"` + shaB + `","repo":{"full_name":"o/r"}}}`
)

var env = github.EventEnv{Repository: "o/r", SHA: shaB, Ref: "refs/heads/dev", RefName: "dev"}

func TestParseEvent(t *testing.T) {
	base := change.Ref{SHA: shaA, Branch: "main", Repo: "o/r"}
	head := change.Ref{SHA: shaB, Branch: "feature/x", Repo: "o/r"}
	tests := map[string]struct {
		event, payload string
		want           change.Event
	}{
		"pull request": {"pull_request", `{"action":"labeled","label":{"name":"re-review"},` + pull + `,` + repo + `}`, change.Event{
			Action: "labeled", Label: "re-review", Number: 3, Base: base, Head: head, Draft: true, Labels: []string{"a", "b"},
		}},
		"pull request of a fork": {
			"pull_request_target",
			`{"action":"opened",` + strings.Replace(pull, `"sha":"`+shaB+`","repo":{"full_name":"o/r"}`,
				`"sha":"`+shaB+`","repo":{"full_name":"eve/r"}`, 1) + `,` + repo + `}`,
			change.Event{
				Action: "opened", Number: 3, Base: base, Head: change.Ref{SHA: shaB, Branch: "feature/x", Repo: "eve/r"}, Fork: true,
				Draft: true, Labels: []string{"a", "b"},
			},
		},
		"pull request of a deleted fork": {
			"pull_request",
			`{"action":"opened",` + strings.Replace(pull, `"sha":"`+shaB+`","repo":{"full_name":"o/r"}`,
				`"sha":"`+shaB+`","repo":null`, 1) + `,` + repo + `}`,
			change.Event{
				Action: "opened", Number: 3, Base: base, Head: change.Ref{SHA: shaB, Branch: "feature/x"}, Fork: true, Draft: true,
				Labels: []string{"a", "b"},
			},
		},
		"comment": {"issue_comment", `{"action":"created","issue":{"number":3,"pull_request":{}},"comment":{"id":9,"body":"/review ` +
			`spec"},` + repo + `}`, change.Event{
			Action: "created", Number: 3, OnPull: true, CommentID: 9, CommentBody: "/review spec",
		}},
		"comment on an issue": {
			"issue_comment",
			`{"action":"created","issue":{"number":3},"comment":{"id":9,"body":"hi"},` + repo + `}`,
			change.Event{
				Action: "created", Number: 3, CommentID: 9, CommentBody: "hi",
			},
		},
		"merge group": {"merge_group", `{"action":"checks_requested","merge_group":{"base_sha":"` + shaA +
			`","base_ref":"refs/heads/main","head_sha":"` + shaB + `","head_ref":"refs/heads/gh-readonly-queue/main/pr-3-` + shaA + `"},` +
			repo + `}`, change.Event{
			Action: "checks_requested", Base: base, Head: change.Ref{SHA: shaB, Branch: "gh-readonly-queue/main/pr-3-" + shaA, Repo: "o/r"},
		}},
		"dispatch": {"workflow_dispatch", `{"ref":"refs/heads/dev","inputs":{"types":" spec, tests ,","paths":"a b.md\n\nc.md\n"},` +
			repo + `}`, change.Event{
			Base: change.Ref{Branch: "main", Repo: "o/r"}, Head: change.Ref{SHA: shaB, Branch: "dev", Repo: "o/r"},
			Types: []string{"spec", "tests"}, Paths: []string{"a b.md", "c.md"},
		}},
		"dispatch on a tag": {"workflow_dispatch", `{"ref":"refs/tags/v1","inputs":null,` + repo + `}`, change.Event{
			Base: change.Ref{Branch: "main", Repo: "o/r"}, Head: change.Ref{SHA: shaB, Repo: "o/r"},
		}},
		"push": {"push", `{"ref":"refs/heads/dev","before":"` + shaA + `","after":"` + shaB + `",` + repo + `}`, change.Event{
			Base: change.Ref{SHA: shaA, Branch: "dev", Repo: "o/r"}, Head: change.Ref{SHA: shaB, Branch: "dev", Repo: "o/r"},
		}},
		"push of a new branch": {
			"push", `{"ref":"refs/heads/dev","before":"` + zero + `","after":"` + shaB + `",` + repo + `}`,
			change.Event{
				Base: change.Ref{Branch: "main", Repo: "o/r"}, Head: change.Ref{SHA: shaB, Branch: "dev", Repo: "o/r"},
			},
		},
		"push that deletes": {"push", `{"ref":"refs/heads/dev","before":"` + shaA + `","after":"` + zero + `","deleted":true,` + repo +
			`}`, change.Event{Action: github.PushDeleted}},
		"push of a tag": {
			"push", `{"ref":"refs/tags/v1","before":"` + zero + `","after":"` + shaB + `",` + repo + `}`,
			change.Event{Action: github.PushTag},
		},
		"no repository inside": {
			"push", `{"ref":"refs/tags/v1","before":"` + zero + `","after":"` + shaB + `","sender":{"login":"ann"}}`,
			change.Event{Action: github.PushTag},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tt.want.Name, tt.want.Owner, tt.want.Repo, tt.want.Sender = tt.event, "o", "r", "ann"
			if strings.Contains(tt.payload, "default_branch") {
				tt.want.DefaultBranch = "main"
			}
			got, err := github.ParseEvent(tt.event, []byte(tt.payload), env)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("event (-want +got):\n%s", d)
			}
		})
	}
}

// A person who writes an event for act knows the branches, not the commits.
func TestParseEventWrittenByHand(t *testing.T) {
	payload := []byte(`{"action":"opened","pull_request":{"number":1,"base":{"ref":"main"},"head":{"ref":"feature/x"}},` +
		`"repository":{"full_name":"o/r"}}`)
	if _, err := github.ParseEvent("pull_request", payload, env); err == nil || !strings.Contains(err.Error(), "sha is missing") {
		t.Errorf("GitHub's own event without commits: %v", err)
	}
	byHand := env
	byHand.Handwritten = true
	got, err := github.ParseEvent("pull_request", payload, byHand)
	want := change.Event{
		Name: "pull_request", Action: "opened", Owner: "o", Repo: "r", Number: 1,
		Base: change.Ref{Branch: "main", Repo: "o/r"}, Head: change.Ref{SHA: shaB, Branch: "feature/x", Repo: "o/r"},
	}
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("%v, event (-want +got):\n%s", err, d)
	}
	full := []byte(`{` + pull + `,` + repo + `}`)
	fromGitHub, err := github.ParseEvent("pull_request", full, env)
	copied, err2 := github.ParseEvent("pull_request", full, byHand)
	if d := cmp.Diff(fromGitHub, copied); err != nil || err2 != nil || d != "" {
		t.Errorf("%v, %v: a copied event reads differently:\n%s", err, err2, d)
	}
	for field, bad := range map[string]string{
		"pull_request.base.ref": `{"number":1,"pull_request":{"head":{"ref":"x"}},` + repo + `}`,
		"pull_request.head.ref": `{"number":1,"pull_request":{"base":{"ref":"main"}},` + repo + `}`,
	} {
		if _, err := github.ParseEvent("pull_request", []byte(bad), byHand); err == nil ||
			!strings.Contains(err.Error(), field+" is missing") {
			t.Errorf("without %s: %v", field, err)
		}
	}
}

func TestParseEventOfNoInterest(t *testing.T) {
	for _, payload := range []string{`{"action":"completed","pull_request":7}`, `{"action":"completed"}`} {
		got, err := github.ParseEvent("workflow_run", []byte(payload), env)
		if want := (change.Event{Name: "workflow_run", Action: "completed"}); err != nil || !cmp.Equal(got, want) {
			t.Errorf("ParseEvent(%s) = %+v, %v", payload, got, err)
		}
	}
}

func TestParseEventSaysWhatIsWrong(t *testing.T) {
	tests := map[string]struct{ event, payload, want string }{
		"no JSON":         {"pull_request", `{`, "unexpected end of JSON input"},
		"other, no JSON":  {"schedule", `{`, "not JSON"},
		"no pull request": {"pull_request", `{` + repo + `}`, "pull_request is missing"},
		"wrong type":      {"pull_request", `{"pull_request":7,` + repo + `}`, "pull_request"},
		"no head": {
			"pull_request", `{"pull_request":{"number":1,"base":{"ref":"main","sha":"` + shaA + `"}},` + repo + `}`,
			"pull_request.head.sha is missing",
		},
		"short SHA": {
			"pull_request", `{` + strings.Replace(pull, shaB, "abc123", 1) + `,` + repo + `}`,
			`pull_request.head.sha is "abc123", not 40 hexadecimal digits`,
		},
		"hostile branch": {
			"pull_request", `{` + strings.Replace(pull, "feature/x", "../../etc", 1) + `,` + repo + `}`,
			`pull_request.head.ref is "../../etc", not a branch name`,
		},
		"option as branch": {
			"pull_request", `{` + strings.Replace(pull, "feature/x", "--upload-pack=x", 1) + `,` + repo + `}`,
			"not a branch name",
		},
		"no number": {
			"pull_request", `{` + strings.ReplaceAll(pull, `"number":3`, `"number":0`) + `,` + repo + `}`,
			"pull_request.number is missing",
		},
		"no sender":      {"issue_comment", `{"issue":{"number":1},"comment":{"id":1}}`, "sender.login is missing"},
		"no comment":     {"issue_comment", `{"issue":{"number":1},` + repo + `}`, "comment.id is missing"},
		"no merge group": {"merge_group", `{` + repo + `}`, "merge_group is missing"},
		"merge group":    {"merge_group", `{"merge_group":{"head_sha":"` + shaA + `"},` + repo + `}`, "merge_group.base.sha is missing"},
		"bad repository": {"push", `{"repository":{"full_name":"a/../b"}}`, "repository.full_name"},
		"bad before":     {"push", `{"ref":"refs/heads/a","before":"x","after":"` + shaA + `"}`, `before is "x"`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := github.ParseEvent(tt.event, []byte(tt.payload), env)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), tt.event) {
				t.Errorf("error %q does not speak of %q and %q", err, tt.event, tt.want)
			}
			if !cmp.Equal(got, change.Event{Name: tt.event}) {
				t.Errorf("a malformed payload leaves %+v", got)
			}
		})
	}
}

func TestParseEventNamesTheMissingSHA(t *testing.T) {
	_, err := github.ParseEvent("workflow_dispatch", []byte(`{`+repo+`}`), github.EventEnv{Repository: "o/r"})
	if err == nil || !strings.Contains(err.Error(), "GITHUB_SHA is missing") {
		t.Errorf("error = %v", err)
	}
}

// payloads are GitHub's published samples.
func payloads(t testing.TB) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("githubtest/testdata/payloads/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no payload samples: %v", err)
	}
	out := map[string][]byte{}
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(p)] = data
	}
	return out
}

func TestParseEventReadsGitHubsSamples(t *testing.T) {
	for file, data := range payloads(t) {
		name, _, _ := strings.Cut(file, ".")
		ev, err := github.ParseEvent(name, data, env)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		var sample struct {
			Action     string
			Repository struct{ Name string }
		}
		if err := json.Unmarshal(data, &sample); err != nil {
			t.Fatal(err)
		}
		if ev.Action != sample.Action && name != "push" {
			t.Errorf("%s: action %q", file, ev.Action)
		}
		if strings.HasPrefix(name, "pull_request") && name != "pull_request_review" &&
			(ev.Number == 0 || ev.Head.SHA == "" || ev.Repo != sample.Repository.Name) {
			t.Errorf("%s: %+v", file, ev)
		}
	}
}

func FuzzParseEvent(f *testing.F) {
	names := []string{"pull_request", "pull_request_target", "issue_comment", "merge_group", "workflow_dispatch", "push", "check_run"}
	for file, data := range payloads(f) {
		name, _, _ := strings.Cut(file, ".")
		f.Add(name, data)
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		for _, n := range append(names, name) {
			ev, err := github.ParseEvent(n, data, env)
			if err != nil {
				continue
			}
			for _, r := range []change.Ref{ev.Base, ev.Head} {
				if r.SHA != "" && len(r.SHA) != 40 || strings.Contains(r.Branch, "..") || strings.HasPrefix(r.Branch, "-") {
					t.Errorf("%s: unchecked ref %+v", n, r)
				}
			}
			if strings.ContainsAny(ev.Owner+ev.Repo, "/\\ \n%?#") {
				t.Errorf("%s: repository %q/%q", n, ev.Owner, ev.Repo)
			}
		}
	})
}
