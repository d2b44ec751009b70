package main_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
)

const badSpec = "# Spec: Login\n\nTODO\n"

// twinWorld has beside pull request 7 into main another one, 8, of the same head into a branch of
// the same content.
func twinWorld(t *testing.T, spec string) *world {
	t.Helper()
	w := newWorld(
		t,
		map[string]string{
			"ROADMAP.md":            roadmap,
			"SCOPE.md":              "# Scope\n\n## In scope\n\nLogin.\n",
			".workflow/config.json": config,
		},
		map[string]string{"specs/proposed/login.md": spec},
		nil,
	)
	w.repo.Branch("twin", "feature/login")
	w.gh.AddPull(githubtest.PR{Number: 8, Title: "Twin", Head: "feature/login", Base: "twin"})
	return w
}

// with runs the program with further inputs, and variables in capitals.
func (w *world) with(ev githubtest.Event, more map[string]string) outcome {
	w.t.Helper()
	inputs, vars := w.inputs, w.vars
	defer func() { w.inputs, w.vars = inputs, vars }()
	w.inputs, w.vars = maps.Clone(inputs), maps.Clone(vars)
	for name, value := range more {
		if strings.ToUpper(name) == name {
			w.vars[name] = value
		} else {
			w.inputs[name] = value
		}
	}
	return w.run(ev)
}

func opened(number int) githubtest.Event {
	return githubtest.Event{Name: "pull_request", Action: "opened", Number: number}
}

func labeled(number int) githubtest.Event {
	return githubtest.Event{Name: "pull_request", Action: "labeled", Number: number, Label: "bug"}
}

// gateIs fails the test unless the newest gate of the branch's head ended like this.
func (w *world) gateIs(conclusion, title string) {
	w.t.Helper()
	if c := w.check(w.head(), "workflow-reviewer"); c.Conclusion != conclusion || c.Title != title {
		w.t.Errorf("the gate ended %q, %q; want %q, %q", c.Conclusion, c.Title, conclusion, title)
	}
}

// TestTwoPullRequestsOfOneHead: nothing to review for one of them is no verdict for the other.
func TestTwoPullRequestsOfOneHead(t *testing.T) {
	t.Parallel()
	for name, commit := range map[string]string{"not committed": "off", "committed": "api"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := twinWorld(t, badSpec)
			w.inputs["commit"] = commit
			w.run(opened(7)).ends(1, "NEEDS-CHANGES")
			o := w.run(opened(8))
			o.ends(1, "NEEDS-CHANGES")
			w.gateIs("failure", "#7 into `main` needs changes")
			if !strings.Contains(o.summary, "#7 into") ||
				!strings.Contains(o.summary, "This run itself: not reviewed") {
				t.Errorf("summary %s", o.summary)
			}
			w.gh.AddPull(githubtest.PR{Number: 7, Title: "Login", Head: "feature/login", Closed: true})
			w.run(labeled(8)).ends(0, "NONE")
			w.gateIs("success", "Nothing to review")
			w.gh.AddPull(githubtest.PR{Number: 7, Title: "Login", Head: "feature/login"})
			w.run(labeled(8)).ends(1, "NEEDS-CHANGES") // reopened
			w.gateIs("failure", "#7 into `main` needs changes")
			w.gh.AddPull(githubtest.PR{Number: 7, Title: "Login", Head: "feature/login", Base: "twin"})
			w.run(labeled(8)).ends(0, "NONE") // into main no more
			w.allClosed()
		})
	}
}

// TestTheOtherOrder: what is green is taken back by the verdict of another scope.
func TestTheOtherOrder(t *testing.T) {
	t.Parallel()
	w := twinWorld(t, badSpec)
	w.inputs["commit"] = "off"
	w.run(opened(8)).ends(0, "NONE")
	w.gateIs("success", "Nothing to review")
	w.run(opened(7)).ends(1, "NEEDS-CHANGES")
	w.gateIs("failure", "Needs changes")
	w.run(labeled(8)).ends(1, "NEEDS-CHANGES")
	w.gateIs("failure", "Needs changes")
}

