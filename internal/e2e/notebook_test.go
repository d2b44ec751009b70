//go:build e2e

package e2e

import (
	"context"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// notebook takes lines from the later steps of a workflow.
type notebook struct {
	addr  string // host/port, as bash's /dev/tcp has it
	mu    sync.Mutex
	lines []string
}

func newNotebook(t testing.TB) *notebook {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	n := &notebook{addr: strings.Replace(l.Addr().String(), ":", "/", 1)}
	done := make(chan struct{})
	t.Cleanup(func() { _ = l.Close(); <-done })
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			text, _ := io.ReadAll(io.LimitReader(c, 1<<16))
			_ = c.Close()
			n.mu.Lock()
			n.lines = append(n.lines, strings.TrimSpace(string(text)))
			n.mu.Unlock()
		}
	}()
	return n
}

func (n *notebook) text() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return strings.Join(n.lines, "\n")
}

// has waits for a note: a connection may be taken up after its step has ended.
func (n *notebook) has(ctx context.Context, part string) bool {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	for !strings.Contains(n.text(), part) {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(10 * time.Millisecond):
		}
	}
	return true
}
