package prove

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// Command is what runs the tests.
type Command struct {
	Args   []string
	Dir    string
	Env    []string // NAME=value
	Stdout io.Writer
	Stderr io.Writer
}

// ErrInterrupted is the error of a command that did not end because this process was asked to.
var ErrInterrupted = errors.New("interrupted")

// drain is how long output is waited for that a command's children still hold open after it ended.
const drain = 5 * time.Second

// prepared is the command ready to start: no shell, nothing on its standard input, and a process
// group of its own.
func (c Command) prepared() (*exec.Cmd, error) {
	program := c.Args[0]
	if strings.ContainsRune(program, filepath.Separator) {
		if !filepath.IsAbs(program) {
			program = filepath.Join(c.Dir, program)
		}
	} else if found := c.lookUp(program); found != "" {
		program = found
	} else {
		return nil, fmt.Errorf("no such command: %q is in no folder of PATH", program)
	}
	attributes := &syscall.SysProcAttr{Setpgid: true}
	endWithParent(attributes)
	return &exec.Cmd{
		Path: program, Args: c.Args, Dir: c.Dir, Env: c.Env, Stdout: c.Stdout, Stderr: c.Stderr,
		SysProcAttr: attributes, WaitDelay: drain,
	}, nil
}

// lookUp finds a program in the folders of the command's PATH.
func (c Command) lookUp(name string) string {
	for _, kv := range c.Env {
		list, ok := strings.CutPrefix(kv, "PATH=")
		if !ok {
			continue
		}
		for _, dir := range filepath.SplitList(list) {
			if !filepath.IsAbs(dir) {
				dir = filepath.Join(c.Dir, dir)
			}
			p := filepath.Join(dir, name)
			if info, err := os.Stat(p); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0 {
				return p
			}
		}
	}
	return ""
}

// run runs the command to its end and returns its exit status: 128 and the signal's number if one
// ended it. Signals that this process gets are passed on to all of the command's processes; none of
// them is left when it returns.
func (c Command) run(ctx context.Context) (int, error) {
	cmd, err := c.prepared()
	if err != nil {
		return 0, err
	}
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	defer signal.Stop(signals)
	if err := ctx.Err(); err != nil {
		return 0, ErrInterrupted
	}
	// The command ends with the thread that started it, so that one must stay.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("no such command: %w", err)
	}
	group := -cmd.Process.Pid
	done := make(chan struct{})
	passed := make(chan bool)
	go func() { passed <- passOn(ctx, group, signals, done) }()
	err = cmd.Wait()
	close(done)
	interrupted := <-passed
	end(group)
	var exit *exec.ExitError
	switch {
	case interrupted:
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

// patience is how long a command may take to end after a signal.
const patience = 10 * time.Second

// passOn hands signals on to a process group until done, and reports whether there were any. A
// group that does not end by them is killed.
func passOn(ctx context.Context, group int, signals <-chan os.Signal, done <-chan struct{}) (any bool) {
	var late <-chan time.Time
	cancelled := ctx.Done()
	send := func(s syscall.Signal) {
		any, cancelled = true, nil
		_ = syscall.Kill(group, s)
		if late == nil {
			late = time.After(patience)
		}
	}
	for {
		select {
		case <-done:
			return any
		case s := <-signals:
			if s, ok := s.(syscall.Signal); ok {
				send(s)
			}
		case <-cancelled:
			cancelled = nil
			select { // the signal that cancelled is on its way, unless it was none
			case s := <-signals:
				if s, ok := s.(syscall.Signal); ok {
					send(s)
				}
			case <-time.After(100 * time.Millisecond):
				send(syscall.SIGTERM)
			case <-done:
				return true
			}
		case <-late:
			_ = syscall.Kill(group, syscall.SIGKILL)
		}
	}
}