// TestJobsThatSplit types, paths or config: each verdict counts, whoever ends last, on the commit
// of reviews too.
func TestJobsThatSplit(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		bad, good map[string]string
		title     string
	}{
		"types": {
			map[string]string{"types": "spec"},
			map[string]string{"types": "implementation"},
			"#7 into `main` (types spec) needs changes",
		},
		"paths": {
			map[string]string{"paths": "specs/proposed/login.md"},
			map[string]string{"paths": "specs/todo/logout.md"},
			"#7 into `main` (paths specs/proposed/login.md) needs changes",
		},
		"config": {map[string]string{}, map[string]string{"config": "lenient.json"}, "#7 into `main` needs changes"},
	} {
		for _, commit := range []string{"off", "api"} {
			t.Run(name+" "+commit, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, map[string]string{
					"ROADMAP.md": roadmap, "SCOPE.md": "# Scope\n\n## In scope\n\nLogin.\n", "specs/todo/logout.md": goodSpec,
					".workflow/config.json": config, "lenient.json": `{"ignore":["specs/**"]}`,
				}, map[string]string{"specs/proposed/login.md": badSpec}, nil)
				w.inputs["commit"] = commit
				w.with(w.pull("opened"), c.bad).ends(1, "NEEDS-CHANGES")
				w.with(w.pull("opened"), c.good)
				w.gateIs("failure", c.title)
				w.with(labeled(7), c.good)
				w.gateIs("failure", c.title)
				w.with(w.pull("synchronize"), c.bad).ends(1, "NEEDS-CHANGES")
				w.gateIs("failure", "Needs changes")
				w.allClosed()
			})
		}
	}
}

// TestRunsWithoutAPullRequest make the gate of a pull request's head no better, whether it is red,
// missing or open.
func TestRunsWithoutAPullRequest(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]func(w *world) githubtest.Event{
		"push": func(w *world) githubtest.Event {
			before := w.head()
			after := w.repo.Commit("feature/login", "Read me", githubtest.Text(map[string]string{"README.md": "# Hello\n"}))
			return githubtest.Event{Name: "push", Branch: "feature/login", Before: before, After: after}
		},
		"dispatch against another base": func(w *world) githubtest.Event {
			w.repo.Git("update-ref", "refs/heads/main", w.head())
			w.repo.Branch("release", "main~1")
			w.gh.AddPull(githubtest.PR{Number: 7, Title: "Login", Head: "feature/login", Base: "release"})
			return githubtest.Event{Name: "workflow_dispatch", Branch: "feature/login"}
		},
		"dispatch of a path": func(*world) githubtest.Event {
			return githubtest.Event{Name: "workflow_dispatch", Branch: "feature/login", Inputs: map[string]string{"types": "vision"}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, map[string]string{"ROADMAP.md": roadmap, ".workflow/config.json": config},
				map[string]string{"specs/proposed/login.md": badSpec}, nil)
			w.inputs["commit"] = "off"
			ev := c(w)
			w.run(ev)
			for _, k := range w.gh.Checks() {
				if k.Name == "workflow-reviewer" && k.Conclusion == "success" {
					t.Errorf("without a verdict of the pull request: %+v", k)
				}
			}
			w.run(w.pull("opened")).ends(1, "NEEDS-CHANGES")
			w.run(ev)
			if k := w.check(w.head(), "workflow-reviewer"); k.Conclusion != "failure" {
				t.Errorf("after it: %+v", k)
			}
			w.allClosed()
		})
	}
}

