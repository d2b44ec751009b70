//go:build e2e

package e2e

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
)

// TestOnlyGitHubAndTheModel: a container whose network holds nothing but these
// two does the whole job.
func TestOnlyGitHubAndTheModel(t *testing.T) {
	t.Parallel()
	w := newWorld(t, codextest.Explore(approved, codextest.Call("list_files", map[string]string{})))
	m := newMachine(t)
	m.network = "container:" + relayed(t, w.gh.URL, w.model.Endpoint())
	m.run(w, pull("opened")).ends(0, "APPROVED")
	w.committed("specs/todo/login.md")
}

// relayed starts a container without a network whose loopback interface reaches
// this machine's servers of the given URLs, and nothing else. It returns its name.
func relayed(t *testing.T, urls ...string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "relay") // a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("wr-e2e-%d-%d", os.Getpid(), steps.Add(1))
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	args := []string{
		"run", "--name", name, "--label", setup.label, "--network", "none",
		"-v", dir + ":" + dir, "-v", self + ":/relay:ro", "--entrypoint", "/relay", setup.base, "relay",
	}
	for i, raw := range urls {
		u, err := url.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		socket := filepath.Join(dir, fmt.Sprint(i))
		l, err := net.Listen("unix", socket)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		go func() { _ = serveTo(l, func() (net.Conn, error) { return net.Dial("tcp", u.Host) }) }() // ends with the listener
		args = append(args, u.Host, socket)
	}
	cmd := exec.Command("docker", args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = exec.Command("docker", "rm", "-f", name).Run()
		_ = cmd.Wait()
	})
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "listening\n" {
		t.Fatalf("the relay says %q, %v", line, err)
	}
	return name
}

// relay listens on addresses and passes what comes on to unix sockets; the
// arguments are pairs of both. It says when it does.
func relay(pairs []string) error {
	failed := make(chan error)
	for ; len(pairs) >= 2; pairs = pairs[2:] {
		l, err := net.Listen("tcp", pairs[0])
		if err != nil {
			return err
		}
		socket := pairs[1]
		go func() { failed <- serveTo(l, func() (net.Conn, error) { return net.Dial("unix", socket) }) }()
	}
	fmt.Println("listening")
	return <-failed
}

// serveTo passes each connection on to one that dial makes.
func serveTo(l net.Listener, dial func() (net.Conn, error)) error {
	for {
		in, err := l.Accept()
		if err != nil {
			return err
		}
		out, err := dial()
		if err != nil {
			return errors.Join(err, in.Close())
		}
		go pass(in, out)
		go pass(out, in)
	}
}

func pass(to, from net.Conn) {
	_, _ = io.Copy(to, from)
	_ = to.Close()
	_ = from.Close()
}
