package codex

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// ended is how a process ended.
type ended struct {
	err    error  // nil exactly if the exit status is 0
	stderr string // capped
}

// grace is how long a process has to end after it was asked to, before it is
// killed. With it a cancelled review ends within a second.
const grace = 700 * time.Millisecond

// run runs a command to its end. When its context ends, the process is asked to end and then
// killed. Whatever it has started itself is killed with it, at the latest when run returns.
func run(cmd *exec.Cmd) ended {
	var stderr bytes.Buffer
	cmd.Stderr = &capped{w: &stderr, left: 64 << 10}
	// A session of its own: its members are found again although MCP servers are put into process
	// groups of their own.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = grace
	err := cmd.Start()
	if err == nil {
		err = cmd.Wait()
		killSession(cmd.Process.Pid)
	}
	if errors.Is(err, exec.ErrWaitDelay) && cmd.ProcessState.Success() {
		err = nil // a leftover child held the pipes; it is gone now
	}
	return ended{err: err, stderr: stderr.String()}
}

// killSession kills what is left of a process's group and session, and sees it
// gone. A session's id is not given to another process while it has members.
func killSession(sid int) {
	_ = syscall.Kill(-sid, syscall.SIGKILL) // usually nobody is left
	const pause = 2 * time.Millisecond
	for deadline := time.Now().Add(time.Second); time.Now().Before(deadline); time.Sleep(pause) {
		left := members(sid)
		if len(left) == 0 {
			return
		}
		for _, pid := range left {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended meanwhile
		}
	}
}

// members lists the living processes of a session, where there is a /proc.
func members(sid int) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var pids []int
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue // not a process
		}
		if of, err := unix.Getsid(pid); err == nil && of == sid && running(pid) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// running is false of a process that has ended, whether or not its parent has taken note of it.
func running(pid int) bool {
	b, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	// pid (command) state …; the command may hold anything.
	state := b[bytes.LastIndexByte(b, ')')+1:]
	return err == nil && !bytes.HasPrefix(bytes.TrimSpace(state), []byte("Z"))
}

// capped passes on the first bytes and swallows the rest.
type capped struct {
	w    io.Writer
	left int
}

// Write implements io.Writer; it never fails for want of room.
func (c *capped) Write(p []byte) (int, error) {
	n := min(len(p), c.left)
	c.left -= n
	if n > 0 {
		if _, err := c.w.Write(p[:n]); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// output runs codex, which has its home and works in a folder, and returns what it prints; "" if it
// does not end well within 30 seconds. It takes 20 ms.
func output(ctx context.Context, path string, opts Options, dir string, args ...string) string {
	limited, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	var out bytes.Buffer
	cmd := exec.CommandContext(limited, path, args...) //nolint:gosec // that the user named
	cmd.Dir, cmd.Stdout = dir, &capped{w: &out, left: 16 << 20}
	cmd.Env = environment(opts.PathEnv, dir)
	if run(cmd).err != nil {
		return ""
	}
	return out.String()
}

// environment is all that codex sees of the surroundings.
func environment(path, home string) []string {
	return []string{"PATH=" + path, "HOME=" + home, "CODEX_HOME=" + home}
}
