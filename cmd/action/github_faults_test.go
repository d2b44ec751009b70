package main_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
)

// always fails every call of a method whose path ends so.
func always(method, part string, f githubtest.Fault) func(githubtest.Call) *githubtest.Fault {
	return func(c githubtest.Call) *githubtest.Fault {
		if c.Method == method && strings.Contains(c.Path, part) {
			return &f
		}
		return nil
	}
}

// TestStatusAndGateAgree: whichever request about a check run fails, exit status,
// decision and gate say the same.
func TestStatusAndGateAgree(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]githubtest.Fault{"forbidden": githubtest.Forbidden(), "invalid": githubtest.Invalid()} {
		// Two check runs are opened and completed on the reviewed head. On the one that is
		// written both are made complete.
		for method, most := range map[string]int{http.MethodPatch: 2, http.MethodPost: 4} {
			for n := 1; n <= most; n++ {
				t.Run(fmt.Sprint(name, " ", method, " ", n), func(t *testing.T) {
					t.Parallel()
					w := specWorld(t, nil)
					var seen atomic.Int32
					w.gh.Fail(func(c githubtest.Call) *githubtest.Fault {
						if c.Method == method && strings.Contains(c.Path, "/check-runs") && seen.Add(1) == int32(n) {
							return &fault
						}
						return nil
					})
					o := w.run(w.pull("opened"))
					if seen.Load() < int32(n) {
						t.Fatalf("only %d such requests", seen.Load())
					}
					if want := map[int]string{0: "APPROVED", 2: "ERROR"}[o.code]; o.outputs["decision"] != want {
						t.Errorf("exit status %d beside decision %s\n%s", o.code, o.outputs["decision"], o.stdout)
					}
					newest := map[string]githubtest.Check{}
					for _, c := range w.gh.Checks() {
						if c.Name == "workflow-reviewer" {
							newest[c.HeadSHA] = c
						}
					}
					for _, gate := range newest {
						if (gate.Conclusion == "success") != (o.code == 0) {
							t.Errorf("exit status %d beside a gate that ended %q\n%s", o.code, gate.Conclusion, o.stdout)
						}
					}
				})
			}
		}
	}
}

// tokenRefused is a token that GitHub does not take.
func tokenRefused(githubtest.Call) *githubtest.Fault {
	f := githubtest.Unauthorized()
	return &f
}

// TestGitHubFaults says how the run ends when GitHub fails a write for good:
// the reviews are saved in any case.
func TestGitHubFaults(t *testing.T) {
	limit := githubtest.PrimaryLimit(403, time.Now().Add(time.Hour))
	for name, c := range map[string]struct {
		fail     func(githubtest.Call) *githubtest.Fault
		code     int
		decision string
		green    bool // the gate check may be green
	}{
		"token 401":            {tokenRefused, 2, "ERROR", false},
		"checks 403":           {always("POST", "/check-runs", githubtest.Forbidden()), 0, "APPROVED", false},
		"checks 422":           {always("POST", "/check-runs", githubtest.Invalid()), 2, "ERROR", false},
		"checks rate limit":    {always("POST", "/check-runs", limit), 2, "ERROR", false},
		"check completion 422": {always("PATCH", "/check-runs", githubtest.Invalid()), 2, "ERROR", false},
		"comment 422":          {always("POST", "/comments", githubtest.Invalid()), 0, "APPROVED", true},
		"comment 403":          {always("POST", "/comments", githubtest.Forbidden()), 0, "APPROVED", true},
		"commit 422":           {always("POST", "/graphql", githubtest.Invalid()), 2, "ERROR", false},
		"commit 403":           {always("POST", "/graphql", githubtest.Forbidden()), 2, "ERROR", false},
		"commit without a scope": {
			always("POST", "/graphql", githubtest.GraphFault("FORBIDDEN", "Resource not accessible by integration")),
			2, "ERROR", false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := specWorld(t, codextest.Always(answer("APPROVED")))
			head := w.head()
			w.gh.Fail(c.fail)
			o := w.run(w.pull("opened"))
			o.ends(c.code, c.decision)
			for _, check := range w.gh.Checks() {
				if check.Name == "workflow-reviewer" && check.HeadSHA == head && (check.Conclusion == "success") != c.green {
					t.Errorf("gate %s %q", check.Conclusion, check.Title)
				}
			}
			rs := o.reviews()
			if name == "token 401" {
				if n := w.model.Count(); n != 0 {
					t.Errorf("%d model requests although the token is refused", n)
				}
				return
			}
			if len(rs) != 1 || !strings.Contains(o.saved(rs[0].Path), "The model's summary.") {
				t.Errorf("the review is lost: %+v", rs)
			}
		})
	}
}

