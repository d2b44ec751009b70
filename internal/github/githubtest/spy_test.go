package githubtest_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"workflow-reviewer/internal/github/githubtest"
)

// spy keeps the failures that the fake reports.
type spy struct {
	testing.TB
	mu   sync.Mutex
	errs []string
}

func (s *spy) Errorf(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.errs = append(s.errs, fmt.Sprintf(format, args...))
}

func (s *spy) reported() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.errs, "\n")
}

func call(t *testing.T, method, url, token, body string) (int, map[string]any) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close() //nolint:errcheck // read only
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	_ = json.Unmarshal(data, &got) // listings are no objects
	return resp.StatusCode, got
}

func TestViolationsFailTheTest(t *testing.T) {
	const mutation = `mutation($input: CreateCommitOnBranchInput!) { createCommitOnBranch(input: $input) { commit { oid } } }`
	rest, graph := "/api/v3/repos/octo-org/hello", "/api/graphql"
	tests := map[string]struct{ method, path, body, want string }{
		"unknown field": {"POST", rest + "/issues/7/comments", `{"body":"x","colour":"red"}`, "colour"},
		"missing field": {"POST", rest + "/check-runs", `{"name":"x"}`, "head_sha"},
		"wrong type":    {"POST", rest + "/issues/7/comments", `{"body":7}`, "body"},
		"too many": {
			"PATCH", rest + "/check-runs/1",
			`{"output":{"title":"t","summary":"s","annotations":[` +
				strings.Repeat(`{"path":"a","start_line":1,"end_line":1,"annotation_level":"notice","message":"m"},`, 50) +
				`{"path":"a","start_line":1,"end_line":1,"annotation_level":"notice","message":"m"}]}}`, "50",
		},
		"too long": {
			"PATCH", rest + "/check-runs/1",
			`{"output":{"title":"t","summary":"` + strings.Repeat("s", 65_536) + `"}}`, "65535",
		},
		"unknown call":       {"PUT", rest + "/pulls/7/merge", `{}`, "does not serve"},
		"approving review":   {"POST", rest + "/pulls/7/reviews", `{"event":"APPROVE"}`, "COMMENT"},
		"unknown GraphQL":    {"POST", graph, `{"query":"query { viewer { shoeSize } }"}`, "shoeSize"},
		"bad variable":       {"POST", graph, `{"query":"` + mutation + `","variables":{"input":{"branch":{}}}}`, "expectedHeadOid"},
		"GraphQL not served": {"POST", graph, `{"query":"query { rateLimit { cost } }"}`, "rateLimit"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			repo := githubtest.NewRepo(t)
			repo.Commit("main", "Start", githubtest.Text(map[string]string{"a": "b"}))
			tb := &spy{TB: t}
			s := githubtest.New(tb, githubtest.Options{Git: repo})
			s.AddPull(githubtest.PR{Number: 7, Head: "main"})
			call(t, tt.method, s.URL+tt.path, "test-token", tt.body)
			if got := tb.reported(); !strings.Contains(got, tt.want) {
				t.Errorf("reported %q, want something about %q", got, tt.want)
			}
		})
	}
}

// TestEveryReadIsValid asks for everything once; the fake checks its answers.
func TestEveryReadIsValid(t *testing.T) {
	s, repo := start(t, githubtest.Options{Permissions: map[string]string{"ann": "write"}, Login: "ann"})
	head := s.Head(7)
	s.AddCheck(githubtest.Check{Name: "x", HeadSHA: head, Status: "queued"})
	s.AddComment(7, "bob", "hi")
	s.AddReviewComment(githubtest.ReviewComment{Number: 7, Author: "bob", Path: "a", Line: 1, Side: "RIGHT"})
	s.SetLabels(7, "bug")
	rest := "/repos/octo-org/hello"
	for _, path := range []string{
		"/user", rest, rest + "/collaborators/ann/permission", rest + "/commits/" + head, rest + "/compare/main...feature%2Flogin",
		rest + "/contents/README.md", rest + "/contents/specs/proposed/login.md?ref=" + head, rest + "/git/ref/heads/feature/login",
		rest + "/pulls/7", rest + "/commits/" + head + "/check-runs", rest + "/check-runs/1001", rest + "/issues/7/comments",
		rest + "/issues/7/labels",
		rest + "/pulls/7/comments",
	} {
		if status, got := call(t, "GET", s.APIURL()+path, "test-token", ""); status != http.StatusOK {
			t.Errorf("GET %s: %d %v", path, status, got)
		}
	}
	if status, _ := call(t, "GET", s.APIURL()+rest+"/pulls/7", "wrong", ""); status != http.StatusUnauthorized {
		t.Errorf("a wrong token gets %d", status)
	}
	if status, _ := call(t, "GET", s.APIURL()+"/repos/octo-org/other/pulls/7", "test-token", ""); status != http.StatusNotFound {
		t.Errorf("another repository gets %d", status)
	}
	if repo.Git("rev-parse", "refs/pull/7/head") != head {
		t.Error("refs/pull/7/head is not the head")
	}
}

func TestPushMovesThePullRequest(t *testing.T) {
	s, repo := start(t, githubtest.Options{})
	sha := repo.Commit("feature/login", "More", githubtest.Text(map[string]string{"b": "c"}))
	_, got := call(t, "GET", s.APIURL()+"/repos/octo-org/hello/pulls/7", "test-token", "")
	if head, _ := got["head"].(map[string]any); head["sha"] != sha || s.Head(7) != sha {
		t.Errorf("head %v, want %s", head["sha"], sha)
	}
}

func TestRequestsAreRecorded(t *testing.T) {
	s, _ := start(t, githubtest.Options{})
	s.Fail(githubtest.Nth("GET", "/pulls/7", 2, githubtest.BadGateway()))
	for range 2 {
		call(t, "GET", s.APIURL()+"/repos/octo-org/hello/pulls/7?x=y", "test-token", "")
	}
	got := s.Requests()
	if len(got) != 2 || got[0].Path != "/repos/octo-org/hello/pulls/7" || got[0].Query != "x=y" ||
		got[0].Status != 200 || got[1].Status != 502 {
		t.Errorf("requests %+v", got)
	}
}
