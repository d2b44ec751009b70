//go:build e2e

package e2e

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
)

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
	if err := s.cmd.Process.Signal(sig); err != nil && !errors.Is(err, os.ErrProcessDone) {
		s.m.t.Fatal(err)
	}
}

// TestCancelled: the runner cancels by SIGINT, then SIGTERM, then SIGKILL. The
// step ends at the first of them by itself, its check runs end cancelled, and
// the second does not disturb that. How soon is tested outside of containers.
func TestCancelled(t *testing.T) {
	for name, signals := range map[string][]os.Signal{
		"SIGINT": {os.Interrupt}, "SIGTERM": {syscall.SIGTERM}, "SIGINT, then SIGTERM": {os.Interrupt, syscall.SIGTERM},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, s := reviewing(t)
			for _, sig := range signals {
				s.signal(sig)
			}
			o := s.wait()
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
	s.signal(os.Interrupt)
	s.wait().ends(2, "ERROR")
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
