package ghaction

import (
	"context"
	"encoding/json"
	"fmt"
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
// run, none is green in the end where something could not be completed, and each head has one.
func TestNoGateIsGreenBeforeItsReviews(t *testing.T) {
	t.Parallel()
	const review = report.CheckName + " / spec: login"
	invalid, lost := githubtest.Invalid(), githubtest.Lost(githubtest.BadGateway())
	for name, c := range map[string]struct {
		method, check string // of the first request that fails
		written       bool   // on the commit of the run, else on the reviewed head
		fault         githubtest.Fault
		green         bool
		gates         int
	}{
		"all is well":                         {green: true, gates: 2},
		"a review's check is refused":         {http.MethodPost, review, true, invalid, false, 2},
		"the reviewed head's gate is refused": {http.MethodPatch, report.CheckName, false, invalid, false, 2},
		"the commit's gate is refused":        {http.MethodPost, report.CheckName, true, invalid, false, 3},
		"the commit's gate is made unheard":   {http.MethodPost, report.CheckName, true, lost, true, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gh, head, written := twoPulls(t)
			r := publishing(t, gh, head, func(*http.Request) {})
			gate := gh.Checks()[0].ID
			rep := ending{scope: first, verdict: workflow.Approved}.report(head)
			rep.NewHead = written
			failed := false
			gh.Fail(func(q githubtest.Call) *githubtest.Fault {
				name, sha := aboutCheck(q.Path, q.Body, gate)
				if failed || q.Method != c.method || name != c.check || (sha == written) != c.written {
					return nil
				}
				failed = true
				return &c.fault
			})
			_, fatal, _ := r.publishChecks(t.Context(), rep, func(report.Report) {})
			if (fatal == nil) != c.green {
				t.Errorf("failure %v", fatal)
			}
			last, gates := map[string]githubtest.Check{}, 0
			for _, k := range gh.Checks() {
				if k.Name == report.CheckName {
					gates++
					last[k.HeadSHA] = k
				}
			}
			if len(last) != 2 || gates != c.gates {
				t.Errorf("%d gates on %d heads", gates, len(last))
			}
			for sha, k := range last {
				if k.Status != completed || (k.Conclusion == github.Success) != c.green ||
					(k.Title != report.TitleNotRun) != c.green {
					t.Errorf("the gate on %.7s is %s %s, %q", sha, k.Status, k.Conclusion, k.Title)
				}
			}
			reviewed, green := 0, 0
			for _, q := range gh.Requests() {
				switch name, _ := aboutCheck(q.Path, q.Body, gate); {
				case q.Method == http.MethodGet || q.Status >= http.StatusBadRequest:
				case name == review:
					reviewed++
				case strings.Contains(string(q.Body), `"success"`):
					if green++; green > reviewed {
						t.Error("a gate was green before its reviews")
					}
				}
			}
		})
	}
}

// aboutCheck is the check run that a request is about, and the commit of one that it makes. What is
// updated is the gate of the id, or else the review.
func aboutCheck(path string, body []byte, gate int64) (name, sha string) {
	var b struct {
		Name string
		SHA  string `json:"head_sha"`
	}
	_ = json.Unmarshal(body, &b)
	if strings.HasSuffix(path, fmt.Sprint("/", gate)) {
		b.Name = report.CheckName
	}
	return b.Name, b.SHA
}
