package gitrepo

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

const (
	idleLimit = 60 * time.Second // without a byte from the server
	bodyLimit = 4 << 30          // bytes of one answer
)

var (
	errTooMuch = errors.New("more than 4 GiB were sent; check out with enough history instead")
	errIdle    = errors.New("the server sent nothing for a minute")
)

// guard keeps a server from stalling or flooding us: an answer that pauses for longer than idle, or
// that is longer than limit bytes, ends with an error that says so.
type guard struct {
	next  http.RoundTripper
	idle  time.Duration
	limit int64
}

// RoundTrip implements http.RoundTripper.
func (g *guard) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(req.Context())
	timer := time.AfterFunc(g.idle, func() { cancel(errIdle) })
	resp, err := g.next.RoundTrip(req.WithContext(ctx))
	if err != nil {
		timer.Stop()
		defer cancel(nil)
		return nil, orIdle(ctx, err)
	}
	resp.Body = &guarded{
		body: resp.Body, guard: g, ctx: ctx, cancel: cancel, timer: timer, left: g.limit,
	}
	return resp, nil
}

// guarded is a body that ends when it stalls or grows too long.
type guarded struct {
	body   io.ReadCloser
	guard  *guard
	ctx    context.Context //nolint:containedctx // the request's own
	cancel context.CancelCauseFunc
	timer  *time.Timer
	left   int64
}

// Read implements io.Reader.
func (b *guarded) Read(p []byte) (int, error) {
	b.timer.Reset(b.guard.idle)
	n, err := b.body.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, errTooMuch
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = orIdle(b.ctx, err)
	}
	return n, err
}

// Close implements io.Closer.
func (b *guarded) Close() error {
	b.timer.Stop()
	b.cancel(nil)
	return b.body.Close()
}

// orIdle prefers our own reason for an end.
func orIdle(ctx context.Context, err error) error {
	if errors.Is(context.Cause(ctx), errIdle) {
		return errIdle
	}
	return err
}