// TestPassingGitHubFaults: one bad answer changes nothing and doubles nothing.
func TestPassingGitHubFaults(t *testing.T) {
	for name, f := range map[string]githubtest.Fault{
		"502": githubtest.BadGateway(), "reset": githubtest.Reset(), "secondary limit": githubtest.SecondaryLimit(429, 1),
		"lost answer": githubtest.Lost(githubtest.BadGateway()),
	} {
		for _, target := range []struct{ method, suffix string }{
			{"POST", "/check-runs"}, {"POST", "/graphql"}, {"POST", "/comments"}, {"POST", "/reviews"},
		} {
			t.Run(name+" of "+target.suffix, func(t *testing.T) {
				t.Parallel()
				w := specWorld(t, codextest.Always(answer("NEEDS-CHANGES", issue("High", "Hole", "specs/proposed/login.md", 3))))
				head := w.head()
				w.gh.Fail(githubtest.Nth(target.method, target.suffix, 1, f))
				o := w.run(w.pull("opened"))
				o.ends(1, "NEEDS-CHANGES")
				w.allClosed()
				if n := strings.Count(w.repo.Git("log", "--format=%s", head+"..refs/heads/feature/login"), "Review:"); n != 1 {
					t.Errorf("%d review commits", n)
				}
				if n := len(w.gh.Comments()); n != 1 {
					t.Errorf("%d sticky comments", n)
				}
				if n := len(w.gh.ReviewComments()); n != 1 {
					t.Errorf("%d inline comments", n)
				}
				gates := 0
				for _, c := range w.gh.Checks() {
					if c.Name == "workflow-reviewer" && c.HeadSHA == head {
						gates++
					}
				}
				if gates != 1 {
					t.Errorf("%d gate checks on the head", gates)
				}
			})
		}
	}
}

// TestBranchMovesDuringReview: the verdict of an untouched artifact carries
// over, a touched one is reviewed again.
func TestBranchMovesDuringReview(t *testing.T) {
	for name, c := range map[string]struct {
		push  map[string]string
		asked int
	}{
		"elsewhere":    {map[string]string{"notes.txt": "x\n"}, 1},
		"the artifact": {map[string]string{"specs/proposed/login.md": goodSpec + "\nMore.\n"}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var w *world
			w = specWorld(t, func(r codextest.Request) codextest.Response {
				if r.N == 0 {
					w.repo.Commit("feature/login", "Push meanwhile", githubtest.Text(c.push))
				}
				return answer("APPROVED")
			})
			reviewed := w.head()
			o := w.run(w.pull("opened"))
			o.ends(0, "APPROVED")
			if n := w.model.Count(); n != c.asked {
				t.Errorf("%d model requests, want %d", n, c.asked)
			}
			w.allClosed()
			if c := w.check(reviewed, "workflow-reviewer"); c.Conclusion != "cancelled" || !strings.Contains(c.ExternalID, "waits=1") {
				t.Errorf("the gate of the head that was left is %s, %s", c.Conclusion, c.ExternalID)
			}
			if c := w.check(w.head(), "workflow-reviewer"); c.Conclusion != "success" {
				t.Errorf("the new head's gate is %s", c.Conclusion)
			}
			if !slices.Contains(w.files(), "specs/todo/login.md") {
				t.Error("the spec was not moved")
			}
			if log := w.repo.Git("log", "--format=%s", "refs/heads/feature/login"); !strings.Contains(log, "Push meanwhile") {
				t.Errorf("the other push is gone: %s", log)
			}
		})
	}
}

// TestBranchThatNeverRests: after three rounds the reviews are saved, the
// status is 2, and nothing is green.
func TestBranchThatNeverRests(t *testing.T) {
	t.Parallel()
	var w *world
	w = specWorld(t, func(r codextest.Request) codextest.Response {
		w.repo.Commit("feature/login", "Push again", githubtest.Text(map[string]string{
			"specs/proposed/login.md": goodSpec + strings.Repeat("\nMore.\n", r.N+1),
		}))
		return answer("APPROVED")
	})
	o := w.run(w.pull("opened"))
	o.ends(2, "ERROR")
	if n := w.model.Count(); n != 3 {
		t.Errorf("%d model requests, want 3", n)
	}
	w.allClosed()
	for _, c := range w.gh.Checks() {
		if c.Name == "workflow-reviewer" && c.Conclusion == "success" {
			t.Errorf("the gate on %s is green", c.HeadSHA)
		}
	}
	if rs := o.reviews(); len(rs) != 1 || !strings.Contains(o.saved(rs[0].Path), "APPROVED") {
		t.Errorf("the review is lost: %+v", rs)
	}
}

