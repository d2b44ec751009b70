package githubtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// request is a call on its way to a handler.
type request struct {
	*http.Request
	params map[string]string
	body   []byte
}

// decode reads the body, which was validated before.
func (r *request) decode(into any) { _ = json.Unmarshal(r.body, into) }

func (r *request) number(param string) int64 {
	n, _ := strconv.ParseInt(r.params[param], 10, 64)
	return n
}

// reply is a handler's answer, to be completed by the schema.
type reply struct {
	status int
	body   any
	header http.Header
}

// handler answers a call; the server's lock is held.
type handler func(*Server, *request) reply

func ok(body any) reply      { return reply{status: http.StatusOK, body: body} }
func created(body any) reply { return reply{status: http.StatusCreated, body: body} }

func refuse(status int, format string, args ...any) reply {
	return reply{status: status, body: object{
		"message": fmt.Sprintf(
			format,
			args...),
		"documentation_url": "https://docs.github.com/rest", "status": strconv.Itoa(status),
	}}
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client left
	}
	time.Sleep(time.Duration(s.lag.Load()))
	path := strings.TrimPrefix(strings.TrimPrefix(r.URL.EscapedPath(), "/api/v3"), "/api")
	s.takeTurn(r, path)
	fault, index := s.record(r, path, body)
	if fault != nil && !fault.After {
		s.answered(index, fault.Status)
		fault.write(w, r, s.done)
		return
	}
	answer := httptest.NewRecorder()
	s.dispatch(answer, r, path, body)
	if fault != nil {
		s.answered(index, fault.Status)
		fault.write(w, r, s.done)
		return
	}
	s.answered(index, answer.Code)
	for k, v := range answer.Header() {
		w.Header()[k] = v
	}
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes())
}

func (s *Server) dispatch(w http.ResponseWriter, r *http.Request, path string, body []byte) {
	switch {
	case strings.HasPrefix(r.URL.Path, "/api/v3/"):
		s.serveREST(w, r, path, body)
	case r.URL.Path == "/api/graphql":
		s.serveGraphQL(w, r, body)
	default:
		s.serveGit(w, r, body)
	}
}

// record notes the request and asks the rule whether it fails.
func (s *Server) record(r *http.Request, path string, body []byte) (*Fault, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, Request{
		Method: r.Method, Path: path, Query: r.URL.RawQuery, Header: r.Header.Clone(), Body: body,
	})
	if s.fail == nil {
		return nil, len(s.requests) - 1
	}
	nth := 0
	for _, q := range s.requests {
		if q.Method == r.Method && q.Path == path {
			nth++
		}
	}
	return s.fail(Call{Method: r.Method, Path: path, Body: body, Nth: nth}), len(s.requests) - 1
}

func (s *Server) answered(index, status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests[index].Status = status
}

func (s *Server) serveREST(w http.ResponseWriter, r *http.Request, path string, body []byte) {
	rt, params := s.route(r.Method, path)
	if rt == nil {
		s.t.Errorf("GitHub got a call that it does not serve: %s %s", r.Method, path)
		send(w, refuse(http.StatusNotFound, "Not Found"))
		return
	}
	in, err := rt.checkRequest(r, params, body)
	if err != nil {
		s.t.Errorf("request %s %s violates GitHub's OpenAPI description: %v\n%s",
			r.Method, path, err, body)
	}
	answer := s.answer(rt, &request{Request: r, params: params, body: body})
	if answer.status != http.StatusNoContent {
		answer.body = s.complete(rt, answer)
	}
	data := send(w, answer)
	if answer.status == http.StatusUnauthorized {
		return
	}
	if err := checkResponse(in, answer.status, w.Header(), data); err != nil {
		s.t.Errorf("the fake's answer to %s %s violates GitHub's OpenAPI description: %v\n%s",
			r.Method, path, err, data)
	}
}

func (s *Server) answer(rt *route, r *request) reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	repo := s.full()
	switch {
	case !s.authorized(r.Request):
		return refuse(http.StatusUnauthorized, "Bad credentials")
	case rt.op.Path != "/user" && !strings.EqualFold(r.params["owner"]+"/"+r.params["repo"], repo):
		return refuse(http.StatusNotFound, "Not Found")
	case s.opts.ReadOnly && r.Method != http.MethodGet:
		return refuse(http.StatusForbidden, "Resource not accessible by integration")
	}
	return rt.serve(s, r)
}

// authorized accepts the token as bearer (API) or password (git).
func (s *Server) authorized(r *http.Request) bool {
	_, password, _ := r.BasicAuth()
	auth := r.Header.Get("Authorization")
	return password == s.opts.Token || auth == "Bearer "+s.opts.Token ||
		auth == "token "+s.opts.Token
}

func (s *Server) route(method, path string) (*route, map[string]string) {
	for _, rt := range s.spec.routes {
		m := rt.pattern.FindStringSubmatch(path)
		if rt.method != method || m == nil {
			continue
		}
		params := map[string]string{}
		for i, name := range placeholder.FindAllStringSubmatch(rt.path, -1) {
			params[name[1]], _ = url.PathUnescape(m[i+1])
		}
		return rt, params
	}
	return nil, nil
}

// complete fills the answer up to its schema.
func (s *Server) complete(rt *route, a reply) any {
	ref := rt.op.Operation.Responses.Status(a.status)
	if ref == nil || ref.Value.Content.Get("application/json") == nil {
		return a.body
	}
	return fill(ref.Value.Content.Get("application/json").Schema, a.body)
}

func send(w http.ResponseWriter, a reply) []byte {
	for k, v := range a.header {
		w.Header()[k] = v
	}
	if a.status == http.StatusNoContent {
		w.WriteHeader(a.status)
		return nil
	}
	var b bytes.Buffer
	_ = json.NewEncoder(&b).Encode(a.body)
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(a.status)
	_, _ = w.Write(b.Bytes())
	return b.Bytes()
}

// page cuts a listing as the query asks and links to the next page.
func page(s *Server, r *request, all []any) ([]any, http.Header) {
	q := r.URL.Query()
	size, err := strconv.Atoi(q.Get("per_page"))
	if err != nil || size < 1 || size > 100 {
		size = 30
	}
	n, err := strconv.Atoi(q.Get("page"))
	if err != nil || n < 1 {
		n = 1
	}
	from, to := min((n-1)*size, len(all)), min(n*size, len(all))
	h := http.Header{}
	if to < len(all) {
		q.Set("page", strconv.Itoa(n+1))
		h.Set("Link", fmt.Sprintf(`<%s%s?%s>; rel="next"`, s.URL, r.URL.Path, q.Encode()))
	}
	return append([]any{}, all[from:to]...), h
}