// TestAPushThatIsRefused holds the pull request back, as it stands on its head.
func TestAPushThatIsRefused(t *testing.T) {
	t.Parallel()
	w := twinWorld(t, badSpec)
	w.inputs["commit"] = "off"
	head := w.head()
	w.gh.AddPull(githubtest.PR{Number: 7, Title: "Login", Head: "feature/login", Closed: true})
	w.run(opened(8)).ends(0, "NONE")
	push := githubtest.Event{
		Name:   "push",
		Branch: "feature/login",
		Before: w.repo.Resolve("refs/heads/main"),
		After:  head,
	}
	w.run(push).ends(1, "NEEDS-CHANGES")
	w.gateIs("failure", "Needs changes")
	w.run(labeled(8)).ends(1, "NEEDS-CHANGES")
	push.Before = w.repo.Commit("elsewhere", "Other", githubtest.Text(map[string]string{"x": "x"}))
	w.repo.Branch("elsewhere", w.repo.Git("commit-tree", "feature/login^{tree}", "-p", head, "-m", "On top"))
	push.Before = w.repo.Resolve("refs/heads/elsewhere")
	w.run(push).ends(1, "NEEDS-CHANGES") // forced back: nothing differs, which is no answer to the first push
	w.gateIs("failure", "the push to `feature/login` needs changes")
}

// TestPushOfAMergeQueue: its branch is judged by the event of the queue alone.
func TestPushOfAMergeQueue(t *testing.T) {
	t.Parallel()
	w := twinWorld(t, badSpec)
	ev := githubtest.Event{
		Name: "push", Branch: "gh-readonly-queue/main/pr-7-" + strings.Repeat("a", 40), Before: strings.Repeat("0", 40), After: w.head(),
	}
	w.repo.Branch(ev.Branch, "feature/login")
	w.run(ev).ends(0, "NONE")
	if n := len(w.gh.Checks()); n != 0 {
		t.Errorf("%d check runs", n)
	}
}

// TestAScopeUnderWay is waited for; who ends last replaces what the first one said. One whose run
// was killed is replaced by its re-run, which closes what it left.
func TestAScopeUnderWay(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 9)
	release := make(chan struct{})
	w := specWorld(t, func(codextest.Request) codextest.Response {
		asked <- struct{}{}
		<-release
		return answer("APPROVED")
	})
	w.inputs["commit"] = "off"
	w.repo.Branch("twin", "feature/login")
	w.gh.AddPull(githubtest.PR{Number: 8, Title: "Twin", Head: "feature/login", Base: "twin"})
	cmd, _ := w.command(opened(7))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-asked
	w.run(opened(8)).ends(2, "ERROR")
	w.gateIs("failure", "Waiting for #7 into `main`")
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	w.run(labeled(8)).ends(2, "ERROR")
	close(release)
	w.with(opened(7), map[string]string{"GITHUB_RUN_ATTEMPT": "2"}).ends(0, "APPROVED")
	w.gateIs("success", "Approved")
	w.allClosed()
	w.run(labeled(8)).ends(0, "NONE")
}

// TestAKilledRunHoldsNobodyForEver: a push's counts for nothing after a day, a pull request's until
// it is closed.
func TestAKilledRunHoldsNobodyForEver(t *testing.T) {
	t.Parallel()
	w := twinWorld(t, goodSpec)
	w.inputs["commit"] = "off"
	w.run(opened(7)).ends(0, "APPROVED")
	w.run(opened(8)).ends(0, "NONE")
	old := w.check(w.head(), "workflow-reviewer")
	leave := func(id string, age time.Duration) {
		w.gh.AddCheck(githubtest.Check{
			Name: "workflow-reviewer", HeadSHA: w.head(), Status: "in_progress", ExternalID: "OPEN:" + id,
			StartedAt: time.Now().Add(-age).UTC().Format(time.RFC3339),
		})
	}
	push := "for=the+push+to+%60x%60&scope=" + strings.Repeat("a", 32)
	leave(push, time.Hour)
	w.run(opened(8)).ends(2, "ERROR")
	leave(push, 25*time.Hour)
	w.run(opened(8)).ends(0, "NONE")
	leave("base=main&pull=7&for=%237+into+%60main%60+(types+spec)&scope="+strings.Repeat("b", 32), 25*time.Hour)
	w.run(labeled(8)).ends(2, "ERROR")
	w.gateIs("failure", "#7 into `main` (types spec) did not run")
	w.gh.AddPull(githubtest.PR{Number: 7, Title: "Login", Head: "feature/login", Closed: true})
	w.run(labeled(8)).ends(0, "NONE")
	if c := w.check(w.head(), "workflow-reviewer"); c.Conclusion != "success" || c.ID == old.ID {
		t.Errorf("gate %+v", c)
	}
}

