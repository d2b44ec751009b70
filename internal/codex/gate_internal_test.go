package codex

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"workflow-reviewer/internal/review"
)

const secret = "sk-canary-0123456789abcdef"

// open starts a gate before an endpoint.
func open(t *testing.T, endpoint http.HandlerFunc) *gate {
	t.Helper()
	s := httptest.NewServer(endpoint)
	t.Cleanup(s.Close)
	u, err := checkEndpoint(s.URL + "/v1/responses?v=1")
	if err != nil {
		t.Fatal(err)
	}
	g, err := openGate(t.Context(), withDefaults(Options{APIKey: secret}), u)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

func send(t *testing.T, method, url string, body io.Reader) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer of-codex")
	r.Header.Set("Cookie", "a=b")
	r.Header.Set("Connection", "X-Hop")
	r.Header.Set("X-Hop", "1")
	r.Header.Set("Session-Id", "s1")
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

const completed = "data: {\"type\":\"response.completed\",\"response\":{\"id\":\"r\"," +
	"\"usage\":{\"input_tokens\":7,\"output_tokens\":3,\"total_tokens\":10}}}\n\n"

func TestGateForwards(t *testing.T) {
	var got *http.Request
	var body []byte
	g := open(t, func(w http.ResponseWriter, r *http.Request) {
		got = r
		body, _ = io.ReadAll(r.Body)
		_, _ = io.WriteString(w, completed)
	})
	c, base := g.open()
	if status, text := send(t, http.MethodPost, base+"/responses", strings.NewReader(`{"a":1}`)); status != 200 || text != completed {
		t.Errorf("answer %d %q", status, text)
	}
	if got.URL.String() != "/v1/responses?v=1" || string(body) != `{"a":1}` || got.ContentLength != 7 {
		t.Errorf("the endpoint got %s %q", got.URL, body)
	}
	for name, want := range map[string]string{
		"Authorization": "Bearer " + secret, "Cookie": "", "X-Hop": "", "X-Forwarded-For": "", "Session-Id": "s1",
	} {
		if v := got.Header.Get(name); v != want {
			t.Errorf("%s: %q, want %q", name, v, want)
		}
	}
	if s := c.seen(); s.requests != 1 || s.failure != nil || s.tokens.Input != 7 || g.usage().Output != 3 {
		t.Errorf("seen %+v", s)
	}
}

func TestGateIsShutToAllElse(t *testing.T) {
	g := open(t, func(http.ResponseWriter, *http.Request) { t.Error("the endpoint was reached") })
	c, base := g.open()
	for _, r := range []struct{ method, url string }{
		{http.MethodGet, base + "/responses"},
		{http.MethodPost, base + "/responses/compact"},
		{http.MethodPost, base + "/chat/completions"},
		{http.MethodGet, base + "/models"},
		{http.MethodPost, g.base + "/v1/responses"},
		{http.MethodPost, g.base + "/x/v1/responses"},
		{http.MethodDelete, base + "/responses"},
	} {
		if status, _ := send(t, r.method, r.url, nil); status != http.StatusNotFound {
			t.Errorf("%s %s: %d", r.method, r.url, status)
		}
	}
	g.shut(c)
	if status, _ := send(t, http.MethodPost, base+"/responses", nil); status != http.StatusNotFound {
		t.Errorf("after the review: %d", status)
	}
	if c.seen().requests != 0 {
		t.Error("a refused request was counted")
	}
}

func TestGateRefusesHugeRequests(t *testing.T) {
	g := open(t, func(http.ResponseWriter, *http.Request) { t.Error("the endpoint was reached") })
	c, base := g.open()
	status, _ := send(t, http.MethodPost, base+"/responses", bytes.NewReader(make([]byte, maxRequestBody+1)))
	if f := c.seen().failure; status != http.StatusBadRequest || f == nil || f.Class != review.BadRequest {
		t.Errorf("status %d, failure %v", status, f)
	}
}

// Codex obeys a Retry-After for as long as it says, and retries a 401; so it
// sees neither.
func TestGateHidesFailuresFromCodex(t *testing.T) {
	for _, upstream := range []int{302, 401, 403, 404, 429, 500, 503} {
		g := open(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "9999")
			w.Header().Set("Location", "http://127.0.0.1:1/")
			w.WriteHeader(upstream)
			_, _ = io.WriteString(w, `{"error":{"message":"key `+secret+` said\u001b[31m"}}`)
		})
		c, base := g.open()
		status, body := send(t, http.MethodPost, base+"/responses", nil)
		if status != http.StatusBadRequest || strings.Contains(body, secret) || c.seen().failure == nil {
			t.Errorf("%d became %d: %s", upstream, status, body)
		}
	}
}

