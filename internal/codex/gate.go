package codex

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"time"

	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/workflow"
)

// maxRequestBody is the largest request that passes the gate, in bytes.
const maxRequestBody = 32 << 20

// gate is the only way from codex to the model: a server on the loopback interface that adds the
// key, forwards POST …/responses and nothing else, counts tokens, and remembers how each review's
// requests ended. Each review has an address of its own that nobody can guess.
type gate struct {
	key      string
	endpoint *url.URL
	budget   int64
	most     int // requests a review
	forward  *httputil.ReverseProxy
	server   *http.Server
	base     string // http://127.0.0.1:PORT
	log      func(string, ...any)

	mu    sync.Mutex
	calls map[string]*call // by path
	used  workflow.Tokens
}

// openGate starts to listen. The caller closes the gate.
func openGate(ctx context.Context, opts Options, endpoint *url.URL) (*gate, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen on loopback: %w", err)
	}
	g := &gate{
		key: opts.APIKey, endpoint: endpoint, budget: opts.Budget, most: opts.MaxRequests,
		base: "http://" + l.Addr().String(), log: opts.Log, calls: map[string]*call{},
	}
	quiet := log.New(io.Discard, "", 0) // failures are recorded with the review
	g.forward = &httputil.ReverseProxy{
		Rewrite: g.rewrite, ModifyResponse: g.received, ErrorHandler: g.broken,
		ErrorLog: quiet, FlushInterval: -1,
		Transport: &http.Transport{ // follows no redirects, because nothing here does
			Proxy:                 opts.Proxy,
			DialContext:           (&net.Dialer{Timeout: 15 * time.Second}).DialContext,
			TLSHandshakeTimeout:   15 * time.Second,
			ResponseHeaderTimeout: opts.HeaderTimeout,
			ForceAttemptHTTP2:     true,
			MaxIdleConnsPerHost:   16,
			IdleConnTimeout:       90 * time.Second,
			DisableCompression:    true,
		},
	}
	g.server = &http.Server{Handler: g, ReadHeaderTimeout: 10 * time.Second, ErrorLog: quiet}
	go func() { _ = g.server.Serve(l) }() // ends with Close
	return g, nil
}

// Close ends all connections.
func (g *gate) Close() error { return g.server.Close() }

// open gives a review its address, to be used as codex's base_url.
func (g *gate) open() (*call, string) {
	path := "/" + rand.Text() + "/v1"
	c := &call{path: path}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.calls[path+"/responses"] = c
	return c, g.base + path
}

// shut takes a review's address away.
func (g *gate) shut(c *call) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.calls, c.path+"/responses")
}

// count adds to what all calls used, and returns that.
func (g *gate) count(t workflow.Tokens) workflow.Tokens {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.used = g.used.Add(t)
	return g.used
}

// callKey is the context's key of the review that a request belongs to.
type callKey struct{}

func callOf(r *http.Request) *call {
	//nolint:errcheck,forcetypeassert // the server puts it into every request
	return r.Context().Value(callKey{}).(*call)
}

// ServeHTTP implements http.Handler.
func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	c := g.calls[r.URL.Path]
	g.mu.Unlock()
	if c == nil || r.Method != http.MethodPost {
		http.NotFound(w, r)
		return
	}
	if err := g.admit(c); err != nil {
		c.fail(err)
		refuse(w, err.Message)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequestBody))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		e := failed(review.BadRequest,
			fmt.Sprintf("the request to the model is larger than %d MiB", maxRequestBody>>20),
			"review fewer or smaller files at once")
		c.fail(e)
		refuse(w, e.Message)
	}
	if err != nil {
		return
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	g.forward.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), callKey{}, c)))
}

// admit counts a request in, or says why it may not pass. A request under way
// may overrun the budget; the next one is refused.
func (g *gate) admit(c *call) *review.EngineError {
	if used := g.count(workflow.Tokens{}).Total(); g.budget > 0 && used >= g.budget {
		return failed(review.Budget,
			fmt.Sprintf("the run's token budget is spent: %d of %d tokens", used, g.budget),
			"raise the input max-tokens, or review fewer artifacts at once")
	}
	if n := c.update(func(s *seen) { s.requests++ }).requests; n > g.most {
		return answerError(fmt.Sprintf("the model gave no answer within %d requests", g.most))
	}
	return nil
}

// rewrite makes the request that the endpoint gets.
func (g *gate) rewrite(p *httputil.ProxyRequest) {
	u := *g.endpoint
	p.Out.URL, p.Out.Host = &u, u.Host
	for _, h := range []string{
		"Authorization", "Api-Key", "Cookie", "Accept-Encoding",
		"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto",
	} {
		p.Out.Header.Del(h)
	}
	isToken := strings.HasPrefix(g.key, "eyJ") // of Entra, which goes where others expect it
	if isAzure(g.endpoint) && !isToken {
		p.Out.Header.Set("Api-Key", g.key)
		return
	}
	p.Out.Header.Set("Authorization", "Bearer "+g.key)
}

// isAzure reports whether an endpoint is Azure's, by its host or by the dated version that only
// Azure has callers name. Such an endpoint takes keys in a header of their own.
func isAzure(endpoint *url.URL) bool {
	host := strings.ToLower(endpoint.Hostname())
	for _, suffix := range []string{
		".openai.azure.com", ".cognitiveservices.azure.com", ".services.ai.azure.com",
	} {
		if strings.HasSuffix(host, suffix) {
			return true
		}
	}
	return endpoint.Query().Has("api-version")
}

// refuse answers codex in a way that it never retries. The reason is known to
// the gate already; codex gets it for its log only.
func refuse(w http.ResponseWriter, reason string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	_, _ = io.WriteString(w, errorBody(reason)) // codex may be gone
}

func errorBody(reason string) string {
	return `{"error":{"type":"invalid_request_error","message":` + quote(reason) + `}}`
}

// checkEndpoint parses the endpoint's URL. Plain http would show the key to the network.
func checkEndpoint(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" {
		return nil, errors.New("the endpoint is not a URL") // the text may hold a password
	}
	if u.User != nil {
		return nil, errors.New("the endpoint holds a user name or password")
	}
	if u.Scheme == "https" || u.Scheme == "http" && loopback(u.Hostname()) {
		return u, nil
	}
	return nil, fmt.Errorf("the endpoint %s://%s is not https", u.Scheme, u.Host)
}

// loopback reports whether a host is this machine. Names other than localhost are not resolved.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}
