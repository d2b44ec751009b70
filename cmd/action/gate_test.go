package main_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
)

// contentsRead is the token of a job with "permissions: contents: read" in a private repository.
func contentsRead(c githubtest.Call) *githubtest.Fault {
	for _, closed := range []string{"/check-runs", "/pulls", "/issues"} {
		if strings.Contains(c.Path, closed) {
			f := githubtest.Forbidden()
			return &f
		}
	}
	return noWrites(c)
}

// TestGateWritesNothing: whatever the gate finds, it asks for no write of contents, and its status is right with a token
// that may read contents and nothing else, as well as with one that may do everything.
func TestGateWritesNothing(t *testing.T) {
	t.Parallel()
	weak := map[string]string{adderAt: adderWeak, "src/adder.py": adderCode}
	plain := func(main, pr map[string]string) func(t *testing.T) *world {
		return func(t *testing.T) *world { return newWorld(t, main, pr, nil) }
	}
	reviewed := func(decision string, code int) func(t *testing.T) *world {
		return func(t *testing.T) *world {
			w := specWorld(t, codextest.Always(answer(decision, issue("High", "No lockout", "", 0))))
			if decision == "APPROVED" {
				w = specWorld(t, codextest.Always(answer(decision)))
			}
			w.run(w.pull("opened")).ends(code, decision)
			return w
		}
	}
	failing := func(t *testing.T) *world {
		w := newWorld(t, adderMain(true), map[string]string{"src/adder.py": adderCode}, nil)
		write(
			t,
			w.workspace,
			"junit.xml",
			`<testsuite name="a"><testcase name="x"><failure>no</failure></testcase></testsuite>`,
		)
		w.inputs["test-results"] = "junit.xml"
		return w
	}
	for name, c := range map[string]struct {
		world    func(t *testing.T) *world
		code     int
		decision string
		says     string
	}{
		"nothing to review": {plain(map[string]string{"go.sum": "x\n"}, map[string]string{"go.sum": "y\n"}), 0, "NONE", "Nothing"},
		"approved":          {reviewed("APPROVED", 0), 0, "APPROVED", "approved"},
		"refused":           {reviewed("NEEDS-CHANGES", 1), 1, "NEEDS-CHANGES", "needs changes"},
		"no verdict":        {plain(adderMain(true), map[string]string{"src/adder.py": adderCode}), 2, "ERROR", "implementation: adder"},
		"a breach":          {plain(adderMain(true), map[string]string{adderAt: adderWeak}), 1, "NEEDS-CHANGES", "assertion weakened"},
		"a breach in code":  {plain(adderMain(true), weak), 1, "NEEDS-CHANGES", "assertion weakened"},
		"a removed test": {
			plain(adderMain(true), map[string]string{adderAt: "from src.adder import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n"}),
			1, "NEEDS-CHANGES", "test_negative",
		},
		"a tampered record": {plain(adderMain(true), map[string]string{recordAt: "{}"}), 1, "NEEDS-CHANGES", "Approval record"},
		"a breach and no verdict": {
			plain(adderMain(true), with(weak, map[string]string{"specs/proposed/login.md": goodSpec})), 2, "ERROR", "assertion weakened",
		},
		"failing tests": {failing, 1, "NEEDS-CHANGES", "failing tests"},
	} {
		for token, run := range map[string]struct {
			may    func(githubtest.Call) *githubtest.Fault
			commit string
		}{
			"contents: read": {contentsRead, ""}, "read-only": {noWrites, ""},
			"everything, by the API": {nil, "api"}, "everything, by pushes": {nil, "push"},
		} {
			if token != "read-only" && token != "everything, by pushes" && name != "approved" && name != "a breach" {
				continue
			}
			t.Run(name+"/"+token, func(t *testing.T) {
				t.Parallel()
				w := c.world(t)
				w.inputs["commit"] = run.commit
				w.gh.Fail(run.may)
				since, head := len(w.gh.Requests()), w.head()
				o := w.gate(w.pull("synchronize"))
				o.ends(c.code, c.decision)
				if !strings.Contains(o.stdout+o.summary, c.says) {
					t.Errorf("it does not say %q:\n%s\n%s", c.says, o.stdout, o.summary)
				}
				for _, r := range w.gh.Requests()[since:] {
					written := r.Method != http.MethodGet && !strings.Contains(r.Path, "/check-runs") &&
						!strings.HasSuffix(r.Path, "/git-upload-pack")
					if written && (r.Path != "/graphql" || bytes.Contains(r.Body, []byte("mutation"))) {
						t.Errorf("the gate sent %s %s", r.Method, r.Path)
					}
				}
				if w.head() != head || len(w.gh.ReviewComments()) != 0 {
					t.Error("the gate wrote something")
				}
			})
		}
	}
}

// TestGateOnForeignEvents: a label of somebody else's is judged as the change is recorded, also where check runs cannot
// be read; a draft stays without a verdict.
func TestGateOnForeignEvents(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		draft    bool
		code     int
		decision string
	}{"ready": {false, 0, "APPROVED"}, "draft": {true, 0, "NONE"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := specWorld(t, codextest.Always(answer("APPROVED")))
			w.run(w.pull("opened")).ends(0, "APPROVED")
			w.gh.AddPull(githubtest.PR{Number: 7, Title: "Login", Head: "feature/login", Draft: c.draft})
			w.gh.Fail(contentsRead)
			w.gate(githubtest.Event{Name: "pull_request", Action: "labeled", Number: 7, Label: "bug", Sender: "mallory"}).
				ends(c.code, c.decision)
		})
	}
}
