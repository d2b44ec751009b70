package codextest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// Provider says in what another provider of the Responses API differs from its inventor.
type Provider struct {
	Path      string   // that it serves, all others are 404
	Query     string   // that each request must have
	KeyHeader string   // that holds the key; "" = Authorization, after "Bearer "
	Models    []string // that it has; nil = all
	// Event changes an event of the stream, nil leaves it out; nil = none is.
	Event func(map[string]any) map[string]any
	// NotFound, Unauthorized and NoModel are the bodies of 404, 401 and 404.
	NotFound, Unauthorized, NoModel string
	Comments                        bool // lines of comment, and "[DONE]" at the end
}

// Serve starts the provider in front of a server whose answers it changes, and returns its address,
// scheme and host.
func (p Provider) Serve(t testing.TB, key string, behind *Server) string {
	t.Helper()
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		recorded := httptest.NewRecorder()
		given := r.Header.Get(p.KeyHeader)
		if p.KeyHeader == "" {
			given = strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		}
		path, query := r.URL.Path, r.URL.RawQuery
		r.URL.Path = "/v1/responses"
		behind.ServeHTTP(recorded, r)
		requests := behind.Requests()
		req := requests[len(requests)-1]
		switch {
		case path != p.Path || query != p.Query || r.Method != http.MethodPost:
			fail(w, http.StatusNotFound, p.NotFound)
		case given != key || p.KeyHeader != "" && r.Header.Get("Authorization") != "":
			fail(w, http.StatusUnauthorized, p.Unauthorized)
		case p.Models != nil && !slices.Contains(p.Models, req.Model):
			fail(w, http.StatusNotFound, p.NoModel)
		default:
			p.stream(w, recorded.Body.String())
		}
	}))
	t.Cleanup(front.Close)
	return front.URL
}

func fail(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprint(w, body)
}

// stream sends the events that it leaves of a stream.
func (p Provider) stream(w http.ResponseWriter, events string) {
	w.Header().Set("Content-Type", "text/event-stream")
	if p.Comments {
		fmt.Fprint(w, ": PROCESSING\n\n")
	}
	for line := range strings.Lines(events) {
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok {
			continue
		}
		var ev map[string]any
		if json.Unmarshal([]byte(data), &ev) != nil {
			continue
		}
		if p.Event != nil {
			ev = p.Event(ev)
		}
		if ev == nil {
			continue
		}
		b, err := json.Marshal(ev)
		if err != nil {
			panic(err)
		}
		fmt.Fprintf(w, "data: %s\n\n", b)
	}
	if p.Comments {
		fmt.Fprint(w, "data: [DONE]\n\n")
	}
}

// Without removes a field of the object "response" from all events.
func Without(field string) func(map[string]any) map[string]any {
	return func(ev map[string]any) map[string]any {
		if r, ok := ev["response"].(map[string]any); ok {
			delete(r, field)
		}
		return ev
	}
}

// WithoutEvent leaves all events of a type out.
func WithoutEvent(kind string) func(map[string]any) map[string]any {
	return func(ev map[string]any) map[string]any {
		if ev["type"] == kind {
			return nil
		}
		return ev
	}
}
