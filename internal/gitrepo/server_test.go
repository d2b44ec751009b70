package gitrepo

import (
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// server is a smart http git server that demands a token.
type server struct {
	*httptest.Server
	requests atomic.Int64 // that passed authentication
	leaks    atomic.Int64 // requests with any other authorization than the token's
	sent     atomic.Int64 // bytes of answers
	fault    atomic.Pointer[fault]
}

// fault may answer instead of git; it reports whether it did.
type fault func(w http.ResponseWriter, req *http.Request) bool

func (srv *server) setFault(f fault) { srv.fault.Store(&f) }

const testToken = "ghs_secret0123456789"

// serve gives the sandbox' repositories over http.
func (s *sandbox) serve() *server {
	s.t.Helper()
	backend := &cgi.Handler{
		Path: strings.TrimSpace(s.git("", "--exec-path")) + "/git-http-backend",
		Env:  append(gitEnv(0), "GIT_PROJECT_ROOT="+s.dir, "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=x-access-token"),
	}
	srv := &server{}
	srv.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		user, password, ok := req.BasicAuth()
		if !ok || user != "x-access-token" || password != testToken {
			if ok {
				srv.leaks.Add(1)
			}
			w.Header().Set("WWW-Authenticate", `Basic realm="git"`)
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		srv.requests.Add(1)
		if f := srv.fault.Load(); f != nil && (*f)(w, req) {
			return
		}
		req.Header.Del("Authorization")
		backend.ServeHTTP(&counter{w, &srv.sent}, req)
	}))
	s.t.Cleanup(srv.Close)
	return srv
}

// options are for a job whose repository is on the server.
func (srv *server) options(workspace, repo string) Options {
	return Options{
		Workspace: workspace, Remote: srv.URL + "/" + repo, Token: testToken,
		AuthHost: strings.TrimPrefix(srv.URL, "http://"),
	}
}

type counter struct {
	http.ResponseWriter
	sent *atomic.Int64
}

func (c *counter) Write(p []byte) (int, error) {
	c.sent.Add(int64(len(p)))
	return c.ResponseWriter.Write(p)
}

// forge makes repository o.git, served as a forge would: any commit by its id
// if anyID, and a pull request number 7 of a fork. It returns main's tip, the
// merge base and the pull request's head.
func (s *sandbox) forge(anyID bool) (base, mergeBase, head string) {
	s.t.Helper()
	s.init("o")
	var files []string
	for i := range 30 {
		files = append(files, "lib/f"+strings.Repeat("x", i)+".go", lines(40, strings.Repeat("n", i)))
	}
	s.commit("o", "root", files...)
	mergeBase = s.commit("o", "fork point", "a.txt", "1\n", "b.txt", "1\n")
	for i := range 5 {
		s.commit("o", "main goes on", "main.txt", lines(i+1, "main"))
	}
	base = s.git("o", "rev-parse", "HEAD")
	s.git("o", "checkout", "-q", "-b", "pr", mergeBase)
	s.commit("o", "pr 1", "a.txt", "2\n")
	head = s.commit("o", "pr 2", "b.txt", "-", "c.txt", "3\n")
	s.git("", "clone", "-q", "--bare", "o", "o.git")
	s.git("o.git", "update-ref", "refs/pull/7/head", head)
	s.git("o.git", "symbolic-ref", "HEAD", "refs/heads/main")
	s.git("o.git", "update-ref", "-d", "refs/heads/pr")
	s.git("o.git", "config", "http.receivepack", "true")
	if anyID {
		s.git("o.git", "config", "uploadpack.allowAnySHA1InWant", "true")
		s.git("o.git", "config", "uploadpack.allowFilter", "true")
	}
	return base, mergeBase, head
}

func mustFail(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q does not say %q", err, w)
		}
	}
	if strings.Contains(err.Error(), testToken) {
		t.Errorf("error %q shows the token", err)
	}
}
