package github

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	maxBody   = 16 << 20 // of an answer, in bytes
	maxTries  = 5
	perMinute = 75          // writes; GitHub takes 80
	secondary = time.Minute // least pause that a secondary limit asks for
)

// transport adds the token and decides retries. A rate limit is waited out for every method,
// because GitHub did nothing; a broken answer only for methods that may be repeated. It buffers
// answers, so that one that breaks off counts as a failed try.
type transport struct {
	base    http.RoundTripper
	token   string
	origins []string // where the token may go
	now     func() time.Time
	sleep   func(context.Context, time.Duration) error
	timeout time.Duration

	mu     sync.Mutex
	left   time.Duration // what may still be spent on pauses
	sent   []time.Time   // of the latest writes, at most perMinute
	worked bool          // the token was taken once
}

// workedHeader marks the refusal of a token that was taken before.
const workedHeader = "X-Token-Worked-Before"

// noRetryKey marks a request whose repetition is not harmless although its method says so, such as
// a PATCH that appends.
type noRetryKey struct{}

// withoutRetry marks requests that must not be sent again by themselves.
func withoutRetry(ctx context.Context) context.Context {
	return context.WithValue(ctx, noRetryKey{}, true)
}

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := readBody(req)
	if err != nil {
		return nil, err
	}
	for try := 1; ; try++ {
		if err := t.pace(req, body); err != nil {
			return nil, err
		}
		resp, err := t.try(req, body)
		wait, limited := t.limit(resp)
		switch {
		case limited && (try == maxTries || !t.spend(wait)):
			return nil, &LimitError{Wait: wait, Ends: t.now().Add(wait)}
		case limited:
		case req.Context().Err() != nil, try == maxTries, !repeatable(req, resp, err):
			return withoutRateHeaders(resp), err
		default:
			if wait = time.Second << (try - 1); !t.spend(wait) {
				return withoutRateHeaders(resp), err
			}
		}
		if err := t.sleep(req.Context(), wait); err != nil {
			return nil, err
		}
	}
}

// pace holds a write back until there were fewer than perMinute in the minute
// before it: GitHub refuses what comes faster. These pauses are free.
func (t *transport) pace(req *http.Request, body []byte) error {
	reads := strings.HasSuffix(req.URL.Path, "/graphql") &&
		!bytes.Contains(body, []byte(`"mutation`))
	if req.Method == http.MethodGet || reads {
		return nil
	}
	t.mu.Lock()
	at := t.now()
	if len(t.sent) == perMinute {
		if free := t.sent[0].Add(time.Minute); free.After(at) {
			at = free
		}
		t.sent = t.sent[1:]
	}
	t.sent = append(t.sent, at)
	t.mu.Unlock()
	if wait := at.Sub(t.now()); wait > 0 {
		return t.sleep(req.Context(), wait)
	}
	return nil
}

// readBody reads and closes a request's body, so that it can be sent again. A request without a
// body has nil.
func readBody(req *http.Request) ([]byte, error) {
	if req.Body == nil {
		return nil, nil
	}
	b, err := io.ReadAll(req.Body)
	return b, errors.Join(err, req.Body.Close())
}

// try sends the request once and reads the whole answer.
func (t *transport) try(req *http.Request, body []byte) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(req.Context(), t.timeout)
	defer cancel()
	r := req.Clone(ctx)
	r.Body, r.ContentLength, r.GetBody = nil, int64(len(body)), nil
	if body != nil {
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	if slices.Contains(t.origins, origin(r.URL)) {
		r.Header.Set("Authorization", "Bearer "+t.token)
	}
	resp, err := t.base.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close() //nolint:errcheck // it was only read
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	if err != nil {
		return nil, fmt.Errorf("read answer: %w", err)
	}
	if len(data) > maxBody {
		return nil, fmt.Errorf("read answer: %w", errLarge)
	}
	resp.Body = io.NopCloser(bytes.NewReader(data))
	t.note(resp)
	return resp, nil
}

// note remembers that the token was taken, and marks its refusal afterwards.
func (t *transport) note(resp *http.Response) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.worked = t.worked || resp.StatusCode < 300
	resp.Header.Del(workedHeader)
	if t.worked && resp.StatusCode == http.StatusUnauthorized {
		resp.Header.Set(workedHeader, "true")
	}
}

var errLarge = fmt.Errorf("larger than %d bytes", maxBody)

// limit tells whether the answer is a rate limit and how long it lasts:
// Retry-After, else the reset of an exhausted primary limit, else a minute.
func (t *transport) limit(resp *http.Response) (time.Duration, bool) {
	if resp == nil ||
		resp.StatusCode != http.StatusForbidden && resp.StatusCode != http.StatusTooManyRequests {
		return 0, false
	}
	if s, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && s >= 0 && s < 1e6 {
		return max(time.Duration(s)*time.Second, time.Second), true
	}
	if resp.Header.Get("X-Ratelimit-Remaining") == "0" {
		if s, err := strconv.ParseInt(resp.Header.Get("X-Ratelimit-Reset"), 10, 64); err == nil {
			return max(time.Unix(s, 0).Sub(t.now()), 0) + time.Second, true
		}
	}
	return secondary, resp.StatusCode == http.StatusTooManyRequests || speaksOfLimit(resp)
}

// speaksOfLimit reports whether a 403 is about a rate limit. It leaves the body to be read once
// more.
func speaksOfLimit(resp *http.Response) bool {
	data, err := io.ReadAll(resp.Body)
	resp.Body = io.NopCloser(bytes.NewReader(data))
	text := strings.ToLower(string(data[:min(len(data), 4096)]))
	return err == nil &&
		(strings.Contains(text, "rate limit") || strings.Contains(text, "abuse detection"))
}

// repeatable reports whether sending the request again is useful and cannot create anything twice.
func repeatable(req *http.Request, resp *http.Response, err error) bool {
	var untrusted *tls.CertificateVerificationError
	if errors.As(err, &untrusted) {
		return false
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" {
		return true // it never left
	}
	if req.Method == http.MethodPost || req.Context().Value(noRetryKey{}) != nil ||
		errors.Is(err, errLarge) {
		return false
	}
	return err != nil || resp.StatusCode >= 500
}

// spend takes a pause from the budget, or refuses it.
func (t *transport) spend(d time.Duration) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if d > t.left {
		return false
	}
	t.left -= d
	return true
}

// withoutRateHeaders takes the rate headers off: go-github would refuse later requests by
// them on its own, past the retries decided here.
func withoutRateHeaders(resp *http.Response) *http.Response {
	if resp != nil {
		resp.Header.Del("X-Ratelimit-Reset")
	}
	return resp
}
