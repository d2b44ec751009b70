package prove

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// Command is what runs the tests. It is started as it stands: no shell reads it, and it has no
// standard input.
type Command struct {
	Args   []string // the program, by its path or to be looked for on PATH, and its arguments
	Dir    string   // absolute
	Env    []string // NAME=value
	Stdout io.Writer
	Stderr io.Writer
}

// ErrInterrupted is the error of a command that did not end because this process was asked to.
var ErrInterrupted = errors.New("interrupted")

// patience is how long a command may take to end after it was asked to, and how long output is
// waited for that its children still hold open after it ended.
const patience = 10 * time.Second

// prepared is the command ready to start: no shell, nothing on its standard input, and a process
// group of its own, which is asked to end when the context is.
func (c Command) prepared(ctx context.Context) (*exec.Cmd, error) {
	if !strings.ContainsRune(c.Args[0], filepath.Separator) {
		if _, err := exec.LookPath(c.Args[0]); err != nil {
			return nil, fmt.Errorf("no such command: %w", err)
		}
	}
	cmd := exec.CommandContext(ctx, c.Args[0], c.Args[1:]...) //nolint:gosec // it is the user's own
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = c.Dir, c.Env, c.Stdout, c.Stderr
	cmd.WaitDelay = patience
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endWithParent(cmd.SysProcAttr)
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	return cmd, nil
}

// run runs the command to its end and returns its exit status: 128 and the signal's number if one
// ended it. None of its processes is left when it returns.
func (c Command) run(ctx context.Context) (int, error) {
	cmd, err := c.prepared(ctx)
	if err != nil {
		return 0, err
	}
	// The command ends with the thread that started it, so that one must stay.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if ctx.Err() != nil {
		return 0, ErrInterrupted
	}
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("no such command: %w", err)
	}
	err = cmd.Wait()
	end(-cmd.Process.Pid)
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return 0, ErrInterrupted
	case err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay):
		return 0, fmt.Errorf("run %q: %w", c.Args[0], err)
	}
	status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if ok && status.Signaled() {
		return 128 + int(status.Signal()), nil
	}
	return cmd.ProcessState.ExitCode(), nil
}

// end kills what is left of a process group, and waits for it to be gone: it must not write once
// files are put back. What nobody reaps stays a zombie, which does nothing.
func end(group int) {
	for range 50 {
		if syscall.Kill(group, syscall.SIGKILL) != nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}
