package github_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/github/githubtest"
)

// writeFaults are failures of a write that pass by themselves.
func writeFaults() map[string]githubtest.Fault {
	reset := time.Date(2026, 1, 31, 12, 1, 0, 0, time.UTC)
	return map[string]githubtest.Fault{
		"502":                       githubtest.BadGateway(),
		"502, but done":             githubtest.Lost(githubtest.BadGateway()),
		"reset":                     githubtest.Reset(),
		"reset, but done":           githubtest.Lost(githubtest.Reset()),
		"primary limit as 403":      githubtest.PrimaryLimit(403, reset),
		"primary limit as 429":      githubtest.PrimaryLimit(429, reset),
		"secondary limit as 403":    githubtest.SecondaryLimit(403, 0),
		"secondary limit as 429":    githubtest.SecondaryLimit(429, 0),
		"limit with Retry-After":    githubtest.SecondaryLimit(429, 7),
		"answer that is not JSON":   githubtest.Lost(githubtest.Fault{Status: 201, Body: "<html>"}),
		"answer that is cut short":  githubtest.Lost(githubtest.Fault{Status: 201, Body: `{"id":`}),
		"answer past reading limit": githubtest.Lost(githubtest.Fault{Status: 201, Body: strings.Repeat(" ", 17<<20)}),
	}
}

func TestRateLimitsAreWaitedFor(t *testing.T) {
	now := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	tests := map[string]struct {
		fault githubtest.Fault
		want  time.Duration
	}{
		"Retry-After":        {githubtest.SecondaryLimit(429, 7), 7 * time.Second},
		"Retry-After, 403":   {githubtest.SecondaryLimit(403, 7), 7 * time.Second},
		"nothing said":       {githubtest.SecondaryLimit(403, 0), time.Minute},
		"nothing said, 429":  {githubtest.Fault{Status: 429}, time.Minute},
		"primary, 403":       {githubtest.PrimaryLimit(403, now.Add(90*time.Second)), 91 * time.Second},
		"primary, 429":       {githubtest.PrimaryLimit(429, now.Add(90*time.Second)), 91 * time.Second},
		"primary, just over": {githubtest.PrimaryLimit(403, now.Add(-time.Hour)), time.Second},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			w := start(t, githubtest.Options{})
			w.Fail(githubtest.Nth("GET", "/pulls/7", 1, tt.fault))
			if _, err := w.api.PullRequest(t.Context(), 7); err != nil {
				t.Fatal(err)
			}
			if len(w.clock.slept) != 1 || w.clock.slept[0] != tt.want {
				t.Errorf("slept %v, want %v", w.clock.slept, tt.want)
			}
		})
	}
}

func TestRateLimitBeyondTheBudget(t *testing.T) {
	w := start(t, githubtest.Options{})
	w.Fail(githubtest.Nth("GET", "/pulls/7", 0, githubtest.PrimaryLimit(403, w.clock.now.Add(time.Hour))))
	_, err := w.api.PullRequest(t.Context(), 7)
	if !errors.Is(err, github.ErrRateLimited) || !strings.Contains(err.Error(), "1h0m1s") {
		t.Errorf("error %v", err)
	}
	if len(w.clock.slept) != 0 || w.count("GET", "/pulls/7") != 1 {
		t.Errorf("slept %v", w.clock.slept)
	}
	w.Fail(nil)
	if _, err := w.api.PullRequest(t.Context(), 7); err != nil {
		t.Errorf("the next call is not even tried: %v", err)
	}
}

func TestReadsAreRepeated(t *testing.T) {
	for name, f := range map[string]githubtest.Fault{"502": githubtest.BadGateway(), "503": {Status: 503}, "reset": githubtest.Reset()} {
		t.Run(name, func(t *testing.T) {
			w := start(t, githubtest.Options{})
			n := 0
			w.Fail(func(githubtest.Call) *githubtest.Fault {
				if n++; n <= 3 {
					return &f
				}
				return nil
			})
			if _, err := w.api.PullRequest(t.Context(), 7); err != nil {
				t.Fatal(err)
			}
			if want := []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}; len(w.clock.slept) != len(want) {
				t.Errorf("slept %v, want %v", w.clock.slept, want)
			}
		})
	}
}