// TestVerdictFollowsTheCommitOfReviews: a job that ends after another one wrote reviews repeats its
// verdict on top.
func TestVerdictFollowsTheCommitOfReviews(t *testing.T) {
	t.Parallel()
	for _, decision := range []string{"APPROVED", "NEEDS-CHANGES"} {
		t.Run(decision, func(t *testing.T) {
			t.Parallel()
			asked, release := make(chan struct{}, 9), make(chan struct{})
			w := newWorld(
				t,
				map[string]string{"ROADMAP.md": roadmap, ".workflow/config.json": config},
				map[string]string{
					"specs/proposed/login.md": goodSpec, "docs/VISION.md": "# Vision\n\nUsers log in.\n",
				},
				func(r codextest.Request) codextest.Response {
					if strings.Contains(r.Prompt, "### docs/VISION.md") &&
						!strings.Contains(r.Prompt, "### specs/proposed/login.md") {
						asked <- struct{}{}
						<-release
						return answer(decision)
					}
					return answer("APPROVED")
				},
			)
			vision := maps.Clone(w.inputs)
			vision["types"], vision["commit"] = "vision", "off"
			w.inputs["types"] = "spec"
			spec := w.inputs
			w.inputs = vision
			cmd, out := w.command(opened(7))
			w.inputs = spec
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			<-asked
			w.run(opened(7)).ends(2, "ERROR")
			w.gateIs("failure", "Waiting for #7 into `main` (types vision)")
			close(release)
			o := w.wait(cmd, out, cmd.Wait())
			if want := map[string]string{"APPROVED": "success", "NEEDS-CHANGES": "failure"}[decision]; true {
				o.ends(map[string]int{"success": 0, "failure": 1}[want], decision)
				w.gateIs(want, map[string]string{"success": "Approved", "failure": "Needs changes"}[want])
			}
			w.allClosed()
		})
	}
}

// TestCheckRunsOfAnEarlierRelease name no scope: a red one counts until the only pull request is
// reviewed as a whole.
func TestCheckRunsOfAnEarlierRelease(t *testing.T) {
	t.Parallel()
	w := twinWorld(t, goodSpec)
	w.inputs["commit"] = "off"
	old := githubtest.Check{
		Name: "workflow-reviewer", HeadSHA: w.head(), Status: "completed", Conclusion: "failure",
		Title: "Needs changes", ExternalID: "NEEDS-CHANGES",
	}
	w.gh.AddCheck(old)
	w.run(opened(8)).ends(2, "ERROR")
	w.gateIs("failure", "a run of an earlier release did not run")
	w.gh.AddPull(githubtest.PR{Number: 8, Title: "Twin", Head: "feature/login", Base: "twin", Closed: true})
	w.with(opened(7), map[string]string{"types": "vision"}).ends(2, "ERROR")
	w.run(labeled(7)).ends(0, "APPROVED")
	w.gateIs("success", "No findings by 7 checks – not read by a model")

	w = twinWorld(t, badSpec)
	old.HeadSHA, old.Conclusion, old.Title, old.ExternalID = w.head(), "success", "Approved", "APPROVED"
	w.gh.AddCheck(old)
	w.run(labeled(7)).ends(1, "NEEDS-CHANGES") // a green one is nobody's verdict
}

// TestJobsOfOneRun with the same inputs both count.
func TestJobsOfOneRun(t *testing.T) {
	t.Parallel()
	w := specWorld(t, codextest.Always(answer("NEEDS-CHANGES", issue("High", "Hole", "specs/proposed/login.md", 3))))
	w.inputs["commit"] = "off"
	w.with(w.pull("opened"), map[string]string{"GITHUB_JOB": "model"}).ends(1, "NEEDS-CHANGES")
	w.with(w.pull("opened"), map[string]string{"GITHUB_JOB": "rules", "engine": "rules"}).ends(1, "NEEDS-CHANGES")
	if c := w.check(w.head(), "workflow-reviewer"); c.Conclusion != "failure" {
		t.Errorf("gate %+v", c)
	}
	w.with(w.pull("reopened"), map[string]string{"GITHUB_RUN_ID": "2", "engine": "rules"}).ends(0, "APPROVED")
}

