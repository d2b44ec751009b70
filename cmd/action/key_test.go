package main_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
)

// withoutKey has the model as the engine, and no key to ask it with.
func (w *world) withoutKey() *world {
	w.inputs["engine"] = "codex"
	delete(w.inputs, "openai-api-key")
	return w
}

// noWrites is a token that may read and nothing else, as Dependabot's and that of a fork's pull request.
func noWrites(c githubtest.Call) *githubtest.Fault {
	if c.Method == http.MethodGet || c.Path == "/graphql" && !bytes.Contains(c.Body, []byte("mutation")) {
		return nil
	}
	f := githubtest.Forbidden()
	return &f
}

// byDependabot is a run that Dependabot started.
func (w *world) byDependabot() *world {
	w.vars["GITHUB_ACTOR"] = "dependabot[bot]"
	w.gh.Fail(noWrites)
	return w
}

// unasked are changes of which no review needs a model.
func unasked() map[string]struct {
	world    func(t *testing.T) *world
	code     int
	decision string
} {
	weak := map[string]string{adderAt: adderWeak, "src/adder.py": adderCode}
	return map[string]struct {
		world    func(t *testing.T) *world
		code     int
		decision string
	}{
		"nothing to review": {func(t *testing.T) *world {
			return newWorld(t, map[string]string{"go.sum": "x\n"}, map[string]string{"go.sum": "y\n"}, nil)
		}, 0, "NONE"},
		"recorded": {func(t *testing.T) *world {
			w := specWorld(t, codextest.Always(answer("APPROVED")))
			w.run(w.pull("opened")).ends(0, "APPROVED")
			return w
		}, 0, "APPROVED"},
		"refused before": {func(t *testing.T) *world {
			w := specWorld(t, codextest.Always(answer("NEEDS-CHANGES", issue("High", "No lockout", "", 0))))
			w.run(w.pull("opened")).ends(1, "NEEDS-CHANGES")
			return w
		}, 1, "NEEDS-CHANGES"},
		"a breach": {func(t *testing.T) *world { return newWorld(t, adderMain(true), weak, nil) }, 1, "NEEDS-CHANGES"},
		"failing tests": {func(t *testing.T) *world {
			w := newWorld(t, adderMain(true), map[string]string{"src/adder.py": adderCode}, nil)
			write(t, w.workspace, "junit.xml", `<testsuite name="a" tests="1" failures="1"><testcase name="x"><failure>no</failure>`+
				`</testcase></testsuite>`)
			w.inputs["test-results"] = "junit.xml"
			return w
		}, 1, "NEEDS-CHANGES"},
	}
}

// TestNoKeyWhereNoModelIsNeeded: a change that no model is asked about ends with its true verdict, without a key,
// without codex, and with a token that cannot write.
func TestNoKeyWhereNoModelIsNeeded(t *testing.T) {
	t.Parallel()
	for name, c := range unasked() {
		for where, prepare := range map[string]func(*world){
			"no codex":        func(w *world) { w.inputs["engine"], w.inputs["codex-path"] = "codex", "/nonexistent/codex" },
			"neither":         func(w *world) { w.withoutKey().inputs["codex-path"] = "/nonexistent/codex" },
			"Dependabot":      func(w *world) { w.withoutKey().byDependabot() },
			"a fork":          func(w *world) { w.withoutKey().fromFork().gh.Fail(noWrites) },
			"nobody to write": func(w *world) { w.withoutKey().vars["INPUT_GITHUB-TOKEN"] = "" },
		} {
			if where == "nobody to write" && name != "nothing to review" {
				continue // it is a mistake where a review would be committed
			}
			t.Run(name+"/"+where, func(t *testing.T) {
				t.Parallel()
				w := c.world(t)
				prepare(w)
				o := w.run(w.pull("synchronize"))
				if o.ends(c.code, c.decision); strings.Contains(o.stdout, "openai-api-key") {
					t.Errorf("the key is asked for:\n%s", o.stdout)
				}
			})
		}
	}
}

// fromFork has the pull request come from another repository.
func (w *world) fromFork() *world {
	w.gh.AddPull(githubtest.PR{Number: 7, Title: "Login", Head: "feature/login", Fork: "mallory/hello", SHA: w.head()})
	return w
}

