package gitrepo

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestFetchFaults(t *testing.T) {
	s := newSandbox(t)
	base, _, head := s.forge(true)
	srv := s.serve()
	var calls atomic.Int64
	pack := func(req *http.Request) bool { return strings.HasSuffix(req.URL.Path, "/git-upload-pack") }
	truncated := func(w http.ResponseWriter, req *http.Request) bool {
		if !pack(req) {
			return false
		}
		w.Header().Set("Content-Type", "application/x-git-upload-pack-result")
		_, err := w.Write([]byte("0008NAK\n0023\x01PACK\x00\x00\x00\x02\x00\x00\x00\x03\x95\x0ax\x9c"))
		return err == nil
	}
	tests := map[string]struct {
		fault func(http.ResponseWriter, *http.Request) bool
		want  []string // words of the error; none = success
	}{
		"500 once": {func(w http.ResponseWriter, _ *http.Request) bool {
			if calls.Add(1) > 1 {
				return false
			}
			http.Error(w, "oops", http.StatusInternalServerError)
			return true
		}, nil},
		"500 always": {func(w http.ResponseWriter, _ *http.Request) bool {
			http.Error(w, "oops", http.StatusInternalServerError)
			return true
		}, []string{"500", "/o.git"}},
		"403": {func(w http.ResponseWriter, _ *http.Request) bool {
			calls.Add(1)
			http.Error(w, "Resource not accessible by integration", http.StatusForbidden)
			return true
		}, []string{"authorization failed", "not accessible"}},
		"truncated pack": {truncated, []string{"commit"}},
		"cut in the middle": {func(w http.ResponseWriter, req *http.Request) bool {
			if pack(req) {
				truncated(w, req)
				panic(http.ErrAbortHandler)
			}
			return false
		}, []string{"commit"}},
		"a web page": {func(w http.ResponseWriter, _ *http.Request) bool {
			_, err := w.Write([]byte("<html>" + strings.Repeat("please log in ", 1000)))
			return err == nil
		}, []string{"commit"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			srv.setFault(tt.fault)
			calls.Store(0)
			r := (&sandbox{t: t, dir: s.dir}).open(srv.options("", "o.git"))
			err := r.Fetch(context.Background(), base, head)
			if len(tt.want) == 0 {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			mustFail(t, err, tt.want...)
			if len(err.Error()) > 900 {
				t.Errorf("the error has %d bytes", len(err.Error()))
			}
			if name == "403" && calls.Load() != 1 {
				t.Errorf("a refusal was tried %d times", calls.Load())
			}
		})
	}
}

func TestFetchEndsWithItsContext(t *testing.T) {
	s := newSandbox(t)
	base, _, _ := s.forge(true)
	srv := s.serve()
	for _, stage := range []string{"/info/refs", "/git-upload-pack"} {
		t.Run(stage, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			srv.setFault(func(w http.ResponseWriter, req *http.Request) bool {
				if !strings.HasSuffix(req.URL.Path, stage) {
					return false
				}
				if stage == "/git-upload-pack" {
					_, _ = w.Write([]byte("0008NAK\n"))
					_ = http.NewResponseController(w).Flush()
				}
				cancel()
				<-req.Context().Done()
				return true
			})
			r := (&sandbox{t: t, dir: s.dir}).open(srv.options("", "o.git"))
			err := r.Fetch(ctx, base)
			if !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestIdleAndEndlessServers(t *testing.T) {
	for name, tt := range map[string]struct {
		guard guard
		want  error
	}{
		"idle":    {guard{idle: 50 * time.Millisecond, limit: 1 << 20}, errIdle},
		"endless": {guard{idle: time.Minute, limit: 100}, errTooMuch},
	} {
		t.Run(name, func(t *testing.T) {
			g := tt.guard
			g.next = roundTrip(func(req *http.Request) (*http.Response, error) {
				return &http.Response{Body: body{req.Context(), name == "endless"}}, nil
			})
			req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, "http://x/", nil)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := g.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			for err == nil {
				_, err = resp.Body.Read(make([]byte, 64))
			}
			if !errors.Is(err, tt.want) {
				t.Errorf("error %v, want %v", err, tt.want)
			}
			if err := resp.Body.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// body never ends: it sends without pause, or nothing until its context ends.
type body struct {
	ctx   context.Context
	sends bool
}

func (b body) Read(p []byte) (int, error) {
	if b.sends {
		return len(p), nil
	}
	<-b.ctx.Done()
	return 0, b.ctx.Err()
}

func (b body) Close() error { return nil }