func TestStreamIsReadInAnyPieces(t *testing.T) {
	stream := "event: x\r\ndata: {\"type\":\"response.created\"}\n\n" +
		"data:{\"type\":\"response.output_item.done\",\"item\":{\"content\":[{\"type\":\"refusal\",\"refusal\":\"no\"}]}}\r\n\r\n" +
		completed + completed
	for size := 1; size < len(stream); size += 7 {
		g := &gate{endpoint: &url.URL{Path: "/v1/responses"}}
		c := &call{}
		w := g.watch(io.NopCloser(strings.NewReader(stream)), c)
		var got bytes.Buffer
		if _, err := io.CopyBuffer(&got, struct{ io.Reader }{w}, make([]byte, size)); err != nil {
			t.Fatal(err)
		}
		s := c.seen()
		if got.String() != stream || s.failure != nil || s.refusal != "no" || s.tokens.Total() != 10 {
			t.Fatalf("in pieces of %d: %+v", size, s)
		}
	}
}

func FuzzStream(f *testing.F) {
	f.Add([]byte(completed), 3)
	f.Add([]byte("data: {\"type\":\"error\",\"code\":{},\"message\":\"x\"}\n"), 1)
	f.Add([]byte("data: {\"type\":\"response.failed\",\"response\":{\"error\":{\"code\":\"insufficient_quota\"}}}\n"), 100)
	f.Add([]byte("data: {\"type\":\"response.completed\",\"response\":{\"usage\":{\"input_tokens\":-5}}}\n"), 8)
	f.Add([]byte("data: {\"type\":\"error\",\"error\":{\"code\":405,\"message\":\"x\"}}\n"), 8)
	f.Fuzz(func(t *testing.T, stream []byte, size int) {
		if size <= 0 || size > 1<<16 {
			return
		}
		g, c := &gate{endpoint: &url.URL{Path: "/v1/responses"}}, &call{}
		var got bytes.Buffer
		_, _ = io.CopyBuffer(&got, struct{ io.Reader }{g.watch(io.NopCloser(bytes.NewReader(stream)), c)}, make([]byte, size))
		if !bytes.Equal(got.Bytes(), stream) {
			t.Error("the stream was changed")
		}
		s := c.seen()
		if s.tokens.Total() < 0 || s.tokens != g.usage() {
			t.Errorf("tokens %+v, counted %+v", s.tokens, g.usage())
		}
		if s.failure == nil && !bytes.Contains(stream, []byte(`"response.completed"`)) {
			t.Error("a stream without a completed answer passed")
		}
	})
}

// FuzzError: whatever a server says in whatever shape, it is an error that says
// what to do, and never the key.
func FuzzError(f *testing.F) {
	for _, body := range []string{
		`{"error":"x"}`, `{"detail":[{"msg":"x"}]}`, `{"message":"x","error":{"code":402}}`,
		`{"error":{"code":{},"message":[]}}`, "<html>", "",
	} {
		f.Add(404, []byte(body))
	}
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		g := &gate{key: secret, endpoint: &url.URL{Path: "/v1/responses"}}
		e := g.explain(status, parseError(append(body, secret...), http.Header{}), http.Header{})
		if e == nil || e.Message == "" || e.Action == "" || strings.Contains(e.Message, secret) || len(e.Message) > 2*maxMessage {
			t.Errorf("%+v", e)
		}
	})
}