// TestPushWriter commits with git, as under act.
func TestPushWriter(t *testing.T) {
	t.Parallel()
	w := specWorld(t, codextest.Always(answer("APPROVED")))
	w.vars["ACT"] = "true"
	w.run(w.pull("opened")).ends(0, "APPROVED")
	if !slices.Contains(w.files(), "specs/todo/login.md") {
		t.Errorf("not pushed: %v", w.files())
	}
	asked := w.model.Count()
	w.run(w.pull("synchronize")).ends(0, "APPROVED")
	if n := w.model.Count(); n != asked {
		t.Errorf("%d more model requests", n-asked)
	}
}

// TestFirstReadingFails: that the gates could not be read at first does not keep the run from
// making its own at the end, above the one of an earlier run.
func TestFirstReadingFails(t *testing.T) {
	t.Parallel()
	w := specWorld(t, nil)
	w.inputs["commit"] = "off"
	w.gh.Fail(githubtest.Nth(http.MethodGet, "/check-runs", 1, githubtest.Invalid()))
	w.run(w.pull("opened")).ends(0, "APPROVED")
	w.allClosed()
	if c := w.check(w.head(), "workflow-reviewer"); c.Conclusion != "success" {
		t.Errorf("gate %+v", c)
	}
}

// TestLostCheckRun: where the check run of one review cannot be completed, the
// status is 2 and the gate is not green.
func TestLostCheckRun(t *testing.T) {
	t.Parallel()
	w := specWorld(t, nil)
	w.inputs["commit"] = "off"
	head := w.head()
	var refused atomic.Bool
	w.gh.Fail(func(c githubtest.Call) *githubtest.Fault {
		if c.Method == http.MethodPatch && strings.Contains(c.Path, "/check-runs/") && !refused.Swap(true) {
			f := githubtest.Invalid()
			return &f
		}
		return nil
	})
	w.run(w.pull("opened")).ends(2, "ERROR")
	w.allClosed()
	if c := w.check(head, "workflow-reviewer"); c.Conclusion != "failure" || c.Title != "Review did not run" {
		t.Errorf("gate %s %q", c.Conclusion, c.Title)
	}
}

// TestListingThatLacksVerdicts: GitHub answers with fewer check runs than it counts. What is missing may be the verdict
// of another scope, so that nothing turns green by it.
func TestListingThatLacksVerdicts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		byName bool
		code   int
		says   string
	}{
		"by name": {true, 1, "NEEDS-CHANGES"},
		"whole":   {false, 2, "ERROR"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := twinWorld(t, badSpec)
			w.inputs["commit"] = "off"
			w.run(opened(7)).ends(1, "NEEDS-CHANGES")
			w.gh.Hide(w.check(w.head(), "workflow-reviewer").ID, c.byName)
			w.run(opened(8)).ends(c.code, c.says)
			if k := w.check(w.head(), "workflow-reviewer"); k.Conclusion != "failure" {
				t.Errorf("gate %s %q", k.Conclusion, k.Title)
			}
		})
	}
}

// TestGreenThatCannotBeReadAgain: the gate was completed, and from then on nothing can be read. What others wrote
// meanwhile is not known, so that it is taken back.
func TestGreenThatCannotBeReadAgain(t *testing.T) {
	t.Parallel()
	w := specWorld(t, nil)
	w.inputs["commit"] = "off"
	var green atomic.Bool
	w.gh.Fail(func(c githubtest.Call) *githubtest.Fault {
		isCheck := strings.Contains(c.Path, "/check-runs")
		if isCheck && c.Method == http.MethodPatch && strings.Contains(string(c.Body), "APPROVED:") {
			green.Store(true)
		}
		if isCheck && c.Method == http.MethodGet && green.Load() {
			f := githubtest.Invalid()
			return &f
		}
		return nil
	})
	w.run(w.pull("opened")).ends(2, "ERROR")
	if k := w.check(w.head(), "workflow-reviewer"); !green.Load() || k.Conclusion != "failure" {
		t.Errorf("gate %s %q", k.Conclusion, k.Title)
	}
	w.allClosed()
}