// TestTheKeyIsAskedForWithAdvice: where a model is needed and there is no key, the run did not run, and says how this
// very run gets one.
func TestTheKeyIsAskedForWithAdvice(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prepare func(*world)
		event   string
		says    string
	}{
		"a secret":             {func(*world) {}, "pull_request", "${{ secrets.OPENAI_API_KEY }}"},
		"Dependabot":           {func(w *world) { w.byDependabot() }, "pull_request", "Secrets and variables, Dependabot"},
		"a fork":               {func(w *world) { w.fromFork().gh.Fail(noWrites) }, "pull_request", "forks.yml"},
		"a fork, with secrets": {func(w *world) { w.fromFork() }, "pull_request_target", "${{ secrets.OPENAI_API_KEY }}"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := specWorld(t, nil).withoutKey()
			c.prepare(w)
			o := w.run(githubtest.Event{Name: c.event, Action: "opened", Number: 7})
			o.ends(2, "ERROR")
			for _, want := range []string{`input "openai-api-key" is empty`, "spec: login", c.says} {
				if !strings.Contains(o.summary, want) {
					t.Errorf("the summary lacks %q:\n%s", want, o.summary)
				}
			}
		})
	}
}

// TestNoKeyAndABreach: of a breach and a review that needs a model, the latter decides the status, and both are told.
func TestNoKeyAndABreach(t *testing.T) {
	t.Parallel()
	w := newWorld(t, adderMain(true), map[string]string{
		adderAt: adderWeak, "src/adder.py": adderCode, "specs/proposed/login.md": goodSpec,
	}, nil).withoutKey()
	head := w.head()
	o := w.run(w.pull("opened"))
	o.ends(2, "ERROR")
	if !strings.Contains(o.summary, "openai-api-key") || o.kinds() != "assertion_weakened" || w.head() != head {
		t.Errorf("violations %q, head %s\n%s", o.kinds(), w.head(), o.summary)
	}
	if c := w.check(head, "workflow-reviewer"); c.Conclusion != "failure" || !strings.Contains(c.Summary, "openai-api-key") {
		t.Errorf("gate %+v", c)
	}
}

// TestShardsWithoutKey: a plan needs none, and a shard that asks says so before it starts.
func TestShardsWithoutKey(t *testing.T) {
	t.Parallel()
	w := specWorld(t, codextest.Always(answer("APPROVED"))).withoutKey()
	ev := w.pull("opened")
	if m, _ := w.plan(ev, 5); len(m.Include) != 1 {
		t.Fatalf("shards %+v", m)
	}
	o := w.mode("review", ev, map[string]string{"shard": "1", "openai-api-key": ""})
	if o.code != 2 || !strings.Contains(o.stdout+o.summary, "openai-api-key") || w.model.Count() != 0 {
		t.Errorf("ended %d\n%s", o.code, o.stdout)
	}
}

// TestLocalWithoutKey: the engine that was named is needed where it is asked, and no earlier.
func TestLocalWithoutKey(t *testing.T) {
	t.Parallel()
	weak := map[string]string{adderAt: adderWeak, "src/adder.py": adderCode}
	for name, c := range map[string]struct {
		main, pr map[string]string
		code     int
		says     string
	}{
		"nothing to review":  {map[string]string{"go.sum": "x\n"}, map[string]string{"go.sum": "y\n"}, 0, ""},
		"a breach":           {adderMain(true), weak, 1, "assert add(1, 2)"},
		"a review":           {adderMain(true), map[string]string{"specs/proposed/login.md": goodSpec}, 2, "OPENAI_API_KEY is not set"},
		"a breach beside it": {adderMain(true), with(weak, map[string]string{"specs/proposed/login.md": goodSpec}), 2, "assert add(1, 2)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := adderClone(t, c.main, c.pr)
			code, stdout, stderr := program(t, "local", "--repo", dir, "--engine", "codex", "--codex-path", "/nonexistent/codex")
			if code != c.code || !strings.Contains(stdout+stderr, c.says) {
				t.Errorf("ended %d, want %d and %q\n%s%s", code, c.code, c.says, stdout, stderr)
			}
		})
	}
}