func TestReadsEndInTime(t *testing.T) {
	w := start(t, githubtest.Options{})
	w.Fail(githubtest.Nth("GET", "/pulls/7", 0, githubtest.BadGateway()))
	_, err := w.api.PullRequest(t.Context(), 7)
	if err == nil || !strings.Contains(err.Error(), "GitHub answered 502") || w.count("GET", "/pulls/7") != 5 {
		t.Errorf("%d tries, error %v", w.count("GET", "/pulls/7"), err)
	}
}

func TestSilenceIsNotWaitedForForever(t *testing.T) {
	w := start(t, githubtest.Options{})
	w.Fail(githubtest.Nth("GET", "/pulls/7", 1, githubtest.Hang()))
	api := w.client(t, func(o *github.Options) { o.Timeout = 300 * time.Millisecond })
	if _, err := api.PullRequest(t.Context(), 7); err != nil {
		t.Error(err)
	}
}

func TestWrongToken(t *testing.T) {
	w := start(t, githubtest.Options{})
	api := w.client(t, func(o *github.Options) { o.Token = "canary-token" })
	_, err := api.PullRequest(t.Context(), 7)
	if !errors.Is(err, github.ErrUnauthorized) || !strings.Contains(err.Error(), "github-token") ||
		strings.Contains(err.Error(), "canary") {
		t.Errorf("error %v", err)
	}
	if w.count("GET", "/pulls/7") != 1 {
		t.Error("a refused token is tried again")
	}
}

func TestUnreachableGitHub(t *testing.T) {
	w := start(t, githubtest.Options{})
	api := w.client(t, func(o *github.Options) {
		o.Token, o.APIURL, o.GraphQLURL = "canary-token", "http://127.0.0.1:1/", "http://127.0.0.1:1/graphql"
	})
	_, err := api.CreateCheck(t.Context(), w.Head(7), "x", "id")
	if err == nil || strings.Contains(err.Error(), "canary") || !strings.Contains(err.Error(), "create check") {
		t.Errorf("error %v", err)
	}
}

// redirector answers every request with a redirect and notes what it is sent.
type redirector struct {
	to   string
	seen []*http.Request
}

func (r *redirector) RoundTrip(req *http.Request) (*http.Response, error) {
	r.seen = append(r.seen, req)
	return &http.Response{
		StatusCode: http.StatusTemporaryRedirect, Header: http.Header{"Location": {r.to}}, Body: http.NoBody, Request: req,
	}, nil
}

func TestTokenGoesToTheAPIAlone(t *testing.T) {
	w := start(t, githubtest.Options{})
	for _, to := range []string{"https://evil.example/steal", "http://127.0.0.1:9/x", "//evil.example/x"} {
		r := &redirector{to: to}
		api := w.client(t, func(o *github.Options) { o.Base = r })
		if _, err := api.PullRequest(t.Context(), 7); err == nil || !strings.Contains(err.Error(), "refuse redirect") {
			t.Errorf("redirect to %s: %v", to, err)
		}
		if len(r.seen) != 1 || r.seen[0].Header.Get("Authorization") != "Bearer test-token" ||
			!strings.HasPrefix(r.seen[0].UserAgent(), "workflow-reviewer") {
			t.Errorf("redirect to %s: %d requests", to, len(r.seen))
		}
	}
}

