package ghaction

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/github/githubtest"
	"workflow-reviewer/internal/process"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/scope"
	"workflow-reviewer/internal/workflow"
)

// intercepted calls a function before each request.
type intercepted func(*http.Request)

func (f intercepted) RoundTrip(r *http.Request) (*http.Response, error) {
	f(r)
	return http.DefaultTransport.RoundTrip(r)
}

// publishing is a run of pull request 1 that has come to its verdict on a head.
func publishing(t *testing.T, gh *githubtest.Server, head string, before intercepted) *run {
	t.Helper()
	client, err := github.New(github.Options{
		Token: "test-token", APIURL: gh.APIURL(), GraphQLURL: gh.GraphQLURL(), Owner: "octo-org", Repo: "hello",
		Base: before, Sleep: func(context.Context, time.Duration) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	env := process.Env{
		Vars: map[string]string{"RUNNER_TEMP": t.TempDir()}, Now: time.Now, Stdout: discard{}, Stderr: discard{},
	}
	r := &run{
		host: newHost(env), client: client, opened: nothingBegun,
		checks: newChecks(client, newGate(first, scope.Of(first), false, time.Now)),
		subject: subject{
			in: config.Inputs{Comment: true, Mode: config.All},
			ev: change.Event{Number: 1, Head: change.Ref{SHA: head, Branch: "work"}},
		},
	}
	t.Cleanup(r.close)
	r.openChecks(t.Context(), report.CheckName)
	r.degradeUnopened()
	return r
}

// redOf is the completed gate of a scope that needs changes.
func redOf(s scope.Scope, head string) githubtest.Check {
	m := scope.Of(s)
	m.Run, m.Job, m.ID, m.Done, m.Verdict = "2", "review", github.Nonce(), true, workflow.NeedsChanges
	return githubtest.Check{
		Name: report.CheckName, HeadSHA: head, Status: "completed", Conclusion: github.Failure, ExternalID: m.String(),
	}
}

// TestTheLastReadingIsTold: a verdict of another scope that is read after the gate was completed and
// people were told closes the gate again, and they are told once more.
func TestTheLastReadingIsTold(t *testing.T) {
	t.Parallel()
	gh, head, _ := twoPulls(t)
	var once sync.Once
	var completed atomic.Bool
	r := publishing(t, gh, head, func(q *http.Request) {
		checks := strings.Contains(q.URL.Path, "/check-runs")
		if completed.Load() && checks && q.Method == http.MethodGet {
			once.Do(func() {
				for len(gh.Comments()) == 0 { // told before the reading comes back
					time.Sleep(time.Millisecond)
				}
				gh.AddCheck(redOf(second, head))
			})
		}
		if checks && q.Method == http.MethodPatch {
			completed.Store(true)
		}
	})
	rep := r.publishVerdict(t.Context(), ending{scope: first, verdict: workflow.Approved}.report(head), true)
	if rep.Decision != workflow.NeedsChanges {
		t.Errorf("the run ended %s", rep.Decision)
	}
	all := gh.Checks()
	if gate := all[len(all)-1]; gate.Conclusion != github.Failure {
		t.Errorf("the gate ended %s, %q", gate.Conclusion, gate.Title)
	}
	if told := gh.Comments(); len(told) != 1 || !strings.Contains(told[0].Body, "needs changes") {
		t.Errorf("people were told %+v", told)
	}
}

// TestNoGateIsGreenBeforeItsReviews: on both heads the gate is completed after each review's check
// run, and none is green in the end where one of these could not be completed.
func TestNoGateIsGreenBeforeItsReviews(t *testing.T) {
	t.Parallel()
	for name, broken := range map[string]bool{"all is well": false, "a review's check is lost": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gh, head, written := twoPulls(t)
			r := publishing(t, gh, head, func(*http.Request) {})
			rep := ending{scope: first, verdict: workflow.Approved}.report(head)
			rep.NewHead = written
			gh.Fail(func(c githubtest.Call) *githubtest.Fault {
				if !broken || c.Method != http.MethodPost || !strings.Contains(string(c.Body), written) ||
					!strings.Contains(string(c.Body), "spec: login") {
					return nil
				}
				f := githubtest.Invalid()
				return &f
			})
			_, fatal, _ := r.publishChecks(t.Context(), rep, func(report.Report) {})
			if (fatal != nil) != broken {
				t.Errorf("failure %v", fatal)
			}
			last := map[string]githubtest.Check{}
			for _, c := range gh.Checks() {
				if c.Name == report.CheckName {
					last[c.HeadSHA] = c
				}
			}
			if len(last) != 2 {
				t.Errorf("gates %v", last)
			}
			for sha, c := range last {
				if (c.Conclusion == github.Success) == broken {
					t.Errorf("the gate on %.7s ended %s", sha, c.Conclusion)
				}
			}
			reviewed, green := 0, 0
			for _, q := range gh.Requests() {
				body := string(q.Body)
				switch {
				case q.Method == http.MethodGet:
				case strings.Contains(body, "spec: login"):
					reviewed++
				case strings.Contains(body, `"success"`):
					if green++; green > reviewed {
						t.Error("a gate was green before its reviews")
					}
				}
			}
		})
	}
}
