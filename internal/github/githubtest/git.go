package githubtest

import (
	"bytes"
	"io"
	"net/http"
	"net/http/cgi"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// backend is the path of git's program for smart HTTP.
var backend = sync.OnceValues(func() (string, error) {
	exe, err := exec.Command("git", "--exec-path").Output()
	return filepath.Join(strings.TrimSpace(string(exe)), "git-http-backend"), err
})

// serveGit serves the repository over smart HTTP at /owner/name and /owner/name.git, to the token
// alone.
func (s *Server) serveGit(w http.ResponseWriter, r *http.Request, body []byte) {
	rest, found := strings.CutPrefix(r.URL.Path, "/"+s.full())
	rest = strings.TrimPrefix(rest, ".git")
	switch {
	case !found || !strings.HasPrefix(rest, "/"):
		http.NotFound(w, r)
		return
	case !s.authorized(r):
		w.Header().Set("WWW-Authenticate", `Basic realm="GitHub"`)
		http.Error(w, "authentication required", http.StatusUnauthorized)
		return
	case s.opts.ReadOnly && (strings.Contains(rest, "receive-pack") ||
		r.URL.Query().Get("service") == "git-receive-pack"):
		http.Error(w, "Permission denied", http.StatusForbidden)
		return
	}
	backend, err := backend()
	if err != nil {
		s.t.Errorf("git --exec-path: %v", err)
		return
	}
	r2 := r.Clone(r.Context())
	r2.URL.Path = "/" + filepath.Base(s.opts.Git.Dir) + rest
	r2.Body, r2.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	r2.TransferEncoding = nil
	(&cgi.Handler{
		Path: backend, Root: "/",
		Env: []string{
			"GIT_PROJECT_ROOT=" + filepath.Dir(s.opts.Git.Dir), "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=" + s.self(),
			"GIT_PROTOCOL=" + r.Header.Get("Git-Protocol"), "GIT_CONFIG_NOSYSTEM=1",
		},
		Stderr: io.Discard,
	}).ServeHTTP(w, r2)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.follow()
}
