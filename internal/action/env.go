package action

import (
	"cmp"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/http/httpproxy"

	"github.com/mattn/go-isatty"
)

// Env is the process's surroundings, read once. Nothing below it asks the
// operating system for variables, the clock or the terminal.
type Env struct {
	Version string // of this program
	Commit  string // that it was built from, "" if the build did not say
	Source  string // OWNER/NAME of the repository that the action is published in
	Vars    map[string]string
	Dir     string // working folder
	Self    string // path of this binary, which is started again to parse sources and, by codex, to serve the tools; "" = neither
	Stdin   io.ReadCloser
	Stdout  io.WriteCloser
	Stderr  io.Writer
	Color   bool // Stdout is a terminal and NO_COLOR is not set
	Now     func() time.Time
}

// ProcessEnv is the Env of the running process.
func ProcessEnv(version, commit, source string) Env {
	vars := make(map[string]string)
	for _, kv := range os.Environ() {
		if k, v, ok := strings.Cut(kv, "="); ok {
			vars[k] = v
		}
	}
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	return Env{
		Version: version, Commit: commit, Source: source, Vars: vars, Dir: dir, Self: self,
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Color: isatty.IsTerminal(os.Stdout.Fd()) && vars["NO_COLOR"] == "",
		Now:   time.Now,
	}
}

// get is a variable's value, "" if it is not set.
func (e Env) get(name string) string { return e.Vars[name] }

// list is all variables, as programs are started with them.
func (e Env) list() []string {
	out := make([]string, 0, len(e.Vars))
	for name, value := range e.Vars {
		out = append(out, name+"="+value)
	}
	slices.Sort(out)
	return out
}

// wrapper is what a wrapper of codex may need to find it: the user's home, and the settings of version managers.
func (e Env) wrapper() []string {
	var out []string
	for name, value := range e.Vars {
		manager, _, _ := strings.Cut(name, "_")
		switch manager {
		case "HOME", "XDG", "MISE", "ASDF", "PNPM", "VOLTA", "NVM", "FNM":
			out = append(out, name+"="+value)
		}
	}
	return out
}

// act reports whether this is a rehearsal of a workflow on somebody's machine.
func (e Env) act() bool { return e.get("ACT") == "true" }

// server is where the pages of the repository are, "" if there are none.
func (e Env) server() string {
	if e.act() {
		return ""
	}
	return e.get("GITHUB_SERVER_URL")
}

// transport carries requests to GitHub, as http.DefaultTransport does but for where it learns of proxies.
func (e Env) transport() http.RoundTripper {
	t, ok := http.DefaultTransport.(*http.Transport)
	if !ok { // somebody put another in its place
		return http.DefaultTransport
	}
	t = t.Clone()
	t.Proxy = e.proxy()
	return t
}

// proxy chooses the proxy for a request, by the usual variables in lower or
// upper case. Requests to loopback addresses never go through one.
func (e Env) proxy() func(*http.Request) (*url.URL, error) {
	either := func(name string) string { return cmp.Or(e.get(strings.ToLower(name)), e.get(name)) }
	f := (&httpproxy.Config{
		HTTPProxy: either("HTTP_PROXY"), HTTPSProxy: either("HTTPS_PROXY"), NoProxy: either("NO_PROXY"),
	}).ProxyFunc()
	return func(r *http.Request) (*url.URL, error) { return f(r.URL) }
}

// temp is the folder for what this run keeps while it works.
func (e Env) temp() string {
	for _, dir := range []string{e.get("RUNNER_TEMP"), e.get("TMPDIR")} {
		if info, err := os.Stat(dir); dir != "" && err == nil && info.IsDir() {
			return dir
		}
	}
	return os.TempDir()
}
