package main_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
)

// TestTestsAndCodeAtOnce: both are asked at the same time. Tests that are refused first end the
// review of the code, which approves nothing; the log and the report say so, and no check stays open.
func TestTestsAndCodeAtOnce(t *testing.T) {
	t.Parallel()
	codeIsAsked := make(chan struct{})
	w := newWorld(t, adderTodo(""), map[string]string{
		"tests/unit/test_adder.py": "def test_more():\n    assert add(2, 2) == 4\n",
		"src/adder.py":             adderCode,
	}, func(r codextest.Request) codextest.Response {
		if strings.Contains(r.Instructions+r.Prompt, "# Role: test reviewer") {
			<-codeIsAsked
			return answer("NEEDS-CHANGES", issue("High", "It asks nothing", "tests/unit/test_adder.py", 1))
		}
		close(codeIsAsked)
		return codextest.Hang()
	}).withCodex()
	began := time.Now()
	o := w.run(w.pull("opened"))
	o.ends(1, "NEEDS-CHANGES")
	if took := time.Since(began); took > time.Minute {
		t.Errorf("the run waited for an answer that could approve nothing: %v", took)
	}
	for _, r := range o.reviews() {
		if r.Decision != "NEEDS-CHANGES" {
			t.Errorf("%s of %s", r.Decision, r.Type)
		}
	}
	report := o.saved("report.json")
	if !strings.Contains(report, "Its own review ended with theirs") {
		t.Errorf("the report does not say why the code was not read to its end:\n%.3000s", report)
	}
	w.allClosed()
}

// TestOneAtATimeTestsComeFirst: with max-parallel 1 the code is not asked about where its tests
// were refused.
func TestOneAtATimeTestsComeFirst(t *testing.T) {
	t.Parallel()
	var code atomic.Int32
	w := newWorld(t, adderTodo(""), map[string]string{
		"tests/unit/test_adder.py": "def test_more():\n    assert add(2, 2) == 4\n",
		"src/adder.py":             adderCode,
	}, func(r codextest.Request) codextest.Response {
		if strings.Contains(r.Instructions+r.Prompt, "# Role: test reviewer") {
			return answer("NEEDS-CHANGES", issue("High", "It asks nothing", "tests/unit/test_adder.py", 1))
		}
		code.Add(1)
		return answer("APPROVED")
	})
	w.inputs["max-parallel"] = "1"
	w.run(w.pull("opened")).ends(1, "NEEDS-CHANGES")
	if n := code.Load(); n != 0 {
		t.Errorf("the code was asked about %d times", n)
	}
	w.allClosed()
}

// TestTheQuestionWaitsForNoCheck: the model is asked while check runs and the comment that the run is
// under way are still being made; all of them say the verdict in the end.
func TestTheQuestionWaitsForNoCheck(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{})
	var once sync.Once
	w := specWorld(t, func(r codextest.Request) codextest.Response {
		once.Do(func() { close(asked) })
		return codextest.Always(answer("APPROVED"))(r)
	})
	head := w.head()
	w.gh.Fail(func(c githubtest.Call) *githubtest.Fault {
		if c.Method != http.MethodPost || strings.HasSuffix(c.Path, "/graphql") || strings.Contains(c.Path, "git-") {
			return nil
		}
		select {
		case <-asked:
		case <-time.After(time.Minute):
			t.Errorf("%s %s was waited for", c.Method, c.Path)
		}
		return nil
	})
	w.run(w.pull("opened")).ends(0, "APPROVED")
	w.allClosed()
	for _, name := range []string{"workflow-reviewer", "workflow-reviewer / spec: login"} {
		if c := w.check(head, name); c.Conclusion != "success" {
			t.Errorf("%s ended %q", name, c.Conclusion)
		}
	}
	if all := w.gh.Comments(); len(all) != 1 || strings.Contains(all[0].Body, "under way") {
		t.Errorf("comments %+v", all)
	}
}

// TestRecordsOfOneHeadAreVouchedForAtOnce: however many records a commit's check runs vouch for, they
// are asked for once.
func TestRecordsOfOneHeadAreVouchedForAtOnce(t *testing.T) {
	t.Parallel()
	w := specsWorld(t, 5, codextest.Always(answer("APPROVED")))
	w.run(w.pull("opened")).ends(0, "APPROVED")
	before, asked := len(w.gh.Requests()), w.model.Count()
	w.run(w.pull("synchronize")).ends(0, "APPROVED")
	if n := w.model.Count() - asked; n != 0 {
		t.Errorf("%d questions to the model", n)
	}
	lists := map[string]int{}
	for _, q := range w.gh.Requests()[before:] {
		if strings.HasSuffix(q.Path, "/check-runs") && q.Method == http.MethodGet &&
			!strings.Contains(q.Query, "check_name=workflow-reviewer&") {
			lists[q.Path]++
		}
	}
	if len(lists) == 0 {
		t.Error("no check run was asked for")
	}
	for path, n := range lists {
		if n > 1 {
			t.Errorf("%s was asked for %d times", path, n)
		}
	}
}

// TestTheCommitWaitsForNoCheck: reviews are committed while their check runs are still being made.
// Both heads have a gate with the verdict in the end, also where one was not made.
func TestTheCommitWaitsForNoCheck(t *testing.T) {
	t.Parallel()
	for name, refused := range map[string]string{"made": "", "gate": gateName, "review": gateName + " / spec: login"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := specWorld(t, nil)
			github, err := url.Parse(w.gh.URL)
			if err != nil {
				t.Fatal(err)
			}
			committed, onward := make(chan struct{}), httputil.NewSingleHostReverseProxy(github)
			var once sync.Once
			far := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, q *http.Request) {
				body, err := io.ReadAll(q.Body)
				if err != nil {
					t.Error(err)
				}
				q.Body = io.NopCloser(bytes.NewReader(body))
				if q.Method == http.MethodPost && strings.HasSuffix(q.URL.Path, "/check-runs") {
					select {
					case <-committed:
					case <-time.After(time.Minute):
						t.Error("the commit waited for a check run")
					}
				}
				onward.ServeHTTP(rw, q)
				if strings.Contains(string(body), "createCommitOnBranch") {
					once.Do(func() { close(committed) })
				}
			}))
			t.Cleanup(far.Close)
			for _, name := range []string{"GITHUB_API_URL", "GITHUB_GRAPHQL_URL"} {
				w.vars[name] = strings.Replace(w.gh.Env(w.pull("opened"))[name], w.gh.URL, far.URL, 1)
			}
			w.gh.Fail(func(c githubtest.Call) *githubtest.Fault {
				if refused == "" || !strings.Contains(string(c.Body), `"name":"`+refused+`"`) || c.Nth > 2 {
					return nil
				}
				f := githubtest.Invalid()
				return &f
			})
			reviewed := w.head()
			w.run(w.pull("opened")).ends(0, "APPROVED")
			w.allClosed()
			if w.head() == reviewed {
				t.Error("nothing was committed")
			}
			for _, head := range []string{reviewed, w.head()} {
				for _, name := range []string{gateName, gateName + " / spec: login"} {
					if c := w.check(head, name); c.Conclusion != "success" {
						t.Errorf("%s on %.7s ended %q", name, head, c.Conclusion)
					}
				}
			}
		})
	}
}

const gateName = "workflow-reviewer"
