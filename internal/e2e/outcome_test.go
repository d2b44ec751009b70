//go:build e2e

package e2e

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"workflow-reviewer/internal/github/githubtest"
)

// outcome is what a step left behind.
type outcome struct {
	t       testing.TB
	code    int
	log     string
	outputs map[string]string
	summary string
	changed []string // what the container's own file system got
}

// run starts the action and waits for its end.
func (m *machine) run(w *world, ev githubtest.Event) outcome {
	m.t.Helper()
	return m.start(w, ev).wait()
}

func (s *step) wait() outcome {
	t := s.m.t
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	select {
	case err := <-s.done:
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatalf("docker run: %v", err)
		}
	case <-ctx.Done():
		t.Fatalf("the step does not end:\n%s", docker(t, "logs", s.name))
	}
	o := outcome{t: t, code: s.cmd.ProcessState.ExitCode(), log: s.log.String(), changed: s.changes()}
	o.outputs = fileCommands(t, s.m.command("GITHUB_OUTPUT"))
	o.summary = read(t, s.m.command("GITHUB_STEP_SUMMARY"))
	for _, quiet := range []string{"GITHUB_ENV", "GITHUB_PATH"} {
		if text := read(t, s.m.command(quiet)); text != "" {
			t.Errorf("%s was written: %q", quiet, text)
		}
	}
	if n := s.m.knocks.Load(); n != 0 {
		t.Errorf("the docker socket was used %d times", n)
	}
	for _, secret := range []string{canaryKey, canaryToken} {
		if strings.Contains(unmasked(o.log)+o.summary+fmt.Sprint(o.outputs), secret) {
			t.Errorf("a secret shows up: %s\n%s", secret[:9], o.log)
		}
	}
	return o
}

// changes are the paths that a container changed in its own file system, but
// for the mount points that docker makes.
func (s *step) changes() []string {
	var out []string
	for line := range strings.SplitSeq(docker(s.m.t, "diff", s.name), "\n") {
		_, path, _ := strings.Cut(line, " ")
		if path != "" && path != "/var" && path != "/github" && path != "/var/run" && path != "/var/run/docker.sock" &&
			!strings.HasPrefix(path, "/github/") {
			out = append(out, path)
		}
	}
	return out
}

// unmasked is a log as the runner shows it: without the commands by which
// secrets are masked.
func unmasked(log string) string {
	var out strings.Builder
	for line := range strings.Lines(log) {
		if !strings.HasPrefix(line, "::add-mask::") {
			out.WriteString(line)
		}
	}
	return out.String()
}

// ends fails the test unless the step ended as wanted.
func (o outcome) ends(code int, decision string) {
	o.t.Helper()
	if o.code != code || o.outputs["decision"] != decision {
		o.t.Fatalf("ended %d %q, want %d %q\n%s", o.code, o.outputs["decision"], code, decision, o.log)
	}
}