func TestNewRefusesBadOptions(t *testing.T) {
	good := github.Options{Token: "t", APIURL: "https://api.github.com", Owner: "o", Repo: "r"}
	if _, err := github.New(good); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		tune func(*github.Options)
		want string
	}{
		"no token":          {func(o *github.Options) { o.Token = "" }, "github-token"},
		"no repository":     {func(o *github.Options) { o.Repo = "" }, "owner/name"},
		"dots":              {func(o *github.Options) { o.Repo = ".." }, "owner/name"},
		"plain http":        {func(o *github.Options) { o.APIURL = "http://api.github.com" }, "not https"},
		"plain http, graph": {func(o *github.Options) { o.GraphQLURL = "http://api.github.com/graphql" }, "not https"},
		"password in URL":   {func(o *github.Options) { o.APIURL = "https://u:p@api.github.com" }, "plain"},
		"no URL":            {func(o *github.Options) { o.APIURL = "" }, "API URL"},
	}
	for name, tt := range tests {
		o := good
		tt.tune(&o)
		if _, err := github.New(o); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// failing answers no request.
type failing struct{ err error }

func (f failing) RoundTrip(*http.Request) (*http.Response, error) { return nil, f.err }

func TestWhyGitHubIsNotReached(t *testing.T) {
	w := start(t, githubtest.Options{})
	for says, want := range map[string]string{
		"tls: failed to verify certificate: x509: certificate signed by unknown authority": "SSL_CERT_FILE",
		"proxyconnect tcp: dial tcp 10.0.0.1:3128: connect: connection refused":            "correct HTTPS_PROXY",
		"dial tcp: lookup github.example.com: no such host":                                "the runner's DNS",
	} {
		api := w.client(t, func(o *github.Options) { o.Base = failing{errors.New(says)} })
		if _, err := api.PullRequest(t.Context(), 7); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}

// TestExpiredToken: a token that was taken before and is refused now has run out.
func TestExpiredToken(t *testing.T) {
	w := start(t, githubtest.Options{})
	w.Fail(githubtest.Nth("GET", "/pulls/7", 2, githubtest.Unauthorized()))
	if _, err := w.api.PullRequest(t.Context(), 7); err != nil {
		t.Fatal(err)
	}
	_, err := w.api.PullRequest(t.Context(), 7)
	if !errors.Is(err, github.ErrUnauthorized) || !strings.Contains(err.Error(), "lives an hour") {
		t.Errorf("error %v", err)
	}
}

// TestNeededPermission: what GitHub asks for is passed on.
func TestNeededPermission(t *testing.T) {
	w := start(t, githubtest.Options{})
	f := githubtest.Forbidden()
	f.Header = map[string]string{"X-Accepted-GitHub-Permissions": "checks=write"}
	w.Fail(githubtest.Nth("POST", "/check-runs", 0, f))
	_, err := w.api.CreateCheck(t.Context(), w.Head(7), "x", "")
	if !errors.Is(err, github.ErrForbidden) || !strings.Contains(err.Error(), "GitHub asks for checks=write") {
		t.Errorf("error %v", err)
	}
}

// TestRateLimitSaysUntilWhen: a limit beyond the budget says when it is over.
func TestRateLimitSaysUntilWhen(t *testing.T) {
	w := start(t, githubtest.Options{})
	w.Fail(githubtest.Nth("GET", "/pulls/7", 0, githubtest.PrimaryLimit(403, w.clock.now.Add(time.Hour))))
	if _, err := w.api.PullRequest(t.Context(), 7); err == nil || !strings.Contains(err.Error(), "until 2026-01-31 13:00 UTC") {
		t.Errorf("error %v", err)
	}
}

// TestPassingQueriesAreRepeated: an error of GraphQL that passes costs no query and no mutation that may be done twice.
func TestPassingQueriesAreRepeated(t *testing.T) {
	for _, says := range []string{"Something went wrong while executing your query.", "was submitted too quickly", "timedout"} {
		w := start(t, githubtest.Options{})
		w.AddReviewComment(githubtest.ReviewComment{
			Number: 7, Author: "github-actions[bot]", Path: "README.md", Line: 1,
			Body: ownThread + "x",
		})
		fault := githubtest.GraphFault("", says)
		seen := map[string]bool{}
		w.Fail(func(c githubtest.Call) *githubtest.Fault {
			if c.Path != "/graphql" || seen[string(c.Body)] {
				return nil
			}
			seen[string(c.Body)] = true
			return &fault
		})
		n, err := w.api.CloseThreads(t.Context(), 7, func(string) bool { return true })
		if err != nil || n != 1 || len(seen) != 3 {
			t.Errorf("%s: closed %d after %d documents, %v", says, n, len(seen), err)
		}
	}
}
