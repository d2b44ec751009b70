package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// speak has a server answer on out what it is asked on in, until in ends or the
// context is done. The end of in is a normal end. It closes neither stream.
func speak(ctx context.Context, s *mcp.Server, in io.Reader, out io.Writer, maxLine int) error {
	p := &pending{answered: make(chan struct{}, 1)}
	err := s.Run(ctx, &mcp.IOTransport{
		Reader:        &requests{ctx: ctx, Reader: in, pending: p},
		Writer:        &answers{Writer: out, pending: p},
		MaxLineLength: maxLine,
	})
	if err == nil || errors.Is(err, io.EOF) || ctx.Err() != nil {
		return nil
	}
	return fmt.Errorf("read a request of the MCP protocol, a line of JSON: %w", err)
}

// leaving is the time for which the end of the requests waits for answers that are due, so that a
// script may send its requests and close. Longer calls are cancelled: whoever asked has gone.
const leaving = 3 * time.Second

// pending counts the requests that have no answer yet.
type pending struct {
	mu       sync.Mutex
	count    int
	answered chan struct{} // gets a value when the count falls
}

// add changes the number of calls under way and returns it. It is safe for concurrent use.
func (p *pending) add(n int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count += n
	return p.count
}

// message is the part of a line that tells requests and answers.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
}

// lines takes whole lines out of a stream.
type lines struct {
	rest []byte
}

// feed hands each whole message with an id to f, and keeps the rest of a line for the next call. A
// line that is no message is passed over here, and refused by the server itself.
func (l *lines) feed(data []byte, f func(message)) {
	for len(data) > 0 {
		line, rest, whole := bytes.Cut(data, []byte("\n"))
		if l.rest = append(l.rest, line...); !whole {
			break
		}
		var m message
		if json.Unmarshal(l.rest, &m) == nil && len(m.ID) > 0 {
			f(m)
		}
		l.rest, data = l.rest[:0], rest
	}
}

// requests is the stream of requests, whose end waits for the answers.
type requests struct {
	io.Reader
	ctx     context.Context //nolint:containedctx // of the one server that reads it
	pending *pending
	lines   lines
}

// Read implements io.Reader.
func (r *requests) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.lines.feed(p[:n], func(m message) {
		if m.Method != "" {
			r.pending.add(1)
		}
	})
	if err != nil {
		patience := time.NewTimer(leaving)
		defer patience.Stop()
		for r.pending.add(0) > 0 {
			select {
			case <-r.pending.answered:
				continue
			case <-patience.C:
			case <-r.ctx.Done():
			}
			break
		}
	}
	return n, err
}

// Close implements io.Closer; the stream is the caller's.
func (*requests) Close() error { return nil }

// answers is the stream of answers.
type answers struct {
	io.Writer
	pending *pending
	lines   lines
}

// Write implements io.Writer.
func (a *answers) Write(p []byte) (int, error) {
	n, err := a.Writer.Write(p)
	a.lines.feed(p[:n], func(m message) {
		if m.Method == "" {
			a.pending.add(-1)
			select {
			case a.pending.answered <- struct{}{}:
			default:
			}
		}
	})
	return n, err
}

// Close implements io.Closer; the stream is the caller's.
func (*answers) Close() error { return nil }
