//go:build e2e

package e2e

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
)

// The runner cancels a step by SIGINT; after this it sends SIGTERM, and 2.5 s
// later it kills.
const grace = 7500 * time.Millisecond

// reviewing starts a step whose model never answers, and waits until it is asked.
func reviewing(t *testing.T) (*world, *step) {
	t.Helper()
	asked := make(chan struct{}, 8)
	w := newWorld(t, func(codextest.Request) codextest.Response {
		asked <- struct{}{}
		return codextest.Hang()
	})
	s := newMachine(t).start(w, pull("opened"))
	select {
	case <-asked:
	case err := <-s.done:
		t.Fatalf("ended before the model was asked: %v\n%s", err, s.log)
	}
	return w, s
}

func (s *step) signal(sig os.Signal) {
	s.m.t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.m.t.Fatal(err)
	}
}

// TestCancelled: a cancelled step ends at the first signal, before the runner
// sends the next, and its check runs end cancelled.
func TestCancelled(t *testing.T) {
	for name, sig := range map[string]os.Signal{"SIGINT": os.Interrupt, "SIGTERM": syscall.SIGTERM} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, s := reviewing(t)
			began := time.Now()
			s.signal(sig)
			o := s.wait()
			if took := time.Since(began); took > grace {
				t.Errorf("ended after %v", took)
			}
			o.ends(2, "ERROR")
			w.closed()
			if c := w.gate(w.head()); c.Conclusion != "cancelled" {
				t.Errorf("gate %+v", c)
			}
			if !strings.Contains(o.log, "ancelled") {
				t.Errorf("the log does not say so:\n%s", o.log)
			}
		})
	}
}

// TestCancelledWhileGitHubIsSilent: even then the step ends by itself, and
// nothing is green.
func TestCancelledWhileGitHubIsSilent(t *testing.T) {
	t.Parallel()
	w, s := reviewing(t)
	w.gh.Fail(func(githubtest.Call) *githubtest.Fault { f := githubtest.Hang(); return &f })
	began := time.Now()
	s.signal(os.Interrupt)
	o := s.wait()
	if took := time.Since(began); took > grace {
		t.Errorf("ended after %v", took)
	}
	o.ends(2, "ERROR")
}

// TestKilled: after SIGKILL nobody can complete the check run. It stays in
// progress, which blocks, and the next run closes the gate by its own.
func TestKilled(t *testing.T) {
	t.Parallel()
	w, s := reviewing(t)
	docker(t, "kill", "--signal=KILL", s.name)
	if o := s.wait(); o.code != 137 || len(o.outputs) != 0 {
		t.Errorf("ended %d with %v", o.code, o.outputs)
	}
	for _, c := range w.gh.Checks() {
		if c.Conclusion != "" {
			t.Errorf("a killed run left %+v", c)
		}
	}
	w.inputs = map[string]string{"engine": "rules"}
	head := w.head()
	newMachine(t).run(w, pull("synchronize")).ends(0, "APPROVED")
	if c := w.gate(head); c.Conclusion != "success" {
		t.Errorf("gate %+v", c)
	}
}