// TestReviewsOfAnotherScope: what was reviewed and approved against another base is no verdict here.
func TestReviewsOfAnotherScope(t *testing.T) {
	t.Parallel()
	w := manyWorld(t)
	w.repo.Branch("release", "main")
	w.gh.AddPull(githubtest.PR{Number: 8, Title: "Release", Head: "feature/login", Base: "release"})
	w.with(opened(8), map[string]string{"test-results": "all passing"}).ends(1, "NEEDS-CHANGES")
	w.gate(opened(8)).ends(1, "NEEDS-CHANGES") // it shows what was measured with results that the gate has not
	o := w.gate(opened(7))
	o.ends(1, "NEEDS-CHANGES")
	if found := o.violations(); len(found) != 1 || !strings.Contains(found[0].Text, "for the branch `release`, and not for `main`") {
		t.Errorf("violations %+v", found)
	}
}

// TestACommentAScope: jobs that split have a comment each, and update it.
func TestACommentAScope(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"ROADMAP.md": roadmap, ".workflow/config.json": config},
		map[string]string{"specs/proposed/login.md": badSpec, "docs/VISION.md": "# Vision\n\nTODO\n"}, nil)
	for range 2 {
		for _, types := range []string{"spec", "vision", ""} {
			w.with(w.pull("synchronize"), map[string]string{"types": types})
		}
	}
	cs := w.gh.Comments()
	if len(cs) != 3 || !strings.HasPrefix(cs[2].Body, "<!-- workflow-reviewer -->\n") {
		t.Fatalf("comments %+v", cs)
	}
	for i, types := range []string{"types spec", "types vision"} {
		marker, _, _ := strings.Cut(cs[i].Body, "\n")
		if !strings.HasPrefix(marker, "<!-- workflow-reviewer:scope ") || !strings.Contains(cs[i].Body, types) {
			t.Errorf("comment %s", cs[i].Body)
		}
	}
}

// TestUnknownIdentity: who cannot find out who it is takes nothing for its own: no verdict and no
// comment.
func TestUnknownIdentity(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]githubtest.Fault{
		"GraphQL error": githubtest.GraphFault("", "Something went wrong while executing your query."),
		"refused":       githubtest.GraphFault("FORBIDDEN", "Resource not accessible by integration"),
		"status":        githubtest.Forbidden(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := specWorld(t, codextest.Always(answer("APPROVED")))
			w.inputs["commit"] = "off"
			w.run(w.pull("opened")).ends(0, "APPROVED")
			asked := w.model.Count()
			w.gh.Fail(func(c githubtest.Call) *githubtest.Fault {
				if strings.Contains(string(c.Body), "viewer {") {
					return &f
				}
				return nil
			})
			o := w.run(labeled(7))
			o.ends(0, "APPROVED")
			if w.model.Count() == asked || !strings.Contains(o.stdout, "who the token belongs to") {
				t.Errorf("a verdict was taken for our own:\n%s", o.stdout)
			}
			if n := len(w.gh.Comments()); n != 1 {
				t.Errorf("%d comments", n)
			}
			w.gateIs("success", "Approved")
			w.allClosed()
		})
	}
}

// TestRequestedGateOfOneOfTwo: the check run that is asked for again says which pull request it is
// of.
func TestRequestedGateOfOneOfTwo(t *testing.T) {
	t.Parallel()
	w := twinWorld(t, badSpec)
	w.inputs["commit"] = "off"
	w.run(opened(7)).ends(1, "NEEDS-CHANGES")
	id := w.check(w.head(), "workflow-reviewer").ID
	o := w.run(githubtest.Event{Name: "check_run", Action: "rerequested", Check: id, Number: 8})
	o.ends(1, "NEEDS-CHANGES")
	if len(o.reviews()) != 1 {
		t.Errorf("reviews %v of the other one", fmt.Sprint(o.reviews()))
	}
}

