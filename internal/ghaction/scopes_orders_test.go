//go:build !race

// Turns are taken one at a time: the race detector has nothing to see, and makes the orders take minutes.

package ghaction

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/github/githubtest"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/scope"
	"workflow-reviewer/internal/workflow"
)

// named sends requests under a name, from its second phase on.
type named struct {
	name  string
	begun *bool
}

func (n named) RoundTrip(r *http.Request) (*http.Response, error) {
	if *n.begun {
		r.Header.Set("User-Agent", n.name)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// start begins the gate of a run and returns what ends it. Its requests take turns from turns on.
func (e ending) start(t *testing.T, gh *githubtest.Server, agent, head string, turns bool) (end func() report.Report) {
	t.Helper()
	client, err := github.New(github.Options{
		Token: "test-token", APIURL: gh.APIURL(), GraphQLURL: gh.GraphQLURL(), Owner: "octo-org", Repo: "hello",
		Base:  named{agent, &turns},
		Sleep: func(context.Context, time.Duration) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	m := scope.Of(e.scope)
	m.Run, m.Job = e.run, e.job
	c := newChecks(client, newGate(e.scope, m, false, time.Now))
	if err := c.begin(t.Context(), head, report.CheckName)(); err != nil {
		t.Error(err)
	}
	return func() report.Report {
		turns = true
		heads := []string{head}
		if e.written != "" {
			heads = append(heads, e.written)
			c.gate.onTop(e.written, head, true)
			c.slots = make(chan struct{}, 1) // so that its requests can take turns
		}
		held, err := c.settle(
			t.Context(), heads, e.report(head), c.look(t.Context(), heads...), func(report.Report) {},
		)
		if err != nil {
			t.Error(err)
		}
		return held
	}
}

// everyOrder plays two runs in every order of their requests and has each end looked at.
func everyOrder(t *testing.T, a, b ending, begun bool, look func(order []int, gate githubtest.Check, a, b report.Report)) int {
	t.Helper()
	gh, head, written := twoPulls(t)
	if a.written != "" {
		a.written = written
	}
	agents := []string{"a", "b"}
	return gh.EveryOrder(agents, func(turns *githubtest.Turns) {
		runs, ends := []ending{a, b}, make([]func() report.Report, 2)
		if begun {
			for i := range runs {
				ends[i] = runs[i].start(t, gh, agents[i], head, false)
			}
		}
		var held [2]report.Report
		var wg sync.WaitGroup
		for i := range runs {
			wg.Go(func() {
				defer turns.Leave()
				if ends[i] == nil {
					ends[i] = runs[i].start(t, gh, agents[i], head, true)
				}
				held[i] = ends[i]()
			})
		}
		wg.Wait()
		all := gh.Checks()
		for _, c := range all {
			if c.Status != "completed" {
				t.Errorf("order %v: check %d is %s", turns.Order(), c.ID, c.Status)
			}
		}
		newest := all[len(all)-1]
		for _, c := range all {
			if c.HeadSHA == head {
				newest = c
			}
		}
		look(turns.Order(), newest, held[0], held[1])
	})
}

// TestTwoScopesInEveryOrder: whatever the order of their requests, the newest check run is green in
// the end only if both verdicts are, and tells of no wait that is over.
func TestTwoScopesInEveryOrder(t *testing.T) {
	t.Parallel()
	const green, none, red, failed = workflow.Approved, workflow.None, workflow.NeedsChanges, workflow.Error
	for name, c := range map[string]struct{ a, b ending }{
		"one writes": {
			ending{first, "1", "review", green, "reviews"}, ending{second, "2", "review", red, ""},
		},
		"both green":          {ending{first, "1", "review", green, ""}, ending{second, "2", "review", green, ""}},
		"red and nothing":     {ending{first, "1", "review", red, ""}, ending{second, "2", "review", none, ""}},
		"green and red":       {ending{first, "1", "review", green, ""}, ending{second, "2", "review", red, ""}},
		"did not run":         {ending{first, "1", "review", failed, ""}, ending{second, "2", "review", green, ""}},
		"both red":            {ending{first, "1", "review", red, ""}, ending{second, "2", "review", red, ""}},
		"split types":         {ending{first, "1", "code", red, ""}, ending{specs, "1", "specs", green, ""}},
		"a push beside":       {ending{first, "1", "review", red, ""}, ending{pushed, "2", "review", green, ""}},
		"jobs of one run":     {ending{first, "1", "rules", red, ""}, ending{first, "1", "model", green, ""}},
		"a run beside":        {ending{first, "1", "review", red, ""}, ending{first, "2", "review", green, ""}},
		"green runs beside":   {ending{first, "1", "review", green, ""}, ending{first, "2", "review", green, ""}},
		"green jobs, one run": {ending{first, "1", "rules", green, ""}, ending{first, "1", "model", none, ""}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := c.a.verdict.ExitCode()+c.b.verdict.ExitCode() == 0
			n := everyOrder(t, c.a, c.b, true, func(order []int, gate githubtest.Check, a, b report.Report) {
				if (gate.Conclusion == "success") != want {
					t.Errorf("order %v: the gate ended %s, %q", order, gate.Conclusion, gate.Title)
				}
				if strings.HasPrefix(gate.Title, report.TitleWaiting) {
					t.Errorf("order %v: both have ended, and the gate says %q", order, gate.Title)
				}
				waits := c.a.scope.Key() != c.b.scope.Key() || c.a.run == c.b.run // else who ends first waits for nobody
				if waits && (min(a.Decision.ExitCode(), b.Decision.ExitCode()) == 0) != want {
					t.Errorf("order %v: the runs ended %s and %s", order, a.Decision, b.Decision)
				}
			})
			if n < 10 {
				t.Errorf("%d orders", n)
			}
			t.Log(n, "orders")
		})
	}
}

// TestScopesFromTheirBeginningsInEveryOrder is the same for runs that begin while another ends.
func TestScopesFromTheirBeginningsInEveryOrder(t *testing.T) {
	t.Parallel()
	a, b := ending{first, "1", "review", workflow.NeedsChanges, ""}, ending{second, "2", "review", workflow.None, ""}
	n := everyOrder(t, a, b, false, func(order []int, gate githubtest.Check, _, _ report.Report) {
		if gate.Conclusion != "failure" || strings.HasPrefix(gate.Title, report.TitleWaiting) {
			t.Errorf("order %v: the gate ended %s, %q", order, gate.Conclusion, gate.Title)
		}
	})
	t.Log(n, "orders")
	if n < 150 {
		t.Error(fmt.Sprint(n), "orders")
	}
}
