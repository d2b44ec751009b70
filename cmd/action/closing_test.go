package main_test

import (
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
)

// started starts a run, tells its process to whoever waits for it, and returns
// how it ended.
func started(t *testing.T, cmd *exec.Cmd, process chan<- *os.Process) error {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	process <- cmd.Process
	return cmd.Wait()
}

// interrupt signals a program that awaits an answer of GitHub, and holds the
// answer back until the signal has arrived.
func interrupt(p *os.Process) {
	_ = p.Signal(syscall.SIGTERM)
	<-time.After(100 * time.Millisecond)
}

// TestLateSignal: a signal while the verdict is being posted leaves no check
// run open.
func TestLateSignal(t *testing.T) {
	t.Parallel()
	w := specWorld(t, nil)
	cmd, o := w.command(w.pull("opened"))
	var sent atomic.Bool
	process := make(chan *os.Process, 1)
	w.gh.Fail(func(c githubtest.Call) *githubtest.Fault {
		if c.Method == http.MethodPatch && strings.Contains(c.Path, "/check-runs/") && !sent.Swap(true) {
			interrupt(<-process)
		}
		return nil
	})
	out := w.wait(cmd, o, started(t, cmd, process))
	if !sent.Load() {
		t.Fatal("no check run was completed")
	}
	w.allClosed()
	if out.outputs["decision"] != "APPROVED" || out.code != 0 {
		t.Errorf("ended %d %q", out.code, out.outputs["decision"])
	}
}

// TestSignalWhileGitHubIsSilent: the program ends within five seconds, whatever
// it waits for.
func TestSignalWhileGitHubIsSilent(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 8)
	w := specWorld(t, func(codextest.Request) codextest.Response {
		asked <- struct{}{}
		return codextest.Hang()
	}).withCodex()
	cmd, o := w.command(w.pull("opened"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-asked
	w.gh.Fail(func(githubtest.Call) *githubtest.Fault { f := githubtest.Hang(); return &f })
	began := time.Now()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	out := w.wait(cmd, o, cmd.Wait())
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("ended after %v", took)
	}
	if out.code != 2 || out.outputs["decision"] != "ERROR" || !strings.Contains(out.saved("report.json"), `"cancelled": true`) {
		t.Errorf("ended %d %q", out.code, out.outputs["decision"])
	}
}

// TestSignalWhileACheckIsMade: the check run that is being created is closed as
// well, whichever of them it is.
func TestSignalWhileACheckIsMade(t *testing.T) {
	for n, name := range map[int]string{1: "gate", 2: "review"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := specWorld(t, nil)
			head := w.head()
			cmd, o := w.command(w.pull("opened"))
			process := make(chan *os.Process, 1)
			w.gh.Fail(func(c githubtest.Call) *githubtest.Fault {
				if c.Method == http.MethodPost && strings.HasSuffix(c.Path, "/check-runs") && c.Nth == n {
					interrupt(<-process)
				}
				return nil
			})
			w.wait(cmd, o, started(t, cmd, process)).ends(2, "ERROR")
			w.allClosed()
			if c := w.check(head, "workflow-reviewer"); c.Conclusion != "cancelled" {
				t.Errorf("gate %+v", c)
			}
			made := w.gh.Checks() // reviews may be committed by then
			made = slices.DeleteFunc(made, func(c githubtest.Check) bool { return c.HeadSHA != head })
			if len(made) != n {
				t.Errorf("%d check runs: %+v", len(made), made)
			}
		})
	}
}

// TestSignalWhileWaiting: wherever GitHub is silent, a signal ends the program
// within five seconds.
func TestSignalWhileWaiting(t *testing.T) {
	for name, suffix := range map[string]string{
		"permission": "/permission", "pull request": "/pulls/7", "check run": "/check-runs",
		"commits": "git-upload-pack", "commit": "/graphql",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := specWorld(t, nil)
			w.removeWorkspace()
			cmd, o := w.command(w.comment("octocat", "/review"))
			asked := make(chan struct{}, 64)
			w.gh.Fail(func(c githubtest.Call) *githubtest.Fault {
				if c.Method == http.MethodPatch || !strings.HasSuffix(c.Path, suffix) {
					return nil
				}
				asked <- struct{}{}
				f := githubtest.Hang()
				return &f
			})
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			<-asked
			began := time.Now()
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			out := w.wait(cmd, o, cmd.Wait())
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("ended after %v", took)
			}
			out.ends(2, "ERROR")
			for _, c := range w.gh.Checks() {
				if c.Conclusion == "success" && c.Name == "workflow-reviewer" || c.Status != "completed" {
					t.Errorf("check %+v", c)
				}
			}
		})
	}
}