// TestFanOutByACommentWhoseHeadMoves leaves no check run in progress: report ends what plan opened.
func TestFanOutByACommentWhoseHeadMoves(t *testing.T) {
	t.Parallel()
	for name, pushes := range map[string]int{"not at all": 0, "once": 1, "three times": 3} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := specWorld(t, codextest.Always(answer("APPROVED")))
			ev, planned := w.comment("octocat", "/review"), w.head()
			m, _ := w.plan(ev, 5)
			w.shards(ev, m)
			for n := range pushes {
				w.push(map[string]string{"specs/proposed/login.md": goodSpec + fmt.Sprintf("\nMore %d.\n", n)})
			}
			o := w.report(ev)
			o.ends(min(pushes, 1)*2, map[bool]string{true: "APPROVED", false: "ERROR"}[pushes == 0])
			w.allClosed()
			gate := w.check(planned, "workflow-reviewer")
			if want := map[bool]string{true: "success", false: "cancelled"}[pushes == 0]; gate.Conclusion != want {
				t.Errorf("the gate that plan opened: %+v", gate)
			}
		})
	}
}

// TestAPullRequestThatMovedOn holds nobody back on the commit that it left.
func TestAPullRequestThatMovedOn(t *testing.T) {
	t.Parallel()
	w := twinWorld(t, badSpec)
	w.inputs["commit"] = "off"
	left := w.head()
	w.repo.Branch("copy", "feature/login")
	w.gh.AddPull(githubtest.PR{Number: 8, Title: "Twin", Head: "copy", Base: "twin"})
	w.run(opened(7)).ends(1, "NEEDS-CHANGES")
	w.run(opened(8)).ends(1, "NEEDS-CHANGES")
	w.push(map[string]string{"specs/proposed/login.md": goodSpec})
	w.run(labeled(8)).ends(0, "NONE")
	if c := w.check(left, "workflow-reviewer"); c.Conclusion != "success" {
		t.Errorf("gate %+v", c)
	}
}

// TestReportWithoutAnIdentity ends what plan opened all the same.
func TestReportWithoutAnIdentity(t *testing.T) {
	t.Parallel()
	w := specWorld(t, codextest.Always(answer("APPROVED")))
	w.inputs["commit"] = "off"
	ev := w.pull("opened")
	plan := maps.Clone(w.vars)
	plan["GITHUB_JOB"] = "plan"
	w.vars = plan
	m, _ := w.plan(ev, 5)
	w.shards(ev, m)
	w.vars["GITHUB_JOB"] = "report"
	w.gh.Fail(func(c githubtest.Call) *githubtest.Fault {
		f := githubtest.GraphFault("", "Something went wrong")
		if strings.Contains(string(c.Body), "viewer {") {
			return &f
		}
		return nil
	})
	w.report(ev).ends(0, "APPROVED")
	w.gateIs("success", "Approved")
	w.allClosed()
}

// TestRunAgainByAnOldEvent: a run that is started again has the event of its first attempt, in which the base is as old
// as that. What was merged since is what counts.
func TestRunAgainByAnOldEvent(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"ROADMAP.md": roadmap, ".workflow/config.json": `{"ignore":["specs/**"]}`},
		map[string]string{"specs/proposed/login.md": badSpec}, nil)
	w.inputs["commit"] = "off"
	first := w.pull("opened")
	first.Before = w.repo.Git("rev-parse", "main")
	w.run(first).ends(0, "NONE")
	w.repo.Commit("main", "Review specs", githubtest.Text(map[string]string{".workflow/config.json": config}))
	w.run(w.comment("octocat", "/review")).ends(1, "NEEDS-CHANGES")
	w.with(first, map[string]string{"GITHUB_RUN_ATTEMPT": "2"}).ends(1, "NEEDS-CHANGES")
	w.gateIs("failure", "Needs changes")
}
