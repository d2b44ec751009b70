package ghaction

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/github/githubtest"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/scope"
)

// manyChecks is more than can be asked for at once.
const manyChecks = 2*atOnce + 1

// farChecks are the check runs of a run whose requests take a while.
func farChecks(t *testing.T) (*githubtest.Server, *checks, string, []string) {
	t.Helper()
	gh, head, _ := twoPulls(t)
	gh.Delay(20 * time.Millisecond)
	client, err := github.New(github.Options{
		Token: "test-token", APIURL: gh.APIURL(), GraphQLURL: gh.GraphQLURL(),
		Owner: "octo-org", Repo: "hello",
		Sleep: func(context.Context, time.Duration) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	names := []string{report.CheckName}
	for n := range manyChecks - 1 {
		names = append(names, fmt.Sprintf("%s / spec: s%d", report.CheckName, n))
	}
	return gh, newChecks(client, newGate(first, scope.Of(first), false, time.Now)), head, names
}

// conclusions counts the check runs of the fake by how they ended, "" for one that is open.
func conclusions(gh *githubtest.Server) map[string]int {
	out := map[string]int{}
	for _, c := range gh.Checks() {
		out[c.Conclusion]++
	}
	return out
}

// TestChecksOpenedBesideTheRun: whatever the run comes to while its check runs are still being
// opened, each is made once and none stays open.
func TestChecksOpenedBesideTheRun(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		end  func(ctx context.Context, c *checks, head string, names []string) error
		want map[string]int
	}{
		"completed at once": {func(ctx context.Context, c *checks, head string, names []string) error {
			var all []placed
			for _, name := range names {
				all = append(all, placed{head, report.Check{Name: name, Conclusion: github.Success, Title: "x", Summary: "x"}})
			}
			return c.completeAll(ctx, all)
		}, map[string]int{github.Success: manyChecks}},
		"broken off": {func(ctx context.Context, c *checks, _ string, _ []string) error {
			return c.completeRest(ctx, report.Check{Title: "x", Summary: "x"})
		}, map[string]int{github.Failure: manyChecks}},
		"broken off after some": {func(ctx context.Context, c *checks, head string, names []string) error {
			one := report.Check{Name: names[3], Conclusion: github.Success, Title: "x", Summary: "x"}
			if err := c.complete(ctx, head, one); err != nil {
				return err
			}
			return c.completeRest(ctx, report.Check{Title: "x", Summary: "x"})
		}, map[string]int{github.Success: 1, github.Failure: manyChecks - 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gh, checks, head, names := farChecks(t)
			opened := checks.begin(t.Context(), head, names...)
			if err := c.end(t.Context(), checks, head, names); err != nil {
				t.Error(err)
			}
			if err := opened(); err != nil {
				t.Error(err)
			}
			if got := conclusions(gh); fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("check runs ended %v, want %v", got, c.want)
			}
		})
	}
}

// TestChecksOpenedWhileCancelled: what was asked for when the run is cancelled is waited for and
// closed; no more is opened.
func TestChecksOpenedWhileCancelled(t *testing.T) {
	t.Parallel()
	gh, checks, head, names := farChecks(t)
	ctx, stop := context.WithCancel(t.Context())
	gh.Fail(func(c githubtest.Call) *githubtest.Fault {
		if c.Method == http.MethodPost {
			stop() // while the first is being made
		}
		return nil
	})
	opened := checks.begin(ctx, head, names...)
	<-ctx.Done()
	if err := checks.completeRest(t.Context(), superseded("x")); err != nil {
		t.Error(err)
	}
	if err := opened(); err == nil {
		t.Error("the cancellation is not told")
	}
	got := conclusions(gh)
	if n := len(gh.Checks()); got[github.Cancelled] != n || n > atOnce {
		t.Errorf("%d check runs ended %v", n, got)
	}
}

// TestChecksRefused: a token that may make no check run is asked for no more of them.
func TestChecksRefused(t *testing.T) {
	t.Parallel()
	gh, checks, head, names := farChecks(t)
	gh.Fail(func(c githubtest.Call) *githubtest.Fault {
		if c.Method != http.MethodPost || !strings.HasSuffix(c.Path, "/check-runs") {
			return nil
		}
		return &githubtest.Fault{
			Status: http.StatusForbidden, Body: `{"message":"Resource not accessible by integration"}`,
		}
	})
	if err := checks.begin(t.Context(), head, names...)(); err == nil || checks.active() {
		t.Errorf("error %v, active %t", err, checks.active())
	}
	posts := 0
	for _, r := range gh.Requests() {
		if r.Method == http.MethodPost {
			posts++
		}
	}
	if posts > atOnce {
		t.Errorf("%d writes after the first was refused", posts)
	}
}

// TestNoReviewWithoutItsGate: where the gate was forbidden the check runs of reviews, which were begun
// beside it, are not made and left open.
func TestNoReviewWithoutItsGate(t *testing.T) {
	t.Parallel()
	gh, checks, head, names := farChecks(t)
	gh.Fail(githubtest.Nth("POST", "/check-runs", 1, githubtest.Forbidden()))
	gate := checks.begin(t.Context(), head, names[0])
	reviews := checks.begin(t.Context(), head, names[1:]...)
	if err := gate(); err == nil || checks.active() {
		t.Errorf("error %v, active %t", err, checks.active())
	}
	if err := reviews(); err != nil {
		t.Error(err)
	}
	if made := gh.Checks(); len(made) > 0 {
		t.Errorf("made %+v", made)
	}
}

// TestPanicBesideIsAnError: what runs beside the run cannot end the process.
func TestPanicBesideIsAnError(t *testing.T) {
	t.Parallel()
	if err := doBeside(func() error { panic("a defect") })(); err == nil ||
		!strings.Contains(err.Error(), "a defect") {
		t.Errorf("error %v", err)
	}
}
