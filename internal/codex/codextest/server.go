// Package codextest is a stand-in for the model's side: a loopback server that speaks the Responses
// API as codex uses it. A test scripts its answers and looks at what it received.
package codextest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// Server answers POST …/v1/responses by a script and records each request.
type Server struct {
	answer func(Request) Response
	http   *httptest.Server
	gone   chan struct{} // closed when the test ends, so that nothing hangs on

	mu       sync.Mutex
	requests []Request
}

// New starts a server that is closed when the test ends. answer is called for
// each request, from several goroutines at once.
func New(t testing.TB, answer func(Request) Response) *Server {
	t.Helper()
	s := &Server{answer: answer, gone: make(chan struct{})}
	s.http = httptest.NewServer(s)
	t.Cleanup(func() {
		close(s.gone)
		s.http.CloseClientConnections()
		s.http.Close()
	})
	return s
}

// Endpoint is the full URL of POST …/responses.
func (s *Server) Endpoint() string { return s.http.URL + "/v1/responses" }

// Requests returns what was received so far, in the order of arrival.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Count is the number of requests received so far.
func (s *Server) Count() int { return len(s.Requests()) }

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client is gone
	}
	req := parse(r, body)
	s.mu.Lock()
	req.N = len(s.requests)
	s.requests = append(s.requests, req)
	s.mu.Unlock()
	if r.Method != http.MethodPost || r.URL.Path != "/v1/responses" {
		http.NotFound(w, r)
		return
	}
	s.send(w, r, req, s.answer(req))
}

// Always answers each request alike.
func Always(resp Response) func(Request) Response {
	return func(Request) Response { return resp }
}

// Script answers the requests one after another; the last answer is repeated.
// It suits a test with one review at a time.
func Script(responses ...Response) func(Request) Response {
	return func(r Request) Response { return responses[min(r.N, len(responses)-1)] }
}

// Explore has each review call the given tools one after another before the
// final answer, whatever else runs at the same time.
func Explore(final Response, calls ...Response) func(Request) Response {
	return func(r Request) Response {
		if n := len(r.Outputs); n < len(calls) {
			return calls[n]
		}
		return final
	}
}

// Match answers by the first case whose text is part of the prompt.
func Match(otherwise Response, cases ...Case) func(Request) Response {
	return func(r Request) Response {
		for _, c := range cases {
			if strings.Contains(r.Prompt, c.Text) {
				return c.Response
			}
		}
		return otherwise
	}
}

// Case is one case of Match.
type Case struct {
	Text     string
	Response Response
}
