package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// speak has a server answer on out what it is asked on in, until in ends or the
// context is done. The end of in is a normal end. It closes neither stream.
func speak(ctx context.Context, s *mcp.Server, in io.Reader, out io.Writer, maxLine int) error {
	err := s.Run(ctx, &draining{
		ctx: ctx, answered: make(chan struct{}, 1), Transport: &mcp.IOTransport{
			Reader: io.NopCloser(in), Writer: nopCloser{out}, MaxLineLength: maxLine,
		},
	})
	if err == nil || errors.Is(err, io.EOF) || ctx.Err() != nil {
		return nil
	}
	return fmt.Errorf("read a request of the MCP protocol, a line of JSON: %w", err)
}

// nopCloser is a stream that stays open, as it is the caller's.
type nopCloser struct{ io.Writer }

// Close implements io.Closer.
func (nopCloser) Close() error { return nil }

// leaving is the time for which the end of the requests waits for answers that are due, so that a
// script may send its requests and close. Longer calls are cancelled: whoever asked has gone.
const leaving = 3 * time.Second

// draining is a transport, and its one connection, that waits at the end of the requests for the
// answers.
type draining struct {
	mcp.Transport
	mcp.Connection
	ctx      context.Context //nolint:containedctx // of the server, whose end ends the waiting
	due      atomic.Int64    // requests without an answer
	answered chan struct{}   // holds a value after an answer
}

// Connect implements mcp.Transport.
func (p *draining) Connect(ctx context.Context) (conn mcp.Connection, err error) {
	p.Connection, err = p.Transport.Connect(ctx)
	return p, err
}

// Read implements mcp.Connection.
func (p *draining) Read(ctx context.Context) (jsonrpc.Message, error) {
	msg, err := p.Connection.Read(ctx)
	if req, ok := msg.(*jsonrpc.Request); ok && req.IsCall() {
		p.due.Add(1)
	}
	if err != nil {
		p.drain()
	}
	return msg, err
}

// drain returns when no answer is due, or nobody waits for one any more.
func (p *draining) drain() {
	ctx, cancel := context.WithTimeout(p.ctx, leaving)
	defer cancel()
	for p.due.Load() > 0 {
		select {
		case <-p.answered:
		case <-ctx.Done():
			return
		}
	}
}

// Write implements mcp.Connection.
func (p *draining) Write(ctx context.Context, msg jsonrpc.Message) error {
	err := p.Connection.Write(ctx, msg)
	if _, ok := msg.(*jsonrpc.Response); ok {
		p.due.Add(-1)
		select {
		case p.answered <- struct{}{}:
		default: // one is known of already
		}
	}
	return err
}
